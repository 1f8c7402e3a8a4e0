// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

namespace weir::ui {

/// A page's share of the changes: all of them while the page is shown, at most once a second while it is not.
class PacedFeed : public QObject {
    Q_OBJECT

public:
    static constexpr int kHiddenMs = 1000;

    PacedFeed(FleetStore& store, QObject* parent);

    /// On becoming active, what has piled up comes at once.
    void setActive(bool active);
    [[nodiscard]] bool isActive() const { return m_active; }

signals:
    void ready(const weir::ui::FleetDelta& delta);

private:
    void take(const FleetDelta& delta);
    void release();

    FleetDelta m_pending;
    QTimer m_timer;
    bool m_active = true;
    bool m_hasPending = false;
};

} // namespace weir::ui
