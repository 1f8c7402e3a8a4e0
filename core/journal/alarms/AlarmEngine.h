// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/alarms/AlarmBook.h"
#include "core/journal/alarms/AlarmInput.h"
#include "core/journal/alarms/NodeRules.h"
#include "core/journal/alarms/PlaneRules.h"
#include "core/journal/alarms/PoolRules.h"
#include "core/journal/alarms/RefusalRules.h"

namespace weir::journal {

/// All alarm rules over one book. Deterministic: the same inputs give the same alarms, events and notices.
/// Nothing is judged until the first probe round is over, once: a node that is added later does not close the eyes again.
class AlarmEngine {
public:
    AlarmEngine() = default;
    explicit AlarmEngine(AlarmBook::Limits limits) : m_book(limits) {}

    void turn(const AlarmInput& input);

    [[nodiscard]] AlarmBook& book() { return m_book; }
    [[nodiscard]] const AlarmBook& book() const { return m_book; }

private:
    AlarmBook m_book;
    bool m_judging = false;
    IsolationRule m_isolation;
    StallRule m_stalls;
    FlappingRule m_flapping;
    PoolRules m_pools;
    RefusalRules m_refusals;
    DisagreementRule m_disagreement;
    CorrelationRule m_correlation;
    ReachabilityRule m_reachability;
    RegistrationRule m_registrations;
    StoreRule m_store;
};

} // namespace weir::journal
