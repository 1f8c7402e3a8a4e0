// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weir::api {

/// Counts wrong tokens by address: ten within a minute, and further ones are answered 429 until the minute is over (api.md "Who may
/// call"). A right token is never held up, so nobody can lock others out who share an address with them. Bounded; one thread.
class WrongTokens {
public:
    static constexpr int kMost = 10;
    static constexpr Duration kWindow = std::chrono::minutes(1);

    explicit WrongTokens(std::size_t mostAddresses = 4096) : m_mostAddresses(mostAddresses) {}

    /// A wrong token came from `address`: how long it must wait, or zero while it may go on.
    [[nodiscard]] Duration note(std::string_view address, Instant now);

    [[nodiscard]] std::size_t size() const { return m_addresses.size(); }

private:
    struct Count {
        Instant from;
        int wrong = 0;
    };
    void makeRoom(Instant now);

    std::size_t m_mostAddresses;
    std::unordered_map<std::string, Count> m_addresses;
};

} // namespace weir::api
