// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/live/FleetStore.h"
#include "ui/moves/MoveText.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestMoveText : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void tiers_data();
    void tiers();
    void lines_data();
    void lines();
    void rowsFoldWhatReadsTheSame();
    void aPoolWithoutAppsShowsItsOwnFigures();
    void consequencesNameAppsAndOwners();
    void namesAreOrderedByNumberAndCapped();

private:
    test::RecordingClient m_client;
    std::unique_ptr<FleetStore> m_store;
};

void TestMoveText::initTestCase()
{
    m_store = std::make_unique<FleetStore>(m_client);
    m_client.send(test::sampleFleet(m_client.wallMs, m_client.monoMs));
    m_store->flushNow();
}

void TestMoveText::tiers_data()
{
    QTest::addColumn<int>("plane");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("tier");
    QTest::newRow("none") << 0 << "edge-01" << "pool-7" << 0;
    QTest::newRow("safe") << 1 << "edge-02" << "pool-7" << 1;
    QTest::newRow("risky") << 2 << "edge-02" << "pool-7" << 2;
    QTest::newRow("outage") << 3 << "edge-02" << "pool-7" << 3;
    QTest::newRow("with streams, out of scheduling") << 1 << "edge-02" << "unassigned" << 2;
    QTest::newRow("outage, out of scheduling") << 3 << "edge-02" << "unassigned" << 3;
}

void TestMoveText::tiers()
{
    QFETCH(int, plane);
    QFETCH(QString, node);
    QFETCH(QString, target);
    QFETCH(int, tier);
    MoveImpact impact = test::safeImpact();
    impact.tier = plane;
    QCOMPARE(MoveText::tier(impact, {{node, target, QStringLiteral("pool-3")}}, *m_store), tier);
}

void TestMoveText::lines_data()
{
    QTest::addColumn<MoveImpact>("impact");
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    const QString pool7 = QStringLiteral("pool-7");
    const int ok = static_cast<int>(ImpactLine::Kind::Ok);
    const int warning = static_cast<int>(ImpactLine::Kind::Warning);
    QTest::newRow("safe") << test::safeImpact() << pool7 << ok << "OK – pool-3 keeps 2 origin(s), 4 edge(s)";
    QTest::newRow("outage") << test::outageImpact() << pool7 << warning << "leaves pool-3 with 0 available origin(s); 5 app(s) fail closed";
    QTest::newRow("thin") << test::riskyImpact() << pool7 << warning << "leaves pool-3 with 1 available edge(s)";
    MoveImpact stranded = test::safeImpact();
    stranded.strandedCount = 2;
    QTest::newRow("stranded") << stranded << "canary-a" << warning << "no app resolves to canary-a; 2 node(s) would never be chosen";
    MoveImpact without = test::safeImpact();
    without.pools.clear();
    without.withoutEffect = QStringList{QStringLiteral("recorder-01")};
    QTest::newRow("no effect") << without << pool7 << ok << "OK – pool scheduling never reads these roles";
}

void TestMoveText::lines()
{
    QFETCH(MoveImpact, impact);
    QFETCH(QString, target);
    QFETCH(int, kind);
    QFETCH(QString, text);
    const ImpactLine line = MoveText::line(impact, {{QStringLiteral("edge-02"), target, QStringLiteral("pool-3")}}, *m_store);
    QCOMPARE(line.text, text);
    QCOMPARE(static_cast<int>(line.kind), kind);
}

void TestMoveText::rowsFoldWhatReadsTheSame()
{
    const QList<ImpactRow> rows = MoveText::rows(test::outageImpact(), test::sampleMove(), *m_store);
    QStringList lines;
    for (const ImpactRow& row : rows) {
        lines.append(row.heading ? QStringLiteral("# %1 %2").arg(row.title, row.note)
                                 : QStringLiteral("%1 %2 %3>%4").arg(row.title, row.role).arg(row.before.candidates).arg(row.after.candidates));
    }
    const QStringList expected{QStringLiteral("# pool-3 user 3 · loses edge-02, edge-05, origin-11"), QStringLiteral("app-2 origin 1>0"), QStringLiteral("app-9 origin 1>0"), QStringLiteral("app-17 origin 1>0"),
        QStringLiteral("app-23 origin 1>0"), QStringLiteral("app-31 origin 1>0"), QStringLiteral("5 app(s) edge 6>4"), QStringLiteral("# pool-7 user 7 · gains edge-02, edge-05, origin-11"), QStringLiteral("3 app(s) origin 2>3"),
        QStringLiteral("3 app(s) edge 3>5")};
    QCOMPARE(lines, expected);

    // Out of scheduling: the heading says what goes there; no figure pretends that it serves anybody.
    ui::MoveImpact out;
    out.pools = {{QStringLiteral("unassigned"), ui::Role::Edge, 1, 2, 600, 1200}, {QStringLiteral("canary-a"), ui::Role::Edge, 0, 1, 0, 600}};
    QStringList titles;
    for (const ImpactRow& row : MoveText::rows(out, {{QStringLiteral("edge-02"), QStringLiteral("unassigned"), QStringLiteral("canary-a")}}, *m_store)) {
        titles.append(row.title);
    }
    QCOMPARE(titles, QStringList({QStringLiteral("canary-a"), QStringLiteral("no app"), QStringLiteral("unassigned")}));
}

void TestMoveText::aPoolWithoutAppsShowsItsOwnFigures()
{
    const QList<ImpactRow> rows = MoveText::rows(test::riskyImpact(), test::sampleMove(), *m_store);
    QCOMPARE(rows.last().title, QStringLiteral("no app"));
    QCOMPARE(rows.last().before.candidates, 3);
    QCOMPARE(rows.last().after.candidates, 6);
}

void TestMoveText::consequencesNameAppsAndOwners()
{
    const QList<Consequence> all = MoveText::consequences(test::outageImpact(), test::sampleMove(), *m_store);
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0].text, QStringLiteral("5 app(s) will get 503 (pool_exhausted): app-2, app-9, app-17, app-23, app-31"));
    QCOMPARE(all[1].text, QStringLiteral("3 node(s) of user 3 would serve apps of user 7"));
    const QList<MoveItem> shared{{QStringLiteral("edge-02"), QStringLiteral("default"), QStringLiteral("pool-3")}};
    QCOMPARE(MoveText::consequences(test::safeImpact(), shared, *m_store).first().text, QStringLiteral("1 node(s) of user 3 would be shared by all"));
}

void TestMoveText::namesAreOrderedByNumberAndCapped()
{
    QCOMPARE(MoveText::sorted({QStringLiteral("edge-10"), QStringLiteral("edge-2"), QStringLiteral("edge-1")}), QStringList({QStringLiteral("edge-1"), QStringLiteral("edge-2"), QStringLiteral("edge-10")}));
    QCOMPARE(MoveText::names({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d"), QStringLiteral("e")}), QStringLiteral("a, b, c and 2 more"));
    QCOMPARE(MoveText::badge({QStringLiteral("edge-02"), QStringLiteral("edge-05")}), QStringLiteral("2 node(s): edge-02, edge-05"));
}

QTEST_MAIN(TestMoveText)
#include "TestMoveText.moc"
