// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmInput.h"

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace weir::journal {

/// `health_disagrees`: the probe is content, and more than half of at least 20 requests over three intervals failed.
class DisagreementRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    static constexpr std::size_t kIntervals = 3;
    using Buckets = std::array<OutcomeCounts, kIntervals>; ///< a ring

    void judgeNode(const OutcomeCounts& latest, const AlarmInput& input, AlarmBook& book);

    std::map<std::string, Buckets> m_nodes; ///< with requests in the last three intervals, or an open alarm
    std::size_t m_slot = 0;
};

/// `node_flapping`: too many changes of rotation in a window.
class FlappingRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    std::map<std::string, std::deque<Instant>> m_changes; ///< by node, within the window
    Instant m_swept{};                                    ///< nodes without a change in it were looked for
};

/// `correlated_ejection`: requests of one app took several nodes out within ten seconds.
class CorrelationRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    struct Ejection {
        Instant at{};
        std::string node;
        std::string outcome;
    };
    std::map<std::pair<std::string, std::string>, std::deque<Ejection>> m_ejections; ///< by role and app, within ten seconds
};

} // namespace weir::journal
