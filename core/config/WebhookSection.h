// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/config/SectionReader.h"

namespace weir::config {

/// The list `webhooks`: reads each receiver into the configuration and reports what is wrong.
void readWebhooks(SectionReader& root, Config& config);

} // namespace weir::config
