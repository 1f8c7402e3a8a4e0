// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/HeadParser.h"

#include "core/http/FieldSyntax.h"
#include "core/http/Message.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace weir::gateway {
namespace {

using http::equalsIgnoringCase;
using http::isDigits;
using http::isFieldValue;
using http::isToken;
using http::isTokenCharacter;
using http::trimmed;

constexpr std::size_t kMaxFields = 256;
constexpr std::size_t kMaxMethod = 32;
constexpr std::size_t kMaxLengthDigits = 18; // fits 64 bits whatever the digits

constexpr HeadError malformed(std::string_view detail)
{
    return {400, "malformed_request", detail};
}

// name[:port] or [v6][:port]; no comma, which would make it a list.
bool isHost(std::string_view text)
{
    if (text.empty()) {
        return true;
    }
    const bool isBracketed = text.front() == '[';
    const std::size_t bracket = isBracketed ? text.find(']') : 0;
    if (bracket == std::string_view::npos) {
        return false;
    }
    const std::size_t colon = text.find(':', bracket);
    const std::string_view name = text.substr(0, colon);
    const std::string_view port = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (name.empty() || !isDigits(port) || port.size() > 5 || (isBracketed && name.size() != bracket + 1)) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [&](char c) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return isPlain || std::string_view("-._~!$&'()*+;=%").find(c) != std::string_view::npos || (isBracketed && (c == '[' || c == ']' || c == ':'));
    });
}

struct KnownField {
    std::string_view name;
    FieldKind kind;
};

constexpr std::array kKnownFields{
    KnownField{"te", FieldKind::Te},
    KnownField{"host", FieldKind::Host},
    KnownField{"expect", FieldKind::Expect},
    KnownField{"trailer", FieldKind::Trailer},
    KnownField{"upgrade", FieldKind::Upgrade},
    KnownField{"forwarded", FieldKind::Forwarded},
    KnownField{"x-real-ip", FieldKind::RealIp},
    KnownField{"connection", FieldKind::Connection},
    KnownField{"keep-alive", FieldKind::HopByHop},
    KnownField{"traceparent", FieldKind::Traceparent},
    KnownField{"content-length", FieldKind::ContentLength},
    KnownField{"x-forwarded-by", FieldKind::ForwardedOther},
    KnownField{"x-forwarded-for", FieldKind::ForwardedFor},
    KnownField{"x-forwarded-host", FieldKind::ForwardedHost},
    KnownField{"x-forwarded-port", FieldKind::ForwardedOther},
    KnownField{"proxy-connection", FieldKind::HopByHop},
    KnownField{"x-forwarded-proto", FieldKind::ForwardedProto},
    KnownField{"transfer-encoding", FieldKind::TransferEncoding},
    KnownField{"x-forwarded-server", FieldKind::ForwardedOther},
    KnownField{"proxy-authenticate", FieldKind::HopByHop},
    KnownField{"x-forwarded-prefix", FieldKind::ForwardedOther},
    KnownField{"x-forwarded-scheme", FieldKind::ForwardedOther},
    KnownField{"proxy-authorization", FieldKind::HopByHop},
};
static_assert(std::is_sorted(kKnownFields.begin(), kKnownFields.end(), [](const KnownField& a, const KnownField& b) { return a.name.size() < b.name.size(); }));

constexpr std::size_t kLongestKnown = 19;

// Where the names of each length begin.
constexpr std::array<std::uint8_t, kLongestKnown + 2> makeStarts()
{
    std::array<std::uint8_t, kLongestKnown + 2> starts{};
    for (std::size_t length = 0; length < starts.size(); ++length) {
        std::uint8_t at = 0;
        while (at < kKnownFields.size() && kKnownFields[at].name.size() < length) {
            ++at;
        }
        starts[length] = at;
    }
    return starts;
}

constexpr auto kStarts = makeStarts();

