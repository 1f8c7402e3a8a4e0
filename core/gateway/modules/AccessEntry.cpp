// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/AccessEntry.h"

#include "core/routing/condition/Utf8Text.h"

#include <charconv>

namespace weir::gateway {
namespace {

constexpr std::size_t kLongestText = 2048;
constexpr std::array<std::string_view, 6> kStages{"head", "route", "wait", "connect", "header", "body"};

bool isPlain(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
}

void appendText(std::string& out, std::string_view text)
{
    static constexpr std::string_view kDigits = "0123456789abcdef";
    out += '"';
    std::size_t i = 0;
    while (i < text.size() && i < kLongestText && isPlain(text[i])) {
        ++i;
    }
    out += text.substr(0, i); // nearly always all of it
    while (i < text.size() && i < kLongestText) {
        const char c = text[i];
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80) {
            const routing::CodePoint point = routing::codePointAt(text, i);
            out += point.text.empty() ? std::string_view("\xEF\xBF\xBD") : point.text;
            i += point.text.empty() ? 1 : point.text.size();
            continue;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\u00";
            out += kDigits[byte >> 4];
            out += kDigits[byte & 0xf];
        } else {
            out += c;
        }
        ++i;
    }
    out += '"';
}

void appendNumber(std::string& out, std::int64_t value)
{
    std::array<char, 24> digits;
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void appendMember(std::string& out, std::string_view name, std::string_view text)
{
    out += ",\"";
    out += name;
    out += "\":";
    appendText(out, text);
}

void appendMember(std::string& out, std::string_view name, std::int64_t value)
{
    out += ",\"";
    out += name;
    out += "\":";
    appendNumber(out, value);
}

void appendTries(std::string& out, std::span<const AccessTry> tries)
{
    out += ",\"tries\":[";
    for (std::size_t i = 0; i < tries.size(); ++i) {
        out += i > 0 ? ",{\"node\":" : "{\"node\":";
        appendText(out, tries[i].node);
        appendMember(out, "result", tries[i].result);
        appendMember(out, "ms", std::chrono::duration_cast<std::chrono::milliseconds>(tries[i].took).count());
        out += '}';
    }
    out += ']';
}

void appendStages(std::string& out, const AccessEntry& entry)
{
    out += ",\"us\":{";
    bool isFirst = true;
    for (std::size_t i = 0; i < kStages.size(); ++i) {
        if (entry.stages[i] < Duration::zero()) {
            continue;
        }
        out += isFirst ? "\"" : ",\"";
        out += kStages[i];
        out += "\":";
        appendNumber(out, std::chrono::duration_cast<std::chrono::microseconds>(entry.stages[i]).count());
        isFirst = false;
    }
    out += '}';
}

// Lines of one second share all but their milliseconds.
void appendTime(std::string& out, WallTime time)
{
    constexpr std::size_t kMillis = 20; // where they stand in 2026-01-02T03:04:05.006Z
    static thread_local std::string text;
    static thread_local auto second = std::chrono::sys_seconds::max();
    const auto now = std::chrono::floor<std::chrono::seconds>(time);
    if (now != second) {
        text = toRfc3339(time);
        second = now;
    }
    const auto millis = static_cast<int>((time - now).count());
    text[kMillis] = static_cast<char>('0' + millis / 100);
    text[kMillis + 1] = static_cast<char>('0' + millis / 10 % 10);
    text[kMillis + 2] = static_cast<char>('0' + millis % 10);
    out += '"';
    out += text;
    out += '"';
}

} // namespace

void appendAccessLine(std::string& out, const AccessEntry& entry)
{
    out += "{\"time\":";
    appendTime(out, entry.time);
    appendMember(out, "request_id", entry.requestId);
    appendMember(out, "client", entry.client);
    appendMember(out, "app", entry.app);
    appendMember(out, "host", entry.host);
    appendMember(out, "method", entry.method);
    appendMember(out, "path", entry.path);
    appendMember(out, "rule", entry.rule);
    appendMember(out, "cluster", entry.cluster);
    appendMember(out, "pool", entry.pool);
    appendMember(out, "node", entry.node);
    appendTries(out, entry.tries);
    appendMember(out, "status", static_cast<std::int64_t>(entry.status));
    appendMember(out, "code", entry.code);
    appendMember(out, "bytes_in", static_cast<std::int64_t>(entry.bytesIn));
    appendMember(out, "bytes_out", static_cast<std::int64_t>(entry.bytesOut));
    appendStages(out, entry);
    appendMember(out, "outcome", entry.outcome);
    out += "}\n";
}

} // namespace weir::gateway
