// SPDX-License-Identifier: GPL-3.0-or-later
#include "StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QTest>

#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <span>
#include <thread>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;
using namespace weir::store;

namespace {

/// What a filter means, said plainly.
std::vector<Event> filtered(std::vector<Event> events, const EventFilter& filter)
{
    std::erase_if(events, [&filter](const Event& event) {
        const auto differs = [](const std::string& wanted, const std::string& is) { return !wanted.empty() && wanted != is; };
        return (!filter.kinds.empty() && std::find(filter.kinds.begin(), filter.kinds.end(), event.kind) == filter.kinds.end()) ||
               differs(filter.nodeId, event.nodeId) || differs(filter.poolId, event.poolId) || differs(filter.appId, event.appId) ||
               differs(filter.role, event.role) || (filter.since && event.at < *filter.since) || (filter.until && event.at > *filter.until) ||
               (filter.afterSeq && event.seq <= *filter.afterSeq) || (filter.beforeSeq && event.seq >= *filter.beforeSeq);
    });
    if (filter.newestFirst) {
        std::reverse(events.begin(), events.end());
    }
    events.resize(std::min(events.size(), filter.limit));
    return events;
}

/// Some thousand events; the clock is set back in the middle.
std::vector<Event> history()
{
    std::vector<Event> events;
    for (int i = 0; i < 5'000; ++i) {
        Event event = eventOf(static_cast<EventKind>(i % 7), i % 3 == 0 ? "" : "gpu-" + std::to_string(i % 5));
        event.at = kStart + std::chrono::seconds(i < 2'500 ? i : i - 1'000);
        event.poolId = i % 4 == 0 ? "" : "pool-" + std::to_string(i % 2);
        event.appId = i % 11 == 0 ? "dé'mo" : "";
        event.role = i % 2 == 0 ? "worker" : "edge";
        event.detail = i % 2 == 0 ? R"({"n":1})" : "";
        event.actor = i % 2 == 0 ? "token:ops" : "";
        events.push_back(event);
    }
    return events;
}

SeriesChange point(const SeriesKey& key, int second, int healthy, bool known = true)
{
    return {key, {kStart + std::chrono::seconds(second), healthy, known ? 9 : 0, known}};
}

} // namespace

class TestStoreReader : public QObject {
    Q_OBJECT
private slots:
    void filtersMeanWhatTheySay();
    void aNodeIsFoundAmongThousands();
    void aNodeFilterForgetsNobody();
    void answersAreBounded();
    void latestPerNode();
    void aSeriesBeginsWithTheValueThatHeld();
    void aLongSeriesKeepsItsLowestAndLastPoints();
    void theAuditIsFiltered();
    void readsGoOnDuringWrites();
    void aMissingStoreIsAnError();
};

