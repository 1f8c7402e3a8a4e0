// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/api/RefusalRecords.h"

#include <QtTest>
#include <boost/json.hpp>

using weir::Duration;
using weir::Instant;
using weir::api::RefusalRecords;
using namespace std::chrono_literals;

namespace {

const Instant kStart = Instant(1h);

RefusalRecords::Key keyOf(const std::string& app)
{
    return {weir::Role::Origin, "pool-1", app, weir::Endpoint::Any, 1};
}

} // namespace

class TestRefusalRecords : public QObject {
    Q_OBJECT

private slots:
    void makesARecordOnceASecond();
    void keepsKeysApart();
    void isBounded();
};

void TestRefusalRecords::makesARecordOnceASecond()
{
    RefusalRecords records;
    int made = 0;
    const auto make = [&made] { return boost::json::object{{"number", ++made}}; };
    const auto numberAt = [&](Duration after) { return records.get(keyOf("a"), kStart + after, make).at("number").as_int64(); };
    QCOMPARE(numberAt(0s), std::int64_t(1));
    for (int i = 0; i < 1'000; ++i) {
        QCOMPARE(numberAt(std::chrono::microseconds(999 * i)), std::int64_t(1));
    }
    QCOMPARE(numberAt(999ms), std::int64_t(1));
    QCOMPARE(numberAt(1s), std::int64_t(2));
    QCOMPARE(numberAt(1999ms), std::int64_t(2));
    QCOMPARE(numberAt(10s), std::int64_t(3));
    QCOMPARE(made, 3);
}

void TestRefusalRecords::keepsKeysApart()
{
    RefusalRecords records;
    int made = 0;
    const auto make = [&made] { return boost::json::object{{"number", ++made}}; };
    RefusalRecords::Key key = keyOf("a");
    std::vector<RefusalRecords::Key> keys{key};
    key.app = "b";
    keys.push_back(key);
    key.pool = "pool-2";
    keys.push_back(key);
    key.role = weir::Role::Edge;
    keys.push_back(key);
    key.endpoint = weir::Endpoint::Srt;
    keys.push_back(key);
    key.need = 2;
    keys.push_back(key);
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            QCOMPARE(records.get(keys[i], kStart, make).at("number").as_int64(), static_cast<std::int64_t>(i + 1));
        }
    }
}

void TestRefusalRecords::isBounded()
{
    RefusalRecords records(10);
    int made = 0;
    const auto make = [&made] { return boost::json::object{{"number", ++made}}; };
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(records.get(keyOf("a" + std::to_string(i)), kStart + std::chrono::milliseconds(i), make));
        QVERIFY(records.size() <= 10);
    }
    // The youngest are those that were kept.
    static_cast<void>(records.get(keyOf("a99"), kStart + 100ms, make));
    static_cast<void>(records.get(keyOf("a90"), kStart + 100ms, make));
    QCOMPARE(made, 100);
    static_cast<void>(records.get(keyOf("a0"), kStart + 100ms, make));
    QCOMPARE(made, 101);
    // What is too old to be given out makes room all at once.
    static_cast<void>(records.get(keyOf("late"), kStart + 1h, make));
    QCOMPARE(records.size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestRefusalRecords)
#include "TestRefusalRecords.moc"
