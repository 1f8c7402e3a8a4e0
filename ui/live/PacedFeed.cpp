// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/PacedFeed.h"

namespace weir::ui {

PacedFeed::PacedFeed(FleetStore& store, QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PacedFeed::release);
    connect(&store, &FleetStore::flushed, this, &PacedFeed::take);
}

void PacedFeed::setActive(bool active)
{
    m_active = active;
    if (active) {
        release();
    }
}

void PacedFeed::take(const FleetDelta& delta)
{
    if (m_active) {
        emit ready(delta);
        return;
    }
    m_pending.merge(delta);
    m_hasPending = true;
    if (!m_timer.isActive()) {
        m_timer.start(kHiddenMs);
    }
}

void PacedFeed::release()
{
    m_timer.stop();
    if (m_hasPending) {
        FleetDelta delta;
        std::swap(delta, m_pending);
        m_hasPending = false;
        emit ready(delta);
    }
}

} // namespace weir::ui