void TestStoreReader::filtersMeanWhatTheySay()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events = history();
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }));
    StoreReader reader(fixture.databaseFile());
    const bool holds = rc::check("the reader gives what a plain scan gives", [&] {
        const auto maybe = [](int below) { return *rc::gen::maybe(rc::gen::inRange(0, below)); };
        EventFilter filter;
        for (const int kind : *rc::gen::container<std::set<int>>(rc::gen::inRange(0, 9))) {
            filter.kinds.push_back(static_cast<EventKind>(kind));
        }
        filter.nodeId = *rc::gen::element<std::string>("", "", "gpu-1", "gpu-4", "none", "' OR 1=1 --");
        filter.poolId = *rc::gen::element<std::string>("", "", "pool-0", "pool-1");
        filter.appId = *rc::gen::element<std::string>("", "", "dé'mo");
        filter.role = *rc::gen::element<std::string>("", "", "worker", "edge");
        if (const auto second = maybe(5'000)) {
            filter.since = kStart + std::chrono::seconds(*second);
        }
        if (const auto second = maybe(5'000)) {
            filter.until = kStart + std::chrono::seconds(*second);
        }
        if (const auto seq = maybe(6'000)) {
            filter.afterSeq = *seq;
        }
        if (const auto seq = maybe(6'000)) {
            filter.beforeSeq = *seq;
        }
        filter.limit = *rc::gen::element<std::size_t>(0, 1, 50, 6'000);
        filter.newestFirst = *rc::gen::arbitrary<bool>();
        const auto read = reader.events(filter);
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == filtered(events, filter));
    });
    QVERIFY(holds);
}

void TestStoreReader::aNodeIsFoundAmongThousands()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events;
    for (int i = 0; i < 20'000; ++i) {
        // Each node speaks in one stretch of the journal and once more at its end.
        events.push_back(eventOf(EventKind::NodeOnline, "gpu-" + std::to_string(i < 16'000 ? i / 4 : i - 16'000), kStart + std::chrono::seconds(i)));
    }
    for (std::size_t written = 0; written < events.size(); written += 500) {
        const std::span<Event> batch(events.data() + written, 500);
        QVERIFY(fixture.store().inTransaction([batch](Writer& writer) { return writer.appendEvents(batch); }));
        if (written == 9'500) {
            QVERIFY(fixture.open()); // in the middle of a block
        }
    }
    StoreReader reader(fixture.databaseFile());
    for (int node = 0; node < 4'000; node += 97) {
        for (const bool newestFirst : {true, false}) {
            for (const std::size_t limit : {std::size_t{2}, kMostRows}) {
                EventFilter filter;
                filter.nodeId = "gpu-" + std::to_string(node);
                filter.newestFirst = newestFirst;
                filter.limit = limit;
                const auto read = reader.events(filter);
                QVERIFY(read);
                QCOMPARE(read->size(), std::min<std::size_t>(limit, 5));
                QVERIFY(*read == filtered(events, filter));
            }
        }
    }
}

void TestStoreReader::aNodeFilterForgetsNobody()
{
    NodeFilter filter;
    QVERIFY(!filter.mayContain("gpu-0"));
    for (int i = 0; i < 1'024; ++i) {
        filter.add("gpu-" + std::to_string(i));
    }
    const auto* bytes = reinterpret_cast<const char*>(filter.bytes().data());
    const NodeFilter stored(std::string_view(bytes, NodeFilter::kBytes));
    int wrong = 0;
    for (int i = 0; i < 11'024; ++i) {
        const bool may = stored.mayContain("gpu-" + std::to_string(i));
        QVERIFY(may || i >= 1'024);
        wrong += may && i >= 1'024 ? 1 : 0;
    }
    QVERIFY2(wrong < 500, std::to_string(wrong).c_str()); // 3 % of 10,000 are expected
    QVERIFY(NodeFilter("cut off").mayContain("anything"));
}

void TestStoreReader::answersAreBounded()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events(kMostRows + 5, eventOf(EventKind::NodeOnline, "gpu-1"));
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }));
    StoreReader reader(fixture.databaseFile());
    EventFilter filter;
    QCOMPARE(reader.events(filter)->size(), 200U);
    filter.limit = 1'000'000'000;
    const auto read = reader.events(filter);
    QCOMPARE(read->size(), kMostRows);
    QCOMPARE(read->front().seq, static_cast<std::int64_t>(kMostRows) + 5);
}

void TestStoreReader::latestPerNode()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events{
        eventOf(EventKind::QuarantineStarted, "old", kStart - 1h), eventOf(EventKind::QuarantineStarted, "gpu-1", kStart),
        eventOf(EventKind::QuarantineStarted, "gpu-2", kStart),    eventOf(EventKind::QuarantineOver, "gpu-1", kStart + 1s),
        eventOf(EventKind::NodeMoved, "gpu-2", kStart + 2s),       eventOf(EventKind::QuarantineStarted, "gpu-3", kStart + 3s),
        eventOf(EventKind::QuarantineStarted, "", kStart + 4s)};
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }));
    StoreReader reader(fixture.databaseFile());
    const auto latest = reader.latestPerNode({EventKind::QuarantineStarted, EventKind::QuarantineOver}, kStart);
    QVERIFY(latest);
    QVERIFY(*latest == (std::vector<Event>{events[5], events[3], events[2]}));
}

void TestStoreReader::aSeriesBeginsWithTheValueThatHeld()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    const SeriesKey key{"pool-7", "worker"};
    const std::vector<SeriesChange> changes{point(key, 0, 5),           point({"pool-7", ""}, 1, 8), point(key, 10, 4),
                                            point(key, 20, 0, false), point(key, 30, 6),           point({}, 15, 7)};
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendSeries(changes); }));
    StoreReader reader(fixture.databaseFile());
    using Points = std::vector<SeriesPoint>;
    QVERIFY(*reader.series({key, kStart + 5s, kStart + 25s}) ==
            (Points{{kStart + 5s, 5, 9, true}, {kStart + 10s, 4, 9, true}, {kStart + 20s, 0, 0, false}}));
    QVERIFY(*reader.series({key, kStart + 10s, kStart + 10s}) == (Points{{kStart + 10s, 4, 9, true}}));
    QVERIFY(*reader.series({key, kStart + 40s, kStart + 50s}) == (Points{{kStart + 40s, 6, 9, true}}));
    QVERIFY(*reader.series({key, kStart - 5s, kStart}) == (Points{{kStart - 5s, 0, 0, false}, {kStart, 5, 9, true}}));
    QVERIFY(*reader.series({{}, kStart, kStart + 20s}) == (Points{{kStart, 0, 0, false}, {kStart + 15s, 7, 9, true}}));
    const auto backwards = reader.series({key, kStart + 1s, kStart});
    QVERIFY(!backwards);
    QCOMPARE(backwards.error().code, "invalid_window");
}

