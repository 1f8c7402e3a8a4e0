// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <string>
#include <string_view>

namespace weir::probe {

/// The health address of a node: `http://h/a/` and `/health?deep=1` make `http://h/a/health?deep=1`. http and https only, no
/// user information, no query in the base, no fragment. Pure; any thread.
/// Errors: `invalid_url`; `url_not_canonical` for an address that would go out rewritten (`%41`, `/a/../b`, a space): the
/// message shows the form that can be used. `field` is `base` or `path`.
[[nodiscard]] Result<std::string> joinHealthUrl(std::string_view base, std::string_view path);

} // namespace weir::probe
