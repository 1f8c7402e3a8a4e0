// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens, who may call, and what the audit says of it, over HTTP and with the server's own commands.
#include "tests/support/ServerProcess.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace weir::test;

namespace {

constexpr int kSoon = 10000;

struct Run {
    int code = -1;
    QByteArray out;
    QByteArray err;
};

// The server's own commands, beside a running server.
Run command(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(WEIR_BIN_DIR "/weir-server"), arguments);
    Run run;
    if (process.waitForFinished(30000)) {
        run.code = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

QByteArray makeToken(const ServerProcess& server, const QByteArray& name, const QByteArray& role, const QByteArray& more = {})
{
    const HttpAnswer made = server.client().post("/admin/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"" + more + "}");
    return made.text("token").toUtf8();
}

int auditRows(const HttpClient& client, const QByteArray& query)
{
    const HttpAnswer answer = client.get("/admin/audit?limit=1000&" + query);
    return answer.status == 200 ? static_cast<int>(answer.items().size()) : -1;
}

int deniedEvents(const ServerProcess& server)
{
    int count = -1;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("denied"));
        database.setDatabaseName(server.database());
        QSqlQuery query;
        if (database.open()) {
            query = QSqlQuery(database);
            count = query.exec(QStringLiteral("SELECT COUNT(*) FROM events WHERE kind = 'auth_denied'")) && query.next() ? query.value(0).toInt() : -1;
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("denied"));
    return count;
}

} // namespace

class TestAccess : public QObject {
    Q_OBJECT

private slots:
    void aTokenLivesAndDies();
    void badTokensAreNamed_data();
    void badTokensAreNamed();
    void theLastSuperadminStays();
    void anAppAsksForItself();
    void tenWrongTokensAMinute();
    void refusedCallsAreFoldedInTheAudit();
    void aLostTokenIsMadeAgain();
    void theAuditIsReadAndExported();
    void theAuditIsVerified();
    void backupAndRestore();
    void theConfigurationIsReloadedCheckedAndRolledBack();
    void cleanupTestCase() { m_server.reset(); }

private:
    std::unique_ptr<ServerProcess> m_server;
};

void TestAccess::aTokenLivesAndDies()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient admin = server.client();
    const HttpAnswer made = admin.post("/admin/tokens", "{\"name\": \"grafana\", \"role\": \"viewer\", \"expires\": \"2099-01-01T00:00:00Z\"}");
    QCOMPARE(made.status, 201);
    const QByteArray secret = made.text("token").toUtf8();
    QVERIFY(secret.startsWith("weir_") && secret.size() == 48); // 256 bits
    const HttpClient viewer(server.adminUrl(), secret);
    QCOMPARE(viewer.get("/admin/reachability").status, 200);
    QCOMPARE(viewer.get("/admin/node-pools").verdict(), QByteArray("403 forbidden"));
    const HttpAnswer listed = admin.get("/admin/tokens?role=viewer");
    QCOMPARE(listed.items().size(), 1);
    QCOMPARE(listed.text("items.0.expires"), QStringLiteral("2099-01-01T00:00:00.000Z"));
    QVERIFY(!listed.body.contains(secret) && !listed.body.contains("sha256"));
    QCOMPARE(admin.post("/admin/tokens", "{\"name\": \"Grafana\", \"role\": \"viewer\"}").verdict(), QByteArray("409 duplicate_id"));
    server.kill9();
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(HttpClient(server.adminUrl(), secret).get("/admin/reachability").status, 200); // it is kept
    QCOMPARE(server.client().remove("/admin/tokens/grafana").status, 204);
    QCOMPARE(HttpClient(server.adminUrl(), secret).get("/admin/reachability").verdict(), QByteArray("401 bad_token")); // at once
    QCOMPARE(server.client().remove("/admin/tokens/grafana").verdict(), QByteArray("404 unknown_token"));
    QFile log(server.database());
    QVERIFY(log.open(QIODevice::ReadOnly));
    QVERIFY(!log.readAll().contains(secret)); // only its hash is stored
}

