// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/HeadWriter.h"

#include "core/http/Message.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::gateway {
namespace {

void appendNumber(std::string& out, std::uint64_t number)
{
    std::array<char, 20> digits{};
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void appendField(std::string& out, std::string_view name, std::string_view value)
{
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
}

// Of a list header that proxies add to: what a trusted peer said, then ours.
void appendListed(std::string& out, std::string_view name, const RequestView& request, FieldKind kind, bool isTrusted)
{
    out += name;
    out += ": ";
    if (isTrusted) {
        for (const FieldView& field : request.fields) {
            if (field.kind == kind && !field.value.empty()) {
                out += field.value;
                out += ", ";
            }
        }
    }
}

void appendForwarded(std::string& out, const RequestView& request, const ClientFacts& client)
{
    appendListed(out, "Forwarded", request, FieldKind::Forwarded, client.isTrusted);
    const bool isV6 = client.peer.find(':') != std::string::npos;
    out += isV6 ? "for=\"[" : "for=";
    out += client.peer;
    out += isV6 ? "]\"" : "";
    if (!request.host.empty()) {
        out += ";host=\"";
        out += request.host; // its characters were checked; none needs an escape
        out += '"';
    }
    out += client.isSecure ? ";proto=https\r\n" : ";proto=http\r\n";
}

void appendClient(std::string& out, const RequestView& request, const ClientFacts& client, std::string_view realIp)
{
    appendListed(out, "X-Forwarded-For", request, FieldKind::ForwardedFor, client.isTrusted);
    out += client.peer;
    out += "\r\n";
    const std::string_view proto = client.isTrusted ? request.field(FieldKind::ForwardedProto) : std::string_view();
    appendField(out, "X-Forwarded-Proto", !proto.empty() ? proto : client.isSecure ? "https" : "http");
    const std::string_view host = client.isTrusted ? request.field(FieldKind::ForwardedHost) : std::string_view();
    if (!host.empty() || !request.host.empty()) {
        appendField(out, "X-Forwarded-Host", host.empty() ? request.host : host);
    }
    appendField(out, "X-Real-Ip", realIp);
    appendForwarded(out, request, client);
}

void appendAdded(std::string& out, const HeadChanges* changes)
{
    if (changes != nullptr) {
        for (const auto& [name, value] : changes->added) {
            appendField(out, name, value);
        }
    }
}

bool isRemoved(const HeadChanges* changes, std::string_view name)
{
    return changes != nullptr && changes->removes(name);
}

} // namespace

bool HeadChanges::removes(std::string_view name) const
{
    return std::any_of(removed.begin(), removed.end(), [&](const std::string& one) { return http::equalsIgnoringCase(one, name); });
}

void appendRequestHead(std::string& out, const RequestView& request, const ClientFacts& client, const RequestFrame& frame)
{
    out += request.method;
    out += ' ';
    if (frame.changes != nullptr && !frame.changes->target.empty()) {
        out += frame.basePath;
        out += frame.changes->target;
    } else {
        out += request.path == "*" ? std::string_view() : frame.basePath;
        out += request.path;
        if (request.hasQuery) {
            out += '?';
            out += request.query;
        }
    }
    out += " HTTP/1.1\r\nHost: ";
    out += frame.host;
    out += "\r\n";
    for (const FieldView& field : request.fields) {
        const bool isPassedOn = field.kind == FieldKind::Other || (field.kind == FieldKind::Traceparent && frame.traceparent.empty())
            || (field.kind == FieldKind::Trailer && request.isChunked) || (field.kind == FieldKind::ForwardedOther && client.isTrusted);
        if (isPassedOn && !isRemoved(frame.changes, field.name)) {
            appendField(out, field.name, field.value);
        }
    }
    if (!frame.traceparent.empty()) {
        appendField(out, "traceparent", frame.traceparent);
    }
    appendClient(out, request, client, frame.realIp);
    if (request.isChunked) {
        out += "Transfer-Encoding: chunked\r\n";
    } else if (request.hasLength) {
        out += "Content-Length: ";
        appendNumber(out, request.contentLength);
        out += "\r\n";
    }
    if (request.expectsContinue) {
        out += "Expect: 100-continue\r\n";
    }
    if (!request.upgrade.empty()) {
        appendField(out, "Upgrade", request.upgrade);
        out += "Connection: Upgrade\r\n";
    } else if (request.takesTrailers) {
        out += "TE: trailers\r\nConnection: TE\r\n";
    }
    appendAdded(out, frame.changes);
    out += "\r\n";
}

void appendAnswerHead(std::string& out, const ResponseView& response, const AnswerFrame& frame)
{
    out += "HTTP/1.1 ";
    appendNumber(out, response.status);
    out += ' ';
    out += response.reason;
    out += "\r\n";
    for (const FieldView& field : response.fields) {
        bool isPassedOn = true;
        switch (field.kind) {
        case FieldKind::HopByHop:
        case FieldKind::Connection:
        case FieldKind::ContentLength:
        case FieldKind::TransferEncoding:
        case FieldKind::Upgrade:
            // An offer to upgrade (426) names its protocols for whoever asked; it may be passed on without a Connection line.
            isPassedOn = field.kind == FieldKind::Upgrade && response.status == 426;
            break;
        case FieldKind::Trailer:
            isPassedOn = frame.chunked;
            break;
        default:
            break;
        }
        if (isPassedOn && !isRemoved(frame.changes, field.name)) {
            appendField(out, field.name, field.value);
        }
    }
    if (frame.chunked) {
        out += "Transfer-Encoding: chunked\r\n";
    } else if (frame.hasLength) {
        out += "Content-Length: ";
        appendNumber(out, frame.length);
        out += "\r\n";
    }
    if (!frame.upgrade.empty()) {
        appendField(out, "Upgrade", frame.upgrade);
        out += "Connection: Upgrade\r\n";
    } else if (frame.closes) {
        out += "Connection: close\r\n";
    } else if (frame.saysKeepAlive) {
        out += "Connection: keep-alive\r\n";
    }
    appendAdded(out, frame.changes);
    out += "\r\n";
}

bool isTraceparent(std::string_view value)
{
    constexpr std::string_view kShape = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-00";
    if (value.size() < kShape.size() || (value.size() > kShape.size() && (value.starts_with("00") || value[kShape.size()] != '-'))) {
        return false;
    }
    for (std::size_t at = 0; at < kShape.size(); ++at) {
        const char c = value[at];
        const bool isHex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (kShape[at] == '-' ? c != '-' : !isHex) {
            return false;
        }
    }
    const auto isZero = [](std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; };
    return !value.starts_with("ff") && !isZero(value.substr(3, 32)) && !isZero(value.substr(36, 16));
}

void makeTraceparent(std::string& into, std::mt19937_64& random)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    into = "00-00000000000000000000000000000000-0000000000000000-01";
    const auto fill = [&](std::size_t at) {
        std::uint64_t bits = random() | 1U; // never all zero
        for (std::size_t i = 0; i < 16; ++i, bits >>= 4U) {
            into[at + i] = kDigits[bits & 0xFU];
        }
    };
    fill(3);
    fill(19);
    fill(36);
}

} // namespace weir::gateway
