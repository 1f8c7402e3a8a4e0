// SPDX-License-Identifier: GPL-3.0-or-later
// What superadmins do with credentials, and licences.
#include "tests/e2e/RegistrationFixture.h"

using namespace weir::test;

class TestCredentials : public QObject, private RegistrationFixture {
    Q_OBJECT

private slots:
    void init() { restart("\"heartbeat_interval_seconds\": 10"); }
    void cleanup() { m_server.reset(); }
    void disabling();
    void rotatingTheSecret();
    void staticNodesHaveNoCredential();
    void licences();
    void licencesThatAreOver();
};

void TestCredentials::disabling()
{
    Node node = enrolled("o1");
    QCOMPARE(beat(node, 1).status, 200);
    QCOMPARE(m_client->post("/admin/mmx-nodes/o1:disable", {}).status, 204);
    QVERIFY(row("o1").flag("disabled"));
    QVERIFY(!row("o1").flag("connected"));
    QCOMPARE(beat(node, 2).verdict(), QByteArray("401 unknown_session"));
    QCOMPARE(enrol(node).verdict(), QByteArray("403 disabled"));
    QCOMPARE(m_client->post("/admin/mmx-nodes/o1:disable", {}).status, 204);
    QCOMPARE(m_client->post("/admin/mmx-nodes/o1:enable", {}).status, 204);
    node.token = enrol(node).text("sessionToken").toUtf8();
    QCOMPARE(beat(node, 2).status, 200);
    QCOMPARE(m_client->post("/admin/mmx-nodes/nobody:disable", {}).verdict(), QByteArray("404 unknown_node"));
}

void TestCredentials::rotatingTheSecret()
{
    Node node = enrolled("o1");
    const HttpAnswer rotated = m_client->post("/admin/mmx-nodes/o1:rotate-secret", {});
    QCOMPARE(rotated.status, 200);
    QCOMPARE(beat(node, 1).status, 200); // the session goes on
    QCOMPARE(enrol(node).verdict(), QByteArray("401 bad_credential"));
    node.secret = rotated.text("nodeSecret").toUtf8();
    QCOMPARE(enrol(node).status, 200);
    QVERIFY(!row("o1").body.contains("ecret"));
    QVERIFY(!m_client->get("/admin/node-pools").body.contains("ecret"));
}

void TestCredentials::staticNodesHaveNoCredential()
{
    QCOMPARE(m_client->post("/admin/mmx-nodes", Message{{"nodeId", "s1"}, {"role", "origin"}, {"url", "http://127.0.0.1:1"}}.json()).status, 201);
    for (const char* action : {"rotate-secret", "clear-serial", "disable", "enable"}) {
        QCOMPARE(m_client->post(QByteArray("/admin/mmx-nodes/s1:") + action, {}).verdict(), QByteArray("409 static_node"));
    }
}

