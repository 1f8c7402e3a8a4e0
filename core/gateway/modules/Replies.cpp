// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/Replies.h"

#include <array>
#include <string>
#include <utility>

namespace weir::gateway {
namespace {

void appendQuoted(std::string& out, std::string_view text)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += "\\u00";
            out += kDigits[static_cast<unsigned char>(c) >> 4];
            out += kDigits[static_cast<unsigned char>(c) & 0xf];
        } else {
            out += c;
        }
    }
    out += '"';
}

} // namespace

std::string_view reasonPhrase(unsigned status) noexcept
{
    static constexpr std::array<std::pair<unsigned, std::string_view>, 10> kPhrases{{{400, "Bad Request"}, {401, "Unauthorized"},
        {403, "Forbidden"}, {404, "Not Found"}, {429, "Too Many Requests"}, {451, "Unavailable For Legal Reasons"},
        {500, "Internal Server Error"}, {502, "Bad Gateway"}, {503, "Service Unavailable"}, {504, "Gateway Timeout"}}};
    for (const auto& [known, phrase] : kPhrases) {
        if (known == status) {
            return phrase;
        }
    }
    return {};
}

ModuleReply problemReply(unsigned status, std::string_view code, std::string_view detail)
{
    ModuleReply reply;
    reply.status = status;
    reply.contentType = "application/problem+json";
    reply.headers.emplace_back("X-Weir-Error", code);
    reply.body = "{\"type\":\"about:blank\",\"title\":";
    appendQuoted(reply.body, reasonPhrase(status));
    reply.body += ",\"status\":" + std::to_string(status) + ",\"code\":";
    appendQuoted(reply.body, code);
    reply.body += ",\"detail\":";
    appendQuoted(reply.body, detail);
    reply.body += '}';
    return reply;
}

} // namespace weir::gateway
