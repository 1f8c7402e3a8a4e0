// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Result.h"
#include "core/http/Message.h"
#include "core/journal/Event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Values of a request's query, checked. Each error names the parameter.
namespace weir::api {

/// A time in RFC 3339; nothing when it is not given. Error: `invalid_value`.
[[nodiscard]] Result<std::optional<WallTime>> timeOf(const http::Request& request, std::string_view name);

/// A whole number within the bounds, `fallback` when it is not given. Error: `out_of_range`.
[[nodiscard]] Result<std::int64_t> integerOf(const http::Request& request, std::string_view name, std::int64_t fallback, std::int64_t min, std::int64_t max);

/// `role`; empty when it is not given. Error: `invalid_value`.
[[nodiscard]] Result<std::string> roleOf(const http::Request& request);

/// `kind`, given once, several times, or as a list with commas. Error: `invalid_value`.
[[nodiscard]] Result<std::vector<journal::EventKind>> kindsOf(const http::Request& request);

/// A cursor that is a number; nothing for an empty one. Error: `invalid_cursor`.
[[nodiscard]] Result<std::optional<std::int64_t>> numberOf(std::string_view cursor);

template <typename T>
const Error* errorOf(const Result<T>& result)
{
    return result ? nullptr : &result.error();
}

} // namespace weir::api
