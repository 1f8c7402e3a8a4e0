// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "weir_version.h"

#include <array>
#include <utility>

namespace weir::probe {

/// What every probe sends beside Host. Accept-Language is there because Qt would put the machine's locale in its place.
inline constexpr std::array<std::pair<const char*, const char*>, 5> kRequestHeaders{{
    {"User-Agent", "weir-prober/" WEIR_VERSION},
    {"Accept", "*/*"},
    {"Accept-Encoding", "identity"},
    {"Accept-Language", "*"},
    {"Connection", "close"},
}};

} // namespace weir::probe
