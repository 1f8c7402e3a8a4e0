// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong tokens are counted by address, within bounds; app tokens' placements are remembered.
#include "core/api/Access.h"

#include <QtTest>

using namespace weir;
using namespace weir::api;
using namespace std::chrono_literals;

class TestWrongTokens : public QObject {
    Q_OBJECT

private slots:
    void theEleventhWaits();
    void addressesAreApart();
    void strangersDoNotFillTheMemory();
    void placementsAreRemembered();
};

void TestWrongTokens::theEleventhWaits()
{
    WrongTokens wrong;
    const Instant start{100s};
    for (int i = 0; i < WrongTokens::kMost; ++i) {
        QCOMPARE(wrong.note("10.0.0.1", start + i * 1s), Duration::zero());
    }
    QCOMPARE(wrong.note("10.0.0.1", start + 20s), Duration(40s));
    QCOMPARE(wrong.note("10.0.0.1", start + 59s), Duration(1s));
    QCOMPARE(wrong.note("10.0.0.1", start + 60s), Duration::zero()); // a new minute
}

void TestWrongTokens::addressesAreApart()
{
    WrongTokens wrong;
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(wrong.note("10.0.0.1", Instant{1s}));
    }
    QVERIFY(wrong.note("10.0.0.1", Instant{1s}) > Duration::zero());
    QCOMPARE(wrong.note("10.0.0.2", Instant{1s}), Duration::zero());
}

void TestWrongTokens::strangersDoNotFillTheMemory()
{
    WrongTokens wrong(64);
    for (int i = 0; i < 10000; ++i) {
        static_cast<void>(wrong.note("10.0." + std::to_string(i / 256) + "." + std::to_string(i % 256), Instant{i * 1ms}));
        QVERIFY(wrong.size() <= 64);
    }
    static_cast<void>(wrong.note("again", Instant{10min}));
    QCOMPARE(wrong.size(), std::size_t{1}); // old windows go first
}

void TestWrongTokens::placementsAreRemembered()
{
    OwnPlacements placements(3);
    for (std::uint64_t i = 1; i <= 4; ++i) {
        placements.note(i, "app-" + std::to_string(i));
    }
    QVERIFY(placements.appOf(1) == nullptr); // the oldest made room
    QVERIFY(placements.appOf(4) != nullptr);
    QCOMPARE(*placements.appOf(2), std::string("app-2"));
}

QTEST_GUILESS_MAIN(TestWrongTokens)
#include "TestWrongTokens.moc"
