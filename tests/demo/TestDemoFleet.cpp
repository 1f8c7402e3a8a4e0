// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoFleet.h"
#include "core/demo/DemoWorkers.h"

#include <QTcpSocket>
#include <QUrl>
#include <QtTest>

using namespace weir;

class TestDemoFleet : public QObject {
    Q_OBJECT

private slots:
    void workersAnswerAsTheirModeSays();
    void isReadyWithinSeconds();
    void unknownScenario();
    void pauseAndSpeed();

private:
    static QByteArray get(const std::string& base);

    NullLog m_log;
    SystemClock m_clock;
};

// The whole answer of GET /health on a socket of its own; empty when nothing came within a second.
QByteArray TestDemoFleet::get(const std::string& base)
{
    const QUrl url(QString::fromStdString(base));
    QTcpSocket socket;
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    if (!socket.waitForConnected(2000)) {
        return {};
    }
    socket.write("GET /health HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n\r\n");
    QByteArray answer;
    while (socket.waitForReadyRead(1000)) {
        answer += socket.readAll();
    }
    return answer;
}

void TestDemoFleet::workersAnswerAsTheirModeSays()
{
    auto workers = demo::DemoWorkers::start(2, m_log);
    QVERIFY(workers.has_value());
    QVERIFY((*workers)->url(0) != (*workers)->url(1));
    QVERIFY(get((*workers)->url(0)).startsWith("HTTP/1.1 200"));
    (*workers)->setMode(0, demo::WorkerMode::DiskFull);
    const QByteArray full = get((*workers)->url(0));
    QVERIFY2(full.startsWith("HTTP/1.1 503") && full.contains("disk_free_below_5.0g"), full.constData());
    QVERIFY(get((*workers)->url(1)).startsWith("HTTP/1.1 200"));
    (*workers)->setMode(0, demo::WorkerMode::Silent);
    QCOMPARE(get((*workers)->url(0)), QByteArray());
}

void TestDemoFleet::isReadyWithinSeconds()
{
    auto demo = demo::DemoFleet::create(m_log);
    QVERIFY(demo.has_value());
    auto runtime = runtime::Runtime::start(m_clock, m_log, (*demo)->runtimeOptions());
    QVERIFY(runtime.has_value());
    plane::ControlPlane& plane = (*runtime)->plane();
    QTRY_VERIFY_WITH_TIMEOUT(plane.isReady(), 5000);
    const auto nodes = plane.facts().nodes();
    QVERIFY2(nodes.size() >= 12, qPrintable(QString::number(nodes.size())));
    QCOMPARE(plane.facts().apps().size(), std::size_t(14));
    for (const plane::NodeFacts& node : nodes) {
        QVERIFY2(node.inRotation, node.spec.id.text().c_str());
    }
    (*demo)->start(plane);
    QTRY_VERIFY_WITH_TIMEOUT(plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.counters().chosen[0] > 0; }), 5000);
    (*demo)->stop();
    const QString data = QString::fromStdString((*demo)->dataPath());
    QVERIFY(QDir(data).exists());
    (*runtime)->stop();
    runtime->reset();
    demo->reset();
    QVERIFY(!QDir(data).exists());
}

void TestDemoFleet::unknownScenario()
{
    const auto demo = demo::DemoFleet::create(m_log, {"z", 1});
    QVERIFY(!demo.has_value());
    QCOMPARE(demo.error().code, std::string("demo_failed"));
    QVERIFY(demo.error().message.find("free, a, b") != std::string::npos);
}

void TestDemoFleet::pauseAndSpeed()
{
    auto demo = demo::DemoFleet::create(m_log, {"b", 5});
    QVERIFY(demo.has_value());
    auto runtime = runtime::Runtime::start(m_clock, m_log, (*demo)->runtimeOptions());
    QVERIFY(runtime.has_value());
    plane::ControlPlane& plane = (*runtime)->plane();
    QCOMPARE(plane.healthSettings().intervalSeconds, 0.4);
    (*demo)->setPaused(true);
    (*demo)->skipAct();
    (*demo)->start(plane);
    QTRY_COMPARE_WITH_TIMEOUT((*demo)->status().state.act, std::size_t(1), 3000); // commands are heard
    QCOMPARE((*demo)->status().state.asked, std::uint64_t(0));                    // but nothing is played
    (*demo)->setSpeed(7);
    QCOMPARE((*demo)->status().speed, 5);
    (*demo)->setSpeed(10);
    QTRY_COMPARE_WITH_TIMEOUT(plane.healthSettings().intervalSeconds, 0.2, 3000);
    (*demo)->setPaused(false);
    QTRY_VERIFY_WITH_TIMEOUT((*demo)->status().state.asked > 0, 3000);
    (*demo)->stop();
    (*runtime)->stop();
}

QTEST_GUILESS_MAIN(TestDemoFleet)
#include "TestDemoFleet.moc"
