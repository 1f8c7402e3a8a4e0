// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"

namespace weir::ui {

namespace {

QString text(const char* utf8)
{
    return QString::fromUtf8(utf8);
}

void addTroubles(ChangeBatch& batch, qint64 nowMs, qint64 monoMs)
{
    NodeRow& failing = batch.nodes[0];
    failing.id = text("gpu-01");
    failing.traffic = Traffic::Failing;
    failing.trafficOk = 80;
    failing.trafficStatus = 47;
    failing.trafficSemantic = 84;
    NodeRow& held = batch.nodes[1];
    held.inRotation = false;
    held.cause = text("passive");
    held.quarantinedUntilMonoMs = monoMs + 42'000;
    held.quarantinedUntilMs = nowMs + 42'000;
    held.quarantineLengthMs = 60'000;
    NodeRow& offline = batch.nodes[2];
    offline.id = text("origin-21");
    offline.inRotation = false;
    offline.cause = text("probe");
    NodeRow& probeFailing = batch.nodes[3];
    probeFailing.consecutiveFailures = 1;
    NodeRow& degraded = batch.nodes[4];
    degraded.traffic = Traffic::Degraded;
    degraded.trafficOk = 412;
    degraded.trafficTransport = 36;
    batch.nodes[5].draining = true;
}

void addHistory(RecordingClient& client)
{
    const qint64 now = client.wallMs;
    const auto point = [&](int minutesAgo, int healthy, bool known = true) {
        client.series.append({now - minutesAgo * 60'000LL, healthy, 128, known});
    };
    point(60, 128);
    point(51, 127);
    point(44, 128);
    point(36, 126);
    point(35, 127);
    point(29, 128);
    point(24, 0, false);
    point(21, 128);
    point(17, 127);
    point(11, 126);
    const std::tuple<int, const char*, const char*> events[] = {
        {1300, "app_changed", "app-31 owner set to user 3"},       {1210, "node_moved", "edge-05, edge-06 → pool-3"},
        {1200, "config_loaded", "cfg v55 → v56, rollback kept"},   {700, "node_draining", "origin-12 draining, token ops"},
        {650, "node_moved", "edge-08 → pool-3"},                   {200, "app_bound", "app-12 bound to pool-2"},
        {54, "node_moved", "edge-17 → default"},                   {39, "config_loaded", "cfg v56 → v57, 2 rules"},
        {29, "pool_fallback", "app-3 fell back to default"},       {11, "node_offline", "origin-21 offline after 2 failed checks"},
        {10, "pool_exhausted", "pool-9 had no origin for app-14"}, {7, "pool_exhausted", "pool-9 had no origin for app-14"},
        {3, "pool_exhausted", "pool-9 had no origin for app-27"}};
    qint64 seq = 1;
    for (const auto& [minutesAgo, kind, sentence] : events) {
        EventRow event;
        event.seq = seq++;
        event.atMs = now - minutesAgo * 60'000LL;
        event.kind = text(kind);
        event.nodeId = event.kind == QLatin1String("node_offline") ? text("origin-21") : QString();
        event.sentence = text(sentence);
        client.events.append(event);
    }
}

} // namespace

NodeRow healthyNode(const QString& id, const QString& pool)
{
    NodeRow node;
    node.id = id;
    node.pool = pool;
    node.checked = true;
    node.inRotation = true;
    node.traffic = Traffic::Ok;
    node.trafficOk = 300;
    node.schedulable = Schedulable::ForApps;
    return node;
}

ChangeBatch sampleFleet(RecordingClient& client)
{
    ChangeBatch batch;
    batch.reset = true;
    batch.atMs = client.wallMs;
    for (int i = 1; i <= 128; ++i) {
        batch.nodes.append(healthyNode(QStringLiteral("edge-%1").arg(i, 2, 10, QLatin1Char('0')), QStringLiteral("pool-%1").arg(i % 12)));
    }
    addTroubles(batch, client.wallMs, client.monotonicMs);
    addHistory(client);
    FleetSummary& s = batch.summary;
    s.apps = 41;
    s.appsStarved = 2;
    s.workersTotal = 128;
    s.workersHealthy = 126;
    s.minHealthy = 122;
    s.ejections1h = 7;
    s.exhausted1h = 214;
    s.decisions1h = 20'114;
    s.fallbacks1h = 60;
    const qint64 since = client.wallMs - 11 * 60'000LL;
    s.starved = {{text("app-14"), text("pool-9"), text("0 of 1 origins: offline"), since},
                 {text("app-27"), text("pool-9"), text("0 of 1 origins: offline"), since}};
    return batch;
}

} // namespace weir::ui