void TestStoreReader::aLongSeriesKeepsItsLowestAndLastPoints()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<SeriesChange> changes;
    for (int second = 0; second < 10'000; ++second) {
        changes.push_back(point({}, second, second == 4'321 ? 0 : 5 + second % 2, second != 7'777));
    }
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendSeries(changes); }));
    StoreReader reader(fixture.databaseFile());
    const auto points = reader.series({{}, kStart, kStart + 9'999s, 200});
    QVERIFY(points);
    QVERIFY(points->size() <= 201U);
    QVERIFY(points->size() > 150U);
    const auto holds = [&points](const SeriesPoint& wanted) { return std::find(points->begin(), points->end(), wanted) != points->end(); };
    QVERIFY(holds({kStart + 4'321s, 0, 9, true}));
    QVERIFY(holds({kStart + 7'777s, 6, 0, false}));
    QVERIFY(points->back() == changes.back().point);
    QVERIFY(std::is_sorted(points->begin(), points->end(), [](const auto& a, const auto& b) { return a.at < b.at; }));
    QCOMPARE(reader.series({{}, kStart, kStart + 9'999s, 10'000})->size(), 10'000U);
}

void TestStoreReader::theAuditIsFiltered()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<AuditRow> rows;
    for (int i = 0; i < 300; ++i) {
        AuditRow row;
        row.at = kStart + std::chrono::seconds(i);
        row.actor = i % 2 == 0 ? "token:ops" : "local:Ōe";
        row.from = "127.0.0.1";
        row.action = i % 3 == 0 ? "move" : "drain";
        row.target = "gpu-" + std::to_string(i % 10);
        row.before = R"({"pool":"default"})";
        row.after = R"({"pool":"canary"})";
        row.reason = "disk swap";
        row.outcome = i % 5 == 0 ? "impact_changed" : "ok";
        row.requestId = "r" + std::to_string(i);
        row.source = "api";
        rows.push_back(row);
    }
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendAudit(rows); }));
    StoreReader reader(fixture.databaseFile());
    const auto newest = reader.audit({});
    QCOMPARE(newest->size(), 200U);
    QVERIFY(newest->front() == rows.back());
    AuditFilter filter;
    filter.actor = "local:Ōe";
    filter.action = "move";
    filter.target = "gpu-3";
    filter.outcome = "ok";
    filter.since = kStart + 10s;
    filter.until = kStart + 250s;
    filter.afterId = 40;
    filter.beforeId = 200;
    filter.newestFirst = false;
    std::vector<AuditRow> expected;
    for (const AuditRow& row : rows) {
        if (row.actor == filter.actor && row.action == "move" && row.target == "gpu-3" && row.outcome == "ok" && row.id > 40 && row.id < 200) {
            expected.push_back(row);
        }
    }
    QVERIFY(expected.size() > 2U);
    QVERIFY(*reader.audit(filter) == expected);
    filter.limit = 1;
    QVERIFY(*reader.audit(filter) == std::vector<AuditRow>{expected.front()});
}

void TestStoreReader::readsGoOnDuringWrites()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::atomic<bool> stop{false};
    std::atomic<int> reads{0};
    std::atomic<int> wrong{0};
    std::thread readerThread([&] {
        StoreReader reader(fixture.databaseFile());
        std::int64_t last = 0;
        while (!stop) {
            EventFilter filter;
            filter.limit = 10;
            const auto events = reader.events(filter);
            // Transactions of ten: what is seen is whole, and never less than before.
            const bool fine = events && (events->empty() || (events->front().seq % 10 == 0 && events->front().seq >= last));
            wrong += fine ? 0 : 1;
            last = fine && !events->empty() ? events->front().seq : last;
            ++reads;
        }
    });
    bool written = true;
    for (int round = 0; round < 300 || (reads < 50 && round < 100'000); ++round) {
        std::vector<Event> events(10, eventOf(EventKind::NodeOnline, "gpu-1"));
        written = written && fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }).has_value();
    }
    stop = true;
    readerThread.join();
    QVERIFY(written);
    QVERIFY(reads >= 50);
    QCOMPARE(wrong.load(), 0);
}

void TestStoreReader::aMissingStoreIsAnError()
{
    StoreFixture fixture;
    StoreReader reader(fixture.databaseFile());
    const auto refused = reader.events({});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_failed");
    QVERIFY(!std::filesystem::exists(fixture.databaseFile()));
    QVERIFY(fixture.open());
    QVERIFY(reader.events({})); // the same reader, once there is one
    reader.close();
    QVERIFY(reader.audit({}));
}

QTEST_GUILESS_MAIN(TestStoreReader)
#include "TestStoreReader.moc"
