// SPDX-License-Identifier: GPL-3.0-or-later
// TLS of a whole server: the traffic listener's certificate, and nodes that are spoken to by https, for probes and for requests.
#include "tests/support/Authority.h"
#include "tests/support/Certificate.h"
#include "tests/support/ServerProcess.h"
#include "tests/support/TlsClient.h"
#include "tests/support/TlsNode.h"

#include <QTemporaryDir>
#include <QUrl>
#include <QtTest>

#include <csignal>

using namespace weir::test;

namespace {

constexpr int kSoon = 10000;
// No worker is there: 503, which says that it was read and answered.
constexpr const char* kGet = "GET /gateway-health HTTP/1.1\r\nHost: a\r\n\r\n";

} // namespace

class TestTlsGateway : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theTrafficListenerSpeaksTls();
    void badFilesAreNamed_data();
    void badFilesAreNamed();
    void nodesProveWhoTheyAre_data();
    void nodesProveWhoTheyAre();
    void otherTrustComesWithAReload();
    void badAuthoritiesAreNamed();

private:
    [[nodiscard]] QByteArray file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toUtf8(); }
    [[nodiscard]] QByteArray gateway(const char* certificate, const char* key) const
    {
        return "{\"gateway\": {\"tls\": {\"certificate\": \"" + file(certificate) + "\", \"key\": \"" + file(key) + "\"}}}";
    }
    [[nodiscard]] QByteArray nodes(const TlsNode& node, const QByteArray& tls, const QByteArray& transport = "auto") const
    {
        return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3}, \"probe\": {\"transport\": \"" + transport
            + "\"}, \"nodes\": [{\"node\": \"w1\", \"role\": \"worker\", \"url\": \"" + QByteArray::fromStdString(node.url())
            + "\", \"capacity\": 8, \"tls\": " + tls + "}]}";
    }

    QTemporaryDir m_dir;
};

void TestTlsGateway::initTestCase()
{
    const Authority right("right");
    const Authority wrong("wrong");
    QVERIFY(right.write(file("right.pem").toStdString()) && wrong.write(file("wrong.pem").toStdString()));
    QVERIFY(right.issue(file("node.pem").toStdString(), file("node.key").toStdString(), "DNS:worker.test,IP:127.0.0.1"));
    QVERIFY(writeCertificate(file("one.pem").toStdString(), file("one.key").toStdString(), "one"));
    QVERIFY(writeCertificate(file("two.pem").toStdString(), file("two.key").toStdString(), "two"));
    QFile text(QString::fromUtf8(file("text")));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("nothing of the kind\n") > 0);
}

