// SPDX-License-Identifier: GPL-3.0-or-later
// Headlines and reports: the three outages that Weir is made for, told in one sentence each.
#include "core/journal/incidents/IncidentReport.h"
#include "tests/journal/IncidentWorld.h"

#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;

namespace {

QByteArray headline(const IncidentBook& book, WallTime now, std::int64_t number = 1)
{
    const Incident* incident = book.find(number);
    return incident == nullptr ? QByteArray("no such incident") : QByteArray::fromStdString(headlineOf(*incident, now));
}

RefusalEvidence misplacedEvidence(std::uint32_t unbound)
{
    RefusalEvidence evidence;
    evidence.poolApps = 14;
    evidence.unboundApps = unbound;
    evidence.elsewhere = 3;
    evidence.elsewherePool = "pool-1";
    evidence.funnel = "No origin for app app-1: default has no origins.";
    return evidence;
}

// Fourteen apps ask again and again for fourteen minutes.
IncidentWorld secondOutage(std::uint32_t unbound, int apps = 14)
{
    IncidentWorld world;
    for (int minute = 0; minute <= 14; ++minute) {
        for (int app = 1; app <= apps; ++app) {
            world.refused("app-" + std::to_string(app), "default", 10, misplacedEvidence(unbound));
        }
        world.wait(1min);
    }
    return world;
}

} // namespace

class TestIncidentText : public QObject {
    Q_OBJECT

private slots:
    void theFirstOutage();
    void theSecondOutage();
    void theThirdOutage();
    void singleNodes();
    void longNamesStillFit();
    void durations_data();
    void durations();
    void theReportHasItsParts();
    void whatOthersWroteIsNoMarkup();
};

void TestIncidentText::theFirstOutage()
{
    IncidentWorld world;
    for (int i = 0; i < 7245; ++i) {
        world.offline("gpu-01", "default", "passive");
        world.wait(8s);
        world.online("gpu-01", "default", true);
    }
    QCOMPARE(headline(world.book(), world.at()), QByteArray("gpu-01 kept failing requests while its health check said OK, 16 h 06 min; 7 245 of 7 245 ejections undone after ≈ 8 s each. Ongoing."));
}

void TestIncidentText::theSecondOutage()
{
    const IncidentWorld world = secondOutage(0);
    IncidentBook book = world.book();
    QCOMPARE(headline(book, world.at()),
        QByteArray("All 14 apps got 503 no_healthy_origin for 15 min; they resolve to `default` (0 nodes) while 3 available origins sit in `pool-1`. Ongoing."));
    QCOMPARE(book.find(1)->severity, 1);
    QCOMPARE(book.find(1)->refusals, std::uint64_t{14 * 15 * 10});
    book.advance(world.at() + 1h);
    QCOMPARE(headline(book, world.at() + 9h),
        QByteArray("All 14 apps got 503 no_healthy_origin for 14 min; they resolve to `default` (0 nodes) while 3 available origins sit in `pool-1`. Resolved."));
    QVERIFY(headline(secondOutage(14, 2).book(), world.at()).startsWith("2 of 14 apps got 503 no_healthy_origin for"));
    QVERIFY(headline(secondOutage(0, 1).book(), world.at()).startsWith("App app-1 got 503 no_healthy_origin for"));
}

void TestIncidentText::theThirdOutage()
{
    IncidentWorld world;
    world.moved("edge-05", "pool-7", "unassigned", "token:admin-2");
    world.wait(10s);
    for (int minute = 0; minute <= 6; ++minute) {
        for (const char* app : {"a", "b", "c"}) {
            world.refused(app, "pool-7");
        }
        world.add(EventKind::PoolFallback, "edge-90", "pool-7", "d");
        world.wait(1min);
    }
    IncidentBook book = world.book();
    world.moved("edge-05", "unassigned", "pool-7", "token:admin-2");
    book.take(world.inputs.back());
    IncidentAction action;
    action.kind = IncidentAction::Kind::Resolve;
    action.number = 1;
    action.actor = "token:admin-2";
    action.text = "moved back";
    action.at = world.at();
    book.apply(action);
    QCOMPARE(headline(book, world.at()),
        QByteArray("`pool-7` had no available origin for 6 min after admin-2 moved edge-05 to unassigned; 3 apps failed closed, 1 fell back. Resolved."));
}

