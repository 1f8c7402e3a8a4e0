// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTcpServer>
#include <QtTest>

#include <csignal>
#include <thread>

using namespace weir::test;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

bool isPrivateFile(const QString& path)
{
    return QFileInfo(path).permissions() == (QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser);
}

} // namespace

class TestServerLife : public QObject {
    Q_OBJECT

private slots:
    void saysWhenItIsReady();
    void usageErrorsEndWithTwo_data();
    void usageErrorsEndWithTwo();
    void brokenConfigListsEveryError();
    void goodConfigIsOk();
    void missingConfigFileEndsWithTwo();
    void portInUseEndsWithFour();
    void dataDirectoryInUseNamesTheProcess();
    void damagedDatabaseIsLeftAsItIs();
    void newerDatabaseIsRefused();
    void idleServerEndsAtOnce();
    void requestUnderWayGetsItsAnswer();
    void bothListenersCloseAtOnce();
    void reloadTakesAGoodFileOver();
    void reloadKeepsWhatWasOnABadFile();
    void reloadKeepsMovesMadeMeanwhile();
    void undrainedNodeThatLeftTheFileStaysUndrained();
    void removedBindingStaysRemoved();
    void filesArePrivate();
    void outlivesAClosedStandardError();
    void demoRunsAndCleansUp();
};

void TestServerLife::saysWhenItIsReady()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(server.adminUrl().startsWith(QStringLiteral("http://127.0.0.1:")));
    QVERIFY(server.gatewayUrl().startsWith(QStringLiteral("http://127.0.0.1:")));
    QVERIFY(server.adminUrl() != server.gatewayUrl());
    QVERIFY(!server.version().isEmpty());
    QCOMPARE(server.out().count('\n'), qsizetype(1));
    QCOMPARE(HttpClient(server.adminUrl()).get("/livez").status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(HttpClient(server.adminUrl()).get("/readyz").status, 200, 5'000);
    QVERIFY(server.token().size() >= 32 + 5 && server.token().startsWith("weir_"));
    QCOMPARE(server.client().get("/admin/node-pools").status, 200);
}

void TestServerLife::usageErrorsEndWithTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& arguments, const QByteArray& says) { QTest::newRow(name) << arguments << says; };
    const QString listen = QStringLiteral("--admin-listen");
    row("unknown option", {QStringLiteral("--frobnicate")}, "frobnicate");
    row("unknown command", {QStringLiteral("frobnicate")}, "frobnicate");
    row("check-config without a file", {QStringLiteral("check-config")}, "check-config");
    row("address without a port", {listen, QStringLiteral("127.0.0.1")}, "--admin-listen");
    row("port too large", {listen, QStringLiteral("127.0.0.1:70000")}, "--admin-listen");
    row("value missing", {listen}, "admin-listen");
    row("not loopback", {listen, QStringLiteral("0.0.0.0:0")}, "loopback");
    row("demo with data", {QStringLiteral("--demo"), QStringLiteral("--data-dir"), QStringLiteral("/nowhere")}, "--demo");
}

void TestServerLife::usageErrorsEndWithTwo()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    ServerProcess server;
    // Where the options are fine so far the directory must not be the user's own.
    if (arguments.first() == QStringLiteral("--admin-listen")) {
        arguments << QStringLiteral("--data-dir") << server.dataDir();
        if (arguments.at(1) == QStringLiteral("--data-dir")) {
            arguments = QStringList{QStringLiteral("--data-dir"), server.dataDir(), QStringLiteral("--admin-listen")};
        }
    }
    QCOMPARE(server.run(arguments), 2);
    QVERIFY2(server.err().contains(says), server.err().constData());
    QCOMPARE(server.out(), QByteArray());
}

