// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/SampleFleet.h"

/// Apps of every resolution and verdict, and the pools they resolve to.
namespace weir::test {

inline ui::AppRow appRow(const QString& id, const QString& owner, ui::Resolution resolution, const QString& pool, bool fallback = false)
{
    ui::AppRow row;
    row.id = id;
    row.owner = owner;
    row.resolution = resolution;
    row.pool = pool;
    row.fallbackAllowed = fallback;
    row.revision = 1;
    return row;
}

inline ui::ChangeBatch appsFleet()
{
    using ui::PoolVerdict;
    using ui::Resolution;
    const auto text = [](const char* word) { return QString::fromLatin1(word); };
    ui::ChangeBatch batch;
    batch.reset = true;
    batch.pools = {poolRow(text("default"), {4, 22, 31}, 57, 2, PoolVerdict::Ok), poolRow(text("pool-1"), {0, 8, -1}, 11, 2, PoolVerdict::Exhausted),
        poolRow(text("pool-7"), {0, 3, -1}, 5, 1, PoolVerdict::Exhausted), poolRow(text("pool-10"), {-1, -1, -1}, 0, 1, PoolVerdict::Exhausted),
        poolRow(text("pool-2"), {2, 6, -1}, 8, 1, PoolVerdict::Ok), poolRow(text("unassigned"), {-1, -1, -1}, 0, 0, PoolVerdict::OutOfScheduling)};
    batch.pools[0].owner.clear();
    batch.pools[1].roles[0].nodes = 3;
    batch.pools[1].roles[0].draining = 3;
    batch.pools[2].roles[0].nodes = 1;
    batch.pools[2].roles[0].unhealthy = 1;
    batch.apps = {appRow(text("app-2"), text("1"), Resolution::Owner, text("pool-1")), appRow(text("app-10"), text("1"), Resolution::Owner, text("pool-1")),
        appRow(text("app-12"), text("7"), Resolution::Binding, text("pool-7"), true), appRow(text("ghost"), text("10"), Resolution::Owner, text("pool-10")),
        appRow(text("news"), {}, Resolution::Default, text("default")), appRow(text("app-5"), text("2"), Resolution::Owner, text("pool-2"))};
    for (const int starved : {0, 1}) {
        batch.apps[starved].verdict = ui::AppVerdict::FailsClosed;
        batch.apps[starved].why = text("0 of 3 origins: draining");
    }
    batch.apps[2].verdict = ui::AppVerdict::FallsBack;
    batch.apps[2].why = text("0 of 1 origin: unhealthy");
    batch.apps[3].verdict = ui::AppVerdict::FailsClosed;
    batch.apps[3].why = text("no origins");
    batch.summary.apps = 6;
    batch.summary.appsStarved = 3;
    return batch;
}

/// What binding app-12 elsewhere would do.
inline ui::BindingPreview samplePreview()
{
    using ui::AppVerdict;
    const QString app = QStringLiteral("app-12");
    const QString pool = QStringLiteral("pool-7");
    return {{{app, ui::Role::Origin, pool, {0, 0, AppVerdict::FallsBack, 4}, {0, 0, AppVerdict::FailsClosed, 0}, true},
        {app, ui::Role::Edge, pool, {3, 1120, AppVerdict::Ok, 0}, {3, 1120, AppVerdict::Ok, 0}, true}}};
}

} // namespace weir::test
