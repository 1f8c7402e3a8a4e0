// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace weir {

/// What went wrong, for a program (code), for a person (message), and where (field).
/// `code` is stable and snake case, as the HTTP interface shows it; `field` names the key or member at fault, or is empty.
struct Error {
    std::string code;
    std::string message;
    std::string field{};

    friend bool operator==(const Error&, const Error&) = default;
};

/// The one return type for calls that can fail. No exception leaves a folder of this project.
template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for the failing branch: `return fail("unknown_pool", "…", "poolId");`
[[nodiscard]] inline tl::unexpected<Error> fail(std::string code, std::string message, std::string field = {})
{
    return tl::unexpected<Error>(Error{std::move(code), std::move(message), std::move(field)});
}

} // namespace weir
