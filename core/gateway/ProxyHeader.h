// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpAddress.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace weir::gateway {

/// What a balancer says of a connection before its first byte: the header of the PROXY protocol, version 1 or 2.
struct ProxyHeader {
    enum class Step : unsigned char {
        NeedMore, ///< all of it belongs to the header so far
        Done,
        Failed,
    };
    static constexpr std::size_t kMostV1 = 107;  ///< bytes, with the line's end
    static constexpr std::size_t kMostV2 = 4096; ///< bytes; what balancers add to the addresses stays far below

    Step step = Step::NeedMore;
    std::size_t length = 0;               ///< of the header, when it is done
    std::string_view fault;               ///< when it failed: which rule it breaks; a literal
    std::optional<IpAddress> source;      ///< the client; nothing: LOCAL or UNKNOWN, the socket's own address holds
    std::optional<IpAddress> destination; ///< the address that it called; there when the source is
};

/// Reads the header that `bytes` begin with, and never looks beyond it. Strict: what is not exactly as the protocol has it fails. More
/// bytes change nothing once it is done or has failed. No I/O, any thread.
[[nodiscard]] ProxyHeader readProxyHeader(std::string_view bytes);

} // namespace weir::gateway
