// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/modules/Module.h"

/// The registration of each module: one line here, its definition at the end of the module's own file.
namespace weir::gateway {

extern const ModuleKind kBasicAuthKind;
extern const ModuleKind kBlockKind;
extern const ModuleKind kCompressKind;
extern const ModuleKind kCorsKind;
extern const ModuleKind kErrorsKind;
extern const ModuleKind kHeaderKind;
extern const ModuleKind kRateLimitKind;
extern const ModuleKind kRedirectKind;
extern const ModuleKind kRequestIdKind;
extern const ModuleKind kRewriteKind;
extern const ModuleKind kTrustClientIpKind;

} // namespace weir::gateway
