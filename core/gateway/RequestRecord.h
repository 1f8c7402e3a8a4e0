// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::gateway {

/// One try of a request (routing.md "Tries").
struct TryRecord {
    NodeHandle node;
    std::string nodeId;
    PoolHandle pool;
    Instant start{};
    Instant end{};
    std::string result; ///< "200", or what failed: "refused", "timeout", …; "left": the client went away
};

/// What became of one request, stage by stage. An instant that was never reached is Instant::max().
struct RequestRecord {
    Instant headStart{};  ///< first byte of the head
    Instant headEnd{};
    Instant routed{};
    Instant picked = Instant::max();    ///< a node was found, the last time
    Instant connected = Instant::max(); ///< and a connection to it stood
    Instant headerRead = Instant::max();
    Instant finished = Instant::max();
    Duration waited{};
    unsigned status = 0;   ///< what the client was told; 0: nothing
    std::string_view code; ///< of an answer of our own
    std::uint64_t bytesIn = 0;
    std::uint64_t bytesOut = 0;
    bool fallback = false;
    bool isPassiveFailure = false;
    std::vector<TryRecord> tries;

    /// For the next request of the same client; keeps the memory of the tries.
    void reset()
    {
        std::vector<TryRecord> kept = std::move(tries);
        kept.clear();
        *this = RequestRecord();
        tries = std::move(kept);
    }
};

} // namespace weir::gateway
