// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/FixedText.h"
#include "core/base/Handles.h"
#include "core/base/Roles.h"

#include <cstdint>
#include <string_view>

namespace weir::fleet {

/// Text of an id without memory of its own.
using IdText = FixedText<63>;

struct Request {
    Role role = Role::Worker;
    std::string_view app;
    std::uint32_t need = 1;
    Endpoint endpoint = Endpoint::Any;
};

enum class Code : std::uint8_t {
    Ok,
    NoCandidate,
    UnknownApp,      ///< nobody declared it and unknown apps are not admitted
    RoleNotScheduled, ///< no pool schedules this role
    TooManyStreams    ///< no room for another stream
};
[[nodiscard]] std::string_view toText(Code code) noexcept;

/// One answer of the scheduler, in a fixed-size form.
struct Decision {
    Code code = Code::NoCandidate;
    Role role = Role::Worker;
    Endpoint endpoint = Endpoint::Any;
    bool fallback = false;
    bool fallbackTried = false; ///< `default` was looked at too
    std::uint32_t need = 1;
    NodeHandle node;
    PoolHandle pool;    ///< the pool of the node
    PoolHandle primary; ///< what the app resolves to
    AppHandle app;      ///< invalid for an app that nobody declared
    IdText appText;
    std::uint64_t placement = 0; ///< 0: nothing was placed
    Instant at{};
};

} // namespace weir::fleet
