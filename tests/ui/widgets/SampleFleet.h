// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/widgets/RecordingClient.h"

namespace weir::ui {

/// An invented fleet of 128 workers and 41 apps with one of every trouble, as of `client`'s clock; fills its series and events.
[[nodiscard]] ChangeBatch sampleFleet(RecordingClient& client);

/// A worker that serves and has been probed.
[[nodiscard]] NodeRow healthyNode(const QString& id, const QString& pool);

} // namespace weir::ui