void TestIncidentText::singleNodes()
{
    IncidentWorld world;
    world.offline("gpu-01", "default");
    world.wait(5min);
    QCOMPARE(headline(world.book(), world.at()), QByteArray("gpu-01 of `default` was out of rotation for 5 min after failed probes (status:503). Ongoing."));
    world.online("gpu-01", "default");
    IncidentBook book = world.book();
    book.advance(world.at() + 10min);
    QCOMPARE(headline(book, world.at() + 20min), QByteArray("gpu-01 of `default` was out of rotation for 5 min after failed probes (status:503). Resolved."));
}

void TestIncidentText::longNamesStillFit()
{
    IncidentWorld world;
    RefusalEvidence evidence = misplacedEvidence(14);
    evidence.elsewherePool = std::string(63, 'x');
    world.refused(std::string(120, 'a'), "pool-" + std::string(120, 'b'), 1, evidence);
    const QByteArray text = headline(world.book(), world.at());
    QVERIFY2(characterCount(text.toStdString()) <= kHeadlineCharacters, text.constData());
    IncidentWorld nodes;
    nodes.offline(std::string(200, 'n'), "default");
    const QByteArray cut = headline(nodes.book(), nodes.at());
    QVERIFY2(characterCount(cut.toStdString()) <= kHeadlineCharacters, cut.constData());
}

void TestIncidentText::durations_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QByteArray>("text");

    QTest::newRow("none") << qint64(0) << QByteArray("0 s");
    QTest::newRow("seconds") << qint64(119) << QByteArray("119 s");
    QTest::newRow("minutes") << qint64(840) << QByteArray("14 min");
    QTest::newRow("hours") << qint64(57960) << QByteArray("16 h 06 min");
    QTest::newRow("days") << qint64(183600) << QByteArray("2 d 03 h");
}

void TestIncidentText::durations()
{
    QFETCH(qint64, seconds);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(durationText(std::chrono::seconds(seconds))), text);
}

void TestIncidentText::theReportHasItsParts()
{
    const IncidentWorld world = secondOutage(14);
    IncidentBook book = world.book();
    IncidentAction note;
    note.kind = IncidentAction::Kind::Note;
    note.number = 1;
    note.actor = "token:ops";
    note.text = "setting the owner";
    note.at = world.at();
    note.noteAt = world.at();
    book.apply(note);
    ReportInput input;
    for (const auto& [id, row] : book.find(1)->rows) {
        input.rows.push_back(row);
    }
    input.series = {{{"default", "origin"}, {{world.at(), 0, 0, true}, {world.at(), 0, 0, false}}}};
    input.lowest = SeriesPoint{world.at(), 0, 0, true};
    input.now = world.at();
    input.version = "9.9.9";
    const QByteArray report = QByteArray::fromStdString(reportOf(*book.find(1), input));
    for (const char* part : {"# Incident 1\n", "All 14 apps", "| Severity | SEV1 |", "| Requests refused | 2 100 |", "## Impact", "| app-14 | origin | default | 150 | 0 |", "## Timeline", "| #1–",
             "## Contributing facts", "## Why nothing was chosen at the first failure", "3 in `pool-1`", "## Healthy workers: default, origin", "| unknown | unknown |", "## Notes", "ops: setting the owner",
             "## What went well", "## What to change", "## Follow-ups", "Weir 9.9.9"}) {
        QVERIFY2(report.contains(part), (QByteArray(part) + "\n" + report).constData());
    }
    input.blameless = true;
    QVERIFY(!QByteArray::fromStdString(reportOf(*book.find(1), input)).contains("ops:"));
}

void TestIncidentText::whatOthersWroteIsNoMarkup()
{
    IncidentWorld world;
    world.offline("n1", "default");
    IncidentBook book = world.book();
    IncidentAction note;
    note.kind = IncidentAction::Kind::Note;
    note.number = 1;
    note.actor = "token:ops";
    note.text = "<script>|*x*\n# heading";
    book.apply(note);
    const QByteArray report = QByteArray::fromStdString(reportOf(*book.find(1), {}));
    QVERIFY(report.contains("&lt;script>\\|\\*x\\* # heading"));
}

QTEST_APPLESS_MAIN(TestIncidentText)
#include "TestIncidentText.moc"
