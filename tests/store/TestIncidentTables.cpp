// SPDX-License-Identifier: GPL-3.0-or-later
// Incidents in the store, pages of a long journal, and retention in small steps.
#include "tests/store/StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QElapsedTimer>
#include <QTest>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;
using namespace weir::store;

namespace {

IncidentRecord incident(std::int64_t number, const std::string& state, WallTime started, std::optional<WallTime> ended = {}, std::int64_t mergedInto = 0)
{
    return {number, state, 2, started, ended, mergedInto, "{}"};
}

std::vector<std::int64_t> numbersOf(const Result<std::vector<IncidentRecord>>& records)
{
    std::vector<std::int64_t> numbers;
    for (const IncidentRecord& record : records.value_or(std::vector<IncidentRecord>())) {
        numbers.push_back(record.number);
    }
    return numbers;
}

using Numbers = std::vector<std::int64_t>;

} // namespace

class TestIncidentTables : public QObject {
    Q_OBJECT

private slots:
    void incidentsComeBackAsTheyWent();
    void aMergedOneLeadsToTheOther();
    void pagesOfAHundredThousandAreQuick();
    void eventsAndIncidentsArePrunedInSteps();
    void theSeriesKeepsTheValueThatHeld();
};

void TestIncidentTables::incidentsComeBackAsTheyWent()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    const IncidentRecord open = incident(3, "open", kStart + 3h);
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
        for (const IncidentRecord& record : {incident(1, "resolved", kStart, kStart + 1h), incident(2, "acknowledged", kStart + 2h), open, incident(4, "merged", kStart, kStart + 1h, 3)}) {
            if (auto done = writer.put(record); !done) {
                return done;
            }
        }
        return writer.putMark("incidents_seen", 42);
    }));
    StoreReader reader(fixture.databaseFile());
    IncidentFilter filter;
    QVERIFY(numbersOf(reader.incidents(filter)) == (Numbers{3, 2, 1}));
    filter.states = {"open", "acknowledged"};
    QVERIFY(numbersOf(reader.incidents(filter)) == (Numbers{3, 2}));
    filter.below = 3;
    QVERIFY(numbersOf(reader.incidents(filter)) == (Numbers{2}));
    filter = {};
    filter.since = kStart + 2h; // those that were over by then are not meant
    QVERIFY(numbersOf(reader.incidents(filter)) == (Numbers{3, 2}));
    filter = {};
    filter.until = kStart + 1h;
    QVERIFY(numbersOf(reader.incidents(filter)) == (Numbers{1}));
    filter = {};
    filter.severity = 1;
    QVERIFY(numbersOf(reader.incidents(filter)).empty());
    QVERIFY(**reader.incident(3) == open);
    QVERIFY(!(*reader.incident(9)).has_value());
    QCOMPARE(**reader.mark("incidents_seen"), std::int64_t{42});
    QVERIFY(!(*reader.mark("other")).has_value());
}

void TestIncidentTables::aMergedOneLeadsToTheOther()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
        return writer.put(incident(1, "open", kStart))
            .and_then([&] { return writer.put(incident(2, "merged", kStart, kStart, 1)); })
            .and_then([&] { return writer.put(incident(3, "merged", kStart, kStart, 2)); })
            .and_then([&] { return writer.put(IncidentRowRecord{1, 10, 10, false, "{\"kept\":1}"}); })
            .and_then([&] { return writer.put(IncidentRowRecord{2, 10, 10, false, "{}"}); })
            .and_then([&] { return writer.put(IncidentRowRecord{2, 11, 15, true, "{}"}); })
            .and_then([&] { return writer.moveIncidentRows(2, 1); });
    }));
    StoreReader reader(fixture.databaseFile());
    QCOMPARE((**reader.incident(3)).number, std::int64_t{1});
    const auto rows = reader.incidentRows(1, 0, 100);
    QCOMPARE(rows->size(), 2U);
    QCOMPARE(rows->front().body, std::string("{\"kept\":1}"));
    QCOMPARE(reader.incidentRows(2, 0, 100)->size(), 0U);
    QCOMPARE(reader.incidentRows(1, 0, 100, true)->size(), 1U);
    QCOMPARE(reader.incidentRows(1, 10, 100)->front().lastSeq, std::int64_t{15});
}

