// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/TablePage.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/apps/AppTableModel.h"

namespace weir::ui {

class AppActions;
class AppDrawer;
class NodeActions;

/// Which pool each app resolves to, by which rule, and whether anybody is there.
class AppsPage : public TablePage {
    Q_OBJECT

public:
    /// Of `nodeActions` the page uses Why (not) chosen, which is about the app here.
    AppsPage(FleetStore& store, NodeActions& nodeActions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    void setActive(bool active) override;
    [[nodiscard]] WhyContext whyContext() const override;

    /// Selects an app, and drops the filter where it would hide it.
    void showApp(const QString& id);
    /// Only the apps that are not served in their own pool; the way in from the banner.
    void showProblems();
    [[nodiscard]] AppActions& actions() const { return *m_actions; }

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
    enum FacetIndex { ResolutionFacet, PoolFacet, OwnerFacet, FacetCount };

    void buildTools();
    void updateCounts();
    [[nodiscard]] QMap<QString, int> facetCounts(FacetIndex index) const;

    NodeActions& m_nodeActions;
    AppActions* m_actions;
    AppTableModel* m_model;
    std::array<Facet*, FacetCount> m_facets{};
    FacetButton* m_problems = nullptr;
    AppDrawer* m_drawer;
};

} // namespace weir::ui
