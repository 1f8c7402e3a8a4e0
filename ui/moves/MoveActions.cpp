// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/MoveActions.h"

#include "ui/moves/NodePickDialog.h"
#include "ui/moves/PoolPickDialog.h"
#include "ui/moves/Scrim.h"

#include <QAction>
#include <QTableView>

namespace weir::ui {

namespace {

const QString kUnassigned = QStringLiteral("unassigned");

QAction* newAction(QObject* parent, const char* name, const QKeySequence& shortcut = {}, Qt::ShortcutContext context = Qt::WidgetShortcut)
{
    auto* action = new QAction(parent);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    action->setShortcutContext(context);
    return action;
}

} // namespace

MoveActions::MoveActions(MoveFlow& flow, NodeActions& nodes)
    : QObject(&flow)
    , m_flow(flow)
    , m_nodes(nodes)
    , m_moveTo(newAction(this, "action.moveTo", QKeySequence(Qt::CTRL | Qt::Key_M)))
    , m_takeOut(newAction(this, "action.takeOut", QKeySequence(Qt::Key_Delete)))
    , m_cutAction(newAction(this, "action.cut", QKeySequence(Qt::CTRL | Qt::Key_X)))
    , m_paste(newAction(this, "action.paste", QKeySequence(Qt::CTRL | Qt::Key_V)))
    , m_undo(newAction(this, "action.undo", QKeySequence(Qt::CTRL | Qt::Key_Z), Qt::WindowShortcut))
    , m_redo(newAction(this, "action.redo", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), Qt::WindowShortcut))
    , m_addNodes(newAction(this, "action.addNodes"))
{
    connect(m_moveTo, &QAction::triggered, this, &MoveActions::pickPool);
    connect(m_takeOut, &QAction::triggered, this, [this] { m_flow.move(m_nodes.targets(), kUnassigned, MoveSource::Keyboard); });
    connect(m_cutAction, &QAction::triggered, this, [this] {
        m_cut = MoveText::sorted(m_nodes.targets());
        emit notice(tr("%n node(s) cut, Esc to cancel", nullptr, static_cast<int>(m_cut.size())));
        emit marksChanged();
        refresh();
    });
    connect(m_paste, &QAction::triggered, this, [this] {
        const QStringList cut = std::exchange(m_cut, {});
        emit notice({});
        emit marksChanged();
        refresh();
        m_flow.move(cut, m_pool, MoveSource::Keyboard);
    });
    connect(m_undo, &QAction::triggered, &flow, &MoveFlow::undo);
    connect(m_redo, &QAction::triggered, &flow, &MoveFlow::redo);
    connect(m_addNodes, &QAction::triggered, this, &MoveActions::pickNodes);
    connect(&flow, &MoveFlow::historyChanged, this, &MoveActions::refresh);
    connect(&flow, &MoveFlow::movingChanged, this, &MoveActions::marksChanged);
    connect(&nodes, &NodeActions::targetsChanged, this, &MoveActions::refresh);
    connect(&flow.store(), &FleetStore::stateChanged, this, &MoveActions::refresh);
    connect(&flow.store(), &FleetStore::flushed, this, [this](const FleetDelta& delta) {
        dropGone(delta);
        refresh();
    });
    refresh();
}

void MoveActions::addTo(QTableView& table, bool showsNodes)
{
    const QList<QAction*> all = showsNodes ? QList<QAction*>{m_moveTo, m_takeOut, m_cutAction, m_paste} : QList<QAction*>{m_paste, m_addNodes};
    table.addActions(all);
    if (!showsNodes) {
        table.setContextMenuPolicy(Qt::ActionsContextMenu);
    }
}

void MoveActions::setPool(const QString& pool)
{
    if (m_pool != pool) {
        m_pool = pool;
        refresh();
    }
}

bool MoveActions::cancelCut()
{
    if (m_cut.isEmpty()) {
        return false;
    }
    m_cut.clear();
    emit notice({});
    emit marksChanged();
    refresh();
    return true;
}

