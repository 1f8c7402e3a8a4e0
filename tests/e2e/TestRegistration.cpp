// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that come by themselves: registration, sessions, heartbeats, and nodes that lie.
#include "tests/e2e/RegistrationFixture.h"
#include "tests/support/FakeWorker.h"

#include <algorithm>

using namespace weir::test;

class TestRegistration : public QObject, private RegistrationFixture {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_server.reset(); }
    void aNodeRegistersAndServes();
    void theFirstMachineIsBound();
    void wrongSecrets();
    void anotherRoleIsRefused();
    void addressesThatAreNotAllowed_data();
    void addressesThatAreNotAllowed();
    void allowedNetworks();
    void aPoolClaimIsIgnoredAndRecorded();
    void nothingNewWritesNothing();
    void aNewRegistrationEndsTheSession();
    void sessionsEndWithTheServer();
    void heartbeatsAreOrdered();
    void badHeartbeats_data();
    void badHeartbeats();
    void seenPlacementEndsReservations();
    void leaving();
    void silenceDisconnects();
    void aReconnectKeepsWhatAdministratorsDid();
    void whatLiesLeave();
};

void TestRegistration::init()
{
    restart("\"heartbeat_interval_seconds\": 10, \"heartbeat_timeout_seconds\": 30");
}

void TestRegistration::aNodeRegistersAndServes()
{
    FakeWorker worker;
    Node node = make("o1", ", \"owner\": \"7\"");
    QVERIFY(node.secret.startsWith("wns_o1."));
    QCOMPARE(row("o1").text("state"), QStringLiteral("nodata"));
    const HttpAnswer answer = enrol(node, Message{{"nodeType", "origin"}, {"diskSerial", "S-1"}, {"version", "1.2"}, {"region", "eu"}, {"webrtcBaseUrl", "https://o1.example.test"},
                                              {"publishUrl", "srt://o1.example.test:9000"}, {"abrNegotiationAddr", "10.0.0.7:7000"}, {"msgType", "register"}, {"url", worker.url()},
                                              {"capacity", 4}, {"somethingNew", Message{{"a", 1}}}});
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.text("nodeId"), QStringLiteral("o1"));
    QCOMPARE(answer.number("heartbeatIntervalSeconds"), 10.0);
    QVERIFY(!answer.json().contains(QLatin1String("poolId")));
    node.token = answer.text("sessionToken").toUtf8();
    const HttpAnswer known = row("o1");
    QCOMPARE(known.text("poolId"), QStringLiteral("pool-7"));
    QCOMPARE(known.text("version") + known.text("region"), QStringLiteral("1.2eu"));
    QCOMPARE(known.text("webrtcBaseUrl"), QStringLiteral("https://o1.example.test"));
    QCOMPARE(known.text("abrNegotiationAddr"), QStringLiteral("10.0.0.7:7000"));
    QCOMPARE(known.text("diskSerial"), QStringLiteral("S-1"));
    QCOMPARE(known.text("url"), worker.url());
    QCOMPARE(known.number("capacity"), 4.0);
    QVERIFY(!known.flag("connected") && !known.flag("static"));
    QTRY_VERIFY_WITH_TIMEOUT(row("o1").flag("inRotation"), kSoon); // its own address is probed
    QCOMPARE(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "x"})").status, 503);
    QCOMPARE(beat(node, 1, 6, 2).flag("ignored"), false);
    QVERIFY(row("o1").flag("connected"));
    QCOMPARE(row("o1").number("free"), 4.0);
    QCOMPARE(m_client->put("/admin/apps/mine", R"({"owner": "7"})").status, 201);
    QCOMPARE(m_client->post("/v1/schedule", R"({"role": "origin", "appId": "mine", "endpoint": "whip"})").text("nodeId"), QStringLiteral("o1"));
    QCOMPARE(beat(node, 2, 6, 9).status, 200); // more than it has: taken as said
    QCOMPARE(row("o1").number("used"), 9.0);
    QCOMPARE(row("o1").number("free"), 0.0);
}

