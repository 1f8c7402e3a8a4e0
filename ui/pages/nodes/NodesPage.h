// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/NodeActions.h"
#include "ui/live/NodeTableModel.h"
#include "ui/live/TablePage.h"

#include <array>

namespace weir::ui {

class MoveActions;
class NodeDrawer;

/// All nodes in one table with facets above and the current one's details below.
class NodesPage : public TablePage {
    Q_OBJECT

public:
    NodesPage(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    void setActive(bool active) override;
    [[nodiscard]] WhyContext whyContext() const override;

    /// Selects a node, and drops the filter where it would hide it.
    void showNode(const QString& id);
    /// Gives the table the keys and menu entries that move nodes. Once, before it is shown.
    void setMoves(MoveActions& moves);
    /// Only what needs a person; the way in from the Overview.
    void showProblems();

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
    enum FacetIndex { RoleFacet, PoolFacet, StateFacet, OwnerFacet, VersionFacet, FacetCount };

    void buildTools();
    void updateCounts();
    [[nodiscard]] QMap<QString, int> facetCounts(FacetIndex index) const;

    NodeActions& m_actions;
    NodeTableModel* m_model;
    std::array<Facet*, FacetCount> m_facets{};
    FacetButton* m_problems = nullptr;
    FacetButton* m_disagreement = nullptr;
    NodeDrawer* m_drawer;
};

} // namespace weir::ui
