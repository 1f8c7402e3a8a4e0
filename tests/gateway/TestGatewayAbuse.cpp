// SPDX-License-Identifier: GPL-3.0-or-later
// One gateway under requests that are broken on every side: the right status and code for each, one failure for the node whose fault it
// was, and nothing left behind. WEIR_FAULTS sets how many; 100,000 are the full measure.
#include "tests/gateway/AbuseLane.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <future>
#include <malloc.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace weir::gateway::test {

namespace {

constexpr int kUsualFaults = 4000;
constexpr int kLanes = 4;
constexpr int kParts = 5; // figures of the first part are what the last one's are compared with
constexpr int kDescriptorsMore = 4;
constexpr long kKilobytesMore = 6144;
constexpr std::size_t kBytesMore = 1U << 20U; ///< of the heap in use: some hundred bytes left behind by each request are more
constexpr int kEnoughForResident = 50000;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kKeepsFreedMemory = true; // sanitizers do, on purpose
#else
constexpr bool kKeepsFreedMemory = false;
#endif

int openDescriptors()
{
    return static_cast<int>(QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
}

// Without what the allocator keeps for later.
long residentKilobytes()
{
    (void)::malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLong() * (::sysconf(_SC_PAGESIZE) / 1024) : 0;
}

} // namespace

class TestGatewayAbuse : public QObject {
    Q_OBJECT

private slots:
    void nothingIsLeftBehind();
};

void TestGatewayAbuse::nothingIsLeftBehind()
{
    bool isNumber = false;
    const int asked = qEnvironmentVariableIntValue("WEIR_FAULTS", &isNumber);
    const int total = isNumber ? asked : kUsualFaults;
    health::HealthSettings health;
    health.cooldownSeconds = 2; // the fleet keeps each quarantine's end until it comes, though the node is back long before
    GatewayWorld world(abuseOptions(), health);
    QVERIFY(world.listened().has_value());
    world.gateway().setRouter(makeAbuseRouter());
    std::vector<std::unique_ptr<AbuseLane>> lanes;
    for (int i = 0; i < kLanes; ++i) {
        lanes.push_back(std::make_unique<AbuseLane>(world, i));
    }
    int takenOut = 0;
    live::LiveFleet::Drained drained; // used again and again, as the plane does: it holds room for all that may gather
    const auto countTakenOut = [&] {
        world.fleet().drain(drained, 1000);
        takenOut += static_cast<int>(std::count_if(drained.changes.begin(), drained.changes.end(),
            [](const fleet::FleetChange& change) { return change.kind == fleet::ChangeKind::NodeOffline; }));
        return drained.lostChanges == 0;
    };
    int descriptors = 0;
    long memory = 0;
    std::size_t inUse = 0;
    QElapsedTimer timer;
    timer.start();
    for (int part = 1; part <= kParts; ++part) {
        std::vector<std::future<std::string>> playing;
        for (const auto& lane : lanes) {
            playing.push_back(std::async(std::launch::async, [&lane, count = total / kParts / kLanes] { return lane->play(count); }));
        }
        for (std::future<std::string>& one : playing) {
            while (one.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
                QVERIFY(countTakenOut()); // before there are more than are kept
            }
            const std::string trouble = one.get();
            QVERIFY2(trouble.empty(), trouble.c_str());
        }
        QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().connections == 0; }));
        if (part == 1) {
            descriptors = openDescriptors();
            memory = residentKilobytes();
            inUse = ::mallinfo2().uordblks;
        }
        qInfo("%d requests, %lld s: %d descriptors, %ld kB, %zu kB of it in use", total / kParts * part, timer.elapsed() / 1000,
            openDescriptors(), residentKilobytes(), ::mallinfo2().uordblks / 1024);
    }
    QVERIFY(countTakenOut());
    int played = 0;
    int failures = 0;
    for (const auto& lane : lanes) {
        played += lane->played();
        failures += lane->failures();
    }
    QVERIFY(played >= total / kParts / kLanes * kParts * kLanes);
    QVERIFY(failures > played / 3);
    QCOMPARE(takenOut, failures); // each of them once
    QVERIFY2(GatewayWorld::eventually([&] { return openDescriptors() <= descriptors + kDescriptorsMore; }),
        qPrintable(QStringLiteral("%1 descriptors, then %2").arg(descriptors).arg(openDescriptors())));
    const std::size_t inUseNow = ::mallinfo2().uordblks;
    QVERIFY2(kKeepsFreedMemory || inUseNow <= inUse + kBytesMore, qPrintable(QStringLiteral("%1 bytes of the heap in use, then %2").arg(inUse).arg(inUseNow)));
    // The first some thousand requests find out how many blocks and threads are needed at once; only behind them is the whole flat.
    QVERIFY2(kKeepsFreedMemory || total < kEnoughForResident || residentKilobytes() <= memory + kKilobytesMore,
        qPrintable(QStringLiteral("%1 kB, then %2 kB").arg(memory).arg(residentKilobytes())));
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGatewayAbuse)
#include "TestGatewayAbuse.moc"
