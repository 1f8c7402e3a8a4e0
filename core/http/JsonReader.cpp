// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/JsonReader.h"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <set>
#include <string>
#include <vector>

namespace weir::http {
namespace {

namespace bj = boost::json;

// Builds the value and keeps the keys of every open object: Boost.JSON's own parser lets the last of two equal keys win, and
// then two programs that read the same body may see different things.
struct Builder {
    static constexpr std::size_t max_object_size = 100'000;
    static constexpr std::size_t max_array_size = 1'000'000;
    static constexpr std::size_t max_key_size = 4'096;
    static constexpr std::size_t max_string_size = bj::string::max_size();

    using Code = bj::error_code;
    using Text = bj::string_view;

    bool on_document_begin(Code&)
    {
        stack.reset();
        return true;
    }
    bool on_document_end(Code&) { return true; }
    bool on_object_begin(Code&)
    {
        keys.emplace_back();
        return true;
    }
    bool on_object_end(std::size_t count, Code&)
    {
        keys.pop_back();
        stack.push_object(count);
        return true;
    }
    bool on_array_begin(Code&) { return true; }
    bool on_array_end(std::size_t count, Code&)
    {
        stack.push_array(count);
        return true;
    }
    bool on_key_part(Text part, std::size_t, Code&)
    {
        key.append(part.data(), part.size());
        stack.push_chars(part);
        return true;
    }
    bool on_key(Text part, std::size_t, Code& code)
    {
        key.append(part.data(), part.size());
        stack.push_key(part);
        if (!keys.back().insert(key).second) {
            duplicate = true;
            code = bj::make_error_code(bj::error::syntax);
            return false;
        }
        key.clear();
        return true;
    }
    bool on_string_part(Text part, std::size_t, Code&)
    {
        stack.push_chars(part);
        return true;
    }
    bool on_string(Text part, std::size_t, Code&)
    {
        stack.push_string(part);
        return true;
    }
    bool on_number_part(Text, Code&) { return true; }
    bool on_int64(std::int64_t value, Text, Code&)
    {
        stack.push_int64(value);
        return true;
    }
    bool on_uint64(std::uint64_t value, Text, Code&)
    {
        stack.push_uint64(value);
        return true;
    }
    bool on_double(double value, Text, Code&)
    {
        stack.push_double(value);
        return true;
    }
    bool on_bool(bool value, Code&)
    {
        stack.push_bool(value);
        return true;
    }
    bool on_null(Code&)
    {
        stack.push_null();
        return true;
    }
    bool on_comment_part(Text, Code&) { return true; }
    bool on_comment(Text, Code&) { return true; }

    bj::value_stack stack;
    std::vector<std::set<std::string>> keys;
    std::string key;
    bool duplicate = false;
};

std::string position(std::string_view text, std::size_t offset)
{
    std::size_t line = 1;
    std::size_t column = 1;
    for (const char c : text.substr(0, offset)) {
        if (c == '\n') {
            ++line;
            column = 1;
        } else {
            ++column;
        }
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

} // namespace

Result<bj::value> readJson(std::string_view text)
{
    bj::basic_parser<Builder> parser{bj::parse_options()};
    bj::error_code code;
    const std::size_t used = parser.write_some(false, text.data(), text.size(), code);
    if (parser.handler().duplicate) {
        const std::string key = parser.handler().key;
        return fail("duplicate_key", "The key '" + key + "' is given twice (" + position(text, used) + ").", key);
    }
    if (!code && used < text.size()) {
        code = bj::make_error_code(bj::error::extra_data);
    }
    if (code) {
        return fail("malformed_json", "The body is not JSON: " + code.message() + " at " + position(text, used) + ".");
    }
    return parser.handler().stack.release();
}

} // namespace weir::http
