// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <boost/json/value.hpp>
#include <string_view>

namespace weir::http {

/// Reads one JSON document, strictly: RFC 8259, UTF-8, at most 32 levels, nothing after it, no key twice in an object.
/// Errors: `malformed_json` (the message has line and column), `duplicate_key` (field is the key).
[[nodiscard]] Result<boost::json::value> readJson(std::string_view text);

} // namespace weir::http
