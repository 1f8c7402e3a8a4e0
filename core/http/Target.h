// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/http/Message.h"

#include <optional>
#include <string>
#include <string_view>

namespace weir::http {

/// A request target in its parts. The path stays encoded, so that `%2F` in an id never splits it.
struct Target {
    std::string path;
    NamedValues query;     ///< decoded
    std::string authority; ///< of the absolute form only; it then stands for the Host header
};

/// Splits and checks `/path?query`, `http://host/path?query` or `*` (`OPTIONS` only). Percent-encoding is checked in the path
/// too, though only the query is decoded. Error: `malformed_target`.
[[nodiscard]] Result<Target> parseTarget(std::string_view text, std::string_view method);

/// Nothing when an escape is broken, stands for NUL, or the bytes are not UTF-8: such text could not be quoted in an answer.
[[nodiscard]] std::optional<std::string> percentDecode(std::string_view text, bool plusIsSpace = false);

[[nodiscard]] bool isUtf8(std::string_view text) noexcept;

} // namespace weir::http