void TestRegistration::theFirstMachineIsBound()
{
    const Node node = make("o1");
    QCOMPARE(enrol(node).status, 200); // no serial yet: nothing is bound
    QCOMPARE(enrol(node, Message{{"diskSerial", "S-1"}}).status, 200);
    QCOMPARE(enrol(node, Message{{"diskSerial", "S-1"}}).status, 200);
    QCOMPARE(enrol(node, Message{{"diskSerial", "S-2"}}).verdict(), QByteArray("409 disk_serial_mismatch"));
    QCOMPARE(enrol(node).verdict(), QByteArray("409 disk_serial_mismatch")); // a clone that keeps silent
    QCOMPARE(row("o1").text("diskSerial"), QStringLiteral("S-1"));
    QCOMPARE(m_client->post("/admin/mmx-nodes/o1:clear-serial", {}).status, 204);
    QCOMPARE(enrol(node, Message{{"diskSerial", "S-2"}}).status, 200);
    QCOMPARE(row("o1").text("diskSerial"), QStringLiteral("S-2"));
}

void TestRegistration::wrongSecrets()
{
    const Node node = make("o1");
    const Node other = make("o2");
    const auto with = [&](const Message::Value& secret) { return anonymous().post("/v1/nodes/register", Message{{"nodeSecret", secret}}.json()).verdict(); };
    QCOMPARE(with("wrong"), QByteArray("401 bad_credential"));
    QCOMPARE(with("wns_o1."), QByteArray("401 bad_credential"));
    QCOMPARE(with(node.secret + "x"), QByteArray("401 bad_credential"));
    QCOMPARE(with(QByteArray(other.secret).replace("o2", "o1")), QByteArray("401 bad_credential"));
    QCOMPARE(with("wns_nobody.abc"), QByteArray("401 bad_credential"));
    QCOMPARE(with(7), QByteArray("422 wrong_type"));
    QCOMPARE(anonymous().post("/v1/nodes/register", "{}").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(anonymous().post("/v1/nodes/register", R"({"nodeSecret": "", "licenseCode": null})").verdict(), QByteArray("422 missing_field"));
    QCOMPARE(anonymous().post("/v1/nodes/register", R"({"nodeSecret": "a", "licenseCode": "b"})").verdict(), QByteArray("422 invalid_value"));
    QCOMPARE(anonymous().post("/v1/nodes/register", R"({"licenseCode": "wlc_x.y", "diskSerial": "S"})").verdict(), QByteArray("401 bad_credential"));
    QCOMPARE(enrol(node).status, 200);
    QCOMPARE(m_server->terminate(), 0);
    const std::vector<JournalRow> events = journalOf(*m_server);
    int told = 0;
    for (const JournalRow& event : events) {
        if (event.kind == QLatin1String("registration_refused")) {
            told += event.detail.value(QLatin1String("count")).toInt(1); // equal ones are folded
            QVERIFY(event.node.isEmpty());
            QCOMPARE(event.detail.value(QLatin1String("code")).toString(), QStringLiteral("bad_credential"));
            QCOMPARE(event.detail.value(QLatin1String("address")).toString(), QStringLiteral("127.0.0.1"));
        }
    }
    QCOMPARE(told, 6);
}

void TestRegistration::anotherRoleIsRefused()
{
    const Node node = make("o1");
    QCOMPARE(enrol(node, Message{{"nodeType", "edge"}, {"version", "9"}}).verdict(), QByteArray("422 role_mismatch"));
    QCOMPARE(enrol(node, Message{{"nodeType", "Origin"}}).verdict(), QByteArray("422 role_mismatch"));
    QCOMPARE(row("o1").text("version"), QString());
    QCOMPARE(enrol(node, Message{{"nodeType", "origin"}}).status, 200);
}

void TestRegistration::addressesThatAreNotAllowed_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("address");
    const auto row = [](const char* field, const char* address) { QTest::addRow("%s %s", field, address) << QString::fromLatin1(field) << QString::fromLatin1(address); };
    for (const char* address : {"http://169.254.169.254/latest", "http://169.254.0.1", "http://[fe80::1]:9000", "http://[fd00:ec2::254]", "http://[::ffff:169.254.169.254]",
             "http://metadata.google.internal/", "http://METADATA.google.internal./", "http://2852039166/", "http://0xA9FEA9FE/", "http://169.254.43518/", "http://0251.0376.0251.0376/",
             "http://[64:ff9b::a9fe:a9fe]/", "http://user:pw@10.0.0.1:9000", "file:///etc/passwd", "gopher://x", "ftp://x", "http://0.0.0.0:9000", "http://255.255.255.255", "http://",
             "10.0.0.1:9000", "http://100.100.100.200", "http://10.0.0.1 ", "http://a%2eb/", "srt://10.0.0.1:9000"}) {
        row("url", address);
    }
    row("healthUrl", "http://169.254.169.254");
    row("healthUrl", "http://10.0.0.1/a/../b");
    row("webrtcBaseUrl", "http://169.254.169.254");
    row("webrtcBaseUrl", "srt://10.0.0.1:1");
    row("publishUrl", "srt://169.254.1.1:9000");
    row("publishUrl", "file:///x");
}

