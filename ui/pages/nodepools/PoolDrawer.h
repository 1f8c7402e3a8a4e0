// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/PageParts.h"
#include "ui/live/TimeDisplay.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/LinkLabel.h"
#include "ui/widgets/TextLabel.h"

class QHBoxLayout;

namespace weir::ui {

/// Facts about the current pool: how its availability comes about, and which apps resolve to it.
class PoolDrawer : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 128;

    PoolDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    void setPool(const QString& id);
    [[nodiscard]] const QString& pool() const { return m_pool; }
    void refresh();

signals:
    /// A dry run for this app is wanted.
    void appActivated(const QString& app);

private:
    void showFacts(const PoolRow& row);
    void showApps(const PoolRow& row);

    const FleetStore& m_store;
    const TimeDisplay& m_times;
    const Theme& m_theme;
    QString m_pool;
    TextLabel* m_title;
    TextLine* m_owner;
    ChipLabel* m_verdict;
    FactGrid* m_facts;
    TextLabel* m_appsTitle;
    TextLine* m_appCount;
    QWidget* m_appsRow;
    TextLine* m_appsCaption;
    QHBoxLayout* m_appLinks;
    QStringList m_linked;
    int m_moreApps = -1;
    FactGrid* m_rules;
};

} // namespace weir::ui
