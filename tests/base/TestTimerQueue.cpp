// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/TimerQueue.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

Instant at(Duration since)
{
    return Instant(since);
}

} // namespace

class TestTimerQueue : public QObject {
    Q_OBJECT

private slots:
    void anEmptyQueueHasNothing();
    void dueMeansAtOrBefore();
    void equalDeadlinesKeepTheirOrder();
    void aValueAddedWhileTakingIsSeen();
    void agreesWithAStableSort();
};

void TestTimerQueue::anEmptyQueueHasNothing()
{
    TimerQueue<int> queue;
    QVERIFY(!queue.next().has_value());
    QVERIFY(!queue.takeDue(Instant::max()).has_value());
    QCOMPARE(queue.size(), std::size_t{0});
}

void TestTimerQueue::dueMeansAtOrBefore()
{
    TimerQueue<std::string> queue;
    queue.add(at(5s), "five");
    queue.add(at(2s), "two");
    QCOMPARE(queue.size(), std::size_t{2});
    QCOMPARE(queue.next(), std::optional(at(2s)));

    QVERIFY(!queue.takeDue(at(2s) - 1ns).has_value());
    QCOMPARE(queue.size(), std::size_t{2});
    QCOMPARE(queue.takeDue(at(2s)), std::optional<std::string>("two"));
    QVERIFY(!queue.takeDue(at(2s)).has_value());
    QCOMPARE(queue.next(), std::optional(at(5s)));
    QCOMPARE(queue.takeDue(at(9s)), std::optional<std::string>("five"));
    QVERIFY(!queue.next().has_value());
}

void TestTimerQueue::equalDeadlinesKeepTheirOrder()
{
    TimerQueue<int> queue;
    for (int i = 0; i < 200; ++i) {
        queue.add(at(1s), i);
    }
    for (int i = 0; i < 200; ++i) {
        QCOMPARE(queue.takeDue(at(1s)), std::optional(i));
    }
}

void TestTimerQueue::aValueAddedWhileTakingIsSeen()
{
    TimerQueue<int> queue;
    queue.add(at(1s), 1);
    queue.add(at(3s), 3);
    QCOMPARE(queue.takeDue(at(10s)), std::optional(1));
    queue.add(at(2s), 2);
    QCOMPARE(queue.takeDue(at(10s)), std::optional(2));
    QCOMPARE(queue.takeDue(at(10s)), std::optional(3));
}

void TestTimerQueue::agreesWithAStableSort()
{
    std::mt19937 random(20'261);
    for (int round = 0; round < 50; ++round) {
        TimerQueue<int> queue;
        std::vector<std::pair<Instant, int>> expected;
        for (int i = 0; i < 300; ++i) {
            const Instant when = at(std::chrono::milliseconds(std::uniform_int_distribution(0, 60)(random)));
            queue.add(when, i);
            expected.emplace_back(when, i);
        }
        std::ranges::stable_sort(expected, {}, &std::pair<Instant, int>::first);

        // Time goes on in steps; each step takes exactly what is due by then, in order.
        std::size_t taken = 0;
        for (Duration now = 0ms; now <= 60ms; now += 7ms) {
            while (const auto value = queue.takeDue(at(now))) {
                QVERIFY(taken < expected.size());
                QVERIFY(expected[taken].first <= at(now));
                QCOMPARE(*value, expected[taken].second);
                ++taken;
            }
            QVERIFY(taken == expected.size() || expected[taken].first > at(now));
        }
        QCOMPARE(queue.size(), expected.size() - taken);
    }
}

QTEST_GUILESS_MAIN(TestTimerQueue)
#include "TestTimerQueue.moc"
