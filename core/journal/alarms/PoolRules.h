// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmInput.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weir::journal {

/// What is judged by the state of a pool and role: `pool_down`, `healthy_below_min`, `pool_capacity_low`, `last_candidate_lost`.
class PoolRules {
public:
    void judge(const AlarmInput& input, AlarmBook& book);

private:
    using GroupKey = std::pair<std::string, std::string>; ///< pool, role

    struct Group {
        GroupFacts facts;
        bool hadNodes = false;        ///< at some time since the start
        Instant lowSince = Instant::min();
        Instant enoughSince = Instant::min(); ///< of free capacity
        Instant staffedSince = Instant::min(); ///< not fewer than the minimum
        Instant lostAt = Instant::min();      ///< the last candidate went, and nobody knows why yet
        Instant reasonAt = Instant::min();    ///< something took a node of it out
        std::string reason;
    };

    void take(const std::vector<GroupFacts>& facts, const Moment& at, AlarmBook& book);
    void noteReasons(const AlarmInput& input);
    void judgeDown(const GroupKey& key, const Group& group, const Moment& at, AlarmBook& book);
    void judgeMinimum(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book);
    void judgeCapacity(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book);
    void judgeLast(const GroupKey& key, Group& group, const Moment& at, AlarmBook& book);

    std::map<GroupKey, Group> m_groups;
};

} // namespace weir::journal
