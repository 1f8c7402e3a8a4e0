// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/DeadlineWheel.h"

#include <QTest>

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace weir::gateway {

class TestDeadlineWheel : public QObject {
    Q_OBJECT

private slots:
    void comesAfterItsTimeAndSoon();
    void movesBothWays();
    void clearedOnesDoNotCome();
    void handlersMaySetAndDestroy();
    void longDeadlines();
    void agreesWithAPlainList();
};

namespace {

struct Alarm final : DeadlineWheel::Entry {
    Instant now{};
    std::optional<Instant> came;
    std::function<void()> also;

private:
    void deadlineCame() override
    {
        came = now;
        if (also) {
            also();
        }
    }
};

constexpr Instant kStart{std::chrono::hours(5)};

// Runs the wheel whenever it says that it has something to do, up to `until`.
void runTo(DeadlineWheel& wheel, std::vector<Alarm*> alarms, Instant until)
{
    while (const auto next = wheel.next()) {
        if (*next > until) {
            return;
        }
        for (Alarm* alarm : alarms) {
            alarm->now = *next;
        }
        wheel.run(*next);
    }
}

} // namespace

void TestDeadlineWheel::comesAfterItsTimeAndSoon()
{
    for (const int milliseconds : {0, 1, 9, 10, 11, 999, 2000, 60000}) {
        DeadlineWheel wheel;
        Alarm alarm;
        QVERIFY(!wheel.next());
        const Instant at = kStart + std::chrono::milliseconds(milliseconds);
        wheel.set(alarm, at, kStart);
        runTo(wheel, {&alarm}, at + std::chrono::seconds(1));
        QVERIFY(alarm.came);
        QVERIFY(*alarm.came >= at);
        QVERIFY(*alarm.came <= at + std::chrono::milliseconds(20));
        QVERIFY(!wheel.next());
    }
}

void TestDeadlineWheel::movesBothWays()
{
    DeadlineWheel wheel;
    Alarm alarm;
    wheel.set(alarm, kStart + std::chrono::seconds(30), kStart);
    wheel.set(alarm, kStart + std::chrono::seconds(60), kStart);
    runTo(wheel, {&alarm}, kStart + std::chrono::seconds(59));
    QVERIFY(!alarm.came);
    wheel.set(alarm, kStart + std::chrono::milliseconds(59500), kStart + std::chrono::seconds(59));
    runTo(wheel, {&alarm}, kStart + std::chrono::milliseconds(59530));
    QVERIFY(alarm.came);
}

void TestDeadlineWheel::clearedOnesDoNotCome()
{
    DeadlineWheel wheel;
    Alarm alarm;
    wheel.set(alarm, kStart + std::chrono::seconds(1), kStart);
    DeadlineWheel::clear(alarm);
    runTo(wheel, {&alarm}, kStart + std::chrono::seconds(100));
    QVERIFY(!alarm.came);
    wheel.set(alarm, kStart + std::chrono::seconds(101), kStart + std::chrono::seconds(100));
    runTo(wheel, {&alarm}, kStart + std::chrono::seconds(102));
    QVERIFY(alarm.came);
}

void TestDeadlineWheel::handlersMaySetAndDestroy()
{
    DeadlineWheel wheel;
    Alarm first;
    auto second = std::make_unique<Alarm>();
    auto third = std::make_unique<Alarm>();
    const Instant at = kStart + std::chrono::seconds(1);
    int again = 0;
    wheel.set(*second, at, kStart);
    wheel.set(first, at, kStart);
    wheel.set(*third, at, kStart);
    third->also = [&] { second.reset(); };
    first.also = [&] {
        if (++again < 3) {
            wheel.set(first, first.now, first.now);
        }
    };
    runTo(wheel, {&first, third.get()}, at + std::chrono::seconds(1));
    QCOMPARE(again, 3);
    QVERIFY(third->came && !second);
}

void TestDeadlineWheel::longDeadlines()
{
    DeadlineWheel wheel;
    Alarm alarm;
    const Instant at = kStart + std::chrono::hours(1);
    wheel.set(alarm, at, kStart);
    runTo(wheel, {&alarm}, at + std::chrono::seconds(1));
    QVERIFY(alarm.came && *alarm.came >= at && *alarm.came <= at + std::chrono::milliseconds(20));
    // A machine that slept: everything is due at once.
    Alarm late;
    wheel.set(late, at + std::chrono::seconds(5), at);
    late.now = at + std::chrono::hours(24);
    wheel.run(late.now);
    QVERIFY(late.came);
}

void TestDeadlineWheel::agreesWithAPlainList()
{
    std::mt19937 random(11);
    DeadlineWheel wheel;
    std::vector<std::unique_ptr<Alarm>> alarms(200);
    std::vector<Instant> wanted(alarms.size(), Instant::max());
    for (auto& alarm : alarms) {
        alarm = std::make_unique<Alarm>();
    }
    Instant now = kStart;
    for (int step = 0; step < 20000; ++step) {
        const std::size_t which = random() % alarms.size();
        if (random() % 4 == 0) {
            DeadlineWheel::clear(*alarms[which]);
            wanted[which] = Instant::max();
        } else {
            wanted[which] = now + std::chrono::milliseconds(random() % 100000);
            wheel.set(*alarms[which], wanted[which], now);
        }
        now += std::chrono::microseconds(random() % 50000);
        for (auto& alarm : alarms) {
            alarm->now = now;
        }
        wheel.run(now);
        for (std::size_t i = 0; i < alarms.size(); ++i) {
            if (std::exchange(alarms[i]->came, std::nullopt)) {
                QVERIFY(wanted[i] <= now);
                wanted[i] = Instant::max();
            }
            QVERIFY(wanted[i] + std::chrono::milliseconds(20) > now || wanted[i] == Instant::max());
        }
    }
}

} // namespace weir::gateway

QTEST_GUILESS_MAIN(weir::gateway::TestDeadlineWheel)
#include "TestDeadlineWheel.moc"
