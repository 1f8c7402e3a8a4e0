// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/JsonLookup.h"

#include "core/routing/condition/PercentText.h"
#include "core/routing/condition/Utf8Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace weir::routing {
namespace {

void skipBlanks(std::string_view& text)
{
    const std::size_t end = text.find_first_not_of(" \t\r\n");
    text.remove_prefix(std::min(end, text.size()));
}

// Takes a string with its quotes; `inner` is what is between. False when it has no end.
bool takeString(std::string_view& text, std::string_view& inner)
{
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            inner = text.substr(1, i - 1);
            text.remove_prefix(i + 1);
            return true;
        }
    }
    return false;
}

// Takes an object or array with all that is in it.
bool takeNested(std::string_view& text)
{
    std::string_view rest = text;
    std::size_t depth = 0;
    while (!rest.empty()) {
        if (rest.front() == '"') {
            std::string_view inner;
            if (!takeString(rest, inner)) {
                return false;
            }
            continue;
        }
        depth += rest.front() == '{' || rest.front() == '[' ? 1 : 0;
        depth -= rest.front() == '}' || rest.front() == ']' ? 1 : 0;
        rest.remove_prefix(1);
        if (depth == 0) {
            text = rest;
            return true;
        }
    }
    return false;
}

// Takes one value; `raw` is its text. False when it is cut off or no value begins here.
bool takeValue(std::string_view& text, std::string_view& raw)
{
    skipBlanks(text);
    const std::string_view before = text;
    bool whole = false;
    if (!text.empty() && text.front() == '"') {
        std::string_view inner;
        whole = takeString(text, inner);
    } else if (!text.empty() && (text.front() == '{' || text.front() == '[')) {
        whole = takeNested(text);
    } else {
        const std::size_t end = text.find_first_of(",]} \t\r\n");
        whole = end != 0 && end != std::string_view::npos; // at the end of the text a number may be cut off
        text.remove_prefix(std::min(end, text.size()));
    }
    raw = before.substr(0, before.size() - text.size());
    return whole;
}

