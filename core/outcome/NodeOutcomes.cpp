// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/outcome/NodeOutcomes.h"

namespace weir::outcome {

NodeOutcomes::Step NodeOutcomes::add(const Judged& judged, const OutcomeBook& book, Instant now)
{
    const std::int64_t number = now.time_since_epoch() / kSlot;
    Slot& slot = m_slots[static_cast<std::size_t>(number) % kSlots];
    if (slot.number != number) {
        slot = {number, {}};
    }
    switch (judged.bucket) {
    case Bucket::Transport:
        ++slot.counts.transport;
        break;
    case Bucket::Status:
        ++slot.counts.status;
        break;
    case Bucket::Semantic:
        ++slot.counts.semantic;
        break;
    case Bucket::None:
        ++slot.counts.ok;
        break;
    }

    Step step;
    if (judged.bucket == Bucket::None) {
        // What only blames the client says nothing about the node, so it does not end a row of matches.
        if (judged.classification == Classification::Clean) {
            m_inARow = {};
        }
        return step;
    }
    step.isPassiveFailure = judged.classification == Classification::PassiveFailure;
    for (std::size_t i = 0; i < book.size(); ++i) {
        if ((judged.matched >> i & 1U) == 0) {
            continue;
        }
        const bool isEnough = ++m_inARow[i] >= book.rule(i).after;
        if (!step.rule || (isEnough && !step.isPassiveFailure)) {
            step.rule = i;
        }
        if (isEnough) {
            m_inARow[i] = 0;
            step.isPassiveFailure = true;
        }
    }
    return step;
}

TrafficCounts NodeOutcomes::counts(Instant now) const
{
    const std::int64_t number = now.time_since_epoch() / kSlot;
    TrafficCounts sum;
    for (const Slot& slot : m_slots) {
        if (slot.number > number - static_cast<std::int64_t>(kSlots) && slot.number <= number) {
            sum.ok += slot.counts.ok;
            sum.transport += slot.counts.transport;
            sum.status += slot.counts.status;
            sum.semantic += slot.counts.semantic;
        }
    }
    return sum;
}

} // namespace weir::outcome
