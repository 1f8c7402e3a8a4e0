// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/MoveFlow.h"

#include "ui/moves/MoveDialog.h"
#include "ui/moves/Scrim.h"

#include <algorithm>

namespace weir::ui {


MoveFlow::MoveFlow(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget& window)
    : QObject(&window)
    , m_store(store)
    , m_times(times)
    , m_theme(theme)
    , m_window(window)
    , m_scrim(new Scrim(theme, window))
{
}

MoveDialog* MoveFlow::dialog() const
{
    return m_dialog;
}

QString MoveFlow::blockedReason() const
{
    if (m_store.isStale()) {
        return tr("Disconnected since %1; moves are off until data is live.").arg(m_times.time(m_store.staleSinceMs()));
    }
    const AccessRole role = m_store.client().accessRole();
    if (role != AccessRole::Superadmin) {
        return tr("You are %1; moving nodes needs superadmin.").arg(role == AccessRole::Viewer ? tr("viewer") : tr("operator"));
    }
    return m_store.isLocked() ? FleetStore::lockedReason() : QString();
}

QString MoveFlow::refusal(const QStringList& nodes, const QString& pool) const
{
    const QString blocked = blockedReason();
    if (!blocked.isEmpty()) {
        return blocked;
    }
    bool elsewhere = false;
    for (const QString& id : nodes) {
        const NodeRow* row = m_store.node(id);
        if (row == nullptr) {
            return tr("%1 no longer exists.").arg(id);
        }
        if (m_moving.contains(id)) {
            return tr("%1 is already being moved by %2 (%3).").arg(id, tr("you"), MoveText::ago(m_moving.value(id), m_store.nowMonoMs()));
        }
        elsewhere = elsewhere || row->pool != pool;
    }
    if (m_store.pool(pool) == nullptr) {
        return tr("%1 no longer exists.").arg(pool);
    }
    return elsewhere ? QString() : tr("Already in %1.").arg(pool);
}

QList<MoveItem> MoveFlow::itemsFor(const QStringList& nodes, const QString& pool) const
{
    QList<MoveItem> items;
    const QStringList ids = MoveText::sorted(nodes);
    for (const QString& id : ids) {
        const NodeRow* row = m_store.node(id);
        if (row != nullptr && row->pool != pool) {
            items.append({id, pool, row->pool});
        }
    }
    return items;
}

void MoveFlow::preview(const QStringList& nodes, const QString& pool, QObject* context, const std::function<void(const ImpactLine&)>& done)
{
    const QString refused = refusal(nodes, pool);
    if (!refused.isEmpty()) {
        done({ImpactLine::Kind::Refused, refused});
        return;
    }
    const QList<MoveItem> items = itemsFor(nodes, pool);
    m_store.client().previewMoves(items, context, [this, items, done](const tl::expected<MoveImpact, ClientError>& impact) {
        done(impact ? MoveText::line(*impact, items, m_store) : ImpactLine{ImpactLine::Kind::Refused, impact.error().message});
    });
}

void MoveFlow::move(const QStringList& nodes, const QString& pool, MoveSource source)
{
    const QString refused = refusal(nodes, pool);
    if (!refused.isEmpty()) {
        refuse(refused);
        return;
    }
    begin({itemsFor(nodes, pool), source, {}});
}

QList<MoveItem> MoveFlow::backwards(const Moves& moves)
{
    QList<MoveItem> items;
    for (const MovedNode& move : moves) {
        items.append({move.node, move.from, move.to});
    }
    return items;
}

void MoveFlow::undo()
{
    if (canUndo()) {
        begin({backwards(m_undo.last()), MoveSource::Undo, {}});
    }
}

void MoveFlow::redo()
{
    if (canRedo()) {
        begin({backwards(m_redo.last()), MoveSource::Redo, {}});
    }
}

void MoveFlow::begin(const Request& request)
{
    const QString blocked = blockedReason();
    if (!blocked.isEmpty()) {
        refuse(blocked);
        return;
    }
    for (const MoveItem& item : request.items) {
        if (m_busy.contains(item.node)) {
            return; // asked twice before the first answer: the first one goes on
        }
    }
    for (const MoveItem& item : request.items) {
        m_busy.insert(item.node);
    }
    m_store.client().previewMoves(request.items, this, [this, request](const tl::expected<MoveImpact, ClientError>& impact) {
        if (impact) {
            decide(request, *impact);
        } else {
            fail(request, impact.error());
        }
    });
}

void MoveFlow::decide(const Request& request, const MoveImpact& impact)
{
    if (impact.movedNodes == 0) {
        finish(request);
        refuse(tr("Already in %1.").arg(MoveText::targetOf(request.items)));
        return;
    }
    if (MoveText::tier(impact, request.items, m_store) >= 2) {
        ask(request, impact, {});
    } else {
        send(request, impact.token);
    }
}

void MoveFlow::ask(const Request& request, const MoveImpact& impact, const QString& note)
{
    if (m_dialog != nullptr) {
        finish(request);
        refuse(tr("Another move is waiting for an answer."));
        return;
    }
    m_dialog = new MoveDialog(m_store, m_theme, request.items, impact, &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!note.isEmpty()) {
        m_dialog->setNote(note);
    }
    m_scrim->setShown(true);
    emit dialogOpen(true);
    connect(m_dialog, &QDialog::finished, this, [this, request, dialog = m_dialog.data()](int result) {
        m_dialog = nullptr;
        m_scrim->setShown(false);
        emit dialogOpen(false);
        if (result == QDialog::Accepted) {
            Request confirmed = request;
            confirmed.reason = dialog->reason();
            send(confirmed, dialog->impact().token);
        } else {
            finish(request);
        }
    });
    m_dialog->open();
}

void MoveFlow::send(const Request& request, quint64 token)
{
    for (const MoveItem& item : request.items) {
        m_moving.insert(item.node, m_store.nowMonoMs());
    }
    emit movingChanged();
    m_store.awaitNodes(nodesOf(request));
    m_store.client().moveNodes(request.items, token, request.reason, word(request.source), this, [this, request](const tl::expected<MoveResult, ClientError>& result) {
        if (result) {
            succeed(request, *result);
        } else {
            fail(request, result.error());
        }
    });
}

QStringList MoveFlow::nodesOf(const Request& request)
{
    QStringList ids;
    for (const MoveItem& item : request.items) {
        ids.append(item.node);
    }
    return ids;
}

void MoveFlow::finish(const Request& request)
{
    bool sent = false;
    for (const MoveItem& item : request.items) {
        m_busy.remove(item.node);
        sent = m_moving.remove(item.node) > 0 || sent;
    }
    if (sent) {
        emit movingChanged();
    }
}

void MoveFlow::succeed(const Request& request, const MoveResult& result)
{
    finish(request);
    Moves moves = result.moves;
    moves.removeIf([](const MovedNode& move) { return !move.changed; });
    dropFromHistory(request.source);
    QList<Moves>& history = request.source == MoveSource::Undo ? m_redo : m_undo;
    if (request.source != MoveSource::Undo && request.source != MoveSource::Redo) {
        m_redo.clear();
    }
    if (!moves.isEmpty()) {
        history.append(moves);
    }
    while (history.size() > kMostUndo) {
        history.removeFirst();
    }
    emit historyChanged();
    emit reported({MessageTone::Done, MoveText::done(result.moves, request.source == MoveSource::Undo), request.source != MoveSource::Undo && canUndo(), {}});
}

void MoveFlow::dropFromHistory(MoveSource source)
{
    QList<Moves>* history = source == MoveSource::Undo ? &m_undo : source == MoveSource::Redo ? &m_redo : nullptr;
    if (history != nullptr && !history->isEmpty()) {
        history->removeLast();
        emit historyChanged();
    }
}

void MoveFlow::fail(const Request& request, const ClientError& error)
{
    finish(request);
    m_store.stopAwaiting(nodesOf(request));
    if (error.impact) {
        for (const MoveItem& item : request.items) {
            m_busy.insert(item.node);
        }
        ask(request, *error.impact, tr("What the move would do has changed; nothing was moved yet."));
        return;
    }
    if (!error.movedMeanwhile.isEmpty()) {
        dropFromHistory(request.source); // it expects the nodes where they are no more
        refuse(meanwhile(error, request.source), error.movedMeanwhile.first().node);
        return;
    }
    refuse(error.message);
}

QString MoveFlow::meanwhile(const ClientError& error, MoveSource source) const
{
    const MovedMeanwhile& first = error.movedMeanwhile.first();
    const QString ago = MoveText::ago(first.atMs, m_store.nowWallMs());
    switch (source) {
    case MoveSource::Undo: return tr("%1 was moved to %2 by %3 %4; not undone.").arg(first.node, first.pool, first.by, ago);
    case MoveSource::Redo: return tr("%1 was moved to %2 by %3 %4; not redone.").arg(first.node, first.pool, first.by, ago);
    default: return tr("%1 was moved to %2 by %3 %4; nothing was moved.").arg(first.node, first.pool, first.by, ago);
    }
}

void MoveFlow::refuse(const QString& text, const QString& node)
{
    emit reported({MessageTone::Refused, text, false, node});
}

QSet<QString> MoveFlow::moving() const
{
    const QStringList ids = m_moving.keys();
    return {ids.begin(), ids.end()};
}

QString MoveFlow::word(MoveSource source)
{
    switch (source) {
    case MoveSource::Drag: return QStringLiteral("drag");
    case MoveSource::Keyboard: return QStringLiteral("keyboard");
    case MoveSource::Dialog: return QStringLiteral("dialog");
    case MoveSource::Undo: return QStringLiteral("undo");
    case MoveSource::Redo: return QStringLiteral("redo");
    }
    return {};
}

} // namespace weir::ui