void TestIncidentTables::pagesOfAHundredThousandAreQuick()
{
    constexpr int kEvents = 100000;
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events;
    for (int i = 0; i < kEvents; ++i) {
        Event event = eventOf(i % 1000 == 7 ? EventKind::NodeMoved : EventKind::NodeOnline, "n" + std::to_string(i % 500), kStart + std::chrono::milliseconds(i));
        event.poolId = i % 5000 == 11 ? "rare" : "default";
        event.sentence = "n is in rotation, as the sentence of an ordinary event says.";
        events.push_back(std::move(event));
    }
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
        for (int i = 0; i < kEvents; ++i) {
            if (auto done = writer.put(IncidentRowRecord{1, i + 1, i + 1, i % 100 == 0, "{\"sentence\":\"an ordinary line\",\"why\":\"because it touches\"}"}); !done) {
                return done;
            }
        }
        return writer.appendEvents(events);
    }));
    StoreReader reader(fixture.databaseFile());
    QVERIFY(reader.incident(1)); // opens the connection
    const auto timed = [](const char* what, const auto& read) {
        QElapsedTimer clock;
        clock.start();
        const std::size_t rows = read();
        const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        qInfo("%s: %zu rows in %.1f ms", what, rows, ms);
        return rows > 0 && ms < 1000; // the aim is 200; a busy machine must not fail the test
    };
    QVERIFY(timed("first page of the timeline", [&] { return reader.incidentRows(1, 0, 101)->size(); }));
    QVERIFY(timed("last page of the timeline", [&] { return reader.incidentRows(1, kEvents - 100, 101)->size(); }));
    QVERIFY(timed("key moments", [&] { return reader.incidentRows(1, kEvents / 2, 101, true)->size(); }));
    EventFilter filter;
    filter.limit = 101;
    filter.newestFirst = false;
    QVERIFY(timed("first page of the journal", [&] { return reader.events(filter)->size(); }));
    filter.afterSeq = kEvents - 200;
    QVERIFY(timed("a late page of the journal", [&] { return reader.events(filter)->size(); }));
    filter.afterSeq.reset();
    filter.poolId = "rare";
    QVERIFY(timed("events of a rare pool", [&] { return reader.events(filter)->size(); }));
    filter.poolId.clear();
    filter.nodeId = "n17";
    filter.kinds = {EventKind::NodeMoved, EventKind::NodeOnline};
    QVERIFY(timed("events of a node", [&] { return reader.events(filter)->size(); }));
}

void TestIncidentTables::eventsAndIncidentsArePrunedInSteps()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events;
    for (int i = 0; i < 3000; ++i) {
        events.push_back(eventOf(EventKind::NodeOnline, "n", kStart + std::chrono::seconds(i)));
    }
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
        for (int i = 0; i < 1200; ++i) {
            if (auto done = writer.put(IncidentRowRecord{1, i + 1, i + 1, false, "{}"}); !done) {
                return done;
            }
        }
        return writer.put(incident(1, "resolved", kStart, kStart + 1min))
            .and_then([&] { return writer.put(incident(2, "open", kStart)); })
            .and_then([&] { return writer.put(incident(3, "resolved", kStart, kStart + 10h)); })
            .and_then([&] { return writer.appendEvents(events); });
    }));
    std::vector<std::int64_t> removedEvents;
    std::vector<std::int64_t> removedRows;
    double longest = 0;
    for (int step = 0; step < 10; ++step) {
        QElapsedTimer clock;
        clock.start();
        QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
            removedEvents.push_back(writer.pruneEvents(kStart + 2000s, 500).value_or(-1));
            removedRows.push_back(writer.pruneIncidents(kStart + 2000s, 500).value_or(-1));
            return {};
        }));
        longest = std::max(longest, static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    qInfo("longest step: %.1f ms", longest);
    QVERIFY(removedEvents == (Numbers{500, 500, 500, 500, 0, 0, 0, 0, 0, 0}));
    QVERIFY(removedRows == (Numbers{500, 500, 201, 0, 0, 0, 0, 0, 0, 0}));
    StoreReader reader(fixture.databaseFile());
    QVERIFY(numbersOf(reader.incidents({})) == (Numbers{3, 2})); // what is open, or ended later, stays
    QCOMPARE(reader.events({})->back().seq, std::int64_t{2801});
}

void TestIncidentTables::theSeriesKeepsTheValueThatHeld()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    const SeriesKey all;
    const SeriesKey edges{"pool-7", "edge"};
    std::vector<SeriesChange> changes;
    for (int i = 0; i < 100; ++i) {
        changes.push_back({all, {kStart + std::chrono::seconds(i), i, 100, true}});
    }
    changes.push_back({edges, {kStart, 5, 5, true}}); // the only one of its series: it holds to this day
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendSeries(changes); }));
    SeriesKey at;
    std::int64_t removed = 0;
    for (int step = 0; step < 10; ++step) {
        QVERIFY(fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
            const auto count = writer.pruneSeries(at, kStart + 90s, 40);
            removed += count.value_or(-1000);
            return {};
        }));
    }
    QCOMPARE(removed, std::int64_t{90});
    StoreReader reader(fixture.databaseFile());
    QVERIFY(reader.series({all, kStart + 90s, kStart + 91s})->front() == (SeriesPoint{kStart + 90s, 90, 100, true}));
    QVERIFY(!reader.series({all, kStart + 80s, kStart + 91s})->front().known);
    QVERIFY(reader.series({edges, kStart + 90s, kStart + 91s})->front() == (SeriesPoint{kStart + 90s, 5, 5, true}));
    // A pool's series without a role is the sum over its roles.
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendSeries(std::vector<SeriesChange>{{{"pool-7", "origin"}, {kStart + 95s, 1, 2, true}}}); }));
    const auto sum = reader.series({{"pool-7", {}}, kStart + 94s, kStart + 96s});
    QVERIFY(*sum == (std::vector<SeriesPoint>{{kStart + 94s, 5, 5, true}, {kStart + 95s, 6, 7, true}}));
}

QTEST_GUILESS_MAIN(TestIncidentTables)
#include "TestIncidentTables.moc"