void TestRegistration::addressesThatAreNotAllowed()
{
    QFETCH(QString, field);
    QFETCH(QString, address);
    Node node = make("o1");
    const HttpAnswer answer = enrol(node, Message{{"version", "2"}}.set(field.toUtf8().constData(), address));
    QCOMPARE(answer.verdict(), QByteArray("422 url_not_allowed"));
    QCOMPARE(answer.text("field"), field);
    QVERIFY(!answer.body.contains("pw@"));
    QCOMPARE(row("o1").text(field.toUtf8().constData()), QString());
    QCOMPARE(row("o1").text("version"), QString()); // all or nothing
    QVERIFY(!m_server->err().contains("user:pw"));
    QCOMPARE(enrol(node, Message{{"publishUrl", "rtmp://10.0.0.1/live"}, {"url", "http://10.255.0.1:9000"}, {"webrtcBaseUrl", "https://o1.example.test"}}).status, 200);
}

void TestRegistration::allowedNetworks()
{
    restart("\"probe_allowed_networks\": [\"10.0.0.0/8\", \"fd00::/8\"]");
    const Node node = make("o1");
    QCOMPARE(enrol(node, Message{{"url", "http://10.255.0.1:9000"}, {"webrtcBaseUrl", "https://o1.example.test"}}).status, 200);
    QCOMPARE(enrol(node, Message{{"healthUrl", "http://[fd00::7]:9000"}}).status, 200);
    for (const char* address : {"http://192.168.0.1", "http://127.0.0.1:9000", "http://[::1]", "http://host.example.test", "http://localhost:9000"}) {
        QCOMPARE(enrol(node, Message{{"url", address}}).verdict(), QByteArray("422 url_not_allowed"));
    }
    QCOMPARE(enrol(node, Message{{"webrtcBaseUrl", "http://192.168.0.1"}}).verdict(), QByteArray("422 url_not_allowed"));
    // What a superadmin says is not bound by it.
    QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"role", "origin"}, {"url", "http://192.168.0.1"}}.json()).status, 201);
}

void TestRegistration::aPoolClaimIsIgnoredAndRecorded()
{
    const Node node = make("o1", ", \"owner\": \"7\"");
    for (const char* key : {"poolId", "pool_id", "pool"}) {
        const HttpAnswer answer = enrol(node, Message{{key, "pool-9"}});
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.json().size(), 3);
        QCOMPARE(row("o1").text("poolId"), QStringLiteral("pool-7"));
    }
    QCOMPARE(enrol(node, Message{{"pool", Message{{"id", "pool-9"}}}, {"poolId", 9}}).status, 200);
    QCOMPARE(m_server->terminate(), 0);
    int told = 0;
    for (const JournalRow& event : journalOf(*m_server)) {
        if (event.kind == QLatin1String("pool_claim_ignored")) {
            told += event.detail.value(QLatin1String("count")).toInt(1);
            QCOMPARE(event.node, QStringLiteral("o1"));
            QCOMPARE(event.pool, QStringLiteral("pool-7"));
            QVERIFY(!event.detail.value(QLatin1String("claimed")).toArray().isEmpty());
        }
    }
    QCOMPARE(told, 4);
}

