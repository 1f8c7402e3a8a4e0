// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Fleet.h"
#include "core/outcome/NodeOutcomes.h"
#include "core/outcome/OutcomeBook.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace weir::fleet {

/// Which defences are switched on.
struct Defences {
    double cooldownSeconds = 0;
    double cooldownMultiplier = 1;
    bool deepHealth = false; ///< the probe asks for disk space, not only whether the model is loaded
    /// The rule for business errors, three in a row on one node.
    bool rule = false;
};

/// The outage of a full disk, sixteen hours of it on simulated time: three workers, one request a second. The broken one answers
/// nine requests in ten with a business error wrapped in HTTP 200, the tenth with a reset connection; its process lives and
/// its model is loaded. Then somebody makes room.
class FirstOutage final : private ChangeSink {
public:
    static constexpr Duration kBreaks = std::chrono::minutes(10);
    static constexpr Duration kLasts = std::chrono::hours(16);
    static constexpr Duration kEnd = kBreaks + kLasts + std::chrono::minutes(10);

    explicit FirstOutage(Defences defences, std::uint64_t seed = 1);

    void run();

    /// What became of the broken node and its requests while the disk was full.
    struct Story {
        std::size_t requests = 0; ///< of everybody, all the time
        std::size_t refused = 0;
        std::size_t failures = 0; ///< requests that the broken node spoiled
        std::size_t wrapped = 0;  ///< of those: in an answer that said 200
        std::size_t unseen = 0;   ///< of those: not counted against the node by anything
        std::size_t longestRun = 0; ///< of spoiled requests between two ejections
        std::size_t ejectionsByOutcome = 0;
        std::size_t ejectionsByProbe = 0;
        std::size_t revivals = 0; ///< back in rotation with the disk still full
        std::size_t healthyEjected = 0; ///< ejections of the two that work
        std::optional<Duration> firstOut;     ///< after the disk was full
        std::size_t failuresBeforeFirstOut = 0;
        Duration shortestAbsence = Duration::max(); ///< between an ejection by outcome and the revival after it
        Duration longestAbsence{0};
        Duration inRotation{0};         ///< of the time that the disk was full
        std::optional<Duration> backAfter; ///< room was made
    };
    [[nodiscard]] const Story& story() const { return m_story; }

private:
    struct Machine {
        NodeHandle handle;
        Duration phase;
    };
    struct UnderWay {
        Instant ends;
        std::uint64_t placement;
    };

    void changed(const FleetChange& change) noexcept override;
    void probe(const Machine& machine);
    void request();
    /// What an answer of the broken node, or its `error`, does to it.
    outcome::NodeOutcomes::Step answered(std::string_view body, std::string_view error);
    void spoil();
    [[nodiscard]] bool diskFull() const { return m_now >= Instant(kBreaks) && m_now < Instant(kBreaks + kLasts); }
    [[nodiscard]] NodeHandle broken() const { return m_machines.front().handle; }

    std::mt19937_64 m_random;
    Defences m_defences;
    health::HealthSettings m_health;
    Fleet m_fleet;
    outcome::OutcomeBook m_book;
    outcome::NodeOutcomes m_outcomes; // of the broken node
    std::vector<Machine> m_machines; // the first one breaks
    std::deque<UnderWay> m_underWay;
    Instant m_now{};
    Instant m_lastOut{};
    Instant m_lastIn{};
    bool m_outByOutcome = false;
    std::size_t m_run = 0;
    Story m_story;
};

} // namespace weir::fleet
