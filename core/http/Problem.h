// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/http/Message.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>

namespace weir::http {

/// An `application/json` answer.
[[nodiscard]] Response json(unsigned status, const boost::json::value& value);

/// An RFC 9457 answer: `type`, `title` (the status's phrase), `status`, `code`, `detail`, and `field` where the error names one.
/// Members of `extra` follow; they never replace those.
[[nodiscard]] Response problem(unsigned status, const Error& error, const boost::json::object& extra = {});

/// The same with the status that belongs to the error's code.
[[nodiscard]] Response problem(const Error& error, const boost::json::object& extra = {});

/// The HTTP status of a stable error code of the interface; 500 for a code that is not one.
[[nodiscard]] unsigned statusOf(std::string_view code);

/// "Not Found" for 404; an empty text for a status that is not in use here.
[[nodiscard]] std::string_view reasonPhrase(unsigned status) noexcept;

} // namespace weir::http
