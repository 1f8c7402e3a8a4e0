// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fleet/Entities.h"
#include "core/fleet/Decision.h"
#include "core/fleet/Impact.h"

namespace weir::fleet {

std::string_view toText(Because because) noexcept
{
    switch (because) {
    case Because::Binding:
        return "binding";
    case Because::Owner:
        return "owner";
    case Because::None:
        break;
    }
    return "none";
}

std::string_view toText(Code code) noexcept
{
    switch (code) {
    case Code::Ok:
        return "ok";
    case Code::NoCandidate:
        return "no_candidate";
    case Code::UnknownApp:
        return "unknown_app";
    case Code::TooManyStreams:
        return "too_many_streams";
    case Code::RoleNotScheduled:
        break;
    }
    return "role_not_scheduled";
}

std::string_view toText(Verdict verdict) noexcept
{
    switch (verdict) {
    case Verdict::Ok:
        return "ok";
    case Verdict::FallsBack:
        return "falls_back";
    case Verdict::FailsClosed:
        break;
    }
    return "fails_closed";
}

} // namespace weir::fleet