void TestTlsGateway::theTrafficListenerSpeaksTls()
{
    QVERIFY(writeCertificate(file("cert.pem").toStdString(), file("key.pem").toStdString(), "first"));
    ServerProcess server(gateway("cert.pem", "key.pem"));
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY2(server.gatewayUrl().startsWith(QStringLiteral("https://127.0.0.1:")), qPrintable(server.gatewayUrl()));
    const auto port = static_cast<std::uint16_t>(QUrl(server.gatewayUrl()).port());
    TlsClient early(port);
    QVERIFY(early.send(kGet) && early.readUntil("}").starts_with("HTTP/1.1 503 "));
    QCOMPARE(early.subject(), std::string("/CN=first"));
    // A renewed certificate holds from the reload on; connections that stand go on.
    QVERIFY(writeCertificate(file("cert.pem").toStdString(), file("key.pem").toStdString(), "second"));
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(TlsClient(port).subject(), std::string("/CN=second"), kSoon);
    QVERIFY(early.send(kGet) && early.readUntil("}").starts_with("HTTP/1.1 503 "));
    // The same by the API.
    QVERIFY(writeCertificate(file("cert.pem").toStdString(), file("key.pem").toStdString(), "third"));
    QCOMPARE(server.client().post("/admin/config:reload", "{}").status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(TlsClient(port).subject(), std::string("/CN=third"), kSoon);
    // One that does not fit its key is refused with its place, and the old one goes on.
    server.writeConfig(gateway("one.pem", "two.key"));
    const HttpAnswer refused = server.client().post("/admin/config:reload", "{}");
    QCOMPARE(refused.status, 422);
    QVERIFY2(refused.body.contains("gateway.tls.key") && refused.body.contains(file("two.key")), refused.body.constData());
    QCOMPARE(TlsClient(port).subject(), std::string("/CN=third"));
    QVERIFY(server.client().get("/metrics").body.contains("weir_gateway_tls_handshakes_total{result=\"ok\"}"));
    // Whether there is TLS at all is settled at the start.
    server.writeConfig("{\"gateway\": {\"proxy_protocol\": true}}");
    server.signal(SIGHUP);
    QVERIFY2(server.waitForLog("gateway.tls takes effect at the next start"), server.err().constData());
    QVERIFY2(server.waitForLog("gateway.proxy_protocol takes effect at the next start"), server.err().constData());
    QCOMPARE(TlsClient(port).subject(), std::string("/CN=third"));
    QCOMPARE(server.terminate(), 0);
}

void TestTlsGateway::badFilesAreNamed_data()
{
    QTest::addColumn<QByteArray>("certificate");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("place");
    QTest::addColumn<QByteArray>("blames");
    QTest::addColumn<QByteArray>("reason");
    QTest::newRow("no certificate") << QByteArray("gone.pem") << QByteArray("one.key") << QByteArray("gateway.tls.certificate")
                                    << QByteArray("gone.pem") << QByteArray("No such file");
    QTest::newRow("no key") << QByteArray("one.pem") << QByteArray("gone.key") << QByteArray("gateway.tls.key") << QByteArray("gone.key")
                            << QByteArray("No such file");
    QTest::newRow("key of another") << QByteArray("one.pem") << QByteArray("two.key") << QByteArray("gateway.tls.key")
                                    << QByteArray("two.key") << QByteArray("mismatch");
    QTest::newRow("not PEM") << QByteArray("text") << QByteArray("one.key") << QByteArray("gateway.tls.certificate") << QByteArray("text")
                             << QByteArray("no start line");
}

void TestTlsGateway::badFilesAreNamed()
{
    QFETCH(QByteArray, certificate);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, place);
    QFETCH(QByteArray, blames);
    QFETCH(QByteArray, reason);
    ServerProcess server(gateway(certificate.constData(), key.constData()));
    QVERIFY(!server.start());
    QCOMPARE(server.waitForEnd(kSoon), 2);
    ServerProcess check;
    QCOMPARE(check.run({QStringLiteral("check-config"), server.configFile()}), 2);
    for (const QByteArray& said : {server.err(), check.out()}) {
        QVERIFY2(said.contains(place) && said.contains(file(blames.constData())) && said.contains(reason), said.constData());
        QVERIFY2(said.contains(".json:1:"), said.constData()); // with line and column
    }
}

void TestTlsGateway::nodesProveWhoTheyAre_data()
{
    QTest::addColumn<QByteArray>("transport");
    QTest::addColumn<QByteArray>("ca");
    QTest::addColumn<QByteArray>("rest");
    QTest::addColumn<bool>("works");
    for (const char* transport : {"qnam", "asio"}) {
        const auto row = [&](const char* name, const QByteArray& ca, const QByteArray& rest, bool works) {
            QTest::newRow((QByteArray(transport) + ", " + name).constData()) << QByteArray(transport) << ca << rest << works;
        };
        row("its authority", "right.pem", {}, true);
        row("its authority and name", "right.pem", ", \"server_name\": \"worker.test\"", true);
        row("another authority", "wrong.pem", {}, false);
        row("another name", "right.pem", ", \"server_name\": \"other.test\"", false);
        row("nobody is checked", "wrong.pem", ", \"verify\": false", true);
    }
}

