// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/ResponseHead.h"

#include "core/http/FieldSyntax.h"
#include "core/http/Problem.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::http {
namespace {

void appendNumber(std::string& out, std::size_t number)
{
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

void appendClean(std::string& out, std::string_view value)
{
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        out.push_back(byte < 0x20 || byte == 0x7F ? ' ' : c);
    }
}

bool isServersOwn(std::string_view name)
{
    constexpr std::array<std::string_view, 5> kOwn{"Content-Length", "Content-Type", "Transfer-Encoding", "Connection", "X-Request-Id"};
    return std::any_of(kOwn.begin(), kOwn.end(), [&](std::string_view own) { return equalsIgnoringCase(name, own); });
}

} // namespace

bool mayHaveBody(unsigned status) noexcept
{
    return status != 204 && status != 304;
}

void appendHead(std::string& out, const Response& response, const ResponseFrame& frame)
{
    out += "HTTP/1.1 ";
    appendNumber(out, response.status);
    out += ' ';
    out += reasonPhrase(response.status);
    if (!response.contentType.empty() && mayHaveBody(response.status)) {
        out += "\r\nContent-Type: ";
        appendClean(out, response.contentType);
    }
    if (frame.isChunked) {
        out += "\r\nTransfer-Encoding: chunked";
    } else if (mayHaveBody(response.status) && !frame.isStreamed) {
        out += "\r\nContent-Length: ";
        appendNumber(out, response.body.size());
    }
    out += "\r\nX-Request-Id: ";
    out += frame.requestId;
    if (frame.closes) {
        out += "\r\nConnection: close";
    } else if (frame.saysKeepAlive) {
        out += "\r\nConnection: keep-alive";
    }
    for (const auto& [name, value] : response.headers) {
        if (isToken(name) && !isServersOwn(name)) {
            out += "\r\n";
            out += name;
            out += ": ";
            appendClean(out, value);
        }
    }
    out += "\r\n\r\n";
}

} // namespace weir::http