void TestAccess::badTokensAreNamed_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");
    QTest::newRow("no name") << QByteArray("{\"role\": \"viewer\"}") << QByteArray("422 missing_field") << "name";
    QTest::newRow("bad name") << QByteArray("{\"name\": \"a b\", \"role\": \"viewer\"}") << QByteArray("422 invalid_id") << "name";
    QTest::newRow("bad role") << QByteArray("{\"name\": \"a\", \"role\": \"root\"}") << QByteArray("422 invalid_value") << "role";
    QTest::newRow("app without apps") << QByteArray("{\"name\": \"a\", \"role\": \"app\"}") << QByteArray("422 missing_field") << "apps";
    QTest::newRow("apps without app") << QByteArray("{\"name\": \"a\", \"role\": \"viewer\", \"apps\": [\"x\"]}") << QByteArray("422 invalid_value") << "apps";
    QTest::newRow("bad app") << QByteArray("{\"name\": \"a\", \"role\": \"app\", \"apps\": [\"x\", \"y z\"]}") << QByteArray("422 invalid_id") << "apps[1]";
    QTest::newRow("over") << QByteArray("{\"name\": \"a\", \"role\": \"viewer\", \"expires\": \"2001-01-01T00:00:00Z\"}") << QByteArray("422 invalid_value") << "expires";
    QTest::newRow("no time") << QByteArray("{\"name\": \"a\", \"role\": \"viewer\", \"expires\": \"tomorrow\"}") << QByteArray("422 invalid_value") << "expires";
    QTest::newRow("unknown key") << QByteArray("{\"name\": \"a\", \"role\": \"viewer\", \"rôle\": 1}") << QByteArray("422 unknown_field") << QString::fromUtf8("rôle");
}

void TestAccess::badTokensAreNamed()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    if (!m_server) { // one for all rows: nothing is changed
        m_server = std::make_unique<ServerProcess>();
        QVERIFY2(m_server->start(), m_server->err().constData());
    }
    const HttpAnswer answer = m_server->client().post("/admin/tokens", body);
    QCOMPARE(answer.verdict(), verdict);
    QCOMPARE(answer.text("field"), field);
}

void TestAccess::theLastSuperadminStays()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().remove("/admin/tokens/superadmin").verdict(), QByteArray("409 last_superadmin"));
    const QByteArray second = makeToken(server, "second", "superadmin");
    QCOMPARE(server.client().remove("/admin/tokens/superadmin").status, 204);
    QCOMPARE(server.client().get("/admin/tokens").status, 401);
    QCOMPARE(HttpClient(server.adminUrl(), second).get("/admin/tokens").items().size(), 1);
}

void TestAccess::anAppAsksForItself()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient admin = server.client();
    QCOMPARE(admin.put("/admin/users/7", "{}").status, 201);
    QCOMPARE(admin.put("/admin/apps/mine", "{\"owner\": \"7\"}").status, 201);
    QCOMPARE(admin.post("/admin/mmx-nodes", "{\"nodeId\": \"hidden-node\", \"role\": \"origin\", \"poolId\": \"pool-7\", \"url\": \"http://127.0.0.1:9\"}").status, 201);
    QCOMPARE(admin.post("/admin/node-pools", "{\"poolId\": \"secret-pool\"}").status, 201);
    const HttpClient app(server.adminUrl(), makeToken(server, "front", "app", ", \"apps\": [\"mine\"]"));
    const HttpAnswer other = app.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"another\"}");
    QCOMPARE(other.verdict(), QByteArray("403 forbidden"));
    QCOMPARE(other.text("field"), QStringLiteral("appId"));
    const HttpAnswer own = app.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"mine\"}");
    QCOMPARE(own.verdict(), QByteArray("503 no_candidate"));
    QVERIFY2(own.text("explanation.sentence").contains(QStringLiteral("pool-7")), own.body.constData());
    QVERIFY(!own.body.contains("hidden-node") && !own.body.contains("secret-pool"));
    const HttpAnswer dry = app.post("/v1/schedule", "{\"role\": \"origin\", \"appId\": \"mine\", \"dryRun\": true}");
    QCOMPARE(dry.status, 200);
    QVERIFY2(!dry.body.contains("secret-pool"), dry.body.constData());
    QCOMPARE(app.post("/v1/placements/12345:release", {}).status, 204); // never theirs: nothing happens
    QCOMPARE(app.get("/admin/reachability").verdict(), QByteArray("403 forbidden"));
}

