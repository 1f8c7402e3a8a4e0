// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/TablePage.h"
#include "ui/pages/alarms/AlarmTableModel.h"

#include <array>

class QPushButton;

namespace weir::ui {

class AlarmActions;
class AlarmDrawer;
class NodeActions;
class TimeDisplay;

/// Every alarm that is open or was lately: what fires first, with its explanation below.
class AlarmsPage : public TablePage {
    Q_OBJECT

public:
    /// Among these an alarm finds its incident.
    static constexpr int kIncidents = 50;

    /// Of `nodeActions` the page uses Why (not) chosen, which is about the alarm's app or pool here.
    AlarmsPage(FleetStore& store, NodeActions& nodeActions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    void setActive(bool active) override;
    [[nodiscard]] WhyContext whyContext() const override;

    /// Selects an alarm, and drops the filter where it would hide it.
    void showAlarm(const QString& id);
    [[nodiscard]] AlarmActions& actions() const { return *m_actions; }

signals:
    void appRequested(const QString& id);
    /// The incident of a row, by number.
    void reportRequested(qint64 incident);

protected:
    void take(const FleetDelta& delta) override;
    [[nodiscard]] FleetDelta everything() const override;
    void filterChanged() override;
    [[nodiscard]] bool isFiltered() const override;
    [[nodiscard]] QString countText(int shown, int all) const override;
    [[nodiscard]] QString sortText() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] QString noMatchText(int all) const override;
    [[nodiscard]] QString goneText(int gone, int of) const override;
    void currentChanged(const QString& id) override;
    void stateChanged() override;
    void retranslate() override;

private:
    enum FacetIndex { StateFacet, SeverityFacet, KindFacet, PoolFacet, FacetCount };

    void buildTools();
    void follow(const QModelIndex& index);
    void updateCounts();
    void fetchIncidents();
    [[nodiscard]] QMap<QString, int> facetCounts(FacetIndex index) const;
    [[nodiscard]] static QString facetLabel(FacetIndex index, const QString& value);

    NodeActions& m_nodeActions;
    AlarmActions* m_actions;
    AlarmTableModel* m_model;
    std::array<Facet*, FacetCount> m_facets{};
    FacetButton* m_firingOnly = nullptr;
    QPushButton* m_silence = nullptr;
    AlarmDrawer* m_drawer;
    bool m_incidentsStale = true;
    bool m_asking = false;
};

} // namespace weir::ui
