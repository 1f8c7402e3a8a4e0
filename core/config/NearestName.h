// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/NearestName.h"

namespace weir::config {

using weir::nearestName;

} // namespace weir::config