void TestCredentials::licences()
{
    const HttpAnswer made = m_client->post("/admin/licences", R"({"owner": "7", "role": "origin", "nodes": 2})");
    QCOMPARE(made.status, 201);
    QCOMPARE(made.text("poolId"), QStringLiteral("pool-7"));
    const QString code = made.text("licenseCode");
    const QByteArray id = made.text("licenceId").toUtf8();
    QVERIFY(!code.isEmpty() && !m_client->get("/admin/licences").body.contains(code.toUtf8()));
    const auto with = [&](const char* serial, Message more = {}) {
        more.set("licenseCode", code).set("diskSerial", serial);
        return enrol({}, more);
    };
    QCOMPARE(enrol({}, Message{{"licenseCode", code}}).verdict(), QByteArray("422 missing_field"));
    QCOMPARE(with("S-0", Message{{"nodeType", "edge"}}).verdict(), QByteArray("422 role_mismatch"));
    const HttpAnswer first = with("S-1", Message{{"version", "1"}, {"poolId", "default"}});
    QCOMPARE(first.status, 200);
    const QByteArray node = first.text("nodeId").toUtf8();
    QCOMPARE(row(node).text("poolId") + row(node).text("owner") + row(node).text("role"), QStringLiteral("pool-77origin"));
    QCOMPARE(with("S-1").text("nodeId").toUtf8(), node); // the same machine is the same node
    Node session{node, {}, with("S-1").text("sessionToken").toUtf8()};
    QCOMPARE(beat(session, 1).status, 200);
    const QByteArray second = with("S-2").text("nodeId").toUtf8();
    QVERIFY(second != node && !second.isEmpty());
    QCOMPARE(with("S-3").verdict(), QByteArray("403 licence_exhausted"));
    QCOMPARE(m_client->get("/admin/licences").number("items.0.used"), 2.0);
    // A machine that is replaced takes its place over once its serial is cleared.
    QCOMPARE(m_client->post("/admin/mmx-nodes/" + second + ":clear-serial", {}).status, 204);
    QCOMPARE(with("S-3").text("nodeId").toUtf8(), second);
    QCOMPARE(with("S-2").verdict(), QByteArray("403 licence_exhausted"));
    m_server->kill9();
    QVERIFY2(m_server->start(), m_server->err().constData());
    m_client = std::make_unique<HttpClient>(m_server->client());
    QCOMPARE(with("S-1").text("nodeId").toUtf8(), node);
    QCOMPARE(with("S-4").verdict(), QByteArray("403 licence_exhausted"));
    QCOMPARE(m_client->put("/admin/mmx-nodes/" + second + "/draining", R"({"draining": true})").status, 200);
    QCOMPARE(m_client->remove("/admin/mmx-nodes/" + second).status, 204);
    QCOMPARE(with("S-4").status, 200); // a place is free
    QCOMPARE(m_client->remove("/admin/licences/" + id).status, 204);
    QCOMPARE(m_client->remove("/admin/licences/" + id).verdict(), QByteArray("404 unknown_licence"));
    QCOMPARE(with("S-1").verdict(), QByteArray("401 bad_credential"));
    QCOMPARE(row(node).status, 200);
}

void TestCredentials::licencesThatAreOver()
{
    const auto refused = [&](const char* body) { return m_client->post("/admin/licences", body).verdict(); };
    QCOMPARE(refused(R"({"owner": "7", "role": "origin", "nodes": 0})"), QByteArray("422 out_of_range"));
    QCOMPARE(refused(R"({"owner": "77", "role": "origin", "nodes": 1})"), QByteArray("422 unknown_owner"));
    QCOMPARE(refused(R"({"owner": "7", "role": "camera", "nodes": 1})"), QByteArray("422 invalid_value"));
    QCOMPARE(refused(R"({"owner": "7", "role": "origin", "poolId": "nowhere", "nodes": 1})"), QByteArray("422 unknown_pool"));
    QCOMPARE(refused(R"({"owner": "7", "role": "origin", "nodes": 1, "expires": "2020-01-01T00:00:00Z"})"), QByteArray("422 out_of_range"));
    QCOMPARE(refused(R"({"owner": "7", "role": "origin", "nodes": 1, "expires": "soon"})"), QByteArray("422 invalid_value"));
    const QString soon = QDateTime::currentDateTimeUtc().addMSecs(1500).toString(Qt::ISODateWithMs);
    const HttpAnswer made = m_client->post("/admin/licences", Message{{"owner", "7"}, {"role", "origin"}, {"poolId", "canary"}, {"nodes", 1}, {"expires", soon}}.json());
    QCOMPARE(made.status, 201);
    const Message message{{"licenseCode", made.text("licenseCode")}, {"diskSerial", "S"}};
    const HttpAnswer first = enrol({}, message);
    QCOMPARE(first.status, 200);
    QCOMPARE(row(first.text("nodeId").toUtf8()).text("poolId"), QStringLiteral("canary"));
    QTRY_COMPARE_WITH_TIMEOUT(enrol({}, message).verdict(), QByteArray("403 licence_expired"), kSoon);
}

QTEST_GUILESS_MAIN(TestCredentials)
#include "TestCredentials.moc"
