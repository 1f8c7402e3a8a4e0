// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/PageParts.h"
#include "ui/live/TimeDisplay.h"

#include <QWidget>

class QStackedWidget;
class QTabBar;
class QToolButton;

namespace weir::ui {

class ChipLabel;
class NodeActions;
class NodeVerdicts;
class ProbeLogModel;
class StateLane;
class TableView;
class TextLabel;

/// Everything about the current node of the Nodes page: head, one hour of states, verdicts and actions, probe log, settings in force.
class NodeDrawer : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 322;
    static constexpr qint64 kLaneMs = 3'600'000;
    static constexpr int kMaxLaneEvents = 5000;

    NodeDrawer(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    /// Shows a node; an empty id shows how to get one.
    void setNode(const QString& id);
    [[nodiscard]] const QString& node() const { return m_node; }
    /// Takes changes over; without effect while hidden.
    void apply(const FleetDelta& delta);
    void tick();
    void retranslate();

signals:
    void closeRequested();
    /// The control plane refused to tell something; its own words.
    void refused(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitHeight();
    void buildHead(const Theme& theme);
    void buildTabs(const Theme& theme);
    void refresh();
    void showSettings(const NodeRow& row);
    void refreshLane();
    void fetchLog();
    void fetchEvents();

    FleetStore& m_store;
    const TimeDisplay& m_times;
    QString m_node;
    QWidget* m_head;
    TextLabel* m_title;
    ChipLabel* m_chip;
    TextLine* m_subtitle;
    TextLine* m_figures;
    QToolButton* m_close;
    StateLane* m_lane;
    NodeVerdicts* m_verdicts;
    QTabBar* m_tabs;
    TextLine* m_tabNote;
    QStackedWidget* m_stack;
    TableView* m_logView;
    ProbeLogModel* m_log;
    FactGrid* m_settings;
    QList<EventRow> m_events;     ///< of the node, oldest first
    qint64 m_eventsFromMs = 0;    ///< where the journal's answer begins; 0: not answered yet
    qint64 m_loggedProbeMs = 0;   ///< the last probe the log was fetched for
};

} // namespace weir::ui