void TestTlsGateway::nodesProveWhoTheyAre()
{
    QFETCH(QByteArray, transport);
    QFETCH(QByteArray, ca);
    QFETCH(QByteArray, rest);
    QFETCH(bool, works);
    TlsNode node(file("node.pem").toStdString(), file("node.key").toStdString());
    ServerProcess server(nodes(node, "{\"ca\": \"" + file(ca.constData()) + "\"" + rest + "}", transport));
    QVERIFY2(server.start(), server.err().constData());
    const auto row = [&] { return server.client().get("/admin/mmx-nodes/w1"); };
    QCOMPARE(row().text("tls.ca"), QString::fromUtf8(file(ca.constData())));
    if (works) {
        QTRY_VERIFY_WITH_TIMEOUT(row().flag("inRotation"), kSoon);
        QCOMPARE(server.traffic().get("/x").body, QByteArray("ok"));
    } else {
        QTRY_COMPARE_WITH_TIMEOUT(row().text("reason"), QStringLiteral("tls"), kSoon);
        QVERIFY(!row().flag("inRotation"));
        QCOMPARE(server.traffic().get("/x").verdict(), QByteArray("503 no_candidate"));
    }
    QCOMPARE(server.terminate(), 0);
    // What the file says is stored with the node.
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(row().text("tls.ca"), QString::fromUtf8(file(ca.constData())));
    QCOMPARE(row().at("tls.verify").toBool(), !rest.contains("false"));
}

void TestTlsGateway::otherTrustComesWithAReload()
{
    TlsNode node(file("node.pem").toStdString(), file("node.key").toStdString());
    ServerProcess server(nodes(node, "{\"ca\": \"" + file("wrong.pem") + "\"}"));
    QVERIFY2(server.start(), server.err().constData());
    const auto row = [&] { return server.client().get("/admin/mmx-nodes/w1"); };
    QTRY_COMPARE_WITH_TIMEOUT(row().text("reason"), QStringLiteral("tls"), kSoon);
    server.writeConfig(nodes(node, "{\"ca\": \"" + file("right.pem") + "\"}"));
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(row().text("tls.ca"), QString::fromUtf8(file("right.pem")), kSoon);
    QTRY_VERIFY_WITH_TIMEOUT(row().flag("inRotation"), kSoon);
    QCOMPARE(server.traffic().get("/x").body, QByteArray("ok"));
    // What the file no longer says does not hold any more, and what it says anew does.
    server.writeConfig(nodes(node, "{}"));
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(row().text("reason"), QStringLiteral("tls"), kSoon);
    server.writeConfig(nodes(node, "{\"verify\": false}"));
    server.signal(SIGHUP);
    QTRY_VERIFY_WITH_TIMEOUT(row().at("tls.verify").isBool(), kSoon); // shown where it differs; one failed probe had left the node in rotation
    QTRY_VERIFY_WITH_TIMEOUT(row().flag("inRotation"), kSoon);
    QCOMPARE(row().text("tls.ca"), QString());
    QCOMPARE(server.traffic().get("/x").body, QByteArray("ok"));
}

void TestTlsGateway::badAuthoritiesAreNamed()
{
    TlsNode node(file("node.pem").toStdString(), file("node.key").toStdString());
    for (const char* name : {"gone.pem", "text", "one.key"}) {
        ServerProcess server(nodes(node, "{\"ca\": \"" + file(name) + "\"}"));
        ServerProcess check;
        QCOMPARE(check.run({QStringLiteral("check-config"), server.configFile()}), 2);
        QVERIFY2(check.out().contains("nodes[0].tls.ca") && check.out().contains(file(name)), check.out().constData());
    }
    // A setting that has no effect is said, and no error.
    ServerProcess plain(
        "{\"nodes\": [{\"node\": \"w1\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:9\", \"tls\": {\"verify\": false}}]}");
    ServerProcess check;
    QCOMPARE(check.run({QStringLiteral("check-config"), plain.configFile()}), 0);
    QVERIFY2((check.out() + check.err()).contains("nodes[0].tls"), (check.out() + check.err()).constData());
}

QTEST_GUILESS_MAIN(TestTlsGateway)
#include "TestTlsGateway.moc"