void TestRegistration::nothingNewWritesNothing()
{
    Node node = make("o1");
    const Message message{{"diskSerial", "S"}, {"version", "1"}, {"url", "http://127.0.0.1:1"}};
    QCOMPARE(enrol(node, message).status, 200);
    QSet<QString> tokens;
    for (int i = 0; i < 20; ++i) {
        node.token = enrol(node, message).text("sessionToken").toUtf8();
        tokens.insert(QString::fromUtf8(node.token));
        QCOMPARE(beat(node, i + 1).flag("ignored"), false);
    }
    QCOMPARE(tokens.size(), 20);
    QCOMPARE(enrol(node, Message{{"diskSerial", "S"}, {"version", "2"}}).status, 200);
    QCOMPARE(m_server->terminate(), 0);
    QCOMPARE(eventCount(QStringLiteral("node_registered")), 2);
    QCOMPARE(eventCount(QStringLiteral("node_connected")), 1);
}

void TestRegistration::aNewRegistrationEndsTheSession()
{
    const Node first = enrolled("o1");
    QCOMPARE(beat(first, 1).status, 200);
    Node second = first;
    second.token = enrol(first).text("sessionToken").toUtf8();
    QCOMPARE(beat(first, 2, 99).verdict(), QByteArray("409 session_replaced"));
    QCOMPARE(beat(second, 2, 7).flag("ignored"), false);
    QCOMPARE(HttpClient(m_server->adminUrl(), first.token).post("/v1/nodes/o1/leave", {}).verdict(), QByteArray("409 session_replaced"));
    QCOMPARE(beat(first, 3, 99).verdict(), QByteArray("409 session_replaced"));
    QCOMPARE(row("o1").number("capacity"), 7.0); // no flapping between the two reports
    QVERIFY(row("o1").flag("connected"));
    QCOMPARE(m_client->get("/admin/mmx-nodes").items().size(), 1);
    QCOMPARE(m_server->terminate(), 0);
    const std::vector<JournalRow> events = journalOf(*m_server);
    const auto told = std::find_if(events.begin(), events.end(), [](const JournalRow& event) { return event.kind == QLatin1String("registration_refused"); });
    QVERIFY(told != events.end());
    QCOMPARE(told->node, QStringLiteral("o1"));
    QCOMPARE(told->detail.value(QLatin1String("code")).toString(), QStringLiteral("session_replaced"));
    QCOMPARE(told->detail.value(QLatin1String("currentAddress")).toString(), QStringLiteral("127.0.0.1"));
}

void TestRegistration::sessionsEndWithTheServer()
{
    Node node = enrolled("o1", ", \"poolId\": \"canary\"", Message{{"diskSerial", "S"}, {"version", "3"}});
    QCOMPARE(beat(node, 1).status, 200);
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
    QCOMPARE(beat(node, 2).verdict(), QByteArray("401 unknown_session"));
    QVERIFY(!row("o1").flag("connected"));
    QCOMPARE(enrol(node, Message{{"diskSerial", "S-2"}}).verdict(), QByteArray("409 disk_serial_mismatch")); // bound for good
    node.token = enrol(node, Message{{"diskSerial", "S"}}).text("sessionToken").toUtf8();
    QCOMPARE(beat(node, 2).status, 200);
    QCOMPARE(row("o1").text("poolId") + row("o1").text("version"), QStringLiteral("canary3"));
}

