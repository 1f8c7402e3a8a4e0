// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/overview/OverviewState.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QButtonGroup;
class QGridLayout;

namespace weir::ui {

class Card;
class ShortTableModel;
class TableView;
class Theme;
class VerdictBlock;

/// "Are users served?" in five seconds: verdict, six figures, the course of the last hour, and what needs a person.
class OverviewPage : public QWidget {
    Q_OBJECT

public:
    /// Where a tile or link leads that names no single node, pool or app.
    enum class Target { Pools, Nodes };
    Q_ENUM(Target)

    OverviewPage(ControlPlaneClient& client, const Theme& theme, QWidget* parent = nullptr);

    void setTimeZone(const QTimeZone& zone);
    [[nodiscard]] FleetVerdict verdict() const;

signals:
    void nodeActivated(const QString& id);
    void poolActivated(const QString& id);
    void appActivated(const QString& id);
    void pageRequested(weir::ui::OverviewPage::Target target);
    /// The sentence changed; other pages show it in their title row.
    void verdictChanged(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildTiles(QGridLayout& layout);
    [[nodiscard]] QWidget* buildChartCard();
    [[nodiscard]] TableView* buildTable(ShortTableModel& model, const QString& name, bool header);
    void connectTables();
    void setRange(int minutes);
    void retranslate();
    void onBatch(const ChangeBatch& batch);
    void onState(ControlPlaneClient::State state);
    void fetchHistory();
    void schedule();
    void flush();
    void tick();
    void updateTiles(qint64 nowMs);
    void updateTables(qint64 nowMonoMs);

    ControlPlaneClient& m_client;
    const Theme& m_theme;
    OverviewState m_state;
    OverviewTargets m_targets;
    QTimeZone m_zone = QTimeZone::systemTimeZone();
    qint64 m_startedMs = 0;
    VerdictBlock* m_verdict = nullptr;
    std::array<Tile*, kTileCount> m_tiles{};
    LiveChart* m_chart = nullptr;
    QButtonGroup* m_ranges = nullptr;
    Card* m_chartCard = nullptr;
    Card* m_starvedCard = nullptr;
    Card* m_failingCard = nullptr;
    Card* m_attentionCard = nullptr;
    Card* m_changesCard = nullptr;
    ShortTableModel* m_starvedModel = nullptr;
    ShortTableModel* m_failingModel = nullptr;
    ShortTableModel* m_attentionModel = nullptr;
    ShortTableModel* m_changesModel = nullptr;
    TableView* m_starved = nullptr;
    TableView* m_failing = nullptr;
    TableView* m_attention = nullptr;
    TableView* m_changes = nullptr;
    QTimer m_flushTimer;
    QTimer m_tickTimer;
    QElapsedTimer m_sinceFlush;
};

} // namespace weir::ui
