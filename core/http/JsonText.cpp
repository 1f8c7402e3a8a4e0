// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/JsonText.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <charconv>
#include <cmath>
#include <string_view>

namespace weir::http {
namespace json = boost::json;
namespace {

constexpr double kLeastPlain = 1e-7;
constexpr double kMostPlain = 1e21;
constexpr double kMostExact = 9007199254740992; // 2^53: every whole number up to it is a double

template <typename Number, typename... Format>
void appendChars(std::string& text, Number number, Format... format)
{
    std::array<char, 64> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format...);
    text.append(buffer.data(), error == std::errc() ? end : buffer.data());
}

void appendDouble(std::string& text, double number)
{
    const double size = std::abs(number);
    if (!std::isfinite(number)) {
        text += "null";
    } else if (size <= kMostExact && number == std::trunc(number)) {
        appendChars(text, static_cast<std::int64_t>(number));
    } else if (size >= kLeastPlain && size < kMostPlain) {
        appendChars(text, number, std::chars_format::fixed);
    } else {
        appendChars(text, number, std::chars_format::scientific);
    }
}

void appendString(std::string& text, std::string_view string)
{
    constexpr std::string_view kHex = "0123456789abcdef";
    text += '"';
    for (const char c : string) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\r') {
            text += "\\r";
        } else if (c == '\t') {
            text += "\\t";
        } else if (byte < 0x20) {
            text += "\\u00";
            text += kHex[byte >> 4U];
            text += kHex[byte & 15U];
        } else {
            text += c;
        }
    }
    text += '"';
}

void append(std::string& text, const json::value& value);

void appendArray(std::string& text, const json::array& array)
{
    text += '[';
    for (std::size_t i = 0; i < array.size(); ++i) {
        text += i == 0 ? "" : ",";
        append(text, array[i]);
    }
    text += ']';
}

void appendObject(std::string& text, const json::object& object)
{
    text += '{';
    bool first = true;
    for (const auto& member : object) {
        text += first ? "" : ",";
        first = false;
        appendString(text, {member.key().data(), member.key().size()});
        text += ':';
        append(text, member.value());
    }
    text += '}';
}

void append(std::string& text, const json::value& value)
{
    switch (value.kind()) {
    case json::kind::null:
        text += "null";
        break;
    case json::kind::bool_:
        text += value.get_bool() ? "true" : "false";
        break;
    case json::kind::int64:
        appendChars(text, value.get_int64());
        break;
    case json::kind::uint64:
        appendChars(text, value.get_uint64());
        break;
    case json::kind::double_:
        appendDouble(text, value.get_double());
        break;
    case json::kind::string:
        appendString(text, {value.get_string().data(), value.get_string().size()});
        break;
    case json::kind::array:
        appendArray(text, value.get_array());
        break;
    case json::kind::object:
        appendObject(text, value.get_object());
        break;
    }
}

} // namespace

std::string jsonText(const json::value& value)
{
    std::string text;
    append(text, value);
    return text;
}

} // namespace weir::http
