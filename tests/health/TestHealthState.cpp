// SPDX-License-Identifier: GPL-3.0-or-later
// The state table of one node, row by row.
#include "core/health/HealthState.h"

#include <QTest>

using namespace weir;
using namespace weir::health;

namespace {

Instant at(double seconds)
{
    return Instant(fromSeconds(seconds));
}

/// A node whose probes begin and end at the same instant, unless a test says otherwise.
struct Subject {
    HealthSettings settings;
    HealthState state;

    Transition good(double t) { return state.probeSucceeded(settings, at(t), at(t)); }
    Transition bad(double t) { return state.probeFailed(settings, at(t), at(t)); }
    Transition passive(double t) { return state.passiveFailure(settings, at(t)); }

    static Subject online(double t = -1)
    {
        Subject subject;
        subject.good(t);
        return subject;
    }
};

} // namespace

class TestHealthState : public QObject {
    Q_OBJECT

private slots:
    void passiveFailureSetsTheQuarantine();
    void successInsideTheQuarantineDoesNotRevive();
    void firstSuccessAtOrAfterTheDeadlineRevives();

    void sequences_data();
    void sequences();
    void staleProbesAreDropped();
    void probeThatStartedAtTheChangeCounts();
    void latePassiveFailuresChangeNothing();
    void passiveFailureLeavesSuccessesAsTheyAre();
    void cooldownZeroIsAsBeforeQuarantineExisted();
    void endedQuarantineStillNeedsAProbe();
    void runningQuarantineKeepsItsDeadline();
    void multiplierGrowsWithinTheMemory();
    void memoryNeedsTimeAndACleanOutcome_data();
    void memoryNeedsTimeAndACleanOutcome();
    void causeOfANodeThatNeverWasIn();
    void resetStartsAfresh();
    void quarantineLength_data();
    void quarantineLength();
};

void TestHealthState::passiveFailureSetsTheQuarantine()
{
    Subject node = Subject::online();
    QVERIFY(node.state.inRotation());
    QCOMPARE(node.passive(0), Transition::Offline);
    QVERIFY(!node.state.inRotation());
    QCOMPARE(node.state.cause(), Cause::Passive);
    QVERIFY(node.state.quarantinedUntil() == at(60));
    QVERIFY(node.state.quarantineRemaining(at(0)) == std::chrono::seconds(60));
    QCOMPARE(node.state.consecutiveFailures(), 1);
}

void TestHealthState::successInsideTheQuarantineDoesNotRevive()
{
    Subject node = Subject::online();
    node.passive(0);
    for (const double t : {8.0, 16.0, 59.999}) {
        QCOMPARE(node.good(t), Transition::Held);
        QVERIFY(!node.state.inRotation());
    }
    QVERIFY(node.state.quarantinedUntil() == at(60));
    QCOMPARE(node.state.consecutiveSuccesses(), 4);
}

void TestHealthState::firstSuccessAtOrAfterTheDeadlineRevives()
{
    for (const double t : {60.0, 60.001, 64.0, 1000.0}) {
        Subject node = Subject::online();
        node.passive(0);
        QCOMPARE(node.good(59.999), Transition::Held);
        QCOMPARE(node.good(t), Transition::Online);
        QVERIFY(node.state.inRotation());
        QVERIFY(!node.state.hasQuarantine());
        QCOMPARE(node.state.cause(), Cause::None);
        QCOMPARE(node.state.consecutiveFailures(), 0);
    }
}

// One letter an input, eight seconds apart from t=0: G good probe, X failed probe, P passive failure, E end of the quarantine by a
// superadmin, '-' nothing. The answer is the rotation after each: 1 in, 0 out.
void TestHealthState::sequences_data()
{
    QTest::addColumn<int>("unhealthyThreshold");
    QTest::addColumn<int>("healthyThreshold");
    QTest::addColumn<double>("cooldown");
    QTest::addColumn<QByteArray>("inputs");
    QTest::addColumn<QByteArray>("rotation");

    const auto row = [](const char* name, int down, int up, double cooldown, const char* inputs, const char* rotation) {
        QTest::newRow(name) << down << up << cooldown << QByteArray(inputs) << QByteArray(rotation);
    };
    row("a node starts out and the first success brings it in", 2, 1, 60, "-G", "01");
    row("failures before the first success keep it out", 2, 1, 60, "XXXG", "0001");
    row("one failure is not enough", 2, 1, 60, "GXGXG", "11111");
    row("two in a row are", 2, 1, 60, "GXX", "110");
    row("no quarantine after failed probes", 2, 1, 60, "GXXG", "1101");
    row("threshold 1", 1, 1, 60, "GXG", "101");
    row("threshold 3", 3, 1, 60, "GXXGXXX", "1111110");
    row("healthy threshold 3 at the start", 2, 3, 60, "GGG", "001");
    row("healthy threshold 3, a failure starts the count again", 2, 3, 60, "GGXGGG", "000001");
    row("healthy threshold 3 after failed probes", 2, 3, 60, "GGGXXGGG", "00110001");
    row("passive failure at once", 2, 1, 60, "GP", "10");
    row("back at t=72, the first probe at or past 68", 2, 1, 60, "GPGGGGGGGG", "1000000001");
    row("at exactly the deadline", 2, 1, 56, "GPGGGGGGG", "100000001");
    row("failed probes inside, then one good after the deadline", 2, 1, 16, "GPXXGX", "100011");
    row("a failed probe after the deadline does not bring it back", 2, 1, 8, "GPXG", "1001");
    row("passive failure adds to the failures: one probe more is out already", 2, 1, 60, "GXP", "110");
    row("passive failure of a node that is out", 2, 1, 60, "GXXPG", "11001");
    row("passive failure before the first success", 2, 1, 60, "PG", "01");
    row("cooldown 0: the next success", 2, 1, 0, "GPGPG", "10101");
    row("ended by hand: not by itself, but with the next success", 2, 1, 60, "GPE-G", "10001");
    row("ended by hand, the probe fails", 2, 1, 60, "GPEXG", "10001");
}

