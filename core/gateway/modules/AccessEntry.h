// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weir::gateway {

/// One try, as the access log shows it.
struct AccessTry {
    std::string_view node;
    std::string_view result; ///< "200", "refused"
    Duration took{};
};

/// What one line of the access log says (gateway.md "Access log"). Views into what the gateway holds.
struct AccessEntry {
    WallTime time{};
    std::string_view requestId;
    std::string_view client;
    std::string_view app;
    std::string_view host;
    std::string_view method;
    std::string_view path; ///< as sent, without query: that may hold secrets
    std::string_view rule;
    std::string_view cluster;
    std::string_view pool;
    std::string_view node;
    std::span<const AccessTry> tries;
    unsigned status = 0; ///< 0: the client got none
    std::string_view code;
    std::string_view outcome; ///< "ok", "status:500", "rule:disk-full", "left"
    std::uint64_t bytesIn = 0;
    std::uint64_t bytesOut = 0;
    /// Stages in their order: head, route, wait, connect, header, body. Negative: never reached.
    std::array<Duration, 6> stages{};
};

/// Appends the entry as one line of JSON with its line feed. Texts of clients are escaped; bytes that are not UTF-8 become U+FFFD, and
/// each text is cut at 2,048 bytes.
void appendAccessLine(std::string& out, const AccessEntry& entry);

} // namespace weir::gateway
