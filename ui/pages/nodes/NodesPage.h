// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/LiveTable.h"
#include "ui/live/NodeActions.h"
#include "ui/live/NodeTableModel.h"
#include "ui/live/PacedFeed.h"
#include "ui/live/Page.h"
#include "ui/live/PageParts.h"

#include <array>

namespace weir::ui {

class Facet;
class FacetButton;
class MoveActions;
class NodeDrawer;
class SearchField;
class TableColumns;
class TableView;

/// All nodes in one table with facets above and the current one's details below.
class NodesPage : public Page {
    Q_OBJECT

public:
    NodesPage(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

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

    /// Selects a node, and drops the filter where it would hide it.
    void showNode(const QString& id);
    /// Gives the table the keys and menu entries that move nodes. Once, before it is shown.
    void setMoves(MoveActions& moves);
    /// Only what needs a person; the way in from the Overview.
    void showProblems();

protected:
    void changeEvent(QEvent* event) override;

private:
    enum FacetIndex { RoleFacet, PoolFacet, StateFacet, OwnerFacet, VersionFacet, FacetCount };

    QWidget* buildTools(const Theme& theme);
    void buildTable(const Theme& theme);
    void connectAll();
    void apply(const FleetDelta& delta);
    void applyFilter();
    void updateCounts();
    void updateFooter();
    void updateEmptyState();
    void retranslate();
    [[nodiscard]] QMap<QString, int> facetCounts(FacetIndex index) const;

    FleetStore& m_store;
    NodeActions& m_actions;
    NodeTableModel* m_model;
    TableView* m_view;
    LiveTable* m_live = nullptr;
    TableColumns* m_columns = nullptr;
    PacedFeed* m_feed;
    SearchField* m_search = nullptr;
    TextLine* m_searchNote = nullptr;
    std::array<FacetButton*, FacetCount> m_facetButtons{};
    std::array<Facet*, FacetCount> m_facets{};
    FacetButton* m_problems = nullptr;
    FacetButton* m_disagreement = nullptr;
    TableFooter* m_footer;
    NodeDrawer* m_drawer;
    bool m_settingFilter = false;
};

} // namespace weir::ui
