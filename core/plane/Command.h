// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Result.h"
#include "core/fleet/Fleet.h"
#include "core/journal/Event.h"
#include "core/store/Records.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace weir::store {
class Writer;
}

namespace weir::plane {

/// Who asks for a change, for the audit and the events.
struct Actor {
    std::string name;      ///< `token:<name>`, `local:<login>`, `config`, `demo`
    std::string from;      ///< address, or empty inside the process
    std::string requestId;
    std::string source;    ///< `api`, `console`, `config`, …
};

/// Time of a command, taken when it is planned.
struct CommandTime {
    Instant now{};
    WallTime wall{};
};

/// What a command does, found out by its planner: rows to write, changes of the live fleet, traces. All of it happens or none.
struct Plan {
    std::vector<std::function<Result<void>(store::Writer&)>> writes;
    std::vector<std::function<void(fleet::Fleet&, Instant)>> applies; ///< under the fleet's lock, after the commit
    std::vector<store::AuditRow> audit;
    std::vector<journal::Event> events;
    std::vector<std::function<void()>> after; ///< on the store thread, after the changes can be seen, before the answer
};

/// Checks a command against the live state, which is what all commands before it made of it. Runs under the fleet's lock: quick,
/// no I/O. An error refuses the command and nothing has happened.
using Planner = std::function<Result<Plan>(const fleet::Fleet&, const CommandTime&)>;

/// Something a command reads or changes. Two commands share a transaction only when neither changes what the other touches, so
/// that each is checked against a state that holds when it is applied.
struct Touch {
    std::string key; ///< `node:<id>`, `pool:<id>`, …
    bool changes = true;
};

struct Command {
    std::vector<Touch> touches;
    bool alone = false; ///< shares its transaction with no other: it reads or changes more than it can name (a configuration)
    Planner plan;
    std::function<void(Result<void>)> done; ///< on the store thread; committed and visible when it holds no error
};

/// Answer of a command that has one, on the store thread.
template <typename T>
using Done = std::function<void(Result<T>)>;

} // namespace weir::plane
