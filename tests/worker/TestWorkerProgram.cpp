// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it is installed: real disks, real ports, real signals.
#include "tests/support/FakeWorker.h"
#include "tests/support/FullBacklog.h"
#include "tests/support/WorkerProcess.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <thread>
#include <vector>

using namespace weir::test;

namespace {

constexpr int kSoon = 8'000;

QByteArray config(const QByteArray& health)
{
    return "{\"health\": {" + health + "}}";
}

double freeGb(const char* path)
{
    struct statvfs figures {};
    return ::statvfs(path, &figures) == 0 ? static_cast<double>(figures.f_bavail) * static_cast<double>(figures.f_frsize) / (1024.0 * 1024.0 * 1024.0) : -1;
}

QByteArray number(double value)
{
    return QByteArray::number(value, 'f', 6);
}

} // namespace

class TestWorkerProgram : public QObject {
    Q_OBJECT

private slots:
    void theDiskIsTheRealOne();
    void theDrillVariableDegrades();
    void aRealFileSystemFillsAndEmpties();
    void dependenciesThatListenAndThatDoNot();
    void aWorkerThatIsSlowToBeReady();
    void aRealProgramBesideIt();
    void noAnswerIsHeldLongerThanTheTimeout();
    void mistakesEndWithTwo_data();
    void mistakesEndWithTwo();
    void anAddressInUseEndsWithFour();
    void sigtermEndsAtOnce();
    void logsTellChangesInTextAndJson();
    void manyClients();
};

void TestWorkerProgram::theDiskIsTheRealOne()
{
    WorkerProcess worker(config("\"min_free_gb\": 0.01"));
    const double before = freeGb("/");
    QVERIFY2(worker.start(), worker.err().constData());
    const HttpAnswer answer = worker.health();
    const double after = freeGb("/");
    QVERIFY2(answer.status == 200 && answer.text("status") == QStringLiteral("ok"), answer.body.constData());
    // Others write meanwhile: within half a GiB of what was there just before and after.
    QVERIFY2(answer.number("disk_free_gb") > std::min(before, after) - 0.5 && answer.number("disk_free_gb") < std::max(before, after) + 0.5, answer.body.constData());
    QCOMPARE(answer.header("Content-Type"), QByteArray("application/json"));
    QCOMPARE(HttpClient(worker.url()).get("/livez").status, 200);
}

void TestWorkerProgram::theDrillVariableDegrades()
{
    WorkerProcess worker(config("\"min_free_gb\": 0.01"), {{QStringLiteral("HEALTH_MIN_FREE_GB"), QStringLiteral("999999")}});
    QVERIFY2(worker.start(), worker.err().constData());
    const HttpAnswer answer = worker.health();
    QCOMPARE(answer.status, 503);
    QVERIFY2(answer.body.startsWith("{\"status\":\"degraded\",\"reason\":\"disk_free_below_999999.0g\",\"disk_free_gb\":"), answer.body.constData());
    QCOMPARE(HttpClient(worker.url()).get("/livez").status, 200);
}

