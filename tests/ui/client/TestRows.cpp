// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/client/RowConversion.h"

#include <QTest>

using namespace weir;

// The words that screens show come from facts that stay apart; this table says which facts give which word.
class TestRows : public QObject {
    Q_OBJECT

private slots:
    void probeWord_data()
    {
        QTest::addColumn<bool>("checked");
        QTest::addColumn<bool>("inRotation");
        QTest::addColumn<bool>("draining");
        QTest::addColumn<int>("failures");
        QTest::addColumn<qint64>("quarantineLeft"); // ms; 0: none
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, bool checked, bool in, bool draining, int failures, qint64 left, ui::ProbeState expected) {
            QTest::newRow(name) << checked << in << draining << failures << left << static_cast<int>(expected);
        };
        row("never probed", false, false, false, 0, 0, ui::ProbeState::NoData);
        row("well", true, true, false, 0, 0, ui::ProbeState::Online);
        row("one failure, still in", true, true, false, 1, 0, ui::ProbeState::Failing);
        row("out by probes", true, false, false, 2, 0, ui::ProbeState::Offline);
        row("quarantined", true, false, false, 1, 42000, ui::ProbeState::Quarantined);
        row("draining", true, true, true, 0, 0, ui::ProbeState::Draining);
        row("out and draining", true, false, true, 2, 0, ui::ProbeState::Offline);
    }
    void probeWord()
    {
        QFETCH(bool, checked);
        QFETCH(bool, inRotation);
        QFETCH(bool, draining);
        QFETCH(int, failures);
        QFETCH(qint64, quarantineLeft);
        QFETCH(int, expected);
        plane::NodeFacts facts;
        facts.checked = checked;
        facts.inRotation = inRotation;
        facts.spec.draining = draining;
        facts.consecutiveFailures = failures;
        if (quarantineLeft > 0) {
            facts.cause = health::Cause::Passive;
            facts.quarantinedUntil = Instant(std::chrono::milliseconds(1000000 + quarantineLeft));
        }
        const ui::NodeRow row = ui::toRow(facts, {health::HealthSettings(), 1000000, 1796000000000});
        QCOMPARE(static_cast<int>(row.probeState(1000000)), expected);
        if (quarantineLeft > 0) {
            QCOMPARE(row.quarantinedUntilMs, 1796000000000 + quarantineLeft);
        }
    }

    void trafficWord_data()
    {
        QTest::addColumn<QList<int>>("counts"); // ok, transport, status, semantic
        QTest::addColumn<bool>("seen");
        QTest::addColumn<bool>("rule");
        QTest::addColumn<int>("expected");
        QTest::addColumn<int>("semantic");
        const auto row = [](const char* name, const QList<int>& counts, bool seen, bool rule, ui::Traffic expected, int semantic) {
            QTest::newRow(name) << counts << seen << rule << static_cast<int>(expected) << semantic;
        };
        row("nobody ever called", {0, 0, 0, 0}, false, false, ui::Traffic::NotMeasured, -1);
        row("others are called", {0, 0, 0, 0}, true, false, ui::Traffic::Idle, -1);
        row("all served", {40, 0, 0, 0}, true, false, ui::Traffic::Ok, -1);
        row("all served, and a rule says so", {40, 0, 0, 0}, true, true, ui::Traffic::Ok, 0);
        row("one in hundreds", {999, 0, 1, 0}, true, false, ui::Traffic::Ok, -1);
        row("one in a hundred", {99, 0, 1, 0}, true, false, ui::Traffic::Degraded, -1);
        row("half", {10, 5, 5, 0}, true, false, ui::Traffic::Degraded, -1);
        row("more than half", {10, 5, 6, 0}, true, false, ui::Traffic::Failing, -1);
        row("hidden in a 200", {2, 0, 0, 18}, true, true, ui::Traffic::Failing, 18);
        row("counted by a rule that is gone", {2, 0, 0, 18}, true, false, ui::Traffic::Failing, 18);
    }
    void trafficWord()
    {
        QFETCH(QList<int>, counts);
        QFETCH(bool, seen);
        QFETCH(bool, rule);
        QFETCH(int, expected);
        QFETCH(int, semantic);
        const auto count = [&](int at) { return static_cast<std::uint32_t>(counts[at]); };
        plane::NodeFacts facts;
        facts.traffic = {count(0), count(1), count(2), count(3)};
        ui::ConversionContext context;
        context.trafficSeen = seen;
        context.semanticMeasured = rule;
        ui::NodeRow row = ui::toRow(facts, context);
        QCOMPARE(static_cast<int>(row.traffic), expected);
        QCOMPARE(row.trafficSemantic, semantic);
        QCOMPARE(row.trafficOk, counts[0]);
        facts.spec.role = Role::Recorder;
        row = ui::toRow(facts, context);
        QCOMPARE(static_cast<int>(row.traffic), static_cast<int>(ui::Traffic::NoEffect));
    }

    void schedulableWord()
    {
        plane::NodeFacts facts;
        facts.pool = "pool-1";
        facts.spec.role = Role::Origin;
        const auto word = [&] { return ui::toRow(facts, {}).schedulable; };
        QCOMPARE(word(), ui::Schedulable::NoAppResolves);
        // Apps that nobody declared resolve to default, unless the scheduler refuses them.
        ui::ConversionContext admitting;
        admitting.admitsUnknownApps = true;
        QCOMPARE(ui::toRow(facts, admitting).schedulable, ui::Schedulable::NoAppResolves);
        facts.pool = "default";
        QCOMPARE(word(), ui::Schedulable::NoAppResolves);
        QCOMPARE(ui::toRow(facts, admitting).schedulable, ui::Schedulable::ForUnknownApps);
        facts.pool = "pool-1";
        facts.poolApps = 3;
        QCOMPARE(word(), ui::Schedulable::ForApps);
        facts.reason = fleet::Reason::Quarantined;
        QCOMPARE(word(), ui::Schedulable::Blocked);
        QCOMPARE(ui::toRow(facts, {}).blockedBy, QStringLiteral("quarantined"));
        facts.pool = "unassigned";
        QCOMPARE(word(), ui::Schedulable::OutOfScheduling);
        facts.spec.role = Role::Recorder;
        QCOMPARE(word(), ui::Schedulable::NoEffect);
    }

    void poolVerdict_data()
    {
        QTest::addColumn<int>("apps");
        QTest::addColumn<QList<int>>("nodes");      // origins, edges, workers
        QTest::addColumn<QList<int>>("candidates");
        QTest::addColumn<QList<bool>>("used");
        QTest::addColumn<int>("expected");
        QTest::addColumn<QString>("role");
        const auto row = [](const char* name, int apps, QList<int> nodes, QList<int> candidates, QList<bool> used, ui::PoolVerdict expected, const char* role) {
            QTest::newRow(name) << apps << nodes << candidates << used << static_cast<int>(expected) << QString::fromLatin1(role);
        };
        row("served well", 3, {2, 3, 0}, {2, 3, 0}, {true, true, false}, ui::PoolVerdict::Ok, "origin");
        row("one origin left", 3, {2, 3, 0}, {1, 3, 0}, {true, true, false}, ui::PoolVerdict::AtRisk, "origin");
        row("no edge left", 3, {2, 3, 0}, {1, 0, 0}, {true, true, false}, ui::PoolVerdict::Exhausted, "edge");
        row("a role that nobody asks for does not count", 3, {2, 3, 1}, {2, 3, 0}, {true, true, false}, ui::PoolVerdict::Ok, "origin");
        row("nobody asked yet: the roles that are there", 3, {0, 2, 0}, {0, 2, 0}, {false, false, false}, ui::PoolVerdict::Ok, "edge");
        row("apps but no nodes", 3, {0, 0, 0}, {0, 0, 0}, {false, false, false}, ui::PoolVerdict::Exhausted, "");
        row("no app", 0, {2, 2, 2}, {2, 2, 2}, {false, false, false}, ui::PoolVerdict::Unused, "");
    }
    void poolVerdict()
    {
        QFETCH(int, apps);
        QFETCH(QList<int>, nodes);
        QFETCH(QList<int>, candidates);
        QFETCH(QList<bool>, used);
        QFETCH(int, expected);
        QFETCH(QString, role);
        plane::PoolFacts facts;
        facts.spec.id = PoolId::trusted("pool-1");
        facts.kind = fleet::PoolKind::User;
        facts.apps = static_cast<std::size_t>(apps);
        for (std::size_t i = 0; i < kScheduledRoleCount; ++i) {
            facts.roles[i].nodes = static_cast<std::uint32_t>(nodes[static_cast<qsizetype>(i)]);
            facts.roles[i].candidates = static_cast<std::uint32_t>(candidates[static_cast<qsizetype>(i)]);
            facts.rolesUsed[i] = used[static_cast<qsizetype>(i)];
        }
        const ui::PoolRow row = ui::toRow(facts);
        QCOMPARE(static_cast<int>(row.verdict), expected);
        if (!role.isEmpty()) {
            QCOMPARE(row.verdictRole, role);
        }
        facts.kind = fleet::PoolKind::Unassigned;
        QCOMPARE(ui::toRow(facts).verdict, ui::PoolVerdict::OutOfScheduling);
    }

    void defaultIsForUnknownApps()
    {
        plane::PoolFacts facts;
        facts.spec.id = PoolId::trusted("default");
        facts.kind = fleet::PoolKind::Default;
        QCOMPARE(ui::toRow(facts, true).verdict, ui::PoolVerdict::Unused); // nothing there yet, and nobody asked
        facts.exhausted1h = 1;
        QCOMPARE(ui::toRow(facts, true).verdict, ui::PoolVerdict::Exhausted);
        facts.nodes = 2;
        facts.roles[2].nodes = 2;
        facts.roles[2].candidates = 2;
        QCOMPARE(ui::toRow(facts, true).verdict, ui::PoolVerdict::Ok);
        QCOMPARE(ui::toRow(facts, false).verdict, ui::PoolVerdict::Unused);
        facts.roles[2].candidates = 0;
        QCOMPARE(ui::toRow(facts, true).verdict, ui::PoolVerdict::Exhausted);
        facts.kind = fleet::PoolKind::User;
        QCOMPARE(ui::toRow(facts, true).verdict, ui::PoolVerdict::Unused);
    }
};

QTEST_GUILESS_MAIN(TestRows)
#include "TestRows.moc"
