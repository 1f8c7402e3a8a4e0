// SPDX-License-Identifier: GPL-3.0-or-later
#include "StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace weir;
using namespace weir::journal;
using namespace weir::store;

/// Prints figures; what it asserts is only that the rows are there.
class TestStoreRate : public QObject {
    Q_OBJECT
private slots:
    void eventsPerSecond_data();
    void eventsPerSecond();
};

void TestStoreRate::eventsPerSecond_data()
{
    QTest::addColumn<int>("batch");
    QTest::newRow("batches of 100") << 100;
    QTest::newRow("batches of 1000") << 1'000;
}

void TestStoreRate::eventsPerSecond()
{
    QFETCH(const int, batch);
    constexpr int kTotal = 100'000;
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QElapsedTimer timer;
    qint64 spent = 0;
    for (int written = 0; written < kTotal; written += batch) {
        std::vector<Event> events;
        for (int i = written; i < written + batch; ++i) {
            Event event = eventOf(EventKind::NodeOffline, "gpu-" + std::to_string(i * 7919 % 1'000), kStart + std::chrono::milliseconds(i));
            event.sentence = "gpu-17 is out: 2 probes failed, the last by timeout";
            event.detail = R"({"cause":"probe","failures":2})";
            events.push_back(event);
        }
        timer.start();
        QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }));
        spent += timer.nsecsElapsed();
    }
    QCOMPARE(fixture.store().lastSeq(), kTotal);
    StoreReader reader(fixture.databaseFile());
    EventFilter filter;
    filter.limit = kMostRows;
    qint64 fastest = std::numeric_limits<qint64>::max();
    for (int round = 0; round < 3; ++round) {
        timer.start();
        QCOMPARE(reader.events(filter)->size(), kMostRows);
        fastest = std::min(fastest, timer.nsecsElapsed());
    }
    qInfo("batch %d: %.0f events/s, %.0f MB per million, last 10,000 in %.1f ms", batch, kTotal * 1e9 / static_cast<double>(spent),
          static_cast<double>(*fixture.store().usedBytes()) / kTotal, static_cast<double>(fastest) / 1e6);
}

QTEST_GUILESS_MAIN(TestStoreRate)
#include "TestStoreRate.moc"