FieldKind kindOf(std::string_view name)
{
    if (name.size() > kLongestKnown) {
        return FieldKind::Other;
    }
    for (std::size_t at = kStarts[name.size()]; at < kStarts[name.size() + 1]; ++at) {
        if (equalsIgnoringCase(name, kKnownFields[at].name)) {
            return kKnownFields[at].kind;
        }
    }
    return FieldKind::Other;
}

// Cuts the next line, without its CRLF, off `text`. The scanner has seen that every LF has a CR before it.
std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? text.size() : end - 1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

HeadError readVersion(std::string_view version, bool& is11)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (version.size() != 8 || !version.starts_with("HTTP/") || !isDigit(version[5]) || version[6] != '.' || !isDigit(version[7])) {
        return malformed("The request line does not end with a version of HTTP.");
    }
    if (version[5] != '1') {
        return {505, "version_not_supported", "Only HTTP/1.1 and HTTP/1.0 are spoken here."};
    }
    is11 = version[7] != '0';
    return {};
}

// Takes the absolute form apart; the origin form stays.
HeadError readTarget(RequestView& into)
{
    std::string_view rest = into.target;
    if (rest == "*") {
        into.path = rest;
        return into.method == "OPTIONS" ? HeadError() : malformed("The target '*' goes with OPTIONS only.");
    }
    if (rest.front() != '/') {
        const std::size_t scheme = rest.find("://");
        const bool isHttp = scheme != std::string_view::npos && (equalsIgnoringCase(rest.substr(0, scheme), "http") || equalsIgnoringCase(rest.substr(0, scheme), "https"));
        if (!isHttp) {
            return malformed("The target is neither a path nor a URL.");
        }
        rest.remove_prefix(scheme + 3);
        into.host = rest.substr(0, rest.find_first_of("/?"));
        rest.remove_prefix(into.host.size());
        if (into.host.empty() || !isHost(into.host)) {
            return malformed("The target names no proper host.");
        }
    }
    const std::size_t mark = rest.find('?');
    into.path = rest.substr(0, mark);
    into.hasQuery = mark != std::string_view::npos;
    into.query = into.hasQuery ? rest.substr(mark + 1) : std::string_view();
    if (into.path.empty()) {
        into.path = "/";
    }
    return {};
}

HeadError readRequestLine(std::string_view line, RequestView& into)
{
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) {
        return malformed("The request line is not method, target and version.");
    }
    into.method = line.substr(0, first);
    into.target = line.substr(first + 1, last - first - 1);
    if (!isToken(into.method) || into.method.size() > kMaxMethod) {
        return malformed("The method is not a token.");
    }
    if (const HeadError error = readVersion(line.substr(last + 1), into.isVersion11)) {
        return error;
    }
    into.keepAlive = into.isVersion11;
    if (into.target.empty() || !std::all_of(into.target.begin(), into.target.end(), [](char c) { return c > 0x20 && c < 0x7F && c != '#'; })) {
        return malformed("The target is empty or has a blank, a fragment, a control character or a byte that is not ASCII.");
    }
    if (into.method == "CONNECT") {
        return {405, "method_not_allowed", "CONNECT is not served: this is not a forward proxy."};
    }
    return readTarget(into);
}

HeadError readStatusLine(std::string_view line, ResponseView& into)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    // HTTP/1.x SP 3 digits [SP reason]
    if (line.size() < 12 || !line.starts_with("HTTP/1.") || !isDigit(line[7]) || line[8] != ' ' || !isDigit(line[9]) || !isDigit(line[10]) || !isDigit(line[11])
        || (line.size() > 12 && line[12] != ' ')) {
        return malformed("The status line is broken.");
    }
    into.keepAlive = line[7] != '0';
    into.status = static_cast<unsigned>(line[9] - '0') * 100 + static_cast<unsigned>(line[10] - '0') * 10 + static_cast<unsigned>(line[11] - '0');
    into.reason = line.substr(std::min<std::size_t>(line.size(), 13));
    if (into.status < 100 || into.status > 599 || !isFieldValue(into.reason)) {
        return malformed("The status is not one of HTTP.");
    }
    return {};
}

