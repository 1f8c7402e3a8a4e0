// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/NodeActions.h"
#include "ui/moves/MoveFlow.h"

class QAction;
class QTableView;

namespace weir::ui {

class PoolPickDialog;

/// What menus, buttons and keys can move: one set of actions over one MoveFlow. Owns the cut set.
class MoveActions : public QObject {
    Q_OBJECT

public:
    /// `nodes` says which nodes are selected.
    MoveActions(MoveFlow& flow, NodeActions& nodes);

    [[nodiscard]] MoveFlow& flow() const { return m_flow; }
    [[nodiscard]] QAction* moveTo() const { return m_moveTo; }
    [[nodiscard]] QAction* takeOut() const { return m_takeOut; }
    [[nodiscard]] QAction* cut() const { return m_cutAction; }
    [[nodiscard]] QAction* paste() const { return m_paste; }
    [[nodiscard]] QAction* undo() const { return m_undo; }
    [[nodiscard]] QAction* redo() const { return m_redo; }
    [[nodiscard]] QAction* addNodes() const { return m_addNodes; }

    /// Gives a table the keys that act while it has the focus, and its menu the entries.
    void addTo(QTableView& table, bool showsNodes);
    /// The pool that Paste and Add nodes… are about; empty: none.
    void setPool(const QString& pool);
    [[nodiscard]] const QStringList& cutNodes() const { return m_cut; }
    /// Escape: forgets the cut set, false where there was none.
    bool cancelCut();
    /// Access, connection, targets or language changed.
    void refresh();

signals:
    void notice(const QString& text); ///< one line for the status bar
    void marksChanged();              ///< moving or cut nodes are others now

private:
    void pickPool();
    void pickNodes();
    void dropGone(const FleetDelta& delta);
    void setState(QAction& action, const QString& text, const QString& reason, const QString& tip);

    MoveFlow& m_flow;
    NodeActions& m_nodes;
    QStringList m_cut;
    QString m_pool;
    QAction* m_moveTo;
    QAction* m_takeOut;
    QAction* m_cutAction;
    QAction* m_paste;
    QAction* m_undo;
    QAction* m_redo;
    QAction* m_addNodes;
};

} // namespace weir::ui
