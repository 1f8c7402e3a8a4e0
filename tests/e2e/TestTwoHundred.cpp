// SPDX-License-Identifier: GPL-3.0-or-later
// How long an acknowledged move takes with SQLite on a disk: printed, and only held to what load alone cannot break.
#include "tests/support/ServerProcess.h"

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>

using namespace weir::test;

class TestTwoHundred : public QObject {
    Q_OBJECT

private slots:
    void movesOneByOne();
};

void TestTwoHundred::movesOneByOne()
{
    constexpr int kMoves = 200;
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    QCOMPARE(client.post("/admin/node-pools", R"({"poolId": "x"})").status, 201);
    QCOMPARE(client.post("/admin/mmx-nodes", R"({"nodeId": "n", "role": "worker"})").status, 201);
    std::vector<double> milliseconds;
    for (int i = 0; i < kMoves; ++i) {
        QElapsedTimer clock;
        clock.start();
        const HttpAnswer answer = client.put("/admin/mmx-nodes/n/pool", i % 2 ? R"({"poolId": "default"})" : R"({"poolId": "x"})");
        milliseconds.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        QCOMPARE(answer.status, 200);
        QVERIFY(answer.flag("changed"));
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    qInfo("an acknowledged move: p50 %.2f ms, p99 %.2f ms, longest %.2f ms", milliseconds[kMoves / 2], milliseconds[kMoves * 99 / 100], milliseconds.back());
    QVERIFY(milliseconds[kMoves / 2] < 1'000);
}

QTEST_GUILESS_MAIN(TestTwoHundred)
#include "TestTwoHundred.moc"
