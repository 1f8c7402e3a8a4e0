// SPDX-License-Identifier: GPL-3.0-or-later
// Outcome rules, seen from outside: a full disk behind a healthy status, and who may change what counts.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

#include <csignal>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;

QByteArray configOf(const QString& url, const QByteArray& rest)
{
    return "{\"health_check\": {\"interval_seconds\": 0.2, \"timeout_seconds\": 0.2},\n"
           "\"nodes\": [{\"node\": \"a\", \"role\": \"worker\", \"url\": \""
        + url.toUtf8() + "\"}]" + rest + "}";
}

const QByteArray kDiskFull = ",\n\"outcome_rules\": [{\"name\": \"disk-full\", \"when\": "
                             "\"res_code_in(\\\"200|400\\\") && res_json_in(\\\"code\\\", \\\"50007|50013\\\")\", \"after\": 3}]";

HttpAnswer report(const ServerProcess& server, const QByteArray& members)
{
    return server.client().post("/v1/outcomes", "{\"nodeId\": \"a\", " + members + "}");
}

QByteArray answered(const HttpAnswer& answer)
{
    return answer.text("verdict").toUtf8() + ' ' + answer.text("rule").toUtf8();
}

// Rows of the audit about outcome rules.
int auditedChanges(const ServerProcess& server)
{
    int count = -1;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("audit"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            const bool read = query.exec(QStringLiteral("SELECT COUNT(*) FROM audit WHERE action = 'settings.outcome_rules'")) && query.next();
            count = read ? query.value(0).toInt() : -1;
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("audit"));
    return count;
}

const QByteArray kFull = "\"status\": 200, \"body\": \"{\\\"code\\\": 50007, \\\"message\\\": \\\"no space left\\\"}\"";

} // namespace

class TestOutcomes : public QObject {
    Q_OBJECT

private slots:
    void aFullDiskBehindAHealthyStatus();
    void rulesAreChangedAndKept();
    void badRulesAreRefused_data();
    void badRulesAreRefused();
    void a401SaysWhatItMayMean();
    void aReloadSwapsTheRules();
    void aBadConditionRefusesTheFile();
};

void TestOutcomes::aFullDiskBehindAHealthyStatus()
{
    FakeWorker worker;
    ServerProcess server(configOf(worker.url(), kDiskFull));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    QTRY_VERIFY_WITH_TIMEOUT(client.get("/admin/mmx-nodes/a").flag("inRotation"), kSoon);
    QCOMPARE(answered(report(server, kFull)), QByteArray("counted disk-full"));
    QCOMPARE(answered(report(server, kFull)), QByteArray("counted disk-full"));
    QCOMPARE(answered(report(server, "\"status\": 200, \"body\": \"{\\\"code\\\": 0}\"")), QByteArray("ok ")); // counts again from here
    QCOMPARE(answered(report(server, kFull)), QByteArray("counted disk-full"));
    QCOMPARE(answered(report(server, "\"status\": 404")), QByteArray("ok "));
    QCOMPARE(answered(report(server, kFull)), QByteArray("counted disk-full"));
    const HttpAnswer last = report(server, kFull);
    QCOMPARE(answered(last), QByteArray("ejected disk-full"));
    QVERIFY(!last.flag("inRotation"));
    QVERIFY(last.number("quarantineRemainingSeconds") > 50);
    QCOMPARE(answered(report(server, "\"error\": \"refused\"")), QByteArray("ignored built_in"));
    const HttpAnswer row = client.get("/admin/mmx-nodes/a");
    QCOMPARE(row.text("reason"), QStringLiteral("rule:disk-full"));
    QCOMPARE(row.number("traffic.semantic"), 5.0);
    QCOMPARE(row.number("traffic.transport"), 1.0);
    QCOMPARE(row.number("traffic.ok"), 2.0);
    QVERIFY2(server.waitForLog("answers matched the outcome rule disk-full"), server.err().constData());
}