void TestHealthState::sequences()
{
    QFETCH(int, unhealthyThreshold);
    QFETCH(int, healthyThreshold);
    QFETCH(double, cooldown);
    QFETCH(QByteArray, inputs);
    QFETCH(QByteArray, rotation);
    Subject node;
    node.settings.unhealthyThreshold = unhealthyThreshold;
    node.settings.healthyThreshold = healthyThreshold;
    node.settings.cooldownSeconds = cooldown;

    QByteArray seen;
    for (int i = 0; i < inputs.size(); ++i) {
        const double t = 8.0 * i;
        const bool before = node.state.inRotation();
        Transition transition = Transition::None;
        switch (inputs[i]) {
        case 'G':
            transition = node.good(t);
            break;
        case 'X':
            transition = node.bad(t);
            break;
        case 'P':
            transition = node.passive(t);
            break;
        case 'E':
            node.state.endQuarantine();
            break;
        default:
            break;
        }
        const bool after = node.state.inRotation();
        QCOMPARE(transition == Transition::Online, after && !before);
        QCOMPARE(transition == Transition::Offline, before && !after);
        seen += after ? '1' : '0';
    }
    QCOMPARE(seen, rotation);
}

void TestHealthState::staleProbesAreDropped()
{
    Subject node = Subject::online();
    node.settings.cooldownSeconds = 0;
    node.passive(1);
    QCOMPARE(node.state.probeSucceeded(node.settings, at(0.5), at(1.2)), Transition::Dropped);
    QVERIFY(!node.state.inRotation());
    QCOMPARE(node.good(8), Transition::Online);
    // The other way round: a failure from before the revival says nothing about after it.
    const int failures = node.state.consecutiveFailures();
    QCOMPARE(node.state.probeFailed(node.settings, at(7), at(9)), Transition::Dropped);
    QCOMPARE(node.state.consecutiveFailures(), failures);
}

void TestHealthState::probeThatStartedAtTheChangeCounts()
{
    Subject node = Subject::online();
    node.settings.cooldownSeconds = 0;
    node.passive(1);
    QCOMPARE(node.state.probeSucceeded(node.settings, at(1), at(1.2)), Transition::Online);
}

void TestHealthState::latePassiveFailuresChangeNothing()
{
    Subject quarantined = Subject::online();
    quarantined.passive(0);
    QCOMPARE(quarantined.passive(30), Transition::None);
    QVERIFY(quarantined.state.quarantinedUntil() == at(60));
    QCOMPARE(quarantined.state.consecutiveFailures(), 1);

    Subject byProbes = Subject::online();
    byProbes.bad(8);
    byProbes.bad(16);
    QCOMPARE(byProbes.passive(20), Transition::None);
    QVERIFY(!byProbes.state.hasQuarantine());
    QCOMPARE(byProbes.state.cause(), Cause::Probe);
    QCOMPARE(byProbes.good(24), Transition::Online);
}

void TestHealthState::passiveFailureLeavesSuccessesAsTheyAre()
{
    Subject node;
    node.settings.healthyThreshold = 3;
    for (int i = 0; i < 10; ++i) {
        node.good(i - 20);
    }
    const int successes = node.state.consecutiveSuccesses();
    node.passive(0);
    QCOMPARE(node.state.consecutiveSuccesses(), successes);
    for (const double t : {8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 56.0}) {
        QCOMPARE(node.good(t), Transition::Held);
    }
    QCOMPARE(node.good(64), Transition::Online);
}

void TestHealthState::cooldownZeroIsAsBeforeQuarantineExisted()
{
    Subject node = Subject::online();
    node.settings.cooldownSeconds = 0;
    QCOMPARE(node.passive(0), Transition::Offline);
    QVERIFY(!node.state.hasQuarantine());
    QVERIFY(!node.state.inQuarantine(at(0)));
    QCOMPARE(node.good(0.1), Transition::Online);
}

