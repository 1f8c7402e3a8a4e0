// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weir::plane {

/// The sessions of registered nodes, in memory only: after a restart nodes register again. A node has one; a new one ends the one
/// before, whose holder is told so. Tokens are kept as SHA-256 and compared in constant time. Any thread.
class NodeSessions {
public:
    enum class Standing : unsigned char { Current, Replaced, Unknown };

    /// Which node: its handle, and the birth that tells it from a later node with the same handle.
    struct Key {
        NodeHandle node;
        std::uint64_t birth = 0;
    };

    /// Begins the node's session with a token from newToken(), asked for by `address`.
    void begin(const Key& key, std::string_view token, std::string address);
    /// The node said goodbye, or may not come back.
    void end(const Key& key);
    /// `tokenHash` from hashOf().
    [[nodiscard]] Standing standing(const Key& key, std::string_view tokenHash) const;
    /// Where the current session was asked from; empty without one.
    [[nodiscard]] std::string addressOf(const Key& key) const;

    /// 256 random bits; empty when the operating system has none.
    [[nodiscard]] static std::string newToken();
    [[nodiscard]] static std::string hashOf(std::string_view token);

private:
    struct Session {
        std::uint64_t birth = 0;
        std::string current; ///< hash; empty: no session
        std::string address;
        std::array<std::string, 4> replaced; ///< hashes, in no order
        std::size_t replacements = 0;
    };

    mutable std::mutex m_mutex;
    std::vector<Session> m_sessions; ///< by handle
};

} // namespace weir::plane
