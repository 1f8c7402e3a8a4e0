// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that takes nothing any more: the server goes on, and writes what waited when there is room again. The limit on the size of files
// stands for the disk: it can be set from outside while the server runs.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

#include <csignal>
#include <sys/resource.h>

using namespace weir::test;

namespace {

constexpr int kSoon = 15000;

bool limitFiles(qint64 pid, rlim_t bytes)
{
    rlimit limit{};
    if (::prlimit(static_cast<pid_t>(pid), RLIMIT_FSIZE, nullptr, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = bytes;
    return ::prlimit(static_cast<pid_t>(pid), RLIMIT_FSIZE, &limit, nullptr) == 0;
}

QString valueIn(const ServerProcess& server, const QString& sql)
{
    QString value = QStringLiteral("(failed)");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("look"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            if (query.exec(sql) && query.next()) {
                value = query.value(0).toString();
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("look"));
    return value;
}

} // namespace

class TestFullDisk : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { std::signal(SIGXFSZ, SIG_IGN); } // inherited: a write then fails instead of ending the process
    void theServerGoesOn();
};

void TestFullDisk::theServerGoesOn()
{
    FakeWorker worker;
    ServerProcess server("{\"health_check\": {\"interval_seconds\": 0.2, \"timeout_seconds\": 0.2}, \"nodes\": [{\"node\": \"gpu-1\", \"role\": \"worker\", \"url\": \"" + worker.url().toUtf8() + "\", \"capacity\": 1000}]}");
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient admin = server.client();
    QTRY_COMPARE_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy"), 1.0, kSoon);
    QCOMPARE(admin.put("/admin/users/before", "{}").status, 201);

    QVERIFY(limitFiles(server.pid(), 1));
    QCOMPARE(admin.put("/admin/users/during", "{}").verdict(), QByteArray("503 store_failed"));
    QCOMPARE(admin.get("/admin/users").items().size(), 1); // and nothing has changed
    const QByteArray ask = "{\"role\": \"worker\", \"appId\": \"any\"}";
    QCOMPARE(admin.post("/v1/schedule", ask).status, 200);
    worker.answer(500); // probes go on
    QTRY_COMPARE_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy"), 0.0, kSoon);
    QCOMPARE(admin.post("/v1/schedule", ask).verdict(), QByteArray("503 no_candidate"));
    worker.answer(200);
    QTRY_COMPARE_WITH_TIMEOUT(server.traffic().get("/gateway-health").number("workers_healthy"), 1.0, kSoon);
    QVERIFY2(server.waitForLog("store_failed"), server.err().constData());
    QCOMPARE(valueIn(server, QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = 'node_offline'")), QStringLiteral("0"));

    QVERIFY(limitFiles(server.pid(), RLIM_INFINITY));
    QTRY_COMPARE_WITH_TIMEOUT(valueIn(server, QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = 'node_offline'")), QStringLiteral("1"), kSoon);
    QCOMPARE(valueIn(server, QStringLiteral("SELECT COUNT(*) FROM audit WHERE outcome = 'failed' AND target = 'during'")), QStringLiteral("1"));
    QCOMPARE(admin.put("/admin/users/during", "{}").status, 201);
    QCOMPARE(valueIn(server, QStringLiteral("SELECT MAX(seq) - COUNT(*) FROM events")), QStringLiteral("0")); // no holes
    QCOMPARE(server.terminate(), 0);
    QCOMPARE(QProcess::execute(QStringLiteral(WEIR_BIN_DIR "/weir-server"), {QStringLiteral("audit"), QStringLiteral("verify"), QStringLiteral("--data-dir"), server.dataDir()}), 0);
}

QTEST_GUILESS_MAIN(TestFullDisk)
#include "TestFullDisk.moc"
