// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/alarms/AlarmEngine.h"

namespace weir::journal {

// Those that stand for others come first, so that what follows from them is counted in them in the same turn.
void AlarmEngine::turn(const AlarmInput& input)
{
    if (!m_judging && !input.firstRoundOver) {
        return;
    }
    const bool first = !m_judging;
    m_judging = true;
    const AlarmInput* judged = &input;
    AlarmInput withoutStart;
    if (first) {
        // Every node's way into rotation at the start is no change that anybody needs to hear of.
        withoutStart = input;
        std::erase_if(withoutStart.rotations, [](const RotationChange& change) { return change.online; });
        judged = &withoutStart;
    }
    m_isolation.judge(*judged, m_book);
    m_stalls.judge(*judged, m_book);
    m_flapping.judge(*judged, m_book);
    m_pools.judge(*judged, m_book);
    m_refusals.judge(*judged, m_book);
    m_disagreement.judge(*judged, m_book);
    m_correlation.judge(*judged, m_book);
    m_reachability.judge(*judged, m_book);
    m_registrations.judge(*judged, m_book);
    m_store.judge(*judged, m_book);
    m_book.tick(judged->at, judged->settings.probeInterval);
}

} // namespace weir::journal
