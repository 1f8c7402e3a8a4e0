// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ProbeLog.h"

#include "core/plane/NodeHistory.h"

#include <QTest>

#include <limits>

using namespace weir;
using namespace weir::plane;

namespace {

ProbeRecord record(int number)
{
    ProbeRecord one;
    one.at = WallTime(std::chrono::milliseconds(1796000000000 + number));
    one.durationMs = number;
    one.status = number % 3 == 0 ? 503 : 200;
    one.success = number % 3 != 0;
    one.held = number % 2 == 0;
    one.reason = one.success ? "" : "status:503";
    one.bodyStatus = one.success ? "ok" : "degraded";
    one.diskFreeGb = number % 5 == 0 ? std::nullopt : std::optional(number / 10.0);
    one.deps = {{"comfyui", one.success}};
    return one;
}

bool same(const ProbeRecord& a, const ProbeRecord& b)
{
    return a.at == b.at && a.durationMs == b.durationMs && a.status == b.status && a.success == b.success && a.held == b.held
        && a.reason == b.reason && a.bodyStatus == b.bodyStatus && a.bodyReason == b.bodyReason && a.diskFreeGb == b.diskFreeGb
        && a.deps == b.deps && a.text == b.text;
}

} // namespace

class TestProbeLog : public QObject {
    Q_OBJECT

private slots:
    void theLatestHundredAreKept();
    void wordsAreKeptOnce();
    void oddFiguresFit();
    void aNodeThatIsForgottenStartsAfresh();
};

void TestProbeLog::theLatestHundredAreKept()
{
    ProbeWords words;
    ProbeLog log;
    for (int i = 0; i < 257; ++i) {
        log.add(record(i), words);
        const std::size_t kept = std::min<std::size_t>(static_cast<std::size_t>(i) + 1, ProbeLog::kMost);
        QCOMPARE(log.size(), kept);
        for (const std::size_t age : {std::size_t{0}, kept / 2, kept - 1}) {
            QVERIFY2(same(log.at(age, words), record(i - static_cast<int>(age))), qPrintable(QStringLiteral("%1, %2").arg(i).arg(age)));
        }
    }
}

void TestProbeLog::wordsAreKeptOnce()
{
    ProbeWords words;
    ProbeLog one;
    ProbeLog other;
    for (int i = 0; i < 1000; ++i) {
        one.add(record(i), words);
        other.add(record(i), words);
    }
    QCOMPARE(words.size(), std::size_t{2}); // well and not well; free disk is a figure
    ProbeRecord odd = record(1);
    for (int i = 0; i < 500; ++i) {
        odd.text = "now is " + std::to_string(i);
        other.add(odd, words);
    }
    QCOMPARE(words.size(), std::size_t{2} + ProbeLog::kMost); // what fell out is let go
    other.clear(words);
    QCOMPARE(words.size(), std::size_t{2});
    one.clear(words);
    QCOMPARE(words.size(), std::size_t{0});
    one.add({}, words); // says nothing
    QCOMPARE(words.size(), std::size_t{0});
    QVERIFY(same(one.at(0, words), ProbeRecord{}));
}

void TestProbeLog::oddFiguresFit()
{
    ProbeWords words;
    ProbeLog log;
    ProbeRecord odd;
    odd.durationMs = std::numeric_limits<int>::max();
    odd.status = 999;
    odd.diskFreeGb = -1.5;
    log.add(odd, words);
    QCOMPARE(log.at(0, words).durationMs, (1 << 20) - 1);
    QCOMPARE(log.at(0, words).status, 999);
    QCOMPARE(log.at(0, words).diskFreeGb.value(), -1.5);
    odd.durationMs = -1;
    odd.status = 0;
    for (const double disk : {0.0, 5.2, 123.456, 1e30, 0.1}) {
        odd.diskFreeGb = disk;
        log.add(odd, words);
        QCOMPARE(log.at(0, words).diskFreeGb.value(), disk);
    }
    QCOMPARE(log.at(0, words).durationMs, 0);
}

void TestProbeLog::aNodeThatIsForgottenStartsAfresh()
{
    NodeHistory history;
    const NodeHandle node(7);
    history.addRevival(node, Instant(std::chrono::hours(1))); // its first time in rotation
    history.addProbe(node, record(1));
    NodeFacts facts;
    facts.handle = node;
    history.fill(facts, Instant(std::chrono::hours(1)));
    QCOMPARE(facts.flaps1h, 0);
    QVERIFY(facts.lastProbe.has_value());
    history.addEjection(node, Instant(std::chrono::hours(1)), WallTime(std::chrono::milliseconds(5)));
    history.addRevival(node, Instant(std::chrono::hours(1)));
    history.fill(facts, Instant(std::chrono::hours(1)));
    QCOMPARE(facts.flaps1h, 1);
    QCOMPARE(facts.ejections1h, 1);
    QCOMPARE(history.probes(node, 20).size(), std::size_t{1});
    history.forget(node);
    QVERIFY(history.probes(node, 20).empty());
    NodeFacts afresh;
    afresh.handle = node;
    history.fill(afresh, Instant(std::chrono::hours(1)));
    QVERIFY(!afresh.lastProbe.has_value());
    QCOMPARE(afresh.ejections1h, 0);
    QVERIFY(afresh.lastEjection == WallTime{});
}

QTEST_GUILESS_MAIN(TestProbeLog)
#include "TestProbeLog.moc"
