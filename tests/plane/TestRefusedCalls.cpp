// SPDX-License-Identifier: GPL-3.0-or-later
// Refused calls are folded, and strangers cannot grow the audit.
#include "core/plane/RefusedCalls.h"

#include <QtTest>

using namespace weir;
using namespace weir::plane;
using namespace std::chrono_literals;

namespace {

RefusedCall callFrom(const std::string& address, const std::string& code = "bad_token", const std::string& token = {})
{
    return {address, token, code, "GET /admin/node-pools", "id", WallTime(1s)};
}

} // namespace

class TestRefusedCalls : public QObject {
    Q_OBJECT

private slots:
    void oneRowAtOnceThenCounts();
    void keysAreApart();
    void quietKeysAreForgotten();
    void strangersCannotGrowTheAudit();
    void theEndWritesWhatWaits();
};

void TestRefusedCalls::oneRowAtOnceThenCounts()
{
    RefusedCalls calls;
    const Instant start{1h};
    const auto first = calls.note(callFrom("10.0.0.1"), start);
    QVERIFY(first.has_value());
    QCOMPARE(first->count, std::uint64_t{1});
    for (int i = 0; i < 500; ++i) {
        QVERIFY(!calls.note(callFrom("10.0.0.1"), start + 1s).has_value());
    }
    QVERIFY(calls.takeDue(start + 59s, false).empty());
    const auto due = calls.takeDue(start + 60s, false);
    QCOMPARE(due.size(), std::size_t{1});
    QCOMPARE(due[0].count, std::uint64_t{500});
    // The next window is twice as long.
    QVERIFY(!calls.note(callFrom("10.0.0.1"), start + 70s).has_value());
    QVERIFY(calls.takeDue(start + 179s, false).empty());
    QCOMPARE(calls.takeDue(start + 180s, false).at(0).count, std::uint64_t{1});
}

void TestRefusedCalls::keysAreApart()
{
    RefusedCalls calls;
    QVERIFY(calls.note(callFrom("10.0.0.1"), Instant{1h}).has_value());
    QVERIFY(calls.note(callFrom("10.0.0.2"), Instant{1h}).has_value());
    QVERIFY(calls.note(callFrom("10.0.0.1", "forbidden", "grafana"), Instant{1h}).has_value());
    QVERIFY(calls.note(callFrom("10.0.0.1", "forbidden", "other"), Instant{1h}).has_value());
    QVERIFY(!calls.note(callFrom("10.0.0.1", "forbidden", "other"), Instant{1h}).has_value());
}

void TestRefusedCalls::quietKeysAreForgotten()
{
    RefusedCalls calls;
    QVERIFY(calls.note(callFrom("10.0.0.1"), Instant{1h}).has_value());
    QVERIFY(calls.takeDue(Instant{1h + 60s}, false).empty());
    QCOMPARE(calls.size(), std::size_t{0});
    QVERIFY(calls.note(callFrom("10.0.0.1"), Instant{1h + 61s}).has_value()); // a first one again
}

void TestRefusedCalls::strangersCannotGrowTheAudit()
{
    RefusedCalls calls;
    std::size_t rows = 0;
    std::uint64_t counted = 0;
    std::uint64_t noted = 0;
    for (int second = 0; second < 3600; ++second) {
        const Instant now{std::chrono::hours(5) + std::chrono::seconds(second)};
        for (int i = 0; i < 20; ++i) {
            const auto first = calls.note(callFrom("2001:db8::" + std::to_string(second * 20 + i)), now);
            ++noted;
            rows += first ? 1 : 0;
            counted += first ? first->count : 0;
        }
        for (const RefusedFold& fold : calls.takeDue(now, false)) {
            ++rows;
            counted += fold.count;
        }
        QVERIFY(calls.size() <= RefusedCalls::kMostKeys + 4);
    }
    for (const RefusedFold& fold : calls.takeDue(Instant{std::chrono::hours(6)}, true)) {
        counted += fold.count;
    }
    QVERIFY2(rows <= static_cast<std::size_t>(RefusedCalls::kRowsAnHour) + 10, std::to_string(rows).c_str());
    QCOMPARE(counted, noted); // none is lost
}

void TestRefusedCalls::theEndWritesWhatWaits()
{
    RefusedCalls calls;
    static_cast<void>(calls.note(callFrom("10.0.0.1"), Instant{1h}));
    static_cast<void>(calls.note(callFrom("10.0.0.1"), Instant{1h}));
    QCOMPARE(calls.takeDue(Instant{1h}, true).at(0).count, std::uint64_t{1});
}

QTEST_GUILESS_MAIN(TestRefusedCalls)
#include "TestRefusedCalls.moc"
