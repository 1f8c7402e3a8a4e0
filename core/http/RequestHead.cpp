// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/RequestHead.h"

#include "core/http/FieldSyntax.h"

#include <algorithm>

namespace weir::http {
namespace {

constexpr std::size_t kMaxFields = 100;
constexpr std::size_t kUsualFields = 8;
constexpr std::size_t kMaxMethod = 32;
constexpr std::size_t kMaxLengthDigits = 18; // fits 64 bits whatever the digits

tl::unexpected<Error> malformed(std::string message)
{
    return fail("malformed_request", std::move(message));
}

// name[:port] or [v6][:port], in the characters RFC 3986 gives a host; no comma, which would make it a list.
bool isHost(std::string_view text)
{
    if (text.empty()) {
        return true;
    }
    const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
    if (bracket == std::string_view::npos) {
        return false;
    }
    const std::size_t colon = text.find(':', bracket);
    const std::string_view name = text.substr(0, colon);
    const std::string_view port = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (name.empty() || !isDigits(port) || port.size() > 5 || (bracket > 0 && name.size() != bracket + 1)) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [&](char c) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return isPlain || std::string_view("-._~!$&'()*+;=%").find(c) != std::string_view::npos
            || (bracket > 0 && (c == '[' || c == ']' || c == ':'));
    });
}

// Cuts the next line, without its CRLF, off `text`. One that ends in a bare LF keeps it: no line may have that inside.
std::string_view takeLine(std::string_view& text)
{
    const std::size_t newline = text.find('\n');
    const std::size_t end = std::min(newline, text.size());
    const bool isWhole = newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r';
    const std::string_view line = text.substr(0, isWhole ? end - 1 : newline == std::string_view::npos ? end : end + 1);
    text.remove_prefix(newline == std::string_view::npos ? end : end + 1);
    return line;
}

Result<void> readRequestLine(std::string_view line, RequestHead& head)
{
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        return malformed("The request line is not method, target and version.");
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!isToken(method) || method.size() > kMaxMethod) {
        return malformed("The method is not a token.");
    }
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        return malformed("The version is neither HTTP/1.1 nor HTTP/1.0.");
    }
    if (!std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7F; })) {
        return fail("malformed_target", "The target has a blank, a control character or a byte that is not ASCII.");
    }
    auto parsed = parseTarget(target, method);
    if (!parsed) {
        return tl::unexpected(std::move(parsed.error()));
    }
    head.method = method;
    head.rawTarget = target;
    head.target = std::move(*parsed);
    head.isVersion11 = version.back() == '1';
    head.keepAlive = head.isVersion11;
    return {};
}

// What the fields seen so far say; each may be said once.
struct Seen {
    bool close = false;
    bool length = false;
    bool coding = false;
    bool host = false;
};

Result<void> readLength(std::string_view value, RequestHead& head, Seen& seen)
{
    if (seen.length) {
        return malformed("Content-Length is given twice.");
    }
    seen.length = true;
    if (value.empty() || !isDigits(value) || value.size() > kMaxLengthDigits) {
        return malformed("Content-Length is not a number of bytes.");
    }
    for (const char c : value) {
        head.contentLength = head.contentLength * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return {};
}

Result<void> readCoding(std::string_view value, RequestHead& head, Seen& seen)
{
    if (seen.coding || !equalsIgnoringCase(value, "chunked") || !head.isVersion11) {
        return malformed("The only transfer coding taken is 'chunked', once, in HTTP/1.1.");
    }
    seen.coding = true;
    head.isChunked = true;
    return {};
}

void readConnection(std::string_view value, RequestHead& head, Seen& seen)
{
    while (!value.empty()) {
        const std::string_view option = value.substr(0, value.find(','));
        value.remove_prefix(std::min(value.size(), option.size() + 1));
        if (equalsIgnoringCase(trimmed(option), "close")) {
            seen.close = true;
        } else if (equalsIgnoringCase(trimmed(option), "keep-alive")) {
            head.keepAlive = true;
        }
    }
    head.keepAlive = head.keepAlive && !seen.close; // close wins over whatever else is said
}

Result<void> readMeaning(std::string_view name, std::string_view value, RequestHead& head, Seen& seen)
{
    // The length of the name first: most fields mean nothing here.
    switch (name.size()) {
    case 4:
        if (equalsIgnoringCase(name, "Host")) {
            if (seen.host || !isHost(value)) {
                return malformed("Host is given twice or is not a host.");
            }
            seen.host = true;
        }
        return {};
    case 6:
        if (equalsIgnoringCase(name, "Expect")) {
            const bool isKnown = equalsIgnoringCase(value, "100-continue") && head.expectation != RequestHead::Expectation::Unknown;
            head.expectation = isKnown ? RequestHead::Expectation::Continue : RequestHead::Expectation::Unknown;
        }
        return {};
    case 10:
        if (equalsIgnoringCase(name, "Connection")) {
            readConnection(value, head, seen);
        }
        return {};
    case 14:
        return equalsIgnoringCase(name, "Content-Length") ? readLength(value, head, seen) : Result<void>();
    case 17:
        return equalsIgnoringCase(name, "Transfer-Encoding") ? readCoding(value, head, seen) : Result<void>();
    default:
        return {};
    }
}

Result<void> readField(std::string_view line, RequestHead& head, Seen& seen)
{
    std::size_t colon = 0;
    while (colon < line.size() && isTokenCharacter(line[colon])) {
        ++colon;
    }
    if (colon == 0 || colon == line.size() || line[colon] != ':') {
        return malformed("A header line has no proper name before a colon.");
    }
    const std::string_view name = line.substr(0, colon);
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!isFieldValue(value)) {
        return malformed("A header value has a control character.");
    }
    if (head.headers.size() >= kMaxFields) {
        return fail("headers_too_large", "There are more than 100 header lines.");
    }
    head.headers.emplace_back(name, value);
    return readMeaning(name, value, head, seen);
}

// The absolute form's host is the one that counts (RFC 9112, 3.2.2).
Result<void> applyAuthority(RequestHead& head)
{
    const std::string& authority = head.target.authority;
    if (authority.empty()) {
        return {};
    }
    if (!isHost(authority)) {
        return fail("malformed_target", "The target's host is not a host.");
    }
    for (auto& [name, value] : head.headers) {
        if (equalsIgnoringCase(name, "Host")) {
            value = authority;
        }
    }
    return {};
}

} // namespace

Result<RequestHead> parseRequestHead(std::string_view text)
{
    RequestHead head;
    Seen seen;
    if (auto line = readRequestLine(takeLine(text), head); !line) {
        return tl::unexpected(std::move(line.error()));
    }
    head.headers.reserve(kUsualFields);
    while (!text.empty()) {
        if (auto field = readField(takeLine(text), head, seen); !field) {
            return tl::unexpected(std::move(field.error()));
        }
    }
    if (seen.length && seen.coding) {
        return malformed("Content-Length and Transfer-Encoding exclude each other.");
    }
    if (head.isVersion11 && !seen.host) {
        return malformed("Host is missing.");
    }
    if (auto authority = applyAuthority(head); !authority) {
        return tl::unexpected(std::move(authority.error()));
    }
    if (!head.isVersion11) {
        head.expectation = RequestHead::Expectation::None;
    }
    return head;
}

} // namespace weir::http
