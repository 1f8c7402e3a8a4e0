// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

/// A small fleet with one of everything, for tests of pages and for their pictures.
namespace weir::test {

inline ui::NodeRow healthyNode(const QString& id, ui::Role role, const QString& pool, qint64 wallMs, qint64 monoMs)
{
    ui::NodeRow row;
    row.id = id;
    row.role = role;
    row.pool = pool;
    row.owner = pool.startsWith(QLatin1String("pool-")) ? pool.mid(5) : QString();
    row.version = QStringLiteral("3.2.1");
    row.url = QStringLiteral("http://10.0.4.11:8000");
    row.healthUrl = row.url + QStringLiteral("/health");
    row.checked = true;
    row.inRotation = true;
    row.consecutiveSuccesses = 40;
    row.capacity = role == ui::Role::Origin ? 120 : role == ui::Role::Worker ? 6 : 600;
    row.used = row.capacity / 3;
    row.inFlight = row.used;
    row.free = row.capacity - row.used;
    row.lastProbe = {wallMs - 3000 - qint64(qHash(id) % 5) * 1000, 4, 200, true, {}};
    row.nextProbeMonoMs = monoMs + 5000;
    row.traffic = ui::isScheduled(role) ? ui::Traffic::Ok : ui::Traffic::NoEffect;
    row.trafficOk = ui::isScheduled(role) ? 1900 + int(qHash(id) % 400) : 0;
    row.schedulable = ui::isScheduled(role) ? ui::Schedulable::ForApps : ui::Schedulable::NoEffect;
    row.appCount = pool == QLatin1String("default") ? 12 : 5;
    row.inPoolSinceMs = wallMs - 86'400'000;
    row.revision = 1;
    return row;
}

inline void quarantine(ui::NodeRow& row, qint64 wallMs, qint64 monoMs, qint64 leftMs)
{
    row.inRotation = false;
    row.cause = QStringLiteral("passive");
    row.causeDetail = QStringLiteral("status:500");
    row.quarantinedUntilMonoMs = monoMs + leftMs;
    row.quarantinedUntilMs = wallMs + leftMs;
    row.quarantineLengthMs = 60'000;
    row.schedulable = ui::Schedulable::Blocked;
    row.blockedBy = QStringLiteral("quarantined");
    row.lastEjectionMs = wallMs - (60'000 - leftMs);
    row.ejections1h = 6;
}

inline ui::PoolRow poolRow(const QString& id, std::array<int, 3> available, int nodes, int apps, ui::PoolVerdict verdict)
{
    ui::PoolRow row;
    row.id = id;
    row.name = id;
    row.owner = id.startsWith(QLatin1String("pool-")) ? id.mid(5) : QString();
    for (std::size_t role = 0; role < available.size(); ++role) {
        if (available[role] >= 0) {
            row.roles[role].nodes = available[role];
            row.roles[role].healthy = available[role];
            row.roles[role].available = available[role];
            row.roles[role].capacity = available[role] * 120;
            row.roles[role].free = available[role] * 80;
        }
    }
    row.nodes = nodes;
    row.apps = apps;
    row.appsFailClosed = apps;
    for (int i = 0; i < qMin(apps, 5); ++i) {
        row.appNames.append(QStringLiteral("app-%1").arg(2 + i * 7));
    }
    row.verdict = verdict;
    row.revision = 1;
    return row;
}

inline QList<ui::PoolRow> samplePools(qint64 wallMs)
{
    using ui::PoolVerdict;
    QList<ui::PoolRow> pools{
        poolRow(QStringLiteral("default"), {4, 22, 31}, 58, 12, PoolVerdict::Ok),
        poolRow(QStringLiteral("canary-a"), {-1, 2, -1}, 2, 0, PoolVerdict::Unused),
        poolRow(QStringLiteral("pool-1"), {3, 8, -1}, 11, 6, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-2"), {2, 6, 4}, 12, 5, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-3"), {1, 6, -1}, 11, 5, PoolVerdict::AtRisk),
        poolRow(QStringLiteral("pool-4"), {-1, -1, 3}, 3, 3, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-5"), {2, 4, -1}, 6, 3, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-7"), {2, 3, -1}, 5, 3, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-9"), {0, 2, -1}, 3, 2, PoolVerdict::Exhausted),
        poolRow(QStringLiteral("pool-12"), {2, 3, -1}, 5, 1, PoolVerdict::Ok),
        poolRow(QStringLiteral("pool-14"), {1, 2, -1}, 5, 1, PoolVerdict::AtRisk),
        poolRow(QStringLiteral("render-b"), {-1, -1, 3}, 3, 0, PoolVerdict::Unused),
        poolRow(QStringLiteral("unassigned"), {-1, -1, -1}, 4, 0, PoolVerdict::OutOfScheduling),
    };
    pools[4].roles[0].nodes = 2;
    pools[4].roles[0].draining = 1;
    pools[4].roles[1].nodes = 7;
    pools[4].roles[1].quarantined = 1;
    pools[4].lastChangeMs = wallMs - 40'000'000;
    pools[4].lastChange = QStringLiteral("token ops moved edge-08 in");
    pools[8].roles[0].nodes = 1;
    pools[8].roles[0].unhealthy = 1;
    pools[0].owner.clear();
    return pools;
}

inline QList<ui::NodeRow> sampleNodes(qint64 wallMs, qint64 monoMs)
{
    using ui::Role;
    QList<ui::NodeRow> nodes;
    const auto add = [&](const QString& id, Role role, const QString& pool) -> ui::NodeRow& {
        nodes.append(healthyNode(id, role, pool, wallMs, monoMs));
        return nodes.last();
    };
    const QString pool3 = QStringLiteral("pool-3");
    for (const char* id : {"edge-02", "edge-03", "edge-04", "edge-05", "edge-08"}) {
        add(QString::fromLatin1(id), Role::Edge, pool3);
    }
    ui::NodeRow& degraded = add(QStringLiteral("edge-06"), Role::Edge, pool3);
    degraded.traffic = ui::Traffic::Degraded;
    degraded.trafficOk = 412;
    degraded.trafficStatus = 36;
    ui::NodeRow& held = add(QStringLiteral("edge-09"), Role::Edge, pool3);
    quarantine(held, wallMs, monoMs, 42'000);
    held.traffic = ui::Traffic::Idle;
    held.trafficOk = 0;
    add(QStringLiteral("origin-11"), Role::Origin, pool3);
    ui::NodeRow& draining = add(QStringLiteral("origin-12"), Role::Origin, pool3);
    draining.draining = true;
    draining.drainedBy = QStringLiteral("token ops");
    draining.drainReason = QStringLiteral("disk swap");
    draining.schedulable = ui::Schedulable::Blocked;
    draining.blockedBy = QStringLiteral("draining");
    add(QStringLiteral("recorder-01"), Role::Recorder, pool3);
    add(QStringLiteral("recorder-02"), Role::Recorder, pool3);

    ui::NodeRow& offline = add(QStringLiteral("origin-21"), Role::Origin, QStringLiteral("pool-9"));
    offline.inRotation = false;
    offline.cause = QStringLiteral("probe");
    offline.consecutiveFailures = 7;
    offline.lastProbe = {wallMs - 3000, 1, 0, false, QStringLiteral("refused")};
    offline.traffic = ui::Traffic::Idle;
    offline.trafficOk = 0;
    offline.schedulable = ui::Schedulable::Blocked;
    offline.blockedBy = QStringLiteral("unhealthy");
    offline.free = 0;
    ui::NodeRow& gpu = add(QStringLiteral("gpu-01"), Role::Worker, QStringLiteral("pool-4"));
    quarantine(gpu, wallMs, monoMs, 42'000);
    gpu.traffic = ui::Traffic::Failing;
    gpu.trafficOk = 80;
    gpu.trafficStatus = 47;
    gpu.trafficSemantic = 84;
    gpu.flaps1h = 6;
    ui::NodeRow& failing = add(QStringLiteral("gpu-05"), Role::Worker, QStringLiteral("default"));
    failing.traffic = ui::Traffic::Failing;
    failing.trafficOk = 97;
    failing.trafficStatus = 114;
    ui::NodeRow& once = add(QStringLiteral("edge-19"), Role::Edge, pool3);
    once.consecutiveFailures = 1;
    once.lastProbe = {wallMs - 1000, 3000, 0, false, QStringLiteral("timeout")};
    ui::NodeRow& fresh = add(QStringLiteral("edge-31"), Role::Edge, QStringLiteral("default"));
    fresh.checked = false;
    fresh.inRotation = false;
    fresh.lastProbe = {};
    fresh.traffic = ui::Traffic::NotMeasured;
    fresh.trafficOk = 0;
    fresh.schedulable = ui::Schedulable::Blocked;
    fresh.blockedBy = QStringLiteral("unchecked");
    ui::NodeRow& out = add(QStringLiteral("edge-01"), Role::Edge, QStringLiteral("unassigned"));
    out.traffic = ui::Traffic::Idle;
    out.trafficOk = 0;
    out.schedulable = ui::Schedulable::OutOfScheduling;
    for (int i = 40; i < 60; ++i) {
        add(QStringLiteral("edge-%1").arg(i), Role::Edge, QStringLiteral("default"));
    }
    return nodes;
}

/// `state` of the summary as the sample's nodes have it: two apps starved, 126 of 128 serving.
inline ui::FleetSummary sampleSummary(qint64 wallMs)
{
    ui::FleetSummary summary;
    summary.apps = 41;
    summary.appsStarved = 2;
    summary.workersTotal = 128;
    summary.workersHealthy = 126;
    summary.configVersion = 57;
    summary.starved = {{QStringLiteral("app-2"), QStringLiteral("pool-9"), QStringLiteral("0 of 1 origins: offline"), wallMs - 300'000}};
    return summary;
}

inline ui::ChangeBatch sampleFleet(qint64 wallMs, qint64 monoMs)
{
    ui::ChangeBatch batch;
    batch.reset = true;
    batch.atMs = wallMs;
    batch.nodes = sampleNodes(wallMs, monoMs);
    batch.pools = samplePools(wallMs);
    for (int i = 0; i < 5; ++i) {
        ui::AppRow app;
        app.id = QStringLiteral("app-%1").arg(2 + i * 7);
        app.pool = QStringLiteral("pool-3");
        app.owner = QStringLiteral("3");
        app.resolution = ui::Resolution::Owner;
        batch.apps.append(app);
    }
    batch.summary = sampleSummary(wallMs);
    return batch;
}

inline QList<ui::ProbeEntry> sampleProbeLog(qint64 wallMs)
{
    QList<ui::ProbeEntry> log;
    for (int i = 0; i < 20; ++i) {
        ui::ProbeEntry entry;
        entry.atMs = wallMs - 3000 - i * 8000;
        entry.durationMs = 3 + i % 4;
        entry.success = i < 5 || i > 7;
        entry.held = i < 2;
        entry.status = entry.success ? 200 : 503;
        entry.reason = entry.success ? QString() : QStringLiteral("status:503");
        entry.bodyStatus = entry.success ? QStringLiteral("ok") : QStringLiteral("degraded");
        entry.bodyReason = entry.success ? QString() : QStringLiteral("disk_free_below_5.0g");
        entry.diskFreeGb = entry.success ? 5.2 : 3.1;
        entry.deps = {{QStringLiteral("comfyui"), true}, {QStringLiteral("change_hair"), true}};
        log.append(entry);
    }
    return log;
}

} // namespace weir::test