HeadError readField(std::string_view line, std::vector<FieldView>& fields)
{
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || !isToken(name)) {
        return malformed("A header line has no proper name right before a colon.");
    }
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!isFieldValue(value)) {
        return malformed("A header value has a control character.");
    }
    if (fields.size() >= kMaxFields) {
        return {431, "headers_too_large", "There are more than 256 header lines."};
    }
    fields.push_back({name, value, kindOf(name)});
    return {};
}

template <typename Head>
HeadError readLength(std::string_view value, Head& into)
{
    if (value.empty() || !isDigits(value) || value.size() > kMaxLengthDigits) {
        return malformed("Content-Length is not a plain number of bytes.");
    }
    std::uint64_t length = 0;
    for (const char c : value) {
        length = length * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (into.hasLength && into.contentLength != length) {
        return malformed("Content-Length is given twice with different values.");
    }
    into.hasLength = true;
    into.contentLength = length;
    return {};
}

template <typename Head>
HeadError readCoding(std::string_view value, Head& into)
{
    if (into.isChunked) {
        return malformed("Transfer-Encoding is given twice.");
    }
    if (!equalsIgnoringCase(value, "chunked")) {
        return {501, "coding_not_supported", "The only transfer coding taken is 'chunked'."};
    }
    into.isChunked = true;
    return {};
}

// Options of Connection: `close` wins over whatever else is said; what it names is for this hop alone.
template <typename Head>
bool readConnection(Head& into)
{
    bool closes = false;
    bool hasUpgrade = false;
    // Fields may stand before the Connection line that names them, so this is a second pass; hardly any head has such names.
    for (std::size_t at = 0; at < into.fields.size(); ++at) {
        if (into.fields[at].kind != FieldKind::Connection) {
            continue;
        }
        std::string_view rest = into.fields[at].value;
        while (!rest.empty()) {
            const std::string_view raw = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), raw.size() + 1));
            const std::string_view option = trimmed(raw);
            if (equalsIgnoringCase(option, "close")) {
                closes = true;
            } else if (equalsIgnoringCase(option, "keep-alive")) {
                into.keepAlive = true;
            } else if (equalsIgnoringCase(option, "upgrade")) {
                hasUpgrade = true;
            } else if (!option.empty()) {
                for (FieldView& field : into.fields) {
                    // Only what is passed on as it is; framing, Host and what the gateway sets are its own business.
                    const bool isPassedOn = field.kind == FieldKind::Other || field.kind == FieldKind::Trailer || field.kind == FieldKind::Traceparent;
                    if (isPassedOn && equalsIgnoringCase(field.name, option)) {
                        field.kind = FieldKind::HopByHop;
                    }
                }
            }
        }
    }
    into.keepAlive = into.keepAlive && !closes;
    return hasUpgrade;
}

HeadError readMeanings(RequestView& into)
{
    bool hasHost = false;
    bool hasConnection = false;
    for (const FieldView& field : into.fields) {
        HeadError error;
        switch (field.kind) {
        case FieldKind::Host:
            if (hasHost || !isHost(field.value)) {
                return malformed("Host is given twice or is not a host.");
            }
            hasHost = true;
            into.host = into.host.empty() ? field.value : into.host;
            break;
        case FieldKind::ContentLength:
            error = into.hasLength ? malformed("Content-Length is given twice.") : readLength(field.value, into);
            break;
        case FieldKind::TransferEncoding:
            error = readCoding(field.value, into);
            break;
        case FieldKind::Expect:
            if (!equalsIgnoringCase(field.value, "100-continue")) {
                return {417, "expectation_failed", "The only expectation met is 100-continue."};
            }
            into.expectsContinue = true;
            break;
        case FieldKind::Te:
            into.takesTrailers = listHas(field.value, "trailers");
            break;
        case FieldKind::Connection:
            hasConnection = true;
            break;
        default:
            break;
        }
        if (error) {
            return error;
        }
    }
    if (into.isVersion11 && !hasHost) {
        return malformed("Host is missing.");
    }
    if (into.isChunked && !into.isVersion11) {
        return malformed("HTTP/1.0 has no transfer codings.");
    }
    if (into.isChunked && into.hasLength) {
        return malformed("Content-Length and Transfer-Encoding exclude each other.");
    }
    into.expectsContinue = into.expectsContinue && into.isVersion11 && into.hasBody();
    // An upgrade with a body, or to HTTP/2, could hide further requests from the checks of this program.
    if (hasConnection && readConnection(into) && into.isVersion11 && !into.hasBody() && !listHas(into.field(FieldKind::Upgrade), "h2c")) {
        into.upgrade = into.field(FieldKind::Upgrade);
    }
    return {};
}

} // namespace

