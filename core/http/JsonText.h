// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace weir::http {

/// The value as JSON text for people and programs alike: numbers are the shortest plain decimals that read back as the same double
/// (4, 0.003, no `4E0`), with an exponent only below 1e-7 and from 1e21 on; what is not finite is null, since JSON has no word for it.
[[nodiscard]] std::string jsonText(const boost::json::value& value);

} // namespace weir::http