void TestServerLife::brokenConfigListsEveryError()
{
    ServerProcess server(R"({
  "health_check": { "interval_seconds": -1, "timeout": 3 },
  "nodes": [ {"node": "a b", "role": "worker", "url": "http://127.0.0.1:1"},
             {"node": "c", "role": "worker", "url": "http://127.0.0.1:1", "pool": "nowhere"} ],
  "log": { "level": "loud" },
  "log": { "level": "info" }
})");
    QVERIFY(!server.start());
    QCOMPARE(server.waitForEnd(5'000), 2);
    const QByteArray err = server.err();
    const QByteArray file = server.configFile().toUtf8();
    for (const QByteArray& needle : {QByteArray(":2:41: health_check.interval_seconds: -1"), QByteArray(": health_check.timeout"), QByteArray(":3:23: nodes[0].node"),
             QByteArray(":4:83: nodes[1].pool"), QByteArray(":5:21: log.level"), QByteArray(":6:3: log")}) {
        QVERIFY2(err.contains(file + needle.left(1)) && err.contains(needle), (err + "\nmissing: " + needle).constData());
    }
    QVERIFY(!server.err().contains("token"));

    ServerProcess check;
    QCOMPARE(check.run({QStringLiteral("check-config"), server.configFile()}), 2);
    QByteArray asCheck = check.out();
    QByteArray asStart = err;
    asStart.replace("weir-server: ", "");
    QCOMPARE(asCheck, asStart);
}

void TestServerLife::goodConfigIsOk()
{
    ServerProcess server(R"({ // a comment
  "nodes": [{"node": "a", "role": "worker", "url": "http://127.0.0.1:1"}] })");
    QCOMPARE(server.run({QStringLiteral("check-config"), server.configFile()}), 0);
    QCOMPARE(server.out(), QByteArray("ok\n"));
    QCOMPARE(server.run({QStringLiteral("check-config"), QStringLiteral(WEIR_SOURCE_DIR "/resources/weir.example.json")}), 0);
    QVERIFY2(server.out().endsWith("ok\n"), server.out().constData());
}

void TestServerLife::missingConfigFileEndsWithTwo()
{
    ServerProcess server;
    QCOMPARE(server.run(server.usualOptions() << QStringLiteral("--config") << server.dataDir() + QStringLiteral("/none.json")), 2);
    QVERIFY2(server.err().contains("none.json"), server.err().constData());
}

void TestServerLife::portInUseEndsWithFour()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress(QHostAddress::LocalHost)));
    const QString address = QStringLiteral("127.0.0.1:%1").arg(taken.serverPort());
    for (const char* option : {"--admin-listen", "--gateway-listen"}) {
        ServerProcess server;
        QStringList arguments = server.usualOptions();
        arguments[arguments.indexOf(QString::fromLatin1(option)) + 1] = address;
        QCOMPARE(server.run(arguments), 4);
        QVERIFY2(server.err().contains(QByteArray::number(taken.serverPort())), server.err().constData());
        QCOMPARE(server.out(), QByteArray());
        QVERIFY2(server.start(), server.err().constData()); // and the directory is free again
    }
}

void TestServerLife::dataDirectoryInUseNamesTheProcess()
{
    ServerProcess first;
    QVERIFY2(first.start(), first.err().constData());
    ServerProcess second;
    QCOMPARE(second.run(first.usualOptions()), 3);
    QVERIFY2(second.err().contains(QByteArray::number(first.pid())), second.err().constData());
    QCOMPARE(first.client().get("/admin/node-pools").status, 200);
    first.kill9();
    QVERIFY2(second.startWith(first.usualOptions()), second.err().constData()); // a killed holder leaves no lock
}

void TestServerLife::damagedDatabaseIsLeftAsItIs()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().put("/admin/users/7", "{}").status, 201);
    QCOMPARE(server.terminate(), 0);
    QByteArray content = contentOf(server.database());
    QVERIFY(content.size() > 8'192); // whole in one file, its log taken in
    QVERIFY(!QFile::exists(server.database() + QStringLiteral("-wal")));
    content.replace(4'096, 4'000, QByteArray(4'000, '\x5a'));
    {
        QFile file(server.database());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    QCOMPARE(server.run(server.usualOptions()), 3);
    QVERIFY2(server.err().contains("damaged") && server.err().contains(server.database().toUtf8()), server.err().constData());
    QVERIFY(contentOf(server.database()) == content);

    const QByteArray text = "this is not a database at all, and longer than a header of one would be, which is a hundred bytes of it";
    {
        QFile file(server.database());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QCOMPARE(server.run(server.usualOptions()), 3);
    QCOMPARE(contentOf(server.database()), text);
}

void TestServerLife::newerDatabaseIsRefused()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.terminate(), 0);
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("newer"));
        database.setDatabaseName(server.database());
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(QStringLiteral("PRAGMA user_version = 4711")));
        database.close();
    }
    QSqlDatabase::removeDatabase(QStringLiteral("newer"));
    const QByteArray content = contentOf(server.database());
    QCOMPARE(server.run(server.usualOptions()), 3);
    QVERIFY2(server.err().contains("4711"), server.err().constData());
    QVERIFY(contentOf(server.database()) == content);
}

