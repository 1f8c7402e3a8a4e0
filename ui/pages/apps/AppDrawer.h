// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

#include <QWidget>

namespace weir::ui {

class ChipLabel;
class FactGrid;
class TextLabel;
class TextLine;
class Theme;
class TimeDisplay;

/// Facts about the current app: the three rules with the one that decides, and what its pool has for it.
class AppDrawer : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 144;

    AppDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    void setApp(const QString& id);
    [[nodiscard]] const QString& app() const { return m_app; }
    void refresh();

private:
    void showChain(const AppRow& row);
    void showPool(const AppRow& row);
    [[nodiscard]] qint64 starvedSince(const AppRow& row) const;

    const FleetStore& m_store;
    const TimeDisplay& m_times;
    QString m_app;
    TextLabel* m_title;
    TextLine* m_owner;
    ChipLabel* m_verdict;
    FactGrid* m_chain;
    TextLabel* m_poolTitle;
    TextLine* m_poolOwner;
    FactGrid* m_facts;
};

} // namespace weir::ui
