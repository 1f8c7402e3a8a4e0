// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/journal/alarms/AlarmInput.h"
#include "core/live/LiveFleet.h"
#include "core/outcome/OutcomeBook.h"
#include "core/plane/JournalObserver.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::plane {

/// Gathers what the alarm rules look at: facts of the fleet, what the prober and the gateways report, events. The reports may come
/// from any thread; gather() belongs to the journal thread and is called without a lock of the caller's.
class AlarmSources {
public:
    struct StoreState {
        bool behind = false;
        std::uint64_t lostEvents = 0;
    };

    AlarmSources(live::LiveFleet& fleet, const Clock& clock, std::function<StoreState()> storeState);

    void probeEnded(NodeHandle node, bool success, bool localError);
    void probeStalled(NodeHandle node, bool stalled);
    void requestEnded(NodeHandle node, outcome::Bucket bucket);

    /// `disagreeing`: nodes with an open `health_disagrees`. `isolated`: control_plane_isolated is open.
    [[nodiscard]] journal::AlarmInput gather(const JournalTurn& turn, const std::set<std::string>& disagreeing, bool isolated);

private:
    struct LatestProbe {
        Instant at = Instant::min();
        bool success = true;
        bool localError = false;
    };
    struct Counts {
        std::uint64_t requests = 0;
        std::uint64_t transport = 0;
        std::uint64_t status = 0;
        std::uint64_t semantic = 0;
    };
    using CapacityKey = std::pair<std::uint32_t, std::size_t>; ///< pool, role

    void takeChanges(const JournalTurn& turn, journal::AlarmInput& input);
    void describe(journal::Refusals& refusals, const fleet::Decision& decision, const journal::Moment& at);
    void takeEvents(const JournalTurn& turn, journal::AlarmInput& input);
    void takeGroups(journal::AlarmInput& input, bool withCapacity);
    void takeProbes(journal::AlarmInput& input, bool isolated);
    void takeStalled(journal::AlarmInput& input);
    void takeOutcomes(journal::AlarmInput& input, const std::set<std::string>& disagreeing);

    live::LiveFleet& m_fleet;
    const Clock& m_clock;
    std::function<StoreState()> m_storeState;

    std::mutex m_mutex; // over what is reported
    std::vector<LatestProbe> m_probes; ///< by handle
    std::size_t m_localErrors = 0;     ///< among them
    std::set<NodeHandle> m_stalled;
    std::unordered_map<std::uint32_t, Counts> m_counts;

    // Journal thread:
    std::uint64_t m_revision = 0;
    Instant m_nextSecond = Instant::min();
    Instant m_nextInterval = Instant::min();
    std::map<CapacityKey, std::int64_t> m_availableCapacity;
    std::size_t m_recordsMade = 0; ///< in this turn
    std::map<std::string, Instant> m_describedAt; ///< when the full record of a refusal was made last
};

} // namespace weir::plane
