// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/NodeActions.h"
#include "ui/live/PageParts.h"
#include "ui/widgets/Chip.h"
#include "ui/widgets/TextLabel.h"

namespace weir::ui {

/// How much of a quarantine is left, as a bar.
class CountdownBar : public QWidget {
    Q_OBJECT

public:
    explicit CountdownBar(const Theme& theme, QWidget* parent = nullptr);

    /// Share left, 0 to 1.
    void setLeft(double share);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    double m_left = 0;
};

/// Left part of a node's drawer: the countdown, the three verdicts side by side, the figures behind them, and what can be done.
class NodeVerdicts : public QWidget {
    Q_OBJECT

public:
    NodeVerdicts(const FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    /// Shows the row as it is now; called again on every change and tick.
    void show(const NodeRow& row);
    void retranslate();

private:
    struct Line {
        TextLine* caption;
        ChipLabel* chip;
        TextLine* note;
    };

    Line addLine(class QGridLayout& grid, int row);
    void showCountdown(const NodeRow& row);
    [[nodiscard]] QString checkNote(const NodeRow& row) const;
    [[nodiscard]] QString evidence(const NodeRow& row) const;

    const FleetStore& m_store;
    const TimeDisplay& m_times;
    const Theme& m_theme;
    QWidget* m_countdown;
    TextLabel* m_left;
    TextLine* m_until;
    TextLine* m_cause;
    CountdownBar* m_bar;
    Line m_probe;
    Line m_traffic;
    Line m_schedulable;
    TextLine* m_buckets;
    TextLine* m_evidence;
};

} // namespace weir::ui
