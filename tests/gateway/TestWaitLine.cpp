// SPDX-License-Identifier: GPL-3.0-or-later
// gateway.md "Busy workers": order, fairness between apps, limits, on a clock that stands still.
#include "core/gateway/WaitLine.h"

#include <QTest>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace weir::gateway {

class TestWaitLine : public QObject {
    Q_OBJECT

private slots:
    void servesInOrder();
    void takesAppsInTurn();
    void aBurstDoesNotStarveAnother();
    void passesAppsOverWhosePoolIsFull();
    void refusesWhereWaitingMakesNoSense();
    void isBounded();
    void timesOutExactly();
    void otherLimitsAreForNewcomers();
    void leavesFromAnyPlace();
    void theOneWhoseNodeFailedGoesFirst();
    void mayBeEnteredAndServedAgainMeanwhile();
    void goesWhileSomeoneWaits();
};

namespace {

struct One final : WaitLine::Waiter {
    explicit One(std::string text) : name(std::move(text)) {}
    std::string name;
};

using Verdict = WaitLine::Verdict;

// Serves `count` of them and tells their names.
std::string serve(WaitLine& line, int count)
{
    std::string served;
    line.serve([&](WaitLine::Waiter&) { return count > 0 ? Verdict::Served : Verdict::NotNow; },
        [&](WaitLine::Waiter& waiter, Verdict) {
            --count;
            served += static_cast<One&>(waiter).name + " ";
        });
    return served;
}

} // namespace

void TestWaitLine::servesInOrder()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    for (const char* name : {"1", "2", "3", "4"}) {
        QVERIFY(line.enter(ones.emplace_back(name), "a", clock.now()));
    }
    QCOMPARE(serve(line, 0), std::string());
    QCOMPARE(serve(line, 1), std::string("1 "));
    QCOMPARE(serve(line, 2), std::string("2 3 "));
    QCOMPARE(line.size(), std::size_t(1));
    QVERIFY(!ones[0].isWaiting() && ones[3].isWaiting());
}

void TestWaitLine::takesAppsInTurn()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    for (const char* name : {"a1", "a2", "a3", "b1", "b2", "c1"}) {
        QVERIFY(line.enter(ones.emplace_back(name), std::string(1, name[0]), clock.now()));
    }
    QCOMPARE(serve(line, 6), std::string("a1 b1 c1 a2 b2 a3 "));
    QVERIFY(line.isEmpty());
}

void TestWaitLine::aBurstDoesNotStarveAnother()
{
    ManualClock clock;
    WaitLine line(10000, std::chrono::seconds(30));
    std::deque<One> ones;
    for (int i = 0; i < 5000; ++i) {
        QVERIFY(line.enter(ones.emplace_back("a"), "a", clock.now()));
    }
    std::string served;
    for (int i = 0; i < 100; ++i) { // one of b comes while a's thousands wait
        QVERIFY(line.enter(ones.emplace_back("b"), "b", clock.now()));
        served = serve(line, 2);
        QVERIFY2(served.find("b ") != std::string::npos, served.c_str());
    }
}

void TestWaitLine::passesAppsOverWhosePoolIsFull()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    for (const char* name : {"a1", "b1", "b2", "a2"}) {
        QVERIFY(line.enter(ones.emplace_back(name), std::string(1, name[0]), clock.now()));
    }
    std::string served;
    line.serve([](WaitLine::Waiter& waiter) { return static_cast<One&>(waiter).name[0] == 'b' ? Verdict::Served : Verdict::NotNow; },
        [&](WaitLine::Waiter& waiter, Verdict) { served += static_cast<One&>(waiter).name; });
    QCOMPARE(served, std::string("b1b2"));
    QCOMPARE(serve(line, 2), std::string("a1 a2 "));
}

void TestWaitLine::refusesWhereWaitingMakesNoSense()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    for (const char* name : {"1", "2"}) {
        QVERIFY(line.enter(ones.emplace_back(name), "a", clock.now()));
    }
    int refused = 0;
    line.serve([](WaitLine::Waiter&) { return Verdict::Refused; }, [&](WaitLine::Waiter&, Verdict verdict) { refused += verdict == Verdict::Refused ? 1 : 0; });
    QCOMPARE(refused, 2);
    QVERIFY(line.isEmpty());
}

void TestWaitLine::isBounded()
{
    ManualClock clock;
    WaitLine line(2, std::chrono::seconds(30));
    std::deque<One> ones;
    QVERIFY(line.enter(ones.emplace_back("1"), "a", clock.now()));
    QVERIFY(line.enter(ones.emplace_back("2"), "b", clock.now()));
    QVERIFY(!line.enter(ones.emplace_back("3"), "c", clock.now()));
    QVERIFY(!ones.back().isWaiting());
    line.leave(ones.front());
    QVERIFY(line.enter(ones.back(), "c", clock.now()));
    WaitLine none(0, std::chrono::seconds(30));
    QVERIFY(!none.enter(ones.front(), "a", clock.now()));
}