void TestRegistration::heartbeatsAreOrdered()
{
    const Node node = enrolled("o1");
    const auto at = [&](const char* boot, int seq, int capacity) { return beat(node, Message{{"bootId", boot}, {"seq", seq}, {"capacity", capacity}, {"used", 0}}); };
    QCOMPARE(at("b1", 5, 5).flag("ignored"), false);
    QCOMPARE(at("b1", 5, 9).flag("ignored"), true);
    QCOMPARE(at("b1", 4, 9).flag("ignored"), true);
    QCOMPARE(row("o1").number("capacity"), 5.0);
    QCOMPARE(at("b2", 1, 6).flag("ignored"), false);
    QCOMPARE(at("b1", 6, 9).flag("ignored"), true); // a replayed one of the boot before
    QCOMPARE(row("o1").number("capacity"), 6.0);
}

void TestRegistration::badHeartbeats_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("verdict");
    QTest::addColumn<QString>("field");
    const auto row = [](const char* name, const char* body, const char* verdict, const char* field) { QTest::newRow(name) << QByteArray(body) << QByteArray(verdict) << QString::fromLatin1(field); };
    row("negative capacity", "{\"bootId\":\"b\",\"seq\":1,\"capacity\":-1,\"used\":0}", "422 out_of_range", "capacity");
    row("negative used", "{\"bootId\":\"b\",\"seq\":1,\"capacity\":1,\"used\":-5}", "422 out_of_range", "used");
    row("negative seq", "{\"bootId\":\"b\",\"seq\":-1,\"capacity\":1,\"used\":0}", "422 out_of_range", "seq");
    row("no boot", "{\"seq\":1,\"capacity\":1,\"used\":0}", "422 missing_field", "bootId");
    row("empty boot", "{\"bootId\":\"\",\"seq\":1,\"capacity\":1,\"used\":0}", "422 invalid_value", "bootId");
    row("text", "{\"bootId\":\"b\",\"seq\":\"1\",\"capacity\":1,\"used\":0}", "422 wrong_type", "seq");
    row("unknown key", "{\"bootId\":\"b\",\"seq\":1,\"capacity\":1,\"used\":0,\"pool\":\"x\"}", "422 unknown_field", "pool");
    row("zero-width app", "{\"bootId\":\"b\",\"seq\":1,\"capacity\":1,\"used\":0,\"streams\":[{\"appId\":\"a\\u200b\",\"stream\":\"s\"}]}", "422 invalid_id", "streams[0].appId");
    row("stream with a slash", "{\"bootId\":\"b\",\"seq\":1,\"capacity\":1,\"used\":0,\"streams\":[{\"appId\":\"a\",\"stream\":\"s/t\"}]}", "422 invalid_id", "streams[0].stream");
    row("half", "{\"bootId\":", "400 malformed_json", "");
}

void TestRegistration::badHeartbeats()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, verdict);
    QFETCH(QString, field);
    const Node node = enrolled("o1");
    const HttpClient session(m_server->adminUrl(), node.token);
    const HttpAnswer answer = session.post("/v1/nodes/o1/heartbeat", body);
    QCOMPARE(answer.verdict(), verdict);
    QCOMPARE(answer.text("field"), field);
    QVERIFY(!row("o1").flag("connected"));
    QCOMPARE(anonymous().post("/v1/nodes/o1/heartbeat", body).verdict(), QByteArray("401 missing_token"));
    QCOMPARE(m_client->post("/v1/nodes/o1/heartbeat", body).verdict(), QByteArray("401 unknown_session")); // a superadmin is no node
    QCOMPARE(session.post("/v1/nodes/o2/heartbeat", body).verdict(), QByteArray("401 unknown_session"));
    QCOMPARE(session.post("/v1/nodes/o1%E2%80%8B/heartbeat", body).verdict(), QByteArray("422 invalid_id"));
    QCOMPARE(m_server->terminate(), 0);
    const std::vector<JournalRow> events = journalOf(*m_server);
    const auto told = std::find_if(events.begin(), events.end(), [](const JournalRow& event) { return event.kind == QLatin1String("registration_refused"); });
    QVERIFY(told != events.end());
    QCOMPARE(told->node, QStringLiteral("o1"));
    QCOMPARE(QByteArray(verdict).mid(4), told->detail.value(QLatin1String("code")).toString().toUtf8());
}

