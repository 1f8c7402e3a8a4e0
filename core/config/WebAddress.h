// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir::config {

/// What is wrong with the form of a node's URL, or empty: `scheme://host[:port][/path][?query]` with one of `schemes` in lower
/// case, a host, no user information (the plane sends no credentials to nodes), no fragment, printable ASCII only. Whether it is
/// in the form in which it would be sent is the prober's to say.
[[nodiscard]] std::string webAddressFault(std::string_view text, std::span<const std::string_view> schemes);

} // namespace weir::config