void TestOutcomes::rulesAreChangedAndKept()
{
    FakeWorker worker;
    ServerProcess server(configOf(worker.url(), kDiskFull));
    QVERIFY2(server.start(), server.err().constData());
    const QByteArray path = "/admin/settings/outcome-rules";
    HttpAnswer settings = server.client().get(path);
    QCOMPARE(settings.items("passiveStatuses").size(), 2);
    QCOMPARE(settings.text("rules.0.name"), QStringLiteral("disk-full"));
    settings = server.client().put(path, "{\"passiveStatuses\": [\"5xx\"]}");
    QCOMPARE(settings.status, 200);
    QCOMPARE(settings.items("passiveStatuses").size(), 1);
    QCOMPARE(settings.text("rules.0.name"), QStringLiteral("disk-full")); // left as it was
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/a").flag("inRotation"), kSoon);
    QCOMPARE(answered(report(server, "\"status\": 401")), QByteArray("ok "));
    QCOMPARE(server.client().put(path, settings.body).status, 200); // all of what GET gave
    settings = server.client().put(path, "{\"rules\": [{\"name\": \"quota\", \"when\": \"res_header_value_in(\\\"X-Quota\\\", \\\"0\\\", false)\"}]}");
    QCOMPARE(settings.number("rules.0.after"), 3.0);
    QCOMPARE(auditedChanges(server), 2); // the second PUT changed nothing

    QCOMPARE(server.terminate(), 0);
    QVERIFY2(server.start(), server.err().constData());
    settings = server.client().get(path);
    QCOMPARE(settings.items("passiveStatuses").size(), 1);
    QCOMPARE(settings.text("rules.0.name"), QStringLiteral("quota"));
}

void TestOutcomes::badRulesAreRefused_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* body, const char* verdict, const char* field) {
        QTest::newRow(body) << QByteArray(body) << QByteArray(verdict) << QString::fromLatin1(field);
    };
    row("{\"after\": 3}", "422 unknown_field", "after");
    row("{\"passiveStatuses\": \"5xx\"}", "422 wrong_type", "passiveStatuses");
    row("{\"passiveStatuses\": [\"2xx\"]}", "422 invalid_value", "passiveStatuses[0]");
    row("{\"rules\": {}}", "422 wrong_type", "rules");
    row("{\"rules\": [{\"name\": \"a\"}]}", "422 missing_field", "rules[0].when");
    row("{\"rules\": [{\"name\": \"a\", \"when\": \"default_t()\", \"if\": 1}]}", "422 unknown_field", "rules[0].if");
    row("{\"rules\": [{\"name\": \"a\", \"when\": \"default_t()\", \"after\": 0}]}", "422 invalid_value", "rules[0].after");
    row("{\"rules\": [{\"name\": \"a\", \"when\": \"default_t()\", \"after\": 1.5}]}", "422 wrong_type", "rules[0].after");
    row("{\"rules\": [{\"name\": \"a b\", \"when\": \"default_t()\"}]}", "422 invalid_id", "rules[0].name");
    row("{\"rules\": [{\"name\": \"a\", \"when\": \"default_t() && nope()\"}]}", "422 invalid_value", "rules[0].when");
}

void TestOutcomes::badRulesAreRefused()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    static FakeWorker worker;
    static ServerProcess server(configOf(worker.url(), {}));
    if (server.pid() == 0) {
        QVERIFY2(server.start(), server.err().constData());
    }
    const HttpAnswer answer = server.client().put("/admin/settings/outcome-rules", body);
    QCOMPARE(answer.verdict(), verdict);
    QCOMPARE(answer.text("field"), field);
    if (body.contains("nope")) {
        QVERIFY2(answer.text("detail").contains(QStringLiteral("line 1, column 16")), answer.body.constData());
    }
    QCOMPARE(server.client().get("/admin/settings/outcome-rules").items("rules").size(), 0);
}

void TestOutcomes::a401SaysWhatItMayMean()
{
    FakeWorker worker;
    ServerProcess server(configOf(worker.url(), {}));
    QVERIFY2(server.start(), server.err().constData());
    QTRY_VERIFY_WITH_TIMEOUT(server.client().get("/admin/mmx-nodes/a").flag("inRotation"), kSoon);
    QCOMPARE(answered(report(server, "\"status\": 401")), QByteArray("ejected built_in"));
    QVERIFY2(server.waitForLog("Take 401 out of passive_statuses"), server.err().constData());
}

void TestOutcomes::aReloadSwapsTheRules()
{
    FakeWorker worker;
    ServerProcess server(configOf(worker.url(), kDiskFull));
    QVERIFY2(server.start(), server.err().constData());
    server.writeConfig(configOf(worker.url(), ",\n\"passive_statuses\": []"));
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(server.client().get("/admin/settings/outcome-rules").items("rules").size(), 0, kSoon);
    QCOMPARE(server.client().get("/admin/settings/outcome-rules").items("passiveStatuses").size(), 0);
}

void TestOutcomes::aBadConditionRefusesTheFile()
{
    ServerProcess server(configOf(QStringLiteral("http://127.0.0.1:1"), ",\n\"outcome_rules\": [{\"name\": \"x\", \"when\": \"res_code_in(200)\"}]"));
    QVERIFY(!server.start());
    QVERIFY2(server.err().contains("outcome_rules[0].when") && server.err().contains("line 1, column 1 of the condition"), server.err().constData());
}

QTEST_GUILESS_MAIN(TestOutcomes)
#include "TestOutcomes.moc"
