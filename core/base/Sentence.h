// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Puts arguments into a template with numbered places: `sentence("%1 of %2", {"3", "5"})`. `%%` is a percent sign.
/// A place without an argument stays as it is, so that a wrong template is seen and never crashes.
[[nodiscard]] std::string sentence(std::string_view pattern, std::initializer_list<std::string> arguments);

/// "1 node", "3 nodes"; `plural` where adding an s is not enough.
[[nodiscard]] std::string counted(std::size_t count, std::string_view singular, std::string_view plural = {});

/// "a, b, c"; after `limit` names "a, b and 12 more".
[[nodiscard]] std::string listed(std::span<const std::string> names, std::size_t limit = 20);

/// Whole seconds, rounded up, so that "0 s left" is never said of a wait that is not over.
[[nodiscard]] long wholeSecondsUp(double seconds);

} // namespace weir