void TestWaitLine::timesOutExactly()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    const Instant start = clock.now();
    QVERIFY(!line.nextDeadline());
    QVERIFY(line.enter(ones.emplace_back("1"), "a", clock.now()));
    clock.advance(std::chrono::seconds(10));
    QVERIFY(line.enter(ones.emplace_back("2"), "b", clock.now()));
    QCOMPARE(*line.nextDeadline(), start + std::chrono::seconds(30));
    clock.advance(std::chrono::seconds(20) - std::chrono::nanoseconds(1));
    QVERIFY(line.takeExpired(clock.now()) == nullptr);
    clock.advance(std::chrono::nanoseconds(1));
    QVERIFY(line.takeExpired(clock.now()) == &ones[0]);
    QVERIFY(line.takeExpired(clock.now()) == nullptr);
    QCOMPARE(*line.nextDeadline(), start + std::chrono::seconds(40));
    clock.advance(std::chrono::seconds(10));
    QVERIFY(line.takeExpired(clock.now()) == &ones[1]);
    QVERIFY(line.isEmpty());
}

void TestWaitLine::otherLimitsAreForNewcomers()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    std::deque<One> ones;
    const Instant start = clock.now();
    for (const char* name : {"1", "2"}) {
        QVERIFY(line.enter(ones.emplace_back(name), "a", clock.now()));
    }
    line.setLimits(1, std::chrono::seconds(5));
    QCOMPARE(line.size(), std::size_t(2)); // nobody is thrown out
    QVERIFY(!line.enter(ones.emplace_back("3"), "a", clock.now()));
    line.setLimits(3, std::chrono::seconds(5));
    QVERIFY(line.enter(ones.emplace_back("4"), "a", clock.now()));
    QCOMPARE(*line.nextDeadline(), start + std::chrono::seconds(5));
    clock.advance(std::chrono::seconds(5));
    QVERIFY(line.takeExpired(clock.now()) == &ones[3]);
    QVERIFY(line.takeExpired(clock.now()) == nullptr); // who came before it may wait on
    QCOMPARE(serve(line, 1), std::string("1 "));
    clock.advance(std::chrono::seconds(25));
    QVERIFY(line.takeExpired(clock.now()) == &ones[1]);
    QVERIFY(line.isEmpty());
}

void TestWaitLine::leavesFromAnyPlace()
{
    ManualClock clock;
    WaitLine line(1000, std::chrono::seconds(30));
    std::vector<std::unique_ptr<One>> ones;
    for (int i = 0; i < 300; ++i) {
        ones.push_back(std::make_unique<One>(std::to_string(i)));
        QVERIFY(line.enter(*ones.back(), std::string(1, static_cast<char>('a' + i % 3)), clock.now()));
    }
    std::mt19937 random(7);
    while (ones.size() > 10) { // clients go away: the waiter's end is its leaving
        ones.erase(ones.begin() + static_cast<std::ptrdiff_t>(random() % ones.size()));
        QCOMPARE(line.size(), ones.size());
    }
    std::string left = serve(line, 1000);
    QCOMPARE(std::count(left.begin(), left.end(), ' '), 10);
    QVERIFY(line.isEmpty());
}

void TestWaitLine::theOneWhoseNodeFailedGoesFirst()
{
    ManualClock clock;
    WaitLine line(1, std::chrono::seconds(30));
    One first("1");
    One again("again");
    QVERIFY(line.enter(first, "a", clock.now()));
    line.enterFirst(again, "a", clock.now()); // even when the line is full
    QCOMPARE(serve(line, 2), std::string("again 1 "));
}

void TestWaitLine::mayBeEnteredAndServedAgainMeanwhile()
{
    ManualClock clock;
    WaitLine line(10, std::chrono::seconds(30));
    One a("a");
    One b("b");
    QVERIFY(line.enter(a, "a", clock.now()));
    std::string served;
    const auto probe = [](WaitLine::Waiter&) { return Verdict::Served; };
    std::function<void(WaitLine::Waiter&, Verdict)> go = [&](WaitLine::Waiter& waiter, Verdict) {
        served += static_cast<One&>(waiter).name;
        if (served == "a") {
            QVERIFY(line.enter(b, "b", clock.now()));
            line.serve(probe, go); // not nested: it is noted and done after this one
            QCOMPARE(served, std::string("a"));
        }
    };
    line.serve(probe, go);
    QCOMPARE(served, std::string("ab"));
}

void TestWaitLine::goesWhileSomeoneWaits()
{
    ManualClock clock;
    One one("1");
    {
        WaitLine line(10, std::chrono::seconds(30));
        QVERIFY(line.enter(one, "a", clock.now()));
    }
    QVERIFY(!one.isWaiting());
}

} // namespace weir::gateway

QTEST_GUILESS_MAIN(weir::gateway::TestWaitLine)
#include "TestWaitLine.moc"
