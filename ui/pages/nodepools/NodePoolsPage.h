// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/LiveTable.h"
#include "ui/live/NodeActions.h"
#include "ui/live/NodeTableModel.h"
#include "ui/live/PacedFeed.h"
#include "ui/live/Page.h"
#include "ui/live/PageParts.h"
#include "ui/pages/nodepools/PoolTableModel.h"

class QHBoxLayout;
class QSplitter;

namespace weir::ui {

class MoveActions;
class PoolDrawer;
class SearchField;
class TableColumns;
class TableView;

/// Pools on the left, the nodes of the selected pools on the right, facts of the current pool below.
class NodePoolsPage : public Page {
    Q_OBJECT

public:
    NodePoolsPage(FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    void setActive(bool active) override;
    void focusFilter() override;
    bool clearFilter() override;
    void toggleDrawer() override;
    /// From pool to pool that is at risk or exhausted; in the right pane from node to node.
    bool toProblem(bool forward) override;
    /// Ids of the selected pools.
    [[nodiscard]] QStringList selection() const override;
    void setSelection(const QStringList& ids) override;
    [[nodiscard]] WhyContext whyContext() const override;
    void saveState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    void showPool(const QString& id);
    /// Gives the page the means to move nodes: buttons, keys, menu entries, drag and drop. Once, before it is shown.
    void setMoves(MoveActions& moves);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildPools(const Theme& theme);
    void buildNodes(const Theme& theme);
    void buildLayout(const Theme& theme);
    void connectAll();
    void apply(const FleetDelta& delta);
    void applyFilter();
    void filterPools();
    void poolsSelected();
    void tellPool();
    void updateFooters();
    void updateEmptyStates();
    void retranslate();

    FleetStore& m_store;
    NodeActions& m_actions;
    PoolTableModel* m_pools;
    NodeTableModel* m_nodes;
    TableView* m_poolView;
    TableView* m_nodeView;
    LiveTable* m_poolLive = nullptr;
    LiveTable* m_nodeLive = nullptr;
    TableColumns* m_poolColumns = nullptr;
    TableColumns* m_nodeColumns = nullptr;
    PacedFeed* m_feed;
    SearchField* m_search = nullptr;
    TextLine* m_searchNote = nullptr;
    QSplitter* m_splitter = nullptr;
    TableFooter* m_poolFooter;
    TableFooter* m_nodeFooter;
    PoolDrawer* m_drawer;
    QHBoxLayout* m_tools = nullptr;
    MoveActions* m_moves = nullptr;
    NodeFilter m_filter; ///< of the field, without the pools
};

} // namespace weir::ui