void TestAccess::tenWrongTokensAMinute()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient stranger(server.adminUrl(), "weir_wrong");
    for (int i = 0; i < 10; ++i) {
        QCOMPARE(stranger.get("/admin/node-pools").verdict(), QByteArray("401 bad_token"));
    }
    const HttpAnswer held = stranger.get("/admin/node-pools");
    QCOMPARE(held.verdict(), QByteArray("429 too_many_attempts"));
    const int wait = held.header("Retry-After").toInt();
    QVERIFY(wait >= 1 && wait <= 60);
    QCOMPARE(server.client().get("/admin/node-pools").status, 200); // the right one gets in
    QCOMPARE(HttpClient(server.adminUrl()).get("/livez").status, 200);
}

void TestAccess::refusedCallsAreFoldedInTheAudit()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient viewer(server.adminUrl(), makeToken(server, "grafana", "viewer"));
    for (int i = 0; i < 50; ++i) {
        QCOMPARE(viewer.get("/admin/node-pools").status, 403);
        QCOMPARE(HttpClient(server.adminUrl()).get("/admin/node-pools").status, 401);
    }
    QCOMPARE(auditRows(server.client(), "action=call.refused"), 2); // one for each, at once
    const HttpAnswer row = server.client().get("/admin/audit?action=call.refused&actor=token:grafana");
    QCOMPARE(row.text("items.0.outcome"), QStringLiteral("refused"));
    QCOMPARE(row.text("items.0.from"), QStringLiteral("127.0.0.1"));
    QCOMPARE(row.text("items.0.after.code"), QStringLiteral("forbidden"));
    QCOMPARE(row.text("items.0.target"), QStringLiteral("GET /admin/node-pools"));
    QCOMPARE(server.terminate(), 0);
    QCOMPARE(deniedEvents(server), 4); // and each of these rows is an event too
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(auditRows(server.client(), "action=call.refused"), 4); // the counts, at the end
    const HttpAnswer counted = server.client().get("/admin/audit?action=call.refused&actor=token:grafana&order=newest&limit=1");
    QCOMPARE(counted.number("items.0.after.count"), 49.0);
    QVERIFY(counted.at("next").isString());
}

void TestAccess::aLostTokenIsMadeAgain()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY(QFile::remove(server.dataDir() + QStringLiteral("/superadmin.token")));
    const Run run = command({QStringLiteral("token"), QStringLiteral("new"), QStringLiteral("--data-dir"), server.dataDir(), QStringLiteral("--name"), QStringLiteral("rescue")});
    QVERIFY2(run.code == 0, run.err.constData());
    const QByteArray token = run.out.trimmed();
    QCOMPARE(HttpClient(server.adminUrl(), token).get("/admin/tokens").items().size(), 2); // the running server has it already
    QCOMPARE(server.token(), token);
    struct stat state {};
    QCOMPARE(::stat(QFile::encodeName(server.dataDir() + QStringLiteral("/superadmin.token")).constData(), &state), 0);
    QCOMPARE(static_cast<int>(state.st_mode & 0777), 0600);
    QCOMPARE(auditRows(server.client(), "action=token.create&target=rescue"), 1);
    // While none runs it waits for the start.
    QCOMPARE(server.terminate(), 0);
    const Run later = command({QStringLiteral("token"), QStringLiteral("new"), QStringLiteral("--data-dir"), server.dataDir()});
    QVERIFY2(later.code == 0, later.err.constData());
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client(server.adminUrl(), later.out.trimmed());
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/tokens").status, 200, kSoon);
    QCOMPARE(command({QStringLiteral("token"), QStringLiteral("new"), QStringLiteral("--data-dir"), QStringLiteral("/nowhere/at/all")}).code, 3);
    QCOMPARE(command({QStringLiteral("token"), QStringLiteral("old")}).code, 2);
}