void TestHealthState::endedQuarantineStillNeedsAProbe()
{
    Subject node = Subject::online();
    node.passive(0);
    node.state.endQuarantine();
    QVERIFY(!node.state.inRotation());
    QVERIFY(!node.state.inQuarantine(at(1)));
    QCOMPARE(node.bad(2), Transition::None);
    QCOMPARE(node.good(3), Transition::Online);
}

void TestHealthState::runningQuarantineKeepsItsDeadline()
{
    Subject node = Subject::online();
    node.passive(0);
    node.settings.cooldownSeconds = 300;
    QCOMPARE(node.good(60), Transition::Online);
    node.passive(100);
    QVERIFY(node.state.quarantinedUntil() == at(400));
}

void TestHealthState::multiplierGrowsWithinTheMemory()
{
    Subject node = Subject::online();
    node.settings.cooldownMultiplier = 2;
    double t = 0;
    for (const double expected : {60.0, 120.0, 240.0, 300.0, 300.0}) {
        node.passive(t);
        QCOMPARE(toSeconds(node.state.quarantineLength()), expected);
        t += expected;
        QCOMPARE(node.good(t), Transition::Online);
        t += 1;
    }
}

void TestHealthState::memoryNeedsTimeAndACleanOutcome_data()
{
    QTest::addColumn<double>("inRotation");
    QTest::addColumn<bool>("clean");
    QTest::addColumn<double>("second");
    QTest::newRow("long enough and clean") << 600.0 << true << 60.0;
    QTest::newRow("long enough, nothing clean in it") << 600.0 << false << 120.0;
    QTest::newRow("clean, a moment too short") << 599.999 << true << 120.0;
}

void TestHealthState::memoryNeedsTimeAndACleanOutcome()
{
    QFETCH(double, inRotation);
    QFETCH(bool, clean);
    QFETCH(double, second);
    Subject node = Subject::online();
    node.settings.cooldownMultiplier = 2;
    node.state.cleanOutcome(); // before the ejection: does not count for the time after it
    node.passive(0);
    QCOMPARE(node.good(60), Transition::Online);
    if (clean) {
        node.state.cleanOutcome();
    }
    node.passive(60 + inRotation);
    QCOMPARE(toSeconds(node.state.quarantineLength()), second);
}

void TestHealthState::causeOfANodeThatNeverWasIn()
{
    Subject node;
    QVERIFY(!node.state.isChecked());
    QCOMPARE(node.state.cause(), Cause::None);
    node.bad(0);
    QVERIFY(node.state.isChecked());
    QCOMPARE(node.state.cause(), Cause::Probe);

    Subject ejected = Subject::online();
    ejected.passive(0);
    ejected.bad(8);
    ejected.bad(16);
    QCOMPARE(ejected.state.cause(), Cause::Passive);
    QCOMPARE(QByteArray(toText(Cause::Passive).data()), QByteArray("passive"));
    QCOMPARE(QByteArray(toText(Cause::Probe).data()), QByteArray("probe"));
    QVERIFY(toText(Cause::None).empty());
}

void TestHealthState::resetStartsAfresh()
{
    Subject node = Subject::online();
    node.passive(10);
    node.state.reset();
    QVERIFY(!node.state.inRotation());
    QVERIFY(!node.state.isChecked());
    QVERIFY(!node.state.hasQuarantine());
    QCOMPARE(node.good(11), Transition::Online);
}

void TestHealthState::quarantineLength_data()
{
    QTest::addColumn<double>("cooldown");
    QTest::addColumn<double>("multiplier");
    QTest::addColumn<double>("most");
    QTest::addColumn<int>("ejection");
    QTest::addColumn<double>("expected");
    QTest::newRow("first") << 60.0 << 2.0 << 300.0 << 1 << 60.0;
    QTest::newRow("second") << 60.0 << 2.0 << 300.0 << 2 << 120.0;
    QTest::newRow("bounded") << 60.0 << 2.0 << 300.0 << 4 << 300.0;
    QTest::newRow("far beyond what a double holds") << 60.0 << 100.0 << 300.0 << 1'000'000 << 300.0;
    QTest::newRow("off stays off") << 0.0 << 100.0 << 300.0 << 1'000'000 << 0.0;
    QTest::newRow("multiplier 1") << 60.0 << 1.0 << 300.0 << 50 << 60.0;
    QTest::newRow("never shorter than the plain cooldown") << 400.0 << 1.0 << 300.0 << 1 << 400.0;
}

void TestHealthState::quarantineLength()
{
    QFETCH(double, cooldown);
    QFETCH(double, multiplier);
    QFETCH(double, most);
    QFETCH(int, ejection);
    QFETCH(double, expected);
    HealthSettings settings;
    settings.cooldownSeconds = cooldown;
    settings.cooldownMultiplier = multiplier;
    settings.maxCooldownSeconds = most;
    QCOMPARE(toSeconds(health::quarantineLength(settings, ejection)), expected);
}

QTEST_GUILESS_MAIN(TestHealthState)
#include "TestHealthState.moc"
