// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/LiveTable.h"
#include "ui/live/PacedFeed.h"
#include "ui/live/Page.h"
#include "ui/live/PageParts.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/apps/AppTableModel.h"

#include <QMap>

class QHBoxLayout;

namespace weir::ui {

class AppActions;
class AppDrawer;
class Facet;
class FacetButton;
class NodeActions;
class SearchField;
class TableColumns;
class TableView;

/// Which pool each app resolves to, by which rule, and whether anybody is there.
class AppsPage : public Page {
    Q_OBJECT

public:
    /// Of `nodeActions` the page uses Why (not) chosen, which is about the app here.
    AppsPage(FleetStore& store, NodeActions& nodeActions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    void setActive(bool active) override;
    void focusFilter() override;
    bool clearFilter() override;
    void toggleDrawer() override;
    bool toProblem(bool forward) override;
    [[nodiscard]] QStringList selection() const override;
    void setSelection(const QStringList& ids) override;
    [[nodiscard]] WhyContext whyContext() const override;
    void saveState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    /// Selects an app, and drops the filter where it would hide it.
    void showApp(const QString& id);
    /// Only the apps that are not served in their own pool; the way in from the banner.
    void showProblems();
    [[nodiscard]] AppActions& actions() const { return *m_actions; }

protected:
    void changeEvent(QEvent* event) override;

private:
    enum FacetIndex { ResolutionFacet, PoolFacet, OwnerFacet, FacetCount };

    QWidget* buildTools(const Theme& theme);
    void buildFacets(const Theme& theme, QWidget& tools, QHBoxLayout& layout);
    void buildTable();
    void connectAll();
    void apply(const FleetDelta& delta);
    void applyFilter();
    void updateCounts();
    void updateFooter();
    void updateEmptyState();
    void retranslate();
    [[nodiscard]] QMap<QString, int> facetCounts(FacetIndex index) const;

    FleetStore& m_store;
    NodeActions& m_nodeActions;
    AppActions* m_actions;
    AppTableModel* m_model;
    TableView* m_view;
    LiveTable* m_live = nullptr;
    TableColumns* m_columns = nullptr;
    PacedFeed* m_feed;
    SearchField* m_search = nullptr;
    std::array<FacetButton*, FacetCount> m_facetButtons{};
    std::array<Facet*, FacetCount> m_facets{};
    FacetButton* m_problems = nullptr;
    TableFooter* m_footer;
    AppDrawer* m_drawer;
    bool m_settingFilter = false;
};

} // namespace weir::ui
