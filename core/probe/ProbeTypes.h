// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Handles.h"
#include "core/base/NodeTls.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir {
class Log;
}

namespace weir::probe {

class ProbeTransport;

using ProbeTls = NodeTls;

/// What the prober asks. `url` is the whole health address as joinHealthUrl() gave it: its path and query are sent byte for
/// byte. A higher generation stands for a node whose health starts afresh.
struct ProbeTarget {
    NodeHandle node;
    std::uint64_t generation = 0;
    std::string url;
    std::vector<int> expectedStatuses = {200};
    ProbeTls tls; ///< of https only
};

/// What is kept of an answer's body: the fields of a JSON object, or text.
struct ProbeBody {
    std::string status;
    std::string reason;
    std::optional<double> diskFreeGb;
    std::vector<std::pair<std::string, bool>> deps;
    std::string text; ///< only of a body that is no JSON object: at most 4 KiB of UTF-8, control characters replaced
};

/// How one probe ended. `reason` is empty for a success, else one of
///   timeout      no complete answer before the deadline
///   refused      nobody listens
///   reset        the connection was closed or reset before the answer was complete
///   dns          the host name does not resolve
///   tls          no TLS session: certificate, protocol, or a peer that speaks none
///   malformed    what came is not HTTP
///   unreachable  no route, network down, no descriptor left: this machine's trouble (localError)
///   status:503   a complete answer whose status is not an expected one
struct ProbeResult {
    NodeHandle node;
    std::uint64_t generation = 0;
    Instant started;
    Instant ended;
    WallTime at; ///< when it ended
    int status = 0;
    bool success = false;
    std::string reason;
    bool localError = false;
    ProbeBody body;
};

/// Who takes the results. Both are called on the probe thread, one at a time; they may call any method of Prober but stop().
class ProbeSink {
public:
    virtual ~ProbeSink() = default;
    virtual void probeEnded(const ProbeResult& result) = 0;
    /// True when no probe of the node has ended for three intervals, false when one has again.
    virtual void probeStalled(NodeHandle node, bool stalled) = 0;
};

struct ProbeTimings {
    Duration interval = std::chrono::seconds(8);
    Duration timeout = std::chrono::seconds(3); ///< one deadline for a whole probe, from connect to the last byte that is read
};

/// Auto: QnamTransport up to 1,000 targets, AsioTransport beyond, and back at 900.
enum class TransportChoice : unsigned char { Auto, Qnam, Asio };

struct ProberOptions {
    /// 0: nodes × timeout ÷ interval and four standard deviations more (phases are random, and a slot too few makes probes
    /// late), at least 64, at most half of the open-file limit.
    std::size_t maxInFlight = 0;
    std::size_t managers = 4; ///< network access managers of QnamTransport, one thread each
    TransportChoice transport = TransportChoice::Auto;
    /// Makes the transport on the probe thread, whatever `transport` says; unset: one of ours.
    std::function<std::unique_ptr<ProbeTransport>(Clock&, Log&)> makeTransport;
    /// Time this machine has spent suspended since it booted; unset: CLOCK_BOOTTIME minus CLOCK_MONOTONIC.
    std::function<Duration()> suspendedTime;
};

} // namespace weir::probe
