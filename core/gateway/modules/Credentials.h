// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weir::gateway {

/// Names and passwords of `basic_auth`. A password is kept as `pbkdf2-sha256$ITERATIONS$SALT$HASH`, salt and hash in hexadecimal.
class Credentials {
public:
    static constexpr unsigned kLeastIterations = 10'000;
    static constexpr unsigned kMostIterations = 1'000'000;

    /// False when the stored form is not the one above.
    [[nodiscard]] bool add(std::string name, std::string_view stored);

    /// The user's name when `authorization` is a Basic header with the right password. The slow hash is worked out once for each
    /// header that turned out right, and at most `kMostChecks` times a second for those that did not: past that a wrong password is
    /// refused unread, so that guessing cannot keep the thread busy.
    [[nodiscard]] std::optional<std::string> check(std::string_view authorization, std::int64_t second);

    /// In the stored form, with a random salt.
    [[nodiscard]] static std::string stored(std::string_view password, unsigned iterations);

    static constexpr int kMostChecks = 20;

private:
    struct Secret {
        unsigned iterations = 0;
        std::string salt;
        std::string hash;
    };
    static constexpr std::size_t kMostKnown = 1'000;

    std::map<std::string, Secret, std::less<>> m_secrets;
    std::unordered_map<std::string, std::string> m_known; ///< keyed hash of a header that was right → name
    std::string m_key;                                    ///< of those hashes, random
    std::int64_t m_second = 0;
    int m_checks = 0;
};

} // namespace weir::gateway
