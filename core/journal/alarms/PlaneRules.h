// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmInput.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace weir::journal {

/// `control_plane_isolated`: most nodes, and most of each of several pools, fail their probes with errors of this machine.
class IsolationRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);
};

/// `probe_stalled`: a node's probe has not ended for three intervals.
class StallRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    std::size_t m_known = 0; ///< stalled nodes at the last look
};

/// `apps_unreachable`: for 60 s apps cannot be served, or healthy nodes are where no app looks.
class ReachabilityRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    Unreachability m_latest;
    Instant m_since = Instant::min();
};

/// `registration_refused`: three of one credential or address within five minutes, by a clone or a wrong secret.
class RegistrationRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    struct Origin {
        std::deque<std::pair<Instant, std::uint64_t>> refusals; ///< when, how many; at most three
    };
    std::map<AlarmKey, Origin> m_origins;
};

/// `store_behind`: events wait longer than 10 s, or were lost.
class StoreRule {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    std::uint64_t m_lostBefore = 0;
};

} // namespace weir::journal