HeadScanner::Step HeadScanner::scan(std::string_view text)
{
    while (true) {
        const void* found = m_scanned < text.size() ? std::memchr(text.data() + m_scanned, '\n', text.size() - m_scanned) : nullptr;
        const std::size_t newline = found == nullptr ? text.size() : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        if (newline >= kMaxHead) {
            m_error = {431, "headers_too_large", "The request line and headers exceed 65536 bytes."};
            return Step::Failed;
        }
        if (found == nullptr) {
            m_scanned = text.size();
            return Step::NeedMore;
        }
        if (newline == 0 || text[newline - 1] != '\r') {
            m_error = malformed("A line ends without CR.");
            return Step::Failed;
        }
        m_scanned = newline + 1;
        if (newline - 1 == m_lineStart) {
            return Step::Found;
        }
        m_lineStart = newline + 1;
    }
}

bool listHas(std::string_view list, std::string_view token)
{
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        if (equalsIgnoringCase(trimmed(one), token)) {
            return true;
        }
    }
    return false;
}

bool isForwardableTrailer(std::string_view name)
{
    const FieldKind kind = kindOf(name);
    if (kind != FieldKind::Other && kind != FieldKind::Traceparent) {
        return false;
    }
    constexpr std::array<std::string_view, 6> kNever{"authorization", "set-cookie", "cookie", "content-encoding", "content-type", "content-range"};
    return std::none_of(kNever.begin(), kNever.end(), [&](std::string_view never) { return equalsIgnoringCase(name, never); });
}

HeadError parseRequest(std::string_view text, RequestView& into)
{
    std::vector<FieldView> fields = std::move(into.fields);
    fields.clear();
    into = RequestView();
    into.fields = std::move(fields);
    if (const HeadError error = readRequestLine(takeLine(text), into)) {
        return error;
    }
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line.empty()) {
            break;
        }
        if (const HeadError error = readField(line, into.fields)) {
            return error;
        }
    }
    return readMeanings(into);
}

HeadError parseResponse(std::string_view text, ResponseView& into)
{
    std::vector<FieldView> fields = std::move(into.fields);
    fields.clear();
    into = ResponseView();
    into.fields = std::move(fields);
    if (const HeadError error = readStatusLine(takeLine(text), into)) {
        return error;
    }
    bool hasConnection = false;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line.empty()) {
            break;
        }
        if (const HeadError error = readField(line, into.fields)) {
            return error;
        }
        const FieldView& field = into.fields.back();
        HeadError error;
        if (field.kind == FieldKind::ContentLength) {
            error = readLength(field.value, into);
        } else if (field.kind == FieldKind::TransferEncoding) {
            error = readCoding(field.value, into);
        }
        hasConnection = hasConnection || field.kind == FieldKind::Connection;
        if (error) {
            return error;
        }
    }
    if (into.isChunked && into.hasLength) {
        return malformed("Content-Length and Transfer-Encoding exclude each other.");
    }
    if (hasConnection && readConnection(into)) {
        for (const FieldView& field : into.fields) {
            into.upgrade = field.kind == FieldKind::Upgrade ? field.value : into.upgrade;
        }
    }
    return {};
}

} // namespace weir::gateway
