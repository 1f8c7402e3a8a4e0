// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/widgets/SampleFleet.h"
#include "ui/widgets/FleetVerdict.h"

#include <QTest>

using namespace weir::ui;
using Level = FleetVerdict::Level;
using State = ControlPlaneClient::State;

namespace {

/// 41 apps, 128 workers, all well, live.
FleetFacts goodFacts()
{
    FleetFacts facts;
    facts.state = State::Live;
    facts.snapshot = true;
    facts.summary.apps = 41;
    facts.summary.workersTotal = 128;
    facts.summary.workersHealthy = 128;
    return facts;
}

QString said(const FleetFacts& facts)
{
    return fleetVerdict(facts, QTimeZone::utc()).sentence();
}

} // namespace

class TestFleetVerdict : public QObject {
    Q_OBJECT

private slots:
    void allClearNeedsEverything()
    {
        const FleetVerdict verdict = fleetVerdict(goodFacts(), QTimeZone::utc());
        QCOMPARE(verdict.level, Level::Good);
        QVERIFY(verdict.headline.contains(QLatin1String("41")));
        QVERIFY(verdict.headline.contains(QLatin1String("128 of 128")));
    }

    void neverAllClear_data()
    {
        QTest::addColumn<std::function<void(FleetFacts&)>>("spoil");
        QTest::addColumn<Level>("level");
        QTest::addColumn<QString>("fragment");
        const auto row = [](const char* name, std::function<void(FleetFacts&)> spoil, Level level, const char* fragment) {
            QTest::newRow(name) << spoil << level << QString::fromUtf8(fragment);
        };
        row("connecting", [](FleetFacts& f) { f.state = State::Connecting; }, Level::Unknown, "Connecting");
        row("connecting again", [](FleetFacts& f) { f.state = State::Connecting; }, Level::Unknown, "out of date");
        row("no snapshot", [](FleetFacts& f) { f.snapshot = false; }, Level::Unknown, "Collecting");
        row("stale", [](FleetFacts& f) { f.state = State::Stale; f.staleSinceMs = 77'408'000; }, Level::Unknown, "21:30:08");
        row("stale without snapshot", [](FleetFacts& f) { f.state = State::Stale; f.snapshot = false; }, Level::Unknown, "Nothing is known");
        row("starved", [](FleetFacts& f) { f.summary.appsStarved = 2; }, Level::Bad, "2 of 41");
        row("green but failing", [](FleetFacts& f) { f.greenFailing = 1; }, Level::Bad, "check is green");
        row("stranded", [](FleetFacts& f) { f.summary.strandedNodes = 3; f.summary.strandedSentence = QStringLiteral("They are in pool-1."); },
            Level::Attention, "They are in pool-1.");
        row("one out", [](FleetFacts& f) { f.summary.workersHealthy = 127; }, Level::Attention, "1 of 128");
        row("none serving", [](FleetFacts& f) { f.summary.workersHealthy = 0; }, Level::Bad, "None of 128");
        row("below minimum", [](FleetFacts& f) { f.summary.workersHealthy = 121; f.summary.minHealthy = 122; }, Level::Bad, "minimum is 122");
        row("probe failing", [](FleetFacts& f) { f.probeFailing = 1; }, Level::Attention, "still in rotation");
        row("degraded", [](FleetFacts& f) { f.degraded = 1; }, Level::Attention, "Some requests fail");
        row("unchecked", [](FleetFacts& f) { f.unchecked = 4; f.summary.workersHealthy = 124; }, Level::Unknown, "not checked yet");
        row("no worker", [](FleetFacts& f) { f.summary.workersTotal = f.summary.workersHealthy = 0; }, Level::Unknown, "No worker");
        row("no app", [](FleetFacts& f) { f.summary.apps = 0; }, Level::Unknown, "No app");
        row("unknown apps are admitted", [](FleetFacts& f) { f.summary.apps = 0; f.summary.admitsUnknownApps = true; }, Level::Unknown, "one that asks resolves to default");
        row("unknown apps ask", [](FleetFacts& f) { f.summary.apps = 0; f.summary.admitsUnknownApps = true; f.summary.decisions1h = 7; f.summary.exhausted1h = 0; },
            Level::Unknown, "those that ask resolve to default: 7 decision(s)");
        row("unknown apps are refused", [](FleetFacts& f) { f.summary.apps = 0; f.summary.admitsUnknownApps = true; f.summary.decisions1h = 7; f.summary.exhausted1h = 2; },
            Level::Attention, "2 refused");
        row("store behind", [](FleetFacts& f) { f.summary.storeBehind = true; }, Level::Attention, "not being written");
    }

    void neverAllClear()
    {
        QFETCH(std::function<void(FleetFacts&)>, spoil);
        QFETCH(Level, level);
        QFETCH(QString, fragment);
        FleetFacts facts = goodFacts();
        spoil(facts);
        const FleetVerdict verdict = fleetVerdict(facts, QTimeZone::utc());
        QVERIFY(verdict.level != Level::Good);
        QCOMPARE(verdict.level, level);
        QVERIFY2(verdict.sentence().contains(fragment), qPrintable(verdict.sentence()));
        QVERIFY2(!verdict.sentence().contains(QLatin1String("All 41")), qPrintable(verdict.sentence()));
    }

    void worstStatementIsFirst()
    {
        FleetFacts facts = goodFacts();
        facts.summary.appsStarved = 2;
        facts.summary.workersHealthy = 126;
        facts.greenFailing = 1;
        const FleetVerdict verdict = fleetVerdict(facts, QTimeZone::utc());
        QVERIFY(verdict.headline.startsWith(QLatin1String("2 of 41")));
        QVERIFY(verdict.detail.indexOf(QLatin1String("check is green")) < verdict.detail.indexOf(QLatin1String("126 of 128")));
    }

    void staleSaysNothingOfNow()
    {
        FleetFacts facts = goodFacts();
        facts.state = State::Stale;
        QVERIFY(!said(facts).contains(QLatin1String("128")));
    }

    void unassignedNodesAreNotCounted()
    {
        FleetFacts facts;
        NodeRow node = healthyNode(QStringLiteral("n1"), QStringLiteral("unassigned"));
        node.traffic = Traffic::Failing;
        facts.addNode(node, 0);
        QCOMPARE(facts.greenFailing, 0);
        node.pool = QStringLiteral("default");
        facts.addNode(node, 0);
        QCOMPARE(facts.greenFailing, 1);
        node.consecutiveFailures = 1; // the check is not green any more
        facts.clearNodes();
        facts.addNode(node, 0);
        QCOMPARE(facts.greenFailing, 0);
        QCOMPARE(facts.probeFailing, 1);
    }
};

QTEST_GUILESS_MAIN(TestFleetVerdict)
#include "TestFleetVerdict.moc"
