// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

/// Impacts as the plane gives them, for the sample fleet.
namespace weir::test {

inline ui::MoveImpact safeImpact(int nodes = 1)
{
    ui::MoveImpact impact;
    impact.token = 41;
    impact.tier = 1;
    impact.movedNodes = nodes;
    impact.pools = {{QStringLiteral("pool-3"), ui::Role::Origin, 2, 2, 160, 160}, {QStringLiteral("pool-3"), ui::Role::Edge, 6, 4, 2400, 1600},
        {QStringLiteral("pool-7"), ui::Role::Edge, 3, 5, 1120, 1920}};
    return impact;
}

/// edge-02, edge-05 and the only available origin of pool-3 go to pool-7.
inline ui::MoveImpact outageImpact()
{
    using ui::AppVerdict;
    using ui::Role;
    ui::MoveImpact impact;
    impact.token = 42;
    impact.tier = 3;
    impact.movedNodes = 3;
    impact.streams = 74;
    impact.failClosed = {QStringLiteral("app-2"), QStringLiteral("app-9"), QStringLiteral("app-17"), QStringLiteral("app-23"), QStringLiteral("app-31")};
    impact.failClosedCount = 5;
    for (const QString& app : std::as_const(impact.failClosed)) {
        impact.apps.append({app, Role::Origin, QStringLiteral("pool-3"), {1, 80, AppVerdict::Ok, 0}, {0, 0, AppVerdict::FailsClosed, 0}, true});
    }
    for (const QString& app : std::as_const(impact.failClosed)) {
        impact.apps.append({app, Role::Edge, QStringLiteral("pool-3"), {6, 2351, AppVerdict::Ok, 0}, {4, 1561, AppVerdict::Ok, 0}, true});
    }
    for (int i = 0; i < 3; ++i) {
        const QString app = QStringLiteral("app-7%1").arg(i);
        impact.apps.append({app, Role::Origin, QStringLiteral("pool-7"), {2, 164, AppVerdict::Ok, 0}, {3, 244, AppVerdict::Ok, 0}, false});
        impact.apps.append({app, Role::Edge, QStringLiteral("pool-7"), {3, 1120, AppVerdict::Ok, 0}, {5, 1910, AppVerdict::Ok, 0}, false});
    }
    impact.pools = {{QStringLiteral("pool-3"), Role::Origin, 1, 0, 80, 0}, {QStringLiteral("pool-3"), Role::Edge, 6, 4, 2351, 1561},
        {QStringLiteral("pool-7"), Role::Origin, 2, 3, 164, 244}, {QStringLiteral("pool-7"), Role::Edge, 3, 5, 1120, 1910}};
    return impact;
}

/// Leaves pool-3 with one edge and nobody without one.
inline ui::MoveImpact riskyImpact()
{
    ui::MoveImpact impact = safeImpact(3);
    impact.token = 43;
    impact.tier = 2;
    impact.apps = {{QStringLiteral("app-2"), ui::Role::Edge, QStringLiteral("pool-3"), {4, 1600, ui::AppVerdict::Ok, 0}, {1, 400, ui::AppVerdict::Ok, 0}, true}};
    impact.pools = {{QStringLiteral("pool-3"), ui::Role::Edge, 4, 1, 1600, 400}, {QStringLiteral("pool-7"), ui::Role::Edge, 3, 6, 1120, 2320}};
    return impact;
}

inline QList<ui::MoveItem> sampleMove()
{
    QList<ui::MoveItem> items;
    for (const char* id : {"edge-02", "edge-05", "origin-11"}) {
        items.append({QString::fromLatin1(id), QStringLiteral("pool-7"), QStringLiteral("pool-3")});
    }
    return items;
}

} // namespace weir::test