void TestWorkerProgram::aRealFileSystemFillsAndEmpties()
{
    const QString shm = QStringLiteral("/dev/shm");
    const double before = freeGb("/dev/shm");
    if (!QFileInfo(shm).isWritable() || before < 0.04) {
        QSKIP("no writable tmpfs with 40 MiB free at /dev/shm");
    }
    const double fill = std::min(before / 2, 0.0625);
    QTemporaryDir dir(shm + QStringLiteral("/weir-XXXXXX"));
    WorkerProcess worker(config("\"disk_path\": \"/dev/shm\", \"min_free_gb\": " + number(before - fill / 2)));
    QVERIFY2(worker.start(), worker.err().constData());
    QCOMPARE(worker.health().status, 200);
    QFile file(dir.filePath(QStringLiteral("full")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(::posix_fallocate(file.handle(), 0, static_cast<off_t>(fill * 1024 * 1024 * 1024)), 0);
    const HttpAnswer full = worker.health();
    QCOMPARE(full.status, 503);
    QVERIFY2(full.text("reason").startsWith(QStringLiteral("disk_free_below_")) && full.number("disk_free_gb") <= before, full.body.constData());
    QVERIFY(file.remove());
    file.close();
    QCOMPARE(worker.health().status, 200);
}

void TestWorkerProgram::dependenciesThatListenAndThatDoNot()
{
    FakeWorker comfyui;
    FullBacklog filtered;
    FakeWorker refuses;
    refuses.setListening(false);
    WorkerProcess worker(config("\"min_free_gb\": 0, \"deps_cache_seconds\": 0, \"dep_timeout_ms\": 300, \"deps\": {\"comfyui\": \"127.0.0.1:" + QByteArray::number(comfyui.port())
                             + "\", \"filtered\": \"127.0.0.1:" + QByteArray::number(filtered.port()) + "\"}, \"dep_refuses\": \"127.0.0.1:" + QByteArray::number(refuses.port()) + "\""),
        {{QStringLiteral("HEALTH_DEP_CHANGE_HAIR"), QStringLiteral("localhost:%1").arg(comfyui.port())}});
    QVERIFY2(worker.start(), worker.err().constData());
    QCOMPARE(worker.health().body,
        QByteArray("{\"status\":\"degraded\",\"reason\":\"dep_down:filtered,refuses\",\"deps\":{\"comfyui\":true,\"filtered\":false,\"refuses\":false,\"change_hair\":true}}"));
    comfyui.setListening(false);
    QCOMPARE(worker.health().text("reason"), QStringLiteral("dep_down:comfyui,filtered,refuses,change_hair"));
}

void TestWorkerProgram::aWorkerThatIsSlowToBeReady()
{
    FakeWorker worker;
    worker.setSilent(true);
    WorkerProcess program(config("\"min_free_gb\": 0, \"deps_cache_seconds\": 0, \"dep_timeout_ms\": 200, \"ready_url\": \"" + worker.url().toUtf8() + "/ready\""));
    QVERIFY2(program.start(), program.err().constData());
    HttpAnswer answer = program.health();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.body, QByteArray("{\"status\":\"starting\"}"));
    QVERIFY(worker.requests() >= 1);
    worker.setSilent(false);
    worker.answer(503);
    QCOMPARE(program.health().text("status"), QStringLiteral("starting"));
    worker.answer(200);
    QTRY_COMPARE_WITH_TIMEOUT(program.health().body, QByteArray("{\"status\":\"ok\",\"deps\":{}}"), kSoon);
}

void TestWorkerProgram::aRealProgramBesideIt()
{
    const QString python3 = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (python3.isEmpty()) {
        QSKIP("python3 is not installed");
    }
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    const QByteArray port = QByteArray::number(free.serverPort());
    free.close();
    WorkerProcess worker(config("\"min_free_gb\": 0.01, \"deps_cache_seconds\": 0, \"dep_model\": \"127.0.0.1:" + port + "\", \"ready_url\": \"http://127.0.0.1:" + port + "/\""));
    QVERIFY2(worker.start(), worker.err().constData());
    QCOMPARE(worker.health().text("status"), QStringLiteral("starting"));
    QTemporaryDir dir;
    QProcess python;
    python.setWorkingDirectory(dir.path());
    python.start(python3, {QStringLiteral("-m"), QStringLiteral("http.server"), QString::fromUtf8(port), QStringLiteral("--bind"), QStringLiteral("127.0.0.1")});
    QVERIFY(python.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(worker.health().text("status"), QStringLiteral("ok"), kSoon);
    python.kill();
    QVERIFY(python.waitForFinished(kSoon));
    QTRY_COMPARE_WITH_TIMEOUT(worker.health().text("status"), QStringLiteral("starting"), kSoon);
}

void TestWorkerProgram::noAnswerIsHeldLongerThanTheTimeout()
{
    FullBacklog dead;
    FakeWorker silent;
    silent.setSilent(true);
    QByteArray deps;
    for (int i = 0; i < 20; ++i) {
        deps += "\"dep_d" + QByteArray::number(i) + "\": \"127.0.0.1:" + QByteArray::number(dead.port()) + "\", ";
    }
    WorkerProcess worker(config(deps + "\"dep_timeout_ms\": 400, \"ready_url\": \"" + silent.url().toUtf8() + "/\""));
    QVERIFY2(worker.start(), worker.err().constData());
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(worker.health().status, 503);
    // One after the other it would be over 8 s; the rest is for a machine that is busy.
    QVERIFY2(timer.elapsed() >= 390 && timer.elapsed() < 4'000, qPrintable(QString::number(timer.elapsed())));
}

void TestWorkerProgram::mistakesEndWithTwo_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QByteArray>("told");
    const auto row = [](const char* name, const QByteArray& file, const char* variable, const char* value, const char* told) {
        QTest::newRow(name) << file << QString::fromLatin1(variable) << QString::fromLatin1(value) << QByteArray(told);
    };
    row("value", config("\"min_free_gb\": -5"), "", "", "worker_config.json:1:28: health.min_free_gb: -5: must be 0 (off) or between 0.01 and 1000000");
    row("unknown key", config("\"disc_path\": \"/\""), "", "", "health.disc_path: \"/\": unknown key; did you mean \"disk_path\"?");
    row("not JSON", "{\"health\": ", "", "", "worker_config.json:1:");
    row("variable", config(""), "HEALTH_DEP_TIMEOUT_MS", "fast", "HEALTH_DEP_TIMEOUT_MS: \"fast\": must be a number");
}

void TestWorkerProgram::mistakesEndWithTwo()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QFETCH(QByteArray, told);
    WorkerProcess worker(file, variable.isEmpty() ? WorkerProcess::Environment() : WorkerProcess::Environment{{variable, value}});
    QCOMPARE(worker.run({QStringLiteral("--config"), worker.configFile()}), 2);
    QVERIFY2(worker.err().contains(told), worker.err().constData());
    QVERIFY(worker.out().isEmpty());
}

void TestWorkerProgram::anAddressInUseEndsWithFour()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    WorkerProcess worker(config(""), {{QStringLiteral("HEALTH_LISTEN"), QStringLiteral("127.0.0.1:%1").arg(other.serverPort())}});
    QCOMPARE(worker.run({}), 4);
    QVERIFY2(worker.err().contains("listen: 127.0.0.1:"), worker.err().constData());
    QCOMPARE(worker.run({QStringLiteral("--nonsense")}), 2);
    QCOMPARE(worker.run({QStringLiteral("--config"), QStringLiteral("/nonexistent/worker.json")}), 2);
    QVERIFY2(worker.err().contains("/nonexistent/worker.json: cannot be read"), worker.err().constData());
    QCOMPARE(worker.run({QStringLiteral("--version")}), 0);
    QVERIFY(worker.out().startsWith("weir-worker "));
}