void TestServerLife::idleServerEndsAtOnce()
{
    for (const int number : {SIGTERM, SIGINT}) {
        ServerProcess server(R"({"nodes": [{"node": "a", "role": "worker", "url": "http://127.0.0.1:1"}]})");
        QVERIFY2(server.start(), server.err().constData());
        QElapsedTimer clock;
        clock.start();
        server.signal(number);
        QCOMPARE(server.waitForEnd(10'000), 0);
        QVERIFY2(clock.elapsed() < 1'000, qPrintable(QString::number(clock.elapsed())));
    }
}

void TestServerLife::requestUnderWayGetsItsAnswer()
{
    FakeWorker worker;
    ServerProcess server("{\"nodes\": [{\"node\": \"a\", \"role\": \"worker\", \"url\": \"" + worker.url().toUtf8() + "\"}]}");
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/a").flag("inRotation"), 5'000);
    worker.setDelay(800);
    const int before = worker.requests();
    HttpAnswer answer;
    std::thread caller([&answer, client = server.client()] { answer = client.send("POST", "/admin/mmx-nodes/a:probe"); });
    QTRY_VERIFY_WITH_TIMEOUT(worker.requests() > before, 5'000);
    server.signal(SIGTERM);
    const int code = server.waitForEnd(10'000);
    caller.join();
    QCOMPARE(code, 0);
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.flag("success"));
}

void TestServerLife::bothListenersCloseAtOnce()
{
    FakeWorker worker;
    ServerProcess server("{\"nodes\": [{\"node\": \"a\", \"role\": \"worker\", \"url\": \"" + worker.url().toUtf8() + "\"}]}");
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/a").flag("inRotation"), 5'000);
    worker.setDelay(2'000);
    const int before = worker.requests();
    HttpAnswer answer;
    std::thread caller([&answer, client = server.client()] { answer = client.send("POST", "/admin/mmx-nodes/a:probe"); });
    QTRY_VERIFY_WITH_TIMEOUT(worker.requests() > before, 5'000);
    server.signal(SIGTERM);
    // While the probe is waited for, neither listener takes anybody any more.
    bool refused = false;
    const QDeadlineTimer deadline(1'500);
    while (!refused && !deadline.hasExpired()) {
        refused = HttpClient(server.adminUrl(), {}, 200).get("/livez").status == 0 && HttpClient(server.gatewayUrl(), {}, 200).get("/gateway-health").status == 0;
    }
    const bool stillRunning = server.waitForEnd(0) == -1;
    const int code = server.waitForEnd(10'000);
    caller.join();
    QVERIFY(refused);
    QVERIFY(stillRunning);
    QCOMPARE(code, 0);
    QCOMPARE(answer.status, 200);
}

void TestServerLife::reloadTakesAGoodFileOver()
{
    ServerProcess server(R"({"health_check": {"cooldown_seconds": 5}, "nodes": [{"node": "a", "role": "worker", "url": "http://127.0.0.1:1"}]})");
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/settings/health-check").number("cooldownSeconds"), 5.0);
    server.writeConfig(R"({"health_check": {"cooldown_seconds": 7}, "pools": [{"pool": "canary"}], "log": {"level": "debug"},
        "nodes": [{"node": "b", "role": "origin", "url": "http://127.0.0.1:1", "pool": "canary"}]})");
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(server.client().get("/admin/settings/health-check").number("cooldownSeconds"), 7.0, 5'000);
    QCOMPARE(server.client().get("/admin/mmx-nodes/b").text("poolId"), QStringLiteral("canary"));
    const HttpAnswer gone = server.client().get("/admin/mmx-nodes/a");
    QVERIFY(gone.flag("draining"));
    QCOMPARE(gone.text("drainReason"), QStringLiteral("left_config"));
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/b").at("lastProbe").isObject(), 5'000); // it is probed, too
    QCOMPARE(server.terminate(), 0);
}

void TestServerLife::reloadKeepsWhatWasOnABadFile()
{
    ServerProcess server(R"({"health_check": {"cooldown_seconds": 5}})");
    QVERIFY2(server.start(), server.err().constData());
    server.writeConfig(R"({"health_check": {"cooldown_seconds": 7, "interval_seconds": "often"}})");
    server.signal(SIGHUP);
    QVERIFY2(server.waitForLog("health_check.interval_seconds"), server.err().constData());
    QCOMPARE(server.client().get("/admin/settings/health-check").number("cooldownSeconds"), 5.0);
    server.writeConfig(R"({"health_check": {"cooldown_seconds": 9}})");
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(server.client().get("/admin/settings/health-check").number("cooldownSeconds"), 9.0, 5'000);
}

// A reload plans with whole records: moves that wait for the same transaction must not be lost by it, nor its changes by them.
void TestServerLife::reloadKeepsMovesMadeMeanwhile()
{
    QByteArray nodes;
    for (int i = 0; i < 40; ++i) {
        nodes += QByteArray(i ? "," : "") + "{\"node\": \"n" + QByteArray::number(i) + "\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:1\", \"region\": \"REGION\"}";
    }
    const QByteArray config = "{\"pools\": [{\"pool\": \"x\"}, {\"pool\": \"y\"}], \"nodes\": [" + nodes + "]}";
    ServerProcess server(QByteArray(config).replace("REGION", "r0"));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    std::vector<QByteArray> where(40, "default");
    for (int round = 1; round <= 6; ++round) {
        server.writeConfig(QByteArray(config).replace("REGION", "r" + QByteArray::number(round)));
        std::vector<std::thread> movers;
        for (int t = 0; t < 4; ++t) {
            movers.emplace_back([&, t] {
                for (int i = t; i < 40; i += 4) {
                    const QByteArray pool = (i + round) % 2 ? "x" : "y";
                    if (client.put("/admin/mmx-nodes/n" + QByteArray::number(i) + "/pool", "{\"poolId\": \"" + pool + "\"}").status == 200) {
                        where[static_cast<std::size_t>(i)] = pool;
                    }
                    if (i == t + 20) {
                        server.signal(SIGHUP);
                    }
                }
            });
        }
        for (std::thread& mover : movers) {
            mover.join();
        }
        const QString region = QStringLiteral("r%1").arg(round);
        const auto allAre = [&] {
            const QJsonArray items = client.get("/admin/mmx-nodes").items();
            return items.size() == 40 && std::all_of(items.begin(), items.end(), [&](const QJsonValue& node) { return node.toObject().value(QStringLiteral("region")).toString() == region; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(allAre(), 10'000);
    }
    for (int i = 0; i < 40; ++i) {
        QCOMPARE(client.get("/admin/mmx-nodes/n" + QByteArray::number(i)).text("poolId").toUtf8(), where[static_cast<std::size_t>(i)]);
    }
}

void TestServerLife::undrainedNodeThatLeftTheFileStaysUndrained()
{
    ServerProcess server(R"({"nodes": [{"node": "a", "role": "worker", "url": "http://127.0.0.1:1"}]})");
    QVERIFY2(server.start(), server.err().constData());
    server.writeConfig("{}");
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/mmx-nodes/a").text("drainReason"), QStringLiteral("left_config"));
    QCOMPARE(server.client().put("/admin/mmx-nodes/a/draining", R"({"draining": false})").status, 200);
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(!server.client().get("/admin/mmx-nodes/a").flag("draining"));
    // Back in the file and out again: a new departure.
    server.writeConfig(R"({"nodes": [{"node": "a", "role": "worker", "url": "http://127.0.0.1:1"}]})");
    QVERIFY2(server.start(), server.err().constData());
    server.writeConfig("{}");
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(server.client().get("/admin/mmx-nodes/a").flag("draining"));
}

void TestServerLife::removedBindingStaysRemoved()
{
    const QByteArray config = R"({"pools": [{"pool": "canary"}], "apps": [{"app": "demo"}], "bindings": [{"app": "demo", "pool": "canary"}]})";
    ServerProcess server(config);
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().remove("/admin/app-pool-bindings/demo").status, 204);
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/app-pool-bindings/demo").verdict(), QByteArray("404 unknown_binding"));
    // What the file changes is taken over all the same.
    server.writeConfig(QByteArray(config).replace("\"pool\": \"canary\"}], \"apps\"", "\"pool\": \"canary\"}, {\"pool\": \"other\"}], \"apps\"")
                           .replace("\"app\": \"demo\", \"pool\": \"canary\"", "\"app\": \"demo\", \"pool\": \"other\""));
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/app-pool-bindings/demo").text("poolId"), QStringLiteral("other"));
}

void TestServerLife::filesArePrivate()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().put("/admin/users/7", "{}").status, 201);
    QCOMPARE(QFileInfo(server.dataDir()).permissions() & (QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther), QFile::Permissions());
    const QFileInfoList files = QDir(server.dataDir()).entryInfoList(QDir::Files | QDir::Hidden);
    QVERIFY(files.size() >= 4); // database, write-ahead log, lock, token
    for (const QFileInfo& file : files) {
        QVERIFY2(isPrivateFile(file.filePath()), qPrintable(file.filePath()));
    }
    QVERIFY(!contentOf(server.database()).contains(server.token()));
    QVERIFY(!contentOf(server.database() + QStringLiteral("-wal")).contains(server.token()));
    QVERIFY(!server.err().contains(server.token()));
}

void TestServerLife::outlivesAClosedStandardError()
{
    FakeWorker worker;
    QTemporaryDir dir;
    QProcess shell;
    // The reader of both pipes goes away; log lines that follow must not end the server.
    const QString config = dir.filePath(QStringLiteral("c.json"));
    QFile file(config);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"health_check\": {\"interval_seconds\": 0.1, \"timeout_seconds\": 0.1}, \"nodes\": [{\"node\": \"a\", \"role\": \"worker\", \"url\": \"" + worker.url().toUtf8() + "\"}]}");
    file.close();
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"),
        QStringLiteral("(%1 --data-dir %2/data --config %3 --admin-listen 127.0.0.1:0 --gateway-listen 127.0.0.1:0 2>&1; echo ended $? > %2/end) | head -n 1 > %2/first; "
                       "cat %2/data/weir.lock")
            .arg(QStringLiteral(WEIR_BIN_DIR "/weir-server"), dir.path(), config)});
    QTRY_VERIFY_WITH_TIMEOUT(worker.requests() > 3, 10'000);
    for (const int status : {503, 200, 503, 200}) {
        worker.answer(status);
        const int before = worker.requests();
        QTRY_VERIFY_WITH_TIMEOUT(worker.requests() > before + 3, 5'000);
    }
    QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("end"))));
    const int pid = contentOf(dir.filePath(QStringLiteral("data/weir.lock"))).trimmed().toInt();
    QVERIFY(pid > 1);
    ::kill(pid, SIGTERM);
    QVERIFY(shell.waitForFinished(10'000));
    QCOMPARE(contentOf(dir.filePath(QStringLiteral("end"))), QByteArray("ended 0\n"));
}

void TestServerLife::demoRunsAndCleansUp()
{
    const QStringList pattern{QStringLiteral("weir-demo-*")};
    const QStringList before = QDir(QDir::tempPath()).entryList(pattern, QDir::Dirs);
    ServerProcess server;
    QVERIFY2(server.startWith({QStringLiteral("--demo")}), server.err().constData());
    const QStringList during = QDir(QDir::tempPath()).entryList(pattern, QDir::Dirs);
    QString mine;
    for (const QString& name : during) {
        const QString path = QDir::tempPath() + QLatin1Char('/') + name;
        if (!before.contains(name) && contentOf(path + QStringLiteral("/data/weir.lock")).trimmed() == QByteArray::number(server.pid())) {
            mine = path;
        }
    }
    QVERIFY(!mine.isEmpty());
    const HttpClient client(server.adminUrl(), contentOf(mine + QStringLiteral("/data/superadmin.token")).trimmed());
    QTRY_VERIFY_WITH_TIMEOUT(HttpClient(server.gatewayUrl()).get("/gateway-health").number("workers_healthy") >= 12, 10'000);
    QVERIFY(client.get("/admin/mmx-nodes?limit=1000").items().size() >= 12);
    QCOMPARE(client.get("/admin/apps").items().size(), qsizetype(14));
    QCOMPARE(server.terminate(), 0);
    QVERIFY(!QFile::exists(mine));
}

QTEST_GUILESS_MAIN(TestServerLife)
#include "TestServerLife.moc"
