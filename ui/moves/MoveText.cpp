// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/MoveText.h"

#include "ui/live/FleetStore.h"
#include "ui/live/PermutedTableModel.h"
#include "ui/live/Words.h"

#include <QMap>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr qsizetype kNamedAtMost = 3;
constexpr qsizetype kAppsNamedAtMost = 8;
constexpr int kManyNodes = 5;

const QString kUnassigned = QStringLiteral("unassigned");
const QString kDefault = QStringLiteral("default");

/// The pool and role that a move leaves with the least, among those that lose; null where nothing is left thin.
const PoolImpactRow* thinnest(const MoveImpact& impact)
{
    const PoolImpactRow* worst = nullptr;
    for (const PoolImpactRow& row : impact.pools) {
        if (row.pool != kUnassigned && row.candidatesAfter < row.candidatesBefore && row.candidatesAfter <= 1
            && (worst == nullptr || row.candidatesAfter < worst->candidatesAfter)) {
            worst = &row;
        }
    }
    return worst;
}

/// What the table shows of two standings is the same.
bool readsTheSame(const StandingView& a, const StandingView& b)
{
    return a.candidates == b.candidates && a.free == b.free && a.verdict == b.verdict
        && (a.verdict != AppVerdict::FallsBack || a.fallbackCandidates == b.fallbackCandidates);
}

} // namespace

QStringList MoveText::sorted(QStringList ids)
{
    std::sort(ids.begin(), ids.end(), [](const QString& a, const QString& b) { return PermutedTableModel::naturalKey(a) < PermutedTableModel::naturalKey(b); });
    return ids;
}

QString MoveText::names(const QStringList& ids)
{
    if (ids.size() <= kNamedAtMost) {
        return ids.join(QLatin1String(", "));
    }
    const int more = static_cast<int>(ids.size() - kNamedAtMost);
    return tr("%1 and %n more", "names of the first ones", more).arg(ids.mid(0, kNamedAtMost).join(QLatin1String(", ")));
}

QStringList MoveText::nodesOf(const QList<MoveItem>& items)
{
    QStringList ids;
    for (const MoveItem& item : items) {
        ids.append(item.node);
    }
    return ids;
}

QString MoveText::targetOf(const QList<MoveItem>& items)
{
    const QString first = items.isEmpty() ? QString() : items.first().pool;
    const bool same = std::all_of(items.begin(), items.end(), [&first](const MoveItem& item) { return item.pool == first; });
    return same ? first : QString();
}

QStringList MoveText::sourcesOf(const QList<MoveItem>& items)
{
    QStringList pools;
    for (const MoveItem& item : items) {
        if (!pools.contains(item.expectedFrom)) {
            pools.append(item.expectedFrom);
        }
    }
    return sorted(pools);
}

QString MoveText::poolWithOwner(const FleetStore& store, const QString& pool)
{
    const PoolRow* row = store.pool(pool);
    if (pool == kDefault) {
        return tr("%1 (shared)", "pool").arg(pool);
    }
    return row == nullptr || row->owner.isEmpty() ? pool : tr("%1 (user %2)", "pool and its owner").arg(pool, row->owner);
}

QString MoveText::command(const QList<MoveItem>& items)
{
    const int count = static_cast<int>(items.size());
    const QString target = targetOf(items);
    return target.isEmpty() ? tr("Move %n node(s) back", nullptr, count) : tr("Move %n node(s) to %1", nullptr, count).arg(target);
}

QString MoveText::badge(const QStringList& nodes)
{
    return tr("%n node(s): %1", nullptr, static_cast<int>(nodes.size())).arg(names(nodes));
}

QString MoveText::done(const QList<MovedNode>& moves, bool undone)
{
    QStringList from;
    QStringList to;
    int count = 0;
    for (const MovedNode& move : moves) {
        if (!move.changed) {
            continue;
        }
        ++count;
        if (!from.contains(move.from)) {
            from.append(move.from);
        }
        if (!to.contains(move.to)) {
            to.append(move.to);
        }
    }
    const QString targets = names(sorted(to));
    return undone ? tr("Moved %n node(s) back to %1.", nullptr, count).arg(targets)
                  : tr("Moved %n node(s) to %1 from %2.", nullptr, count).arg(targets, names(sorted(from)));
}

QString MoveText::ago(qint64 atMs, qint64 nowMs)
{
    return tr("%1 ago").arg(Words::duration(qMax<qint64>(0, nowMs - atMs)));
}

QString MoveText::available(Role role, int count)
{
    switch (role) {
    case Role::Origin: return tr("%n available origin(s)", nullptr, count);
    case Role::Edge: return tr("%n available edge(s)", nullptr, count);
    default: return tr("%n available worker(s)", nullptr, count);
    }
}

QString MoveText::counted(Role role, int count)
{
    switch (role) {
    case Role::Origin: return tr("%n origin(s)", nullptr, count);
    case Role::Edge: return tr("%n edge(s)", nullptr, count);
    default: return tr("%n worker(s)", nullptr, count);
    }
}

