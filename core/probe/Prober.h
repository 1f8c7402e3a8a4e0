// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/probe/ProbeTypes.h"

#include <memory>
#include <optional>

namespace weir::probe {

/// Asks every target for its health in time, on a thread of its own (an event loop; needs a QCoreApplication while it runs).
/// Knows no fleet: targets come in, results go to the sink. All methods but the destructor may be called from any thread.
class Prober {
public:
    /// `clock`, `log` and `sink` must outlive the prober.
    Prober(Clock& clock, Log& log, ProbeSink& sink, ProberOptions options);
    Prober(const Prober&) = delete;
    Prober& operator=(const Prober&) = delete;
    ~Prober();

    /// Starts the thread; every target that is known is probed at once.
    void start();
    /// Drops what is under way and joins the thread; no call to the sink is made after it returned. Not from the sink.
    void stop();

    /// The next probe of every node comes within the new interval; probes under way keep their deadline.
    void setTimings(ProbeTimings timings);
    /// A new node, another generation or another URL: what is under way is dropped and the node is probed at once. Other
    /// expected statuses alone hold from the next answer on, other TLS settings alone from the next probe, which comes at once.
    void setTarget(ProbeTarget target);
    /// A result that is just being delivered may still arrive; its generation tells.
    void removeTarget(NodeHandle node);
    /// Probes at once; where a probe is under way, that one counts. The regular probes stay where they are.
    void probeNow(NodeHandle node);

    /// When the next probe of the node is due (in the past while it waits for a free slot); nothing for an unknown node.
    [[nodiscard]] std::optional<Instant> nextProbe(NodeHandle node) const;
    /// Every target known now has had one probe end under its generation, and the sink has its result. True without targets.
    [[nodiscard]] bool firstRoundOver() const;

private:
    class Loop;
    std::unique_ptr<Loop> m_loop;
};

} // namespace weir::probe