void TestRegistration::seenPlacementEndsReservations()
{
    const Node node = enrolled("o1");
    QCOMPARE(beat(node, 1, 10).status, 200); // no health address: its heartbeats are its health
    const auto place = [&] { return m_client->post("/v1/schedule", R"({"role": "origin", "appId": "x"})").number("placement"); };
    const double first = place();
    const double second = place();
    const double third = place();
    QVERIFY(first > 0 && second > first && third > second);
    QCOMPARE(row("o1").number("reserved"), 3.0);
    QCOMPARE(beat(node, Message{{"bootId", "b1"}, {"seq", 2}, {"capacity", 10}, {"used", 2}, {"seenPlacement", second}}).status, 200);
    QCOMPARE(row("o1").number("reserved"), 1.0);
    QCOMPARE(row("o1").number("free"), 7.0);
    QCOMPARE(m_client->post("/v1/placements/" + QByteArray::number(third, 'f', 0) + ":release", {}).status, 204);
    QCOMPARE(row("o1").number("free"), 8.0);
    static_cast<void>(place());
    QCOMPARE(beat(node, Message{{"bootId", "b2"}, {"seq", 1}, {"capacity", 10}, {"used", 0}}).status, 200); // a new boot knows of none
    QCOMPARE(row("o1").number("reserved"), 0.0);
}

void TestRegistration::leaving()
{
    const Node node = enrolled("o1");
    QCOMPARE(beat(node, 1).status, 200);
    const HttpClient session(m_server->adminUrl(), node.token);
    QCOMPARE(session.post("/v1/nodes/o1/leave", {}).status, 204);
    QVERIFY(!row("o1").flag("connected"));
    QCOMPARE(beat(node, 2).verdict(), QByteArray("401 unknown_session")); // one that was under way
    QVERIFY(!row("o1").flag("connected"));
}