qint64 MoveText::streams(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store)
{
    qint64 running = 0;
    for (const MoveItem& item : items) {
        const NodeRow* row = store.node(item.node);
        running += row != nullptr && row->pool != item.pool ? row->inFlight : 0;
    }
    return qMax<qint64>(impact.streams, running);
}

int MoveText::tier(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store)
{
    const bool takesOut = std::any_of(items.begin(), items.end(), [](const MoveItem& item) { return item.pool == kUnassigned; });
    return takesOut && impact.movedNodes > 0 && streams(impact, items, store) > 0 ? qMax(2, impact.tier) : impact.tier;
}

QString MoveText::keeps(const MoveImpact& impact, const QString& pool)
{
    QStringList counts;
    for (const PoolImpactRow& row : impact.pools) {
        if (row.pool == pool) {
            counts.append(counted(row.role, row.candidatesAfter));
        }
    }
    return counts.join(QLatin1String(", "));
}

ImpactLine MoveText::line(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store)
{
    using Kind = ImpactLine::Kind;
    const PoolImpactRow* thin = thinnest(impact);
    if (thin != nullptr) {
        const QString leaves = tr("leaves %1 with %2", "pool; \"0 available origins\"").arg(thin->pool, available(thin->role, thin->candidatesAfter));
        return {Kind::Warning, impact.failClosedCount == 0 ? leaves : tr("%1; %n app(s) fail closed", "what a pool is left with", impact.failClosedCount).arg(leaves)};
    }
    if (impact.failClosedCount > 0) {
        return {Kind::Warning, tr("%n app(s) fail closed", nullptr, impact.failClosedCount)};
    }
    if (impact.strandedCount > 0) {
        return {Kind::Warning, tr("no app resolves to %1; %n node(s) would never be chosen", nullptr, impact.strandedCount).arg(names(sorted({targetOf(items)})))};
    }
    const int care = tier(impact, items, store);
    const QList<Consequence> named = care >= 2 ? consequences(impact, items, store) : QList<Consequence>();
    if (!named.isEmpty()) {
        return {Kind::Warning, named.first().text};
    }
    if (impact.movedNodes > 0 && impact.withoutEffect.size() == impact.movedNodes) {
        return {Kind::Ok, tr("OK – pool scheduling never reads these roles")};
    }
    const QStringList sources = sourcesOf(items);
    for (const QString& source : sources) {
        const QString kept = source == kUnassigned ? QString() : keeps(impact, source);
        if (!kept.isEmpty()) {
            return {Kind::Ok, tr("OK – %1 keeps %2", "pool; counts by role").arg(source, kept)};
        }
    }
    const QString target = targetOf(items);
    const QString gained = keeps(impact, target);
    return {Kind::Ok, gained.isEmpty() || target == kUnassigned ? tr("OK") : tr("OK – %1 then has %2", "pool; counts by role").arg(target, gained)};
}

QString MoveText::ownerChange(const QString& from, const QString& to, int nodes, const FleetStore& store)
{
    const PoolRow* source = store.pool(from);
    const PoolRow* target = store.pool(to);
    const QString giver = source != nullptr ? source->owner : QString();
    const QString taker = target != nullptr ? target->owner : QString();
    if (!giver.isEmpty() && !taker.isEmpty() && giver != taker) {
        return tr("%n node(s) of user %1 would serve apps of user %2", nullptr, nodes).arg(giver, taker);
    }
    if (!giver.isEmpty() && to == kDefault) {
        return tr("%n node(s) of user %1 would be shared by all", nullptr, nodes).arg(giver);
    }
    return from == kDefault && !taker.isEmpty() ? tr("%n shared node(s) would serve apps of user %1 alone", nullptr, nodes).arg(taker) : QString();
}

QList<Consequence> MoveText::consequences(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store)
{
    QList<Consequence> all;
    if (impact.failClosedCount > 0) {
        const QString some = impact.failClosed.mid(0, kAppsNamedAtMost).join(QLatin1String(", "));
        const QString apps = impact.failClosedCount > qMin(impact.failClosed.size(), kAppsNamedAtMost) ? some + QStringLiteral(", …") : some;
        all.append({QStringLiteral("closed"), tr("%n app(s) will get 503 (pool_exhausted): %1", nullptr, impact.failClosedCount).arg(apps)});
    }
    QMap<std::pair<QString, QString>, int> crossings;
    for (const MoveItem& item : items) {
        ++crossings[{item.expectedFrom, item.pool}];
    }
    for (auto it = crossings.cbegin(); it != crossings.cend(); ++it) {
        const QString text = ownerChange(it.key().first, it.key().second, it.value(), store);
        if (!text.isEmpty()) {
            all.append({QStringLiteral("owner/%1/%2").arg(it.key().first, it.key().second), text});
        }
    }
    for (const PoolImpactRow& row : impact.pools) {
        const bool thin = row.pool != kUnassigned && row.candidatesAfter < row.candidatesBefore && row.candidatesAfter <= 1;
        if (thin && (row.candidatesAfter > 0 || impact.failClosedCount == 0)) {
            all.append({QStringLiteral("thin/%1/%2").arg(row.pool).arg(static_cast<int>(row.role)), tr("%1 keeps %2").arg(row.pool, available(row.role, row.candidatesAfter))});
        }
    }
    const bool takesOut = std::any_of(items.begin(), items.end(), [](const MoveItem& item) { return item.pool == kUnassigned; });
    const qint64 running = streams(impact, items, store);
    if (takesOut && running > 0) {
        all.append({QStringLiteral("streams"), tr("%n stream(s) run on the moved nodes; they go on, nothing new is sent", nullptr, static_cast<int>(running))});
    }
    if (impact.movedNodes > kManyNodes) {
        all.append({QStringLiteral("many"), tr("%n nodes move at once", nullptr, impact.movedNodes)});
    }
    if (impact.strandedCount > 0) {
        all.append({QStringLiteral("stranded"), tr("%n healthy node(s) would be where no app resolves to", nullptr, impact.strandedCount)});
    }
    return all;
}

