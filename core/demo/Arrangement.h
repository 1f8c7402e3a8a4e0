// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/demo/DemoCast.h"
#include "core/plane/ControlPlane.h"

namespace weir::demo {

/// Asks the plane for everything that is not as the cast has it: pools of nodes, drains, owners and bindings of apps. Does not wait.
/// What a person removed stays removed.
void arrange(plane::ControlPlane& plane, const DemoCast& cast);

} // namespace weir::demo
