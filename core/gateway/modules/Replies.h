// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/modules/Turn.h"

#include <string_view>

namespace weir::gateway {

/// A problem+json answer with `X-Weir-Error`, as the gateway's own ones are (gateway.md "Forwarding").
[[nodiscard]] ModuleReply problemReply(unsigned status, std::string_view code, std::string_view detail);

/// The usual words for a status; empty for an unknown one.
[[nodiscard]] std::string_view reasonPhrase(unsigned status) noexcept;

} // namespace weir::gateway
