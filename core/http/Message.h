// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::http {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

class ResponseStream;

/// One request, read whole and checked: framing, header syntax and percent-encoding are right when a handler sees it.
struct Request {
    std::string method;
    std::string target;  ///< as the client sent it
    std::string path;    ///< without query, still percent-encoded
    NamedValues query;   ///< decoded, in order; '+' is a space
    NamedValues headers; ///< as sent, in order, values trimmed
    std::string body;
    std::string peer;                          ///< the client's address, without port
    std::string requestId;                     ///< what the answer's X-Request-Id will say
    std::map<std::string, std::string> params; ///< decoded path parameters, filled by Router

    /// First header of that name whatever its case; empty when there is none.
    [[nodiscard]] std::string_view header(std::string_view name) const;

    /// First query value of that name (case matters).
    [[nodiscard]] std::optional<std::string_view> queryValue(std::string_view name) const;
};

/// One answer. Content-Type is a member; Content-Length, Transfer-Encoding, Connection and X-Request-Id are the server's business.
/// Among `headers` these five are left out.
struct Response {
    unsigned status = 200;
    std::string contentType = "application/json"; ///< empty: no Content-Type
    std::string body;
    NamedValues headers;
    std::shared_ptr<ResponseStream> stream; ///< takes the place of `body`, of a status that may have one; the connection ends with it
};

/// Where an answer goes. Shared by the copies of one Reply.
class ReplyTarget {
public:
    ReplyTarget() = default;
    ReplyTarget(const ReplyTarget&) = delete;
    ReplyTarget& operator=(const ReplyTarget&) = delete;
    virtual ~ReplyTarget() = default;
    virtual void answer(Response&& response) = 0;
};

/// Answers one request: exactly once, from any thread, now or later. After the connection is gone it does nothing. When the
/// last copy dies without a call, the client gets 500 `internal`.
class Reply {
public:
    explicit Reply(std::shared_ptr<ReplyTarget> target)
        : m_target(std::move(target))
    {
    }
    /// Calls `use(Response)`: for a handler that no connection has called.
    template <typename Use, typename = std::enable_if_t<std::is_invocable_v<Use&, Response> && !std::is_base_of_v<Reply, std::decay_t<Use>>>>
    Reply(Use use) // NOLINT(google-explicit-constructor): a lambda is as good as a reply
        : m_target(std::make_shared<Function<Use>>(std::move(use)))
    {
    }

    void operator()(Response response) const { m_target->answer(std::move(response)); }

private:
    template <typename Use>
    struct Function final : ReplyTarget {
        explicit Function(Use function) : use(std::move(function)) {}
        void answer(Response&& response) override { use(std::move(response)); }
        Use use;
    };

    std::shared_ptr<ReplyTarget> m_target;
};

/// Called on the io thread. The request may be kept.
using Handler = std::function<void(Request&&, Reply)>;

// Inline, since heads are read character by character.
namespace detail {

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::array<bool, 256> makeTokenTable()
{
    std::array<bool, 256> table{};
    for (std::size_t c = 0; c < table.size(); ++c) {
        table[c] = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }
    for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

inline constexpr auto kTokenTable = makeTokenTable();

} // namespace detail

/// ASCII only, as header names and tokens are compared.
[[nodiscard]] inline bool equalsIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return detail::lower(x) == detail::lower(y); });
}

/// RFC 9110 `tchar`: what methods and header names are made of.
[[nodiscard]] inline bool isTokenCharacter(char c) noexcept
{
    return detail::kTokenTable[static_cast<unsigned char>(c)];
}

/// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

} // namespace weir::http