void TestRegistration::silenceDisconnects()
{
    restart("\"heartbeat_interval_seconds\": 0.2, \"heartbeat_timeout_seconds\": 0.6");
    const Node node = enrolled("o1");
    QCOMPARE(enrol(node).number("heartbeatIntervalSeconds"), 0.2);
    Node again = node;
    again.token = enrol(node).text("sessionToken").toUtf8();
    QCOMPARE(beat(again, 1).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(!row("o1").flag("connected"), kSoon);
    QCOMPARE(row("o1").text("state"), QStringLiteral("offline"));
    QCOMPARE(beat(again, 2).status, 200); // the session goes on
    QVERIFY(row("o1").flag("connected"));
    QCOMPARE(m_server->terminate(), 0);
    QVERIFY(eventCount(QStringLiteral("node_disconnected")) >= 1);
    QVERIFY(eventCount(QStringLiteral("node_connected")) >= 2);
}

void TestRegistration::aReconnectKeepsWhatAdministratorsDid()
{
    FakeWorker worker;
    Node node = enrolled("o1", {}, Message{{"url", worker.url()}});
    QCOMPARE(beat(node, 1).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT(row("o1").flag("inRotation"), kSoon);
    QCOMPARE(m_client->put("/admin/mmx-nodes/o1/pool", R"({"poolId": "canary"})").status, 200);
    QCOMPARE(m_client->put("/admin/mmx-nodes/o1/draining", R"({"draining": true, "reason": "rack move"})").status, 200);
    QCOMPARE(m_client->post("/v1/outcomes", R"({"nodeId": "o1", "status": 500})").text("verdict"), QStringLiteral("ejected"));
    const double left = row("o1").number("quarantineRemainingSeconds");
    QVERIFY(left > 50);
    node.token = enrol(node, Message{{"url", worker.url()}, {"version", "2"}}).text("sessionToken").toUtf8();
    QCOMPARE(beat(node, Message{{"bootId", "b2"}, {"seq", 1}, {"capacity", 10}, {"used", 0}}).status, 200);
    const HttpAnswer after = row("o1");
    QCOMPARE(after.text("poolId"), QStringLiteral("canary"));
    QVERIFY(after.flag("draining"));
    QCOMPARE(after.text("drainReason"), QStringLiteral("rack move"));
    QVERIFY(!after.flag("inRotation"));
    QVERIFY(after.number("quarantineRemainingSeconds") > 30 && after.number("quarantineRemainingSeconds") <= left);
    QVERIFY(after.number("consecutiveFailures") >= 1);
}

// One node that tries everything: each lie has its code and its record, and none has an effect.
void TestRegistration::whatLiesLeave()
{
    const Node victim = enrolled("o1", ", \"owner\": \"7\"", Message{{"diskSerial", "S-1"}});
    QCOMPARE(beat(victim, 7, 5).status, 200);
    Node liar = enrolled("o2", ", \"owner\": \"9\"", Message{{"diskSerial", "S-2"}, {"pool", "pool-7"}});
    const HttpClient session(m_server->adminUrl(), liar.token);
    QCOMPARE(enrol(victim, Message{{"diskSerial", "S-2"}}).verdict(), QByteArray("409 disk_serial_mismatch"));
    QCOMPARE(enrol(liar, Message{{"diskSerial", "S-2"}, {"healthUrl", "http://169.254.169.254/"}}).verdict(), QByteArray("422 url_not_allowed"));
    QCOMPARE(enrol(liar, Message{{"diskSerial", "S-2"}, {"nodeType", "edge"}}).verdict(), QByteArray("422 role_mismatch"));
    QCOMPARE(session.post("/v1/nodes/o1/heartbeat", R"({"bootId": "b9", "seq": 9, "capacity": 0, "used": 0})").verdict(), QByteArray("401 unknown_session"));
    QCOMPARE(session.post("/v1/nodes/o1/leave", {}).verdict(), QByteArray("401 unknown_session"));
    QCOMPARE(beat(victim, 7, 99).flag("ignored"), true);
    QCOMPARE(beat(liar, Message{{"bootId", "b1"}, {"seq", 1}, {"capacity", -1}, {"used", 0}}).verdict(), QByteArray("422 out_of_range"));
    QCOMPARE(session.post("/v1/nodes/o%E2%80%8B1/heartbeat", R"({"bootId": "b9", "seq": 9, "capacity": 0, "used": 0})").verdict(), QByteArray("422 invalid_id"));
    QCOMPARE(m_client->post("/admin/mmx-nodes", "{\"nodeId\": \"o1\\u200b\", \"role\": \"origin\"}").verdict(), QByteArray("422 invalid_id"));
    const HttpAnswer after = row("o1");
    QCOMPARE(after.number("capacity"), 5.0);
    QVERIFY(after.flag("connected"));
    QCOMPARE(after.text("diskSerial") + after.text("poolId"), QStringLiteral("S-1pool-7"));
    QCOMPARE(row("o2").text("poolId"), QStringLiteral("pool-9"));
    QCOMPARE(row("o2").text("healthUrl"), QString());
    QCOMPARE(m_client->get("/admin/mmx-nodes").items().size(), 2);
    QCOMPARE(m_server->terminate(), 0);
    QStringList codes;
    for (const JournalRow& event : journalOf(*m_server)) {
        if (event.kind == QLatin1String("registration_refused")) {
            codes << event.node + QLatin1Char(' ') + event.detail.value(QLatin1String("code")).toString();
        } else if (event.kind == QLatin1String("pool_claim_ignored")) {
            codes << event.node + QLatin1String(" claim");
        }
    }
    QVERIFY2(codes.contains(QLatin1String("o1 disk_serial_mismatch")), qPrintable(codes.join(QLatin1Char(','))));
    QVERIFY2(codes.contains(QLatin1String("o2 claim")), qPrintable(codes.join(QLatin1Char(','))));
    QVERIFY2(codes.contains(QLatin1String("o2 url_not_allowed")), qPrintable(codes.join(QLatin1Char(','))));
}

QTEST_GUILESS_MAIN(TestRegistration)
#include "TestRegistration.moc"