// A node that was deleted and created again is another node with the same name.
void MoveActions::dropGone(const FleetDelta& delta)
{
    const qsizetype before = m_cut.size();
    m_cut.removeIf([&](const QString& id) { return delta.removedNodes.contains(id) || m_flow.store().node(id) == nullptr; });
    const int gone = static_cast<int>(before - m_cut.size());
    if (gone > 0) {
        emit notice(tr("%1 of %n cut node(s) is gone", nullptr, static_cast<int>(before)).arg(gone));
        emit marksChanged();
    }
}

void MoveActions::setState(QAction& action, const QString& text, const QString& reason, const QString& tip)
{
    action.setText(text);
    action.setEnabled(reason.isEmpty());
    const QString shown = reason.isEmpty() ? tip : reason;
    action.setToolTip(shown);
    action.setStatusTip(shown);
    action.setWhatsThis(shown);
}

void MoveActions::refresh()
{
    const QString blocked = m_flow.blockedReason();
    const QString noNode = m_nodes.targets().isEmpty() ? tr("Select a node first.") : QString();
    const QString noPool = m_pool.isEmpty() ? tr("Select one pool first.") : QString();
    const auto reason = [&blocked](const QString& own) { return blocked.isEmpty() ? own : blocked; };
    setState(*m_moveTo, tr("&Move to pool…"), reason(noNode), tr("Choose a pool; each shows what the move would do"));
    setState(*m_takeOut, tr("&Take out of scheduling"), reason(noNode), tr("Process keeps running, heartbeats continue, no app is sent here"));
    setState(*m_cutAction, tr("C&ut"), reason(noNode), tr("Marks the selected nodes; paste them into a pool"));
    const QString nothingCut = m_cut.isEmpty() ? tr("Cut nodes first (Ctrl+X).") : noPool;
    setState(*m_paste, m_cut.isEmpty() || m_pool.isEmpty() ? tr("&Paste into pool") : tr("&Paste %n node(s) into %1", nullptr, static_cast<int>(m_cut.size())).arg(m_pool),
        reason(nothingCut), tr("Moves the cut nodes here"));
    setState(*m_undo, tr("&Undo move"), reason(m_flow.canUndo() ? QString() : tr("There is no move to undo.")), tr("Moves the nodes back, if nobody moved them since"));
    setState(*m_redo, tr("&Redo move"), reason(m_flow.canRedo() ? QString() : tr("There is no move to redo.")), tr("Makes the undone move again"));
    setState(*m_addNodes, tr("&Add nodes…"), reason(noPool), m_pool.isEmpty() ? QString() : tr("Choose nodes to move to %1").arg(m_pool));
}

void MoveActions::pickPool()
{
    const QStringList nodes = m_nodes.targets();
    auto* dialog = new PoolPickDialog(m_flow, nodes, &m_flow.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_flow.scrim().setShown(true);
    emit m_flow.dialogOpen(true);
    connect(dialog, &QDialog::finished, this, [this, dialog, nodes](int result) {
        m_flow.scrim().setShown(false);
        emit m_flow.dialogOpen(false);
        if (result == QDialog::Accepted) {
            m_flow.move(dialog->nodes(), dialog->pool(), MoveSource::Dialog);
        }
    });
    dialog->open();
}

void MoveActions::pickNodes()
{
    auto* dialog = new NodePickDialog(m_flow, m_pool, &m_flow.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_flow.scrim().setShown(true);
    emit m_flow.dialogOpen(true);
    connect(dialog, &QDialog::finished, this, [this, dialog, pool = m_pool](int result) {
        m_flow.scrim().setShown(false);
        emit m_flow.dialogOpen(false);
        if (result == QDialog::Accepted) {
            m_flow.move(dialog->nodes(), pool, MoveSource::Dialog);
        }
    });
    dialog->open();
}

} // namespace weir::ui