void TestAccess::theAuditIsReadAndExported()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient admin = server.client();
    for (int i = 0; i < 7; ++i) {
        QCOMPARE(admin.put("/admin/users/" + QByteArray::number(i), "{\"name\": \"N\"}").status, 201);
    }
    HttpAnswer page = admin.get("/admin/audit?limit=3&action=user.create");
    QStringList seen;
    for (int pages = 0; pages < 10; ++pages) {
        for (const QJsonValue& item : page.items()) {
            seen.append(item[QStringLiteral("target")].toString());
        }
        if (page.at("next").isNull()) {
            break;
        }
        page = admin.get("/admin/audit?limit=3&action=user.create&after=" + page.text("next").toUtf8());
    }
    QCOMPARE(seen, QStringList({QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("4"), QStringLiteral("5"), QStringLiteral("6")}));
    QCOMPARE(admin.get("/admin/audit?until=2001-01-01T00:00:00Z").items().size(), 0);
    QCOMPARE(admin.get("/admin/audit?since=yesterday").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(admin.get("/admin/audit?colour=red").verdict(), QByteArray("422 unknown_field"));
    const HttpAnswer part = admin.get("/admin/audit/export?limit=2");
    QCOMPARE(part.body.count('\n'), 2);
    QCOMPARE(part.header("X-Weir-Next"), QByteArray("2"));
    const HttpAnswer all = admin.get("/admin/audit/export");
    QCOMPARE(all.header("Content-Type"), QByteArray("application/x-ndjson"));
    const QList<QByteArray> lines = all.body.trimmed().split('\n');
    QVERIFY(lines.size() >= 8);
    QByteArray previous(64, '0');
    for (const QByteArray& line : lines) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        QCOMPARE(row[QStringLiteral("previousHash")].toString().toUtf8(), previous);
        previous = row[QStringLiteral("hash")].toString().toUtf8();
    }
    QVERIFY(all.header("Link").isEmpty());
}

void TestAccess::theAuditIsVerified()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(server.client().put("/admin/users/" + QByteArray::number(i), "{}").status, 201);
    }
    const QStringList verify{QStringLiteral("audit"), QStringLiteral("verify"), QStringLiteral("--data-dir"), server.dataDir()};
    const Run running = command(verify); // beside the running server
    QCOMPARE(running.code, 0);
    QVERIFY2(running.out.startsWith("holds: 6 rows, head 6:"), running.out.constData());
    const QString head = QString::fromUtf8(running.out.trimmed().split(' ').last());
    QCOMPARE(server.terminate(), 0);
    QVERIFY2(server.err().contains(head.toUtf8()), server.err().constData()); // it was logged
    QCOMPARE(command(verify + QStringList{QStringLiteral("--expect"), head}).code, 0);
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("forge"));
        database.setDatabaseName(server.database());
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(QStringLiteral("UPDATE audit SET actor = 'token:nobody' WHERE id = 4")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("forge"));
    const Run broken = command(verify);
    QCOMPARE(broken.code, 1);
    QVERIFY2(broken.out.contains("Row 4 "), broken.out.constData());
    QCOMPARE(command({QStringLiteral("audit"), QStringLiteral("verify"), QStringLiteral("--data-dir"), QStringLiteral("/nowhere")}).code, 3);
}

void TestAccess::backupAndRestore()
{
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("weir.backup"));
    QCOMPARE(server.client().put("/admin/users/before", "{}").status, 201);
    const Run backup = command({QStringLiteral("backup"), QStringLiteral("--data-dir"), server.dataDir(), file});
    QVERIFY2(backup.code == 0, backup.err.constData());
    QVERIFY(backup.out.contains("audit head 2:"));
    QCOMPARE(command({QStringLiteral("backup"), QStringLiteral("--data-dir"), server.dataDir(), file}).code, 2); // never over a file
    QCOMPARE(server.client().put("/admin/users/after", "{}").status, 201);
    const QStringList restore{QStringLiteral("restore"), QStringLiteral("--data-dir"), server.dataDir(), file};
    const Run inUse = command(restore);
    QCOMPARE(inUse.code, 3);
    QVERIFY2(inUse.err.contains(QByteArray::number(server.pid())), inUse.err.constData());
    server.kill9(); // with its log beside it
    const Run restored = command(restore);
    QVERIFY2(restored.code == 0, restored.err.constData());
    QVERIFY(restored.out.contains("kept "));
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/users").items().size(), 1); // the superadmin's token is that of before too
    QCOMPARE(command({QStringLiteral("restore"), QStringLiteral("--data-dir"), server.dataDir()}).code, 2);
}