// The value of \uXXXX digits at the front, or -1.
int takeUnit(std::string_view& text)
{
    if (text.size() < 4) {
        return -1;
    }
    int value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const int digit = hexDigitValue(text[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    text.remove_prefix(4);
    return value;
}

// Behind "\u". False on a broken escape; half of a pair alone is U+FFFD.
bool takeUnicodeEscape(std::string_view& text, char*& out)
{
    const int first = takeUnit(text);
    if (first < 0) {
        return false;
    }
    auto point = static_cast<std::uint32_t>(first);
    if (point >= 0xD800 && point < 0xDC00 && text.starts_with("\\u")) {
        std::string_view ahead = text.substr(2);
        const int second = takeUnit(ahead);
        if (second >= 0xDC00 && second < 0xE000) {
            point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<std::uint32_t>(second) - 0xDC00);
            text = ahead;
        }
    }
    out += writeUtf8(point, out);
    return true;
}

std::optional<std::string_view> decoded(std::string_view inner, Scratch& scratch)
{
    static constexpr std::string_view kEscapes = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (inner.find('\\') == std::string_view::npos) {
        return inner;
    }
    char* const begin = scratch.room(inner.size()); // an escape is never shorter than what it stands for
    char* out = begin;
    while (!inner.empty()) {
        const char c = inner.front();
        inner.remove_prefix(1);
        if (c != '\\') {
            *out++ = c;
            continue;
        }
        if (inner.empty()) {
            return std::nullopt;
        }
        const char escape = inner.front();
        inner.remove_prefix(1);
        if (const std::size_t known = kEscapes.find(escape); known != std::string_view::npos) {
            *out++ = kMeanings[known];
        } else if (escape != 'u' || !takeUnicodeEscape(inner, out)) {
            return std::nullopt;
        }
    }
    return std::string_view(begin, static_cast<std::size_t>(out - begin));
}

// A whole number as written; 1.50 and 1e3 as 1.5 and 1000.
std::optional<std::string_view> numberText(std::string_view raw, Scratch& scratch)
{
    constexpr std::size_t kLongest = 400; // the largest double has 309 digits, the smallest 324 behind the point
    const std::string_view digits = raw.substr(raw.front() == '-' ? 1 : 0);
    if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) {
        return raw;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
    if (error != std::errc{} || end != raw.data() + raw.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    char* const out = scratch.room(kLongest);
    const auto written = std::to_chars(out, out + kLongest, value, std::chars_format::fixed);
    return written.ec == std::errc{} ? std::optional(std::string_view(out, static_cast<std::size_t>(written.ptr - out))) : std::nullopt;
}

std::optional<std::string_view> valueText(std::string_view raw, Scratch& scratch)
{
    switch (raw.front()) {
    case '"':
        return decoded(raw.substr(1, raw.size() - 2), scratch);
    case '{':
    case '[':
        return raw;
    default:
        break;
    }
    if (raw == "true" || raw == "false") {
        return raw;
    }
    if (raw == "null") {
        return std::string_view{};
    }
    return raw.front() == '-' || (raw.front() >= '0' && raw.front() <= '9') ? numberText(raw, scratch) : std::nullopt;
}

// One name of a path, as it is written there.
struct Step {
    std::string_view text;
    bool isLast = false;
};

Step takeStep(std::string_view& path)
{
    std::size_t end = 0;
    while (end < path.size() && path[end] != '.') {
        end += path[end] == '\\' ? 2 : 1;
    }
    end = std::min(end, path.size());
    const Step step{path.substr(0, end), end == path.size()};
    path.remove_prefix(std::min(end + 1, path.size()));
    return step;
}

bool namesKey(std::string_view step, std::string_view key)
{
    for (std::size_t i = 0; i < step.size(); ++i) {
        if (step[i] == '\\' && i + 1 < step.size()) {
            ++i;
        }
        if (key.empty() || key.front() != step[i]) {
            return false;
        }
        key.remove_prefix(1);
    }
    return key.empty();
}

// Goes to the value of a key: `text` then begins with it.
bool enterObject(std::string_view& text, std::string_view step, Scratch& scratch)
{
    text.remove_prefix(1);
    for (;;) {
        skipBlanks(text);
        std::string_view inner;
        if (text.empty() || text.front() != '"' || !takeString(text, inner)) {
            return false;
        }
        skipBlanks(text);
        if (text.empty() || text.front() != ':') {
            return false;
        }
        text.remove_prefix(1);
        const std::optional<std::string_view> key = decoded(inner, scratch);
        if (key && namesKey(step, *key)) {
            skipBlanks(text);
            return true;
        }
        std::string_view raw;
        if (!takeValue(text, raw)) {
            return false;
        }
        skipBlanks(text);
        if (text.empty() || text.front() != ',') {
            return false;
        }
        text.remove_prefix(1);
    }
}

bool enterArray(std::string_view& text, std::string_view step)
{
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error != std::errc{} || end != step.data() + step.size()) {
        return false;
    }
    text.remove_prefix(1);
    for (; index > 0; --index) {
        std::string_view raw;
        if (!takeValue(text, raw)) {
            return false;
        }
        skipBlanks(text);
        if (text.empty() || text.front() != ',') {
            return false;
        }
        text.remove_prefix(1);
    }
    skipBlanks(text);
    return !text.empty() && text.front() != ']';
}

} // namespace

std::optional<std::string_view> jsonValueAt(std::string_view text, std::string_view path, Scratch& scratch)
{
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    skipBlanks(text);
    for (bool last = false; !last;) {
        const Step step = takeStep(path);
        last = step.isLast;
        const bool entered =
            text.starts_with('{') ? enterObject(text, step.text, scratch) : text.starts_with('[') && enterArray(text, step.text);
        if (!entered) {
            return std::nullopt;
        }
    }
    std::string_view raw;
    if (!takeValue(text, raw)) {
        return std::nullopt;
    }
    return valueText(raw, scratch);
}

} // namespace weir::routing
