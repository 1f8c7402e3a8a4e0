// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QtTest>

using namespace weir::test;

class TestBadInput : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void tokens();
    void bodies_data();
    void bodies();
    void aBodyThatIsTooLargeGetsItsAnswer();
    void otherMediaTypes();
    void methodsAndPaths();
    void idsInPaths_data();
    void idsInPaths();
    void headAndOptions();
    void brokenHeads_data();
    void brokenHeads();
    void bothListenersSayTheSame();
    void everythingElseIsTraffic();
    void requestIds();
    void stillServes();

private:
    FakeWorker m_worker;
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

void TestBadInput::initTestCase()
{
    m_server = std::make_unique<ServerProcess>("{\"nodes\": [{\"node\": \"b\", \"role\": \"worker\", \"url\": \"" + m_worker.url().toUtf8()
        + "\"}, {\"node\": \"a\", \"role\": \"origin\", \"url\": \"http://127.0.0.1:1\"}], \"health_check\": {\"interval_seconds\": 600, \"timeout_seconds\": 1}}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
    QTRY_COMPARE_WITH_TIMEOUT(HttpClient(m_server->adminUrl()).get("/readyz").status, 200, 8'000);
}

void TestBadInput::tokens()
{
    for (const char* path : {"/admin/node-pools", "/admin/mmx-nodes", "/admin/settings/health-check", "/admin/reachability"}) {
        const HttpAnswer none = HttpClient(m_server->adminUrl()).get(path);
        QCOMPARE(none.verdict(), QByteArray("401 missing_token"));
        QVERIFY(none.header("WWW-Authenticate").startsWith("Bearer"));
        const HttpAnswer wrong = HttpClient(m_server->adminUrl(), "weir_wrong").get(path);
        QCOMPARE(wrong.verdict(), QByteArray("401 bad_token"));
        QVERIFY(wrong.header("WWW-Authenticate").startsWith("Bearer"));
    }
    const QByteArray token = m_server->token();
    QCOMPARE(HttpClient(m_server->adminUrl(), token.chopped(1)).get("/admin/node-pools").status, 401);
    QCOMPARE(HttpClient(m_server->adminUrl(), token + "x").get("/admin/node-pools").status, 401);
    const HttpClient open(m_server->adminUrl());
    QCOMPARE(open.send("GET", "/admin/node-pools", {}, {{"Authorization", "bearer " + token}}).status, 200);
    QCOMPARE(open.send("GET", "/admin/node-pools", {}, {{"Authorization", "Basic " + token}}).status, 401);
    QCOMPARE(open.send("GET", "/admin/node-pools", {}, {{"Authorization", token}}).status, 401);
    QCOMPARE(open.send("GET", "/admin/node-pools?token=" + token).status, 401);
    QCOMPARE(open.send("POST", "/admin/node-pools", R"({"poolId": "sneaked"})").status, 401);
    QVERIFY(!m_client->get("/admin/node-pools").body.contains("sneaked"));
    for (const char* path : {"/livez", "/readyz", "/gateway-health"}) {
        QCOMPARE(open.get(path).status, 200);
    }
}

void TestBadInput::bodies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const QByteArray& body, const char* verdict, const char* field) {
        QTest::newRow(name) << body << QByteArray(verdict) << QString::fromLatin1(field);
    };
    row("unknown key", R"({"poolId": "p", "colour": "red"})", "422 unknown_field", "colour");
    row("key twice", R"({"poolId": "p", "poolId": "q"})", "400 duplicate_key", "poolId");
    row("wrong type", R"({"poolId": 7})", "422 wrong_type", "poolId");
    row("null", R"({"poolId": null})", "422 wrong_type", "poolId");
    row("no object", R"(["poolId"])", "400 malformed_json", "");
    row("cut off", R"({"poolId": "p")", "400 malformed_json", "");
    row("more behind", R"({"poolId": "p"} x)", "400 malformed_json", "");
    row("no UTF-8", QByteArray("{\"poolId\": \"\xff\"}"), "400 malformed_json", "");
    row("comment", R"({"poolId": "p" /* no */})", "400 malformed_json", "");
    row("zero-width id", R"({"poolId": "p\u200b"})", "422 invalid_id", "poolId");
    row("zero-width id, raw", QByteArray("{\"poolId\": \"p\xe2\x80\x8b\"}"), "422 invalid_id", "poolId");
    row("null byte in an id", R"({"poolId": "p\u0000"})", "422 invalid_id", "poolId");
    row("space behind an id", R"({"poolId": "p "})", "422 invalid_id", "poolId");
    row("id too long", QByteArray("{\"poolId\": \"") + QByteArray(64, 'p') + "\"}", "422 invalid_id", "poolId");
    row("deep", QByteArray("{\"poolId\": ") + QByteArray(10'000, '['), "400 malformed_json", "");
    row("number beyond", R"({"poolId": "p", "minAvailable": 1e300})", "422 out_of_range", "minAvailable");
    row("nothing", "", "400 malformed_json", "");
}

void TestBadInput::bodies()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    const HttpAnswer answer = m_client->post("/admin/node-pools", body);
    QVERIFY2(answer.verdict() == verdict, (answer.verdict() + " " + answer.body).constData());
    QCOMPARE(answer.header("Content-Type"), QByteArray("application/problem+json"));
    QCOMPARE(answer.number("status"), static_cast<double>(answer.status));
    QVERIFY(!answer.text("detail").isEmpty() && !answer.text("title").isEmpty() && !answer.text("type").isEmpty());
    if (!field.isEmpty()) {
        QCOMPARE(answer.text("field"), field);
    }
    QCOMPARE(m_client->get("/admin/node-pools").items().size(), qsizetype(2));
}

void TestBadInput::aBodyThatIsTooLargeGetsItsAnswer()
{
    const QByteArray body = "{\"poolId\": \"p\", \"name\": \"" + QByteArray(2 * 1024 * 1024, 'x') + "\"}";
    for (int i = 0; i < 5; ++i) {
        const HttpAnswer answer = m_client->post("/admin/node-pools", body);
        QVERIFY2(answer.verdict() == "413 body_too_large", (answer.verdict() + answer.error.toUtf8()).constData());
    }
    // Just under the limit is read and judged by its content.
    const QByteArray large = "{\"poolId\": \"p p\", \"name\": \"" + QByteArray(1024 * 1024 - 100, 'x') + "\"}";
    QCOMPARE(m_client->post("/admin/node-pools", large).verdict(), QByteArray("422 invalid_id"));
}

void TestBadInput::otherMediaTypes()
{
    const QByteArray body = R"({"poolId": "p"})";
    const QByteArray head = "POST /admin/node-pools HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + m_server->token() + "\r\nContent-Length: "
        + QByteArray::number(body.size()) + "\r\nContent-Type: ";
    QCOMPARE(m_client->sendRaw(head + "text/plain\r\n\r\n" + body).verdict(), QByteArray("415 unsupported_media_type"));
    QCOMPARE(m_client->sendRaw(head + "application/x-www-form-urlencoded\r\n\r\n" + body).verdict(), QByteArray("415 unsupported_media_type"));
}

void TestBadInput::methodsAndPaths()
{
    const HttpAnswer wrong = m_client->send("DELETE", "/admin/node-pools");
    QCOMPARE(wrong.verdict(), QByteArray("405 method_not_allowed"));
    QCOMPARE(wrong.header("Allow"), QByteArray("GET, HEAD, OPTIONS, POST"));
    QCOMPARE(m_client->send("PATCH", "/admin/settings/health-check", "{}").header("Allow"), QByteArray("GET, HEAD, OPTIONS, PUT"));
    QCOMPARE(m_client->send("BREW", "/admin/mmx-nodes/a/pool").verdict(), QByteArray("405 method_not_allowed"));
    for (const char* path : {"/", "/admin", "/admin/", "/admin/node-pools/", "/admin/nothing", "/v1/schedule/x", "/admin/mmx-nodes/a:frobnicate/x", "/ADMIN/node-pools", "//admin/node-pools"}) {
        const HttpAnswer answer = m_client->get(path);
        QVERIFY2(answer.verdict() == "404 not_found", (QByteArray(path) + ": " + answer.verdict()).constData());
    }
}

void TestBadInput::idsInPaths_data()
{
    QTest::addColumn<QByteArray>("id");
    for (const char* id : {"a%E2%80%8B", "a%20", "a%00", "%2e%2e", "a%2Fb", "A", "-a"}) {
        QTest::newRow(id) << QByteArray(id);
    }
}

void TestBadInput::idsInPaths()
{
    QFETCH(QByteArray, id);
    for (const auto& [method, target, body] : {std::tuple("GET", "/admin/mmx-nodes/" + id, QByteArray()), std::tuple("PUT", "/admin/mmx-nodes/" + id + "/draining", QByteArray(R"({"draining": true})")),
             std::tuple("PUT", "/admin/mmx-nodes/" + id + "/pool", QByteArray(R"({"poolId": "unassigned"})"))}) {
        const HttpAnswer answer = m_client->send(method, target, body);
        QVERIFY2(answer.status == 404 || answer.status == 400 || answer.status == 422, (target + ": " + answer.verdict()).constData());
    }
    const HttpAnswer app = m_client->put("/admin/apps/" + id + "%E2%80%8B", "{}");
    QVERIFY2(app.status == 422 || app.status == 400 || app.status == 404, app.body.constData());
    QVERIFY(!m_client->get("/admin/mmx-nodes/a").flag("draining"));
    QCOMPARE(m_client->get("/admin/apps").items().size(), qsizetype(0));
}

void TestBadInput::headAndOptions()
{
    const HttpAnswer get = m_client->get("/admin/mmx-nodes/a");
    const HttpAnswer head = m_client->send("HEAD", "/admin/mmx-nodes/a");
    QCOMPARE(head.status, 200);
    QVERIFY(head.body.isEmpty());
    QCOMPARE(head.header("Content-Type"), get.header("Content-Type"));
    QVERIFY(head.header("Content-Length").toInt() > 100);
    QCOMPARE(m_client->send("HEAD", "/admin/mmx-nodes/none").status, 404);
    QCOMPARE(HttpClient(m_server->adminUrl()).send("HEAD", "/admin/mmx-nodes/a").status, 401);
    const HttpAnswer options = m_client->send("OPTIONS", "/admin/mmx-nodes/a");
    QCOMPARE(options.status, 204);
    QCOMPARE(options.header("Allow"), QByteArray("DELETE, GET, HEAD, OPTIONS, PATCH"));
}

void TestBadInput::brokenHeads_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("status");
    const auto row = [](const char* name, const QByteArray& head, int status) { QTest::newRow(name) << head << status; };
    row("no host", "GET /livez HTTP/1.1\r\n\r\n", 400);
    row("two hosts", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400);
    row("both lengths", "POST /v1/schedule HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", 400);
    row("two lengths", "POST /v1/schedule HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400);
    row("space before the colon", "GET /livez HTTP/1.1\r\nHost : a\r\n\r\n", 400);
    row("folded line", "GET /livez HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400);
    row("no version", "GET /livez\r\nHost: a\r\n\r\n", 400);
    row("negative length", "POST /v1/schedule HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n", 400);
    row("huge head", "GET /livez HTTP/1.1\r\nHost: a\r\nX: " + QByteArray(200'000, 'x') + "\r\n\r\n", 431);
}

void TestBadInput::brokenHeads()
{
    QFETCH(QByteArray, head);
    QFETCH(int, status);
    for (const QString& url : {m_server->adminUrl(), m_server->gatewayUrl()}) {
        const HttpAnswer answer = HttpClient(url).sendRaw(head);
        QVERIFY2(answer.status == status, (answer.verdict() + " " + answer.error.toUtf8()).constData());
    }
}

void TestBadInput::bothListenersSayTheSame()
{
    const HttpAnswer control = HttpClient(m_server->adminUrl()).get("/gateway-health");
    const HttpAnswer traffic = m_server->traffic().get("/gateway-health");
    QCOMPARE(control.status, 200);
    QCOMPARE(traffic.status, 200);
    QCOMPARE(traffic.body, control.body);
    QCOMPARE(traffic.text("status"), QStringLiteral("degraded"));
    QCOMPARE(traffic.number("workers_total"), 2.0);
    QCOMPARE(traffic.number("workers_healthy"), 1.0);
    QCOMPARE(traffic.text("workers.0.url"), QStringLiteral("http://127.0.0.1:1")); // in the order of ids: a, b
    QCOMPARE(traffic.text("workers.0.reason"), QStringLiteral("refused"));
    QVERIFY(traffic.flag("workers.1.online"));
    for (const char* key : {"url", "online", "busy", "consecutive_failures", "consecutive_successes", "quarantine_remaining_seconds", "reason"}) {
        QVERIFY2(traffic.at("workers.1").toObject().contains(QLatin1String(key)), key);
    }
    QVERIFY2(!traffic.body.contains("0E0"), traffic.body.constData());
    QCOMPARE(m_server->traffic().send("HEAD", "/gateway-health").status, 200);
}

void TestBadInput::everythingElseIsTraffic()
{
    // Without routing every host is the app `default`: what would be a call on the other listener is forwarded like anything else.
    for (const char* path : {"/", "/admin/node-pools", "/v1/schedule", "/gateway-health/", "/livez"}) {
        const int before = m_worker.requests();
        const HttpAnswer answer = HttpClient(m_server->gatewayUrl(), m_server->token()).get(path);
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.body, QByteArray("{\"status\":\"ok\"}"));
        QCOMPARE(m_worker.requests(), before + 1);
    }
    QCOMPARE(m_server->traffic().send("POST", "/gateway-health", "{}").status, 405);
    m_worker.setListening(false);
    const HttpAnswer refused = m_server->traffic().get("/");
    QCOMPARE(refused.verdict(), QByteArray("502 connect_failed"));
    QCOMPARE(refused.header("X-Weir-Error"), QByteArray("connect_failed"));
    const HttpAnswer out = m_server->traffic().get("/");
    QCOMPARE(out.verdict(), QByteArray("503 no_candidate"));
    QVERIFY(!out.header("Retry-After").isEmpty());
    QCOMPARE(m_server->traffic().get("/gateway-health").text("workers.1.reason"), QStringLiteral("quarantined"));
}

void TestBadInput::requestIds()
{
    QCOMPARE(m_client->send("GET", "/livez", {}, {{"X-Request-Id", "abc-123"}}).header("X-Request-Id"), QByteArray("abc-123"));
    const QByteArray invented = m_client->get("/livez").header("X-Request-Id");
    QVERIFY(!invented.isEmpty());
    QVERIFY(m_client->get("/livez").header("X-Request-Id") != invented);
    const QByteArray insane = m_client->send("GET", "/livez", {}, {{"X-Request-Id", "a b\"" + QByteArray(300, 'x')}}).header("X-Request-Id");
    QVERIFY(!insane.isEmpty() && !insane.contains(' ') && insane.size() < 200);
    QVERIFY(!HttpClient(m_server->adminUrl()).get("/admin/node-pools").header("X-Request-Id").isEmpty());
}

void TestBadInput::stillServes()
{
    QCOMPARE(m_client->get("/admin/node-pools").status, 200);
    QCOMPARE(m_server->terminate(), 0);
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "TestBadInput.moc"