void TestAccess::theConfigurationIsReloadedCheckedAndRolledBack()
{
    ServerProcess server("{\"users\": [\"1\"]}");
    QVERIFY2(server.start(), server.err().constData());
    HttpClient admin = server.client();
    HttpAnswer status = admin.get("/admin/config");
    QCOMPARE(status.number("version"), 1.0);
    QCOMPARE(status.text("file"), server.configFile());
    QVERIFY(status.at("lastRefusal").isNull());
    QCOMPARE(admin.send("POST", "/admin/config:reload").number("version"), 1.0); // the same text
    server.writeConfig("{\"users\": [\"1\", \"2\"], \"health_check\": {\"interval_seconds\": 9}}");
    const HttpAnswer check = admin.send("POST", "/admin/config:check");
    QCOMPARE(check.status, 200);
    QCOMPARE(check.text("changes.0.action"), QStringLiteral("user.create"));
    QCOMPARE(check.text("changes.0.target"), QStringLiteral("2"));
    QCOMPARE(check.number("changes.1.after.interval_seconds"), 9.0);
    QCOMPARE(admin.get("/admin/users").items().size(), 1); // nothing has happened
    QCOMPARE(admin.send("POST", "/admin/config:reload").number("version"), 2.0);
    QCOMPARE(admin.get("/admin/users").items().size(), 2);
    QCOMPARE(admin.get("/admin/settings/health-check").number("intervalSeconds"), 9.0);
    server.writeConfig("{\"users\": [\"1\"],\n \"health_chekc\": {}, \"nodes\": [{\"node\": \"a\", \"url\": \"http://127.0.0.1:9\", \"role\": \"king\"}]}");
    const HttpAnswer refused = admin.send("POST", "/admin/config:reload");
    QCOMPARE(refused.verdict(), QByteArray("422 invalid_config"));
    QVERIFY(refused.items("errors").size() >= 2);
    QCOMPARE(refused.text("errors.0.path"), QStringLiteral("health_chekc"));
    QCOMPARE(refused.number("errors.0.line"), 2.0);
    QVERIFY(refused.number("errors.0.column") > 0);
    QVERIFY(!refused.text("errors.0.message").isEmpty());
    QCOMPARE(refused.text("errors.1.path"), QStringLiteral("nodes[0].role"));
    QCOMPARE(refused.text("errors.1.value"), QStringLiteral("\"king\""));
    QCOMPARE(admin.send("POST", "/admin/config:check").verdict(), QByteArray("422 invalid_config"));
    status = admin.get("/admin/config");
    QCOMPARE(status.number("version"), 2.0);
    QCOMPARE(status.text("lastRefusal.errors.0.path"), QStringLiteral("health_chekc"));
    QCOMPARE(status.text("lastRefusal.by"), QStringLiteral("token:superadmin"));
    QCOMPARE(admin.post("/admin/config:rollback", "{\"version\": 1}").number("version"), 3.0);
    QCOMPARE(admin.get("/admin/settings/health-check").number("intervalSeconds"), 8.0);
    QCOMPARE(admin.get("/admin/config").text("versions.0.source"), QStringLiteral("version 1"));
    // The file as it was rolled back from does not come back by a restart, only when somebody asks for it.
    server.writeConfig("{\"users\": [\"1\", \"2\"], \"health_check\": {\"interval_seconds\": 9}}");
    QCOMPARE(server.terminate(), 0);
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(server.client().get("/admin/config").number("version"), 3.0);
    QCOMPARE(server.client().get("/admin/settings/health-check").number("intervalSeconds"), 8.0);
    QCOMPARE(server.client().send("POST", "/admin/config:reload").number("version"), 4.0);
    QCOMPARE(server.client().get("/admin/settings/health-check").number("intervalSeconds"), 9.0);
    admin = server.client();
    QCOMPARE(admin.post("/admin/config:rollback", "{\"version\": 77}").verdict(), QByteArray("404 unknown_version"));
    QCOMPARE(admin.post("/admin/config:rollback", "{}").verdict(), QByteArray("422 missing_field"));
    ServerProcess bare;
    QVERIFY2(bare.start(), bare.err().constData());
    QCOMPARE(bare.client().send("POST", "/admin/config:reload").verdict(), QByteArray("409 no_config_file"));
    QCOMPARE(bare.client().get("/admin/config").number("version"), 0.0);
}

QTEST_GUILESS_MAIN(TestAccess)
#include "TestAccess.moc"
