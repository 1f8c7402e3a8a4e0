// SPDX-License-Identifier: GPL-3.0-or-later
// The heart on simulated time. WEIR_SIM_SEEDS: how many seeds (3 unless set); WEIR_SIM_SEED: that one alone, to replay a failure.
#include "tests/sim/FleetSimulation.h"

#include <QTest>

using namespace weir::fleet;

class TestSim : public QObject {
    Q_OBJECT

private slots:
    void aDayOfFaults_data();
    void aDayOfFaults();
};

void TestSim::aDayOfFaults_data()
{
    QTest::addColumn<quint64>("seed");
    const bool replay = qEnvironmentVariableIsSet("WEIR_SIM_SEED");
    const quint64 first = replay ? qEnvironmentVariable("WEIR_SIM_SEED").toULongLong() : 1;
    const int count = replay ? 1 : qEnvironmentVariableIsSet("WEIR_SIM_SEEDS") ? std::max(1, qEnvironmentVariableIntValue("WEIR_SIM_SEEDS")) : 3;
    for (int i = 0; i < count; ++i) {
        const quint64 seed = first + static_cast<quint64>(i);
        QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
    }
}

void TestSim::aDayOfFaults()
{
    QFETCH(quint64, seed);
    FleetSimulation simulation(seed, FleetSimulation::Size{});
    if (const auto violation = simulation.run()) {
        QFAIL((*violation + " (replay with WEIR_SIM_SEED=" + std::to_string(seed) + ")").c_str());
    }
    // A day on which nothing happened would prove nothing.
    const FleetSimulation::Story& story = simulation.story();
    qInfo("%zu decisions, %zu refusals, %zu fallbacks, %zu ejections, %zu revivals, %zu moves, %zu lapsed connections", story.decisions, story.refusals,
        story.fallbacks, story.ejections, story.revivals, story.moves, story.lapses);
    QVERIFY(story.decisions > 10'000);
    QVERIFY(story.refusals > 0 && story.fallbacks > 0);
    QVERIFY(story.ejections > 100 && story.revivals > 50);
    QVERIFY(story.streamsKept > 100 && story.streamsMoved > 100 && story.streamsEnded > 100);
    QVERIFY(story.moves > 1'000 && story.lapses > 100);
}

QTEST_GUILESS_MAIN(TestSim)
#include "TestSim.moc"