void TestWorkerProgram::sigtermEndsAtOnce()
{
    WorkerProcess worker(config("\"min_free_gb\": 0"));
    QVERIFY2(worker.start(), worker.err().constData());
    QTcpSocket idle; // one that never asks does not keep the program
    idle.connectToHost(QHostAddress(QHostAddress::LocalHost), static_cast<quint16>(QUrl(worker.url()).port()));
    QVERIFY(idle.waitForConnected(kSoon));
    QCOMPARE(worker.health().status, 200);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(worker.terminate(), 0);
    QVERIFY2(timer.elapsed() < 4'000, qPrintable(QString::number(timer.elapsed())));
}

void TestWorkerProgram::logsTellChangesInTextAndJson()
{
    FakeWorker dependency;
    const QByteArray file = config("\"min_free_gb\": 0, \"deps_cache_seconds\": 0, \"dep_comfyui\": \"127.0.0.1:" + QByteArray::number(dependency.port()) + "\"");
    WorkerProcess worker(file, {{QStringLiteral("HEALTH_PORT"), QStringLiteral("1")}});
    QVERIFY2(worker.start(), worker.err().constData());
    QVERIFY2(worker.waitForLog(" info worker_started "), worker.err().constData());
    QVERIFY2(worker.err().contains("HEALTH_PORT stands for no setting"), worker.err().constData());
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(worker.health().status, 200);
    }
    dependency.setListening(false);
    QCOMPARE(worker.health().status, 503);
    QVERIFY2(worker.waitForLog(" warning worker_state The worker is degraded: dep_down:comfyui."), worker.err().constData());
    QCOMPARE(worker.err().count(" worker_state "), 2);
    QCOMPARE(worker.terminate(), 0);
    QVERIFY(worker.start({QStringLiteral("--log-format"), QStringLiteral("json")}));
    QVERIFY2(worker.waitForLog("\"event\":\"worker_started\""), worker.err().constData());
    const QJsonObject line = QJsonDocument::fromJson(worker.err().split('\n').at(1)).object();
    QCOMPARE(line.value(QStringLiteral("level")).toString(), QStringLiteral("info"));
    QCOMPARE(line.value(QStringLiteral("min_free_gb")).toString(), QStringLiteral("off"));
}

void TestWorkerProgram::manyClients()
{
    WorkerProcess worker(config("\"min_free_gb\": 0.01"));
    QVERIFY2(worker.start(), worker.err().constData());
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; ++i) {
        threads.emplace_back([&] {
            for (int request = 0; request < 50; ++request) {
                answered += worker.health().status == 200 ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    QCOMPARE(answered.load(), 800);
    const auto descriptors = QDir(QStringLiteral("/proc/%1/fd").arg(worker.pid())).entryList(QDir::Files | QDir::System).size();
    QVERIFY2(descriptors < 40, qPrintable(QString::number(descriptors)));
}

QTEST_GUILESS_MAIN(TestWorkerProgram)
#include "TestWorkerProgram.moc"