ImpactRow MoveText::heading(const QString& pool, const QList<MoveItem>& items, const FleetStore& store)
{
    QStringList lost;
    QStringList gained;
    for (const MoveItem& item : items) {
        if (item.expectedFrom == pool) {
            lost.append(item.node);
        } else if (item.pool == pool) {
            gained.append(item.node);
        }
    }
    const PoolRow* facts = store.pool(pool);
    QStringList note;
    if (facts != nullptr && !facts->owner.isEmpty()) {
        note.append(tr("user %1").arg(facts->owner));
    }
    if (!lost.isEmpty()) {
        note.append(tr("loses %1").arg(names(sorted(lost))));
    }
    if (!gained.isEmpty()) {
        note.append(tr("gains %1").arg(names(sorted(gained))));
    }
    return {true, pool, pool, note.join(QStringLiteral(" · ")), {}, {}, {}};
}

QList<ImpactRow> MoveText::appRows(const MoveImpact& impact, const QString& pool)
{
    QList<ImpactRow> closing;
    QList<ImpactRow> folded;
    QList<int> counts;
    for (const AppImpactRow& app : impact.apps) {
        if (app.pool != pool) {
            continue;
        }
        const QString role = Words::role(app.role);
        if (app.after.verdict == AppVerdict::FailsClosed && app.before.verdict != AppVerdict::FailsClosed) {
            closing.append({false, QStringLiteral("%1/%2/%3").arg(pool, app.app, role), app.app, {}, role, app.before, app.after});
            continue;
        }
        const auto same = std::find_if(folded.begin(), folded.end(),
            [&](const ImpactRow& row) { return row.role == role && readsTheSame(row.before, app.before) && readsTheSame(row.after, app.after); });
        if (same == folded.end()) {
            folded.append({false, QStringLiteral("%1/%2/%3").arg(pool, role, QString::number(folded.size())), app.app, {}, role, app.before, app.after});
            counts.append(1);
        } else {
            ++counts[same - folded.begin()];
        }
    }
    for (qsizetype i = 0; i < folded.size(); ++i) {
        folded[i].title = counts[i] == 1 ? folded[i].title : tr("%n app(s)", nullptr, counts[i]);
    }
    return closing + folded;
}

QList<ImpactRow> MoveText::poolRows(const MoveImpact& impact, const QString& pool)
{
    QList<ImpactRow> rows;
    if (pool == QLatin1String("unassigned")) {
        return rows; // outside all scheduling: "available" there would read as if it served somebody
    }
    for (const PoolImpactRow& row : impact.pools) {
        if (row.pool == pool) {
            rows.append({false, QStringLiteral("%1/none/%2").arg(pool, Words::role(row.role)), tr("no app"), {}, Words::role(row.role),
                {row.candidatesBefore, row.freeBefore, AppVerdict::Ok, 0}, {row.candidatesAfter, row.freeAfter, AppVerdict::Ok, 0}});
        }
    }
    return rows;
}

QList<ImpactRow> MoveText::rows(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store)
{
    QStringList pools = sourcesOf(items);
    QStringList targets;
    for (const MoveItem& item : items) {
        if (!pools.contains(item.pool) && !targets.contains(item.pool)) {
            targets.append(item.pool);
        }
    }
    pools.append(sorted(targets));
    for (const AppImpactRow& row : impact.apps) { // apps elsewhere that would fall back to `default`
        if (!pools.contains(row.pool)) {
            pools.append(row.pool);
        }
    }
    QList<ImpactRow> rows;
    for (const QString& pool : std::as_const(pools)) {
        const QList<ImpactRow> apps = appRows(impact, pool);
        rows.append(heading(pool, items, store));
        rows.append(apps.isEmpty() ? poolRows(impact, pool) : apps);
    }
    if (impact.moreApps > 0) {
        rows.append({true, QStringLiteral("more"), tr("%n more row(s), none worse than these", nullptr, impact.moreApps), {}, {}, {}, {}});
    }
    return rows;
}

} // namespace weir::ui
