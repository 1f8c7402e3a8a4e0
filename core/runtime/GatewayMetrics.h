// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/api/MetricSheet.h"
#include "core/gateway/Gateway.h"

namespace weir::runtime {

/// Writes the gateway's figures (api.md `/metrics`): requests by cluster and class of status, their time, tries, the line of those
/// that wait, what modules counted, and the access log, where there is one. Labels are clusters and modules, never nodes or apps. Any thread.
void writeGateway(api::MetricSheet& sheet, const gateway::Gateway& gateway, const gateway::AccessLog* accessLog);

} // namespace weir::runtime
