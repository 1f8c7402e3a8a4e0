// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QCoreApplication>

namespace weir::ui {

class FleetStore;

/// What a move would do, as one line: on the badge, in the list of pools, under the picker of nodes.
struct ImpactLine {
    enum class Kind { Ok, Warning, Refused };

    Kind kind = Kind::Ok;
    QString text;

    friend bool operator==(const ImpactLine&, const ImpactLine&) = default;
};

/// Something a person has to know before a move; `key` stays the same while the numbers in `text` change.
struct Consequence {
    QString key;
    QString text;

    friend bool operator==(const Consequence&, const Consequence&) = default;
};

/// One line of the impact table: a heading of a pool, an app, or several apps that read the same.
struct ImpactRow {
    bool heading = false;
    QString key;             ///< tells a changed row from a new one
    QString title;           ///< pool, app, or "5 apps"
    QString note;            ///< of a heading: owner, and what the pool loses or gains
    QString role;
    StandingView before;
    StandingView after;

    friend bool operator==(const ImpactRow&, const ImpactRow&) = default;
};

/// The words and rules of moves, without any widget (console.md 2.5).
class MoveText {
    Q_DECLARE_TR_FUNCTIONS(MoveText)

public:
    /// Ids by name, so that edge-2 stands before edge-10.
    [[nodiscard]] static QStringList sorted(QStringList ids);
    /// "edge-02, edge-05, origin-11", the rest as a number.
    [[nodiscard]] static QString names(const QStringList& ids);
    [[nodiscard]] static QStringList nodesOf(const QList<MoveItem>& items);
    /// The one pool all items go to, or empty.
    [[nodiscard]] static QString targetOf(const QList<MoveItem>& items);
    /// The pools the items leave, by name.
    [[nodiscard]] static QStringList sourcesOf(const QList<MoveItem>& items);
    /// "pool-3 (user 3)", "default (shared)".
    [[nodiscard]] static QString poolWithOwner(const FleetStore& store, const QString& pool);
    /// "Move 3 nodes to pool-7": title and button.
    [[nodiscard]] static QString command(const QList<MoveItem>& items);
    /// "3 nodes: edge-02, edge-05, origin-11".
    [[nodiscard]] static QString badge(const QStringList& nodes);
    /// "Moved 3 nodes to pool-7 from unassigned."
    [[nodiscard]] static QString done(const QList<MovedNode>& moves, bool undone);
    /// "20 s ago" of a moment on the plane's clock.
    [[nodiscard]] static QString ago(qint64 atMs, qint64 nowMs);

    /// The plane's tier, raised to 2 where nodes with streams would go out of scheduling.
    [[nodiscard]] static int tier(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store);
    [[nodiscard]] static ImpactLine line(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store);
    [[nodiscard]] static QList<Consequence> consequences(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store);
    /// Grouped by pool, those left first. Apps that fail closed have a row each, the others are folded where they read the same.
    [[nodiscard]] static QList<ImpactRow> rows(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store);

private:
    [[nodiscard]] static QString available(Role role, int count);
    [[nodiscard]] static QString counted(Role role, int count);
    [[nodiscard]] static ImpactRow heading(const QString& pool, const QList<MoveItem>& items, const FleetStore& store);
    [[nodiscard]] static QList<ImpactRow> appRows(const MoveImpact& impact, const QString& pool);
    /// Where no app of the impact resolves to: the pool's own figures.
    [[nodiscard]] static QList<ImpactRow> poolRows(const MoveImpact& impact, const QString& pool);
    [[nodiscard]] static QString keeps(const MoveImpact& impact, const QString& pool);
    [[nodiscard]] static qint64 streams(const MoveImpact& impact, const QList<MoveItem>& items, const FleetStore& store);
    [[nodiscard]] static QString ownerChange(const QString& from, const QString& to, int nodes, const FleetStore& store);
};

} // namespace weir::ui
