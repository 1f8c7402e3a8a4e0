// SPDX-License-Identifier: GPL-3.0-or-later
// The outage that began all this, on simulated time: what each defence would have changed.
#include "tests/sim/FirstOutage.h"

#include <QTest>

using namespace weir::fleet;
using namespace std::chrono_literals;

namespace {

void tell(const char* world, const FirstOutage::Story& story)
{
    qInfo("%s: %zu requests, %zu spoiled (%zu in a 200, %zu counted by nothing), out %zu times by outcomes and %zu by probes, %zu revivals, first out after %.1f s, in rotation %.0f of %.0f s",
        world, story.requests, story.failures, story.wrapped, story.unseen, story.ejectionsByOutcome, story.ejectionsByProbe, story.revivals,
        weir::toSeconds(story.firstOut.value_or(-1s)), weir::toSeconds(story.inRotation), weir::toSeconds(FirstOutage::kLasts));
}

} // namespace

class TestFirstOutage : public QObject {
    Q_OBJECT

private slots:
    void asItWas();
    void quarantineAlone();
    void ruleAlone();
    void deepHealth();
    void allTogether();
    void everythingElseIsLeftAlone();
};

// Shallow health, no quarantine, no rule: ejected and revived again and again, and most failures are seen by nobody.
void TestFirstOutage::asItWas()
{
    FirstOutage outage(Defences{});
    outage.run();
    const FirstOutage::Story& story = outage.story();
    tell("as it was", story);
    QVERIFY(story.ejectionsByOutcome > 1'000);
    QCOMPARE(story.ejectionsByProbe, std::size_t{0});
    QVERIFY(story.revivals + 1 >= story.ejectionsByOutcome);
    QVERIFY2(story.longestAbsence <= 8s, "the next probe brings it back");
    QVERIFY(story.inRotation > FirstOutage::kLasts / 2);
    QVERIFY(story.failures > 10'000);
    QCOMPARE(story.unseen, story.wrapped);
    QVERIFY2(story.unseen > story.failures * 8 / 10, "hidden in a 200");
}

// The same with cooldown_seconds 60: back at most once a minute. What hides in a 200 is still not seen.
void TestFirstOutage::quarantineAlone()
{
    Defences defences;
    defences.cooldownSeconds = 60;
    FirstOutage outage(defences);
    outage.run();
    const FirstOutage::Story& story = outage.story();
    tell("quarantine", story);
    QVERIFY(story.revivals > 100);
    QVERIFY2(story.revivals <= 16 * 60, "once a minute at most");
    QVERIFY(story.shortestAbsence >= 60s && story.longestAbsence <= 68s);
    QCOMPARE(story.ejectionsByProbe, std::size_t{0});
    QCOMPARE(story.unseen, story.wrapped);
    FirstOutage before{Defences{}};
    before.run();
    QVERIFY(story.failures * 2 < before.story().failures);
}

// A rule counts what hides in a 200: three bad answers, out. The check is still shallow, so it comes back once a minute for three
// more: the rule bounds the harm, and only a check that asks for the disk ends it.
void TestFirstOutage::ruleAlone()
{
    Defences defences;
    defences.cooldownSeconds = 60;
    defences.rule = true;
    FirstOutage outage(defences);
    outage.run();
    const FirstOutage::Story& story = outage.story();
    tell("rule", story);
    QVERIFY(story.failuresBeforeFirstOut <= 3);
    QVERIFY(story.longestRun <= 3);
    QCOMPARE(story.unseen, std::size_t{0});
    QVERIFY(story.revivals <= 16 * 60);
    QVERIFY(story.shortestAbsence >= 60s && story.longestAbsence <= 68s);
    QVERIFY(story.failures <= 3 * (story.revivals + 1));
    // A quarantine that grows makes it one in five minutes.
    defences.cooldownMultiplier = 2;
    FirstOutage growing(defences);
    growing.run();
    tell("rule, growing quarantine", growing.story());
    QVERIFY(growing.story().revivals <= 16 * 12 + 5);
    QVERIFY(growing.story().failures <= 3 * (growing.story().revivals + 1));
}

// The probe asks for what the worker needs: out with the second one, out until the disk has room, and no request spoiled after.
void TestFirstOutage::deepHealth()
{
    for (const double cooldown : {0.0, 60.0}) {
        Defences defences;
        defences.cooldownSeconds = cooldown;
        defences.deepHealth = true;
        FirstOutage outage(defences);
        outage.run();
        const FirstOutage::Story& story = outage.story();
        tell("deep health", story);
        QVERIFY(story.firstOut.has_value());
        QVERIFY2(*story.firstOut <= 19s, "interval x unhealthy_threshold + timeout");
        // A request that failed first may have taken it out before; without quarantine a probe under way cannot bring it back.
        QVERIFY(story.ejectionsByOutcome + story.ejectionsByProbe >= 1 && story.ejectionsByOutcome + story.ejectionsByProbe <= 2);
        QCOMPARE(story.revivals, std::size_t{0});
        QCOMPARE(story.failures, story.failuresBeforeFirstOut);
        QVERIFY2(story.failures <= 19, "one request a second, and two others take their share");
        QVERIFY(story.backAfter.has_value());
        QVERIFY2(*story.backAfter <= 8s, "the first good probe");
    }
}

// With everything on: three bad answers or two failed probes, whichever comes first, and then nothing for sixteen hours.
void TestFirstOutage::allTogether()
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Defences defences;
        defences.cooldownSeconds = 60;
        defences.deepHealth = true;
        defences.rule = true;
        FirstOutage outage(defences, seed);
        outage.run();
        const FirstOutage::Story& story = outage.story();
        QVERIFY(story.firstOut.has_value() && *story.firstOut <= 19s);
        QVERIFY(story.failures <= 3);
        QCOMPARE(story.revivals, std::size_t{0});
        QCOMPARE(story.ejectionsByOutcome + story.ejectionsByProbe, std::size_t{1});
        QVERIFY(story.backAfter.has_value() && *story.backAfter <= 8s);
    }
}

void TestFirstOutage::everythingElseIsLeftAlone()
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Defences defences;
        defences.cooldownSeconds = 60;
        defences.deepHealth = seed % 2 == 0;
        defences.rule = seed % 3 == 0;
        FirstOutage outage(defences, seed);
        outage.run();
        QCOMPARE(outage.story().healthyEjected, std::size_t{0});
        QCOMPARE(outage.story().refused, std::size_t{0});
        QVERIFY(outage.story().backAfter.has_value() || outage.story().ejectionsByOutcome + outage.story().ejectionsByProbe > 0);
        FirstOutage again(defences, seed);
        again.run();
        QCOMPARE(again.story().failures, outage.story().failures); // the same seed, the same story
        QCOMPARE(again.story().revivals, outage.story().revivals);
    }
}

QTEST_GUILESS_MAIN(TestFirstOutage)
#include "TestFirstOutage.moc"
