// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/TimerQueue.h"
#include "core/probe/ProbeTypes.h"

#include <deque>
#include <unordered_map>

namespace weir::probe {

/// When which node is asked. Pure: time is an argument, no I/O, no thread; Prober guards it with a lock.
/// Every node has a fixed raster of ticks, its phase plus n × interval on the monotonic line, so that no delay ever adds up.
/// A tick puts the node into the ready queue, unless it waits there already or is under way; then the tick is skipped.
class ProbeSchedule {
public:
    /// `maxInFlight` 0: computed from nodes and timings, up to `openFileCap`.
    ProbeSchedule(std::size_t maxInFlight, std::size_t openFileCap);

    struct Start {
        std::uint64_t ticket = 0;
        ProbeTarget target;
        Duration timeout{};
    };
    struct StallChange {
        NodeHandle node;
        bool stalled = false;
    };

    void setTimings(ProbeTimings timings, Instant now);
    /// New, or with another generation or URL: what is under way is dropped and the node is ready at once.
    void setTarget(ProbeTarget target, Instant now);
    void removeTarget(NodeHandle node);
    void probeNow(NodeHandle node, Instant now);
    /// After a suspension and at start: drops all that is under way, makes every node ready, forgets what was missed.
    void allDueNow(Instant now);
    /// Drops all that is under way.
    void dropAll();

    /// Moves what is due into the ready queue and takes what may start now; each Start must be answered by finish().
    [[nodiscard]] std::vector<Start> takeStarts(Instant now);
    /// Tickets whose exchange nobody waits for any more.
    [[nodiscard]] std::vector<std::uint64_t> takeDropped();
    [[nodiscard]] std::vector<StallChange> takeStallChanges();
    /// The target whose probe ended; nothing for a ticket that was dropped.
    std::optional<ProbeTarget> finish(NodeHandle node, std::uint64_t ticket, Instant now);

    /// When takeStarts() has to be called again.
    [[nodiscard]] std::optional<Instant> nextTick() const { return m_ticks.next(); }
    [[nodiscard]] std::optional<Instant> nextProbe(NodeHandle node) const;
    [[nodiscard]] bool firstRoundOver() const { return m_unprobed == 0; }
    [[nodiscard]] std::size_t inFlightLimit() const;
    [[nodiscard]] std::size_t inFlight() const { return m_inFlight; }
    [[nodiscard]] std::size_t targets() const { return m_nodes.size(); }
    [[nodiscard]] const ProbeTimings& timings() const { return m_timings; }

private:
    struct Node {
        ProbeTarget target;
        Instant tick;                    ///< next point of the raster
        std::uint64_t tickToken = 0;     ///< tells a valid entry of m_ticks from an outdated one
        std::uint64_t readyToken = 0;    ///< not 0: waits in the ready queue under this token
        Instant readySince;
        std::uint64_t ticket = 0;        ///< not 0: under way
        Instant lastEnd;                 ///< or when it became known
        bool probed = false;
        bool stalled = false;
    };
    struct Entry {
        NodeHandle node;
        std::uint64_t token = 0;
    };

    void scheduleTick(Node& node, Instant now);
    void makeReady(Node& node, Instant now, bool first);
    void drop(Node& node);
    void onTick(Node& node, Instant now);
    void forget(Node& node);
    [[nodiscard]] Instant nextOnRaster(const ProbeTarget& target, Instant after) const;

    std::size_t m_fixedLimit;
    std::size_t m_openFileCap;
    ProbeTimings m_timings;
    std::unordered_map<NodeHandle, Node> m_nodes;
    TimerQueue<Entry> m_ticks;
    std::deque<Entry> m_ready;
    std::vector<std::uint64_t> m_dropped;
    std::vector<StallChange> m_stallChanges;
    std::uint64_t m_lastToken = 0;
    std::size_t m_inFlight = 0;
    std::size_t m_unprobed = 0;
};

} // namespace weir::probe
