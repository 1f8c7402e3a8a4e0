// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::config {

enum class JsonKind : std::uint8_t { Null, Boolean, Number, String, Array, Object };

struct JsonMember;

/// One value of the file and where it stands: bytes [begin, end) of the text.
struct JsonNode {
    JsonKind kind = JsonKind::Null;
    bool boolean = false;
    double number = 0; ///< NaN for a number that no double can hold (1e400)
    std::string text;
    std::vector<JsonNode> items;
    std::vector<JsonMember> members; ///< in the file's order, repeated keys included
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct JsonMember {
    std::string name;
    std::size_t nameBegin = 0;
    JsonNode value;
};

} // namespace weir::config
