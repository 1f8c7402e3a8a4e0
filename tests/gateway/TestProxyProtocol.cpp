// SPDX-License-Identifier: GPL-3.0-or-later
// The PROXY protocol in front of everything else, sent by hand and by a real HAProxy.
#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/Certificate.h"
#include "tests/support/TlsClient.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <mutex>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using weir::test::TlsClient;

namespace {

const std::string kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string kV1 = "PROXY TCP4 203.0.113.7 192.0.2.1 4711 443\r\n";

std::string v2(int command, int family, const std::string& addresses)
{
    std::string bytes("\r\n\r\n\0\r\nQUIT\n", 12);
    for (const int part : {command, family, 0, static_cast<int>(addresses.size())}) {
        bytes += static_cast<char>(part);
    }
    return bytes + addresses;
}

const std::string kV2 = v2(0x21, 0x11, std::string("\xcb\x00\x71\x07\xc0\x00\x02\x01\x12\x67\x01\xbb", 12));

// Answers each request with its own head.
ScriptedNode::Script mirror()
{
    return [](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            if (!socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(head.size()) + "\r\n\r\n" + head)) {
                return;
            }
        }
    };
}

class LineLog final : public Log {
public:
    void write(LogLevel, std::string_view event, std::string_view sentence, std::initializer_list<LogField>) override
    {
        const std::scoped_lock lock(m_mutex);
        m_lines.push_back(std::string(event) + " " + std::string(sentence));
    }
    std::vector<std::string> lines()
    {
        const std::scoped_lock lock(m_mutex);
        return m_lines;
    }

private:
    std::mutex m_mutex;
    std::vector<std::string> m_lines;
};

GatewayOptions announced()
{
    GatewayOptions options;
    options.proxyProtocol = true;
    return options;
}

} // namespace

class TestProxyProtocol : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theClientIsWhoIsAnnounced_data();
    void theClientIsWhoIsAnnounced();
    void aByteAtATime();
    void conditionsSeeAllThree();
    void trustIsForWhoIsAnnounced();
    void othersAreClosedAndCounted_data();
    void othersAreClosedAndCounted();
    void theLogHearsOfItOnceInAWhile();
    void silenceEnds();
    void tlsComesBehindIt();
    void worksBehindHaProxy_data();
    void worksBehindHaProxy();

private:
    [[nodiscard]] std::string file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toStdString(); }
    [[nodiscard]] std::shared_ptr<const http::TlsContext> tls() const
    {
        return http::TlsContext::load(file("one.pem"), file("one.key")).value_or(nullptr);
    }

    QTemporaryDir m_dir;
};

void TestProxyProtocol::initTestCase()
{
    QVERIFY(weir::test::writeCertificate(file("one.pem"), file("one.key"), "one"));
}

void TestProxyProtocol::theClientIsWhoIsAnnounced_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("client");
    const auto row = [](const char* name, const std::string& header, const char* client) {
        QTest::newRow(name) << QByteArray::fromStdString(header) << QString::fromLatin1(client);
    };
    row("version 1", kV1, "203.0.113.7");
    row("version 1, IPv6", "PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n", "2001:db8::7");
    row("version 1, unknown", "PROXY UNKNOWN\r\n", "127.0.0.1");
    row("version 2", kV2, "203.0.113.7");
    row("version 2, local", v2(0x20, 0, {}), "127.0.0.1");
    row("version 2, unspecified", v2(0x21, 0, {}), "127.0.0.1");
}

void TestProxyProtocol::theClientIsWhoIsAnnounced()
{
    QFETCH(QByteArray, header);
    QFETCH(QString, client);
    GatewayWorld world(announced());
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    RawClient raw(world.port());
    QVERIFY(raw.send(header.toStdString() + kGet));
    for (int i = 0; i < 2; ++i) { // it holds for the connection
        const Answer answer = raw.read();
        QCOMPARE(answer.status, 200);
        QCOMPARE(headerOf(answer.body, "X-Forwarded-For"), client.toStdString());
        QCOMPARE(headerOf(answer.body, "X-Real-Ip"), client.toStdString());
        QVERIFY(raw.send(kGet));
    }
    QCOMPARE(world.gateway().counters().refusedProxyHeaders.load(), std::uint64_t{0});
}

void TestProxyProtocol::aByteAtATime()
{
    GatewayWorld world(announced());
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    for (const std::string& header : {kV1, kV2}) {
        RawClient raw(world.port());
        for (const char byte : header + kGet) {
            QVERIFY(raw.send(std::string(1, byte)));
            QVERIFY(!raw.endsWithin(std::chrono::milliseconds(1)));
        }
        QCOMPARE(headerOf(raw.read().body, "X-Forwarded-For"), std::string("203.0.113.7"));
    }
}

void TestProxyProtocol::conditionsSeeAllThree()
{
    GatewayOptions options = announced();
    const std::string list =
        "[{\"module\":\"header\",\"rules\":["
        "{\"when\":\"req_cip_range(`203.0.113.7`, `203.0.113.7`)\",\"request\":{\"set\":{\"X-Cip\":\"1\"}}},"
        "{\"when\":\"ses_sip_range(`127.0.0.1`, `127.0.0.1`)\",\"request\":{\"set\":{\"X-Sip\":\"1\"}}},"
        "{\"when\":\"req_vip_in(`192.0.2.1`) && ses_vip_range(`192.0.2.0`, `192.0.2.9`)\",\"request\":{\"set\":{\"X-Vip\":\"1\"}}}]}]";
    config::IssueCollector issues(list);
    options.modules = ModuleChain::read(issues, *config::JsonReader(list).read(), "gateway.modules");
    QVERIFY(!issues.hasErrors());
    GatewayWorld world(std::move(options));
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    RawClient raw(world.port());
    QVERIFY(raw.send(kV2 + kGet));
    const Answer answer = raw.read();
    for (const char* name : {"X-Cip", "X-Sip", "X-Vip"}) {
        QCOMPARE(headerOf(answer.body, name), std::string("1"));
    }
    RawClient local(world.port());
    QVERIFY(local.send("PROXY UNKNOWN\r\n" + kGet));
    const Answer plain = local.read();
    QCOMPARE(plain.status, 200);
    QCOMPARE(headerOf(plain.body, "X-Cip") + headerOf(plain.body, "X-Vip"), std::string());
    QCOMPARE(headerOf(plain.body, "X-Sip"), std::string("1"));
}

void TestProxyProtocol::trustIsForWhoIsAnnounced()
{
    const std::string request = "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.1\r\n\r\n";
    for (const auto& [trusted, client] : {std::pair("203.0.113.0/24", "198.51.100.1"), std::pair("127.0.0.0/8", "203.0.113.7")}) {
        GatewayOptions options = announced();
        options.trustedProxies = {trusted};
        GatewayWorld world(std::move(options));
        ScriptedNode node(mirror());
        world.addNode("w1", node.url());
        RawClient raw(world.port());
        QVERIFY(raw.send(kV1 + request));
        QCOMPARE(headerOf(raw.read().body, "X-Real-Ip"), std::string(client));
    }
}

void TestProxyProtocol::othersAreClosedAndCounted_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("leaves");
    const auto row = [](const char* name, const std::string& bytes, bool leaves = false) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << leaves;
    };
    row("a request", kGet);
    row("malformed", "PROXY TCP4 203.0.113.7 192.0.2.1 4711\r\n" + kGet);
    row("too long", "PROXY UNKNOWN " + std::string(200, 'x') + "\r\n" + kGet);
    row("too long, version 2", v2(0x21, 0x11, {}).substr(0, 14) + "\xff\xff" + std::string(5000, 'x'));
    row("ends in the midst of it", kV2.substr(0, 20), true);
}

void TestProxyProtocol::othersAreClosedAndCounted()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, leaves);
    GatewayWorld world(announced());
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    RawClient raw(world.port());
    QVERIFY(raw.send(bytes.toStdString()));
    if (leaves) {
        raw.shutdownSending();
    }
    QCOMPARE(raw.readAll(), std::string());
    const GatewayCounters& counters = world.gateway().counters();
    QVERIFY(GatewayWorld::eventually([&] { return counters.refusedProxyHeaders == 1 && counters.connections == 0; }));
    QCOMPARE(node.connections(), 0);
}

void TestProxyProtocol::theLogHearsOfItOnceInAWhile()
{
    LineLog log;
    GatewayOptions options = announced();
    options.log = &log;
    GatewayWorld world(std::move(options));
    for (int i = 0; i < 20; ++i) {
        RawClient raw(world.port());
        raw.send(kGet);
        QCOMPARE(raw.readAll(), std::string());
    }
    { // a balancer's check that connects and leaves is none
        const RawClient check(world.port());
        QVERIFY(check.isConnected());
    }
    const GatewayCounters& counters = world.gateway().counters();
    QVERIFY(GatewayWorld::eventually([&] { return counters.accepted == 21 && counters.connections == 0; }));
    QCOMPARE(counters.refusedProxyHeaders.load(), std::uint64_t{20});
    QCOMPARE(log.lines().size(), std::size_t{1});
    QVERIFY2(log.lines().front().find("127.0.0.1") != std::string::npos && log.lines().front().starts_with("proxy_header "),
        log.lines().front().c_str());
}

void TestProxyProtocol::silenceEnds()
{
    GatewayOptions options = announced();
    options.headTimeout = std::chrono::milliseconds(200);
    GatewayWorld world(std::move(options));
    RawClient silent(world.port());
    RawClient slow(world.port());
    QVERIFY(slow.send(kV1.substr(0, 10)));
    QVERIFY(silent.endsWithin(std::chrono::seconds(5)) && slow.endsWithin(std::chrono::seconds(5)));
    QVERIFY(GatewayWorld::eventually(
        [&] { return world.gateway().counters().refusedProxyHeaders == 2 && world.gateway().counters().connections == 0; }));
}

void TestProxyProtocol::tlsComesBehindIt()
{
    GatewayOptions options = announced();
    options.tls = tls();
    GatewayWorld world(std::move(options));
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    for (const std::string& header : {kV1, kV2}) {
        TlsClient client(world.port(), TLS1_3_VERSION, {}, header);
        QVERIFY(client.isOpen() && client.send(kGet));
        const std::string answer = client.readUntil("proto=https");
        QVERIFY2(answer.find("X-Forwarded-For: 203.0.113.7\r\n") != std::string::npos, answer.c_str());
    }
    const TlsClient bare(world.port());
    QVERIFY(!bare.isOpen());
    QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().refusedProxyHeaders == 1; }));
    QCOMPARE(world.gateway().counters().failedHandshakes.load(), std::uint64_t{0});
}

void TestProxyProtocol::worksBehindHaProxy_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<bool>("secure");
    QTest::newRow("version 1") << "send-proxy" << false;
    QTest::newRow("version 2") << "send-proxy-v2" << false;
    QTest::newRow("version 2 with a checksum") << "send-proxy-v2 proxy-v2-options crc32c" << false;
    QTest::newRow("version 1, TLS") << "send-proxy" << true;
    QTest::newRow("version 2, TLS") << "send-proxy-v2" << true;
}

void TestProxyProtocol::worksBehindHaProxy()
{
    QFETCH(QString, option);
    QFETCH(bool, secure);
    const QString haproxy = QStandardPaths::findExecutable(
        QStringLiteral("haproxy"), {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/local/sbin"), QStringLiteral("/usr/bin")});
    const QString curl = QStandardPaths::findExecutable(QStringLiteral("curl"));
    if (haproxy.isEmpty() || curl.isEmpty()) {
        QSKIP("haproxy or curl is not installed");
    }
    GatewayOptions options = announced();
    options.tls = secure ? tls() : nullptr;
    GatewayWorld world(std::move(options));
    ScriptedNode node(mirror());
    world.addNode("w1", node.url());
    const std::uint16_t port = unusedPort();
    QFile file(m_dir.filePath(QStringLiteral("haproxy.cfg")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("defaults\n mode tcp\n timeout connect 5s\n timeout client 10s\n timeout server 10s\n"
               "listen front\n bind 127.0.0.1:"
        + QByteArray::number(port) + "\n server gateway 127.0.0.1:" + QByteArray::number(world.port()) + " check " + option.toLatin1()
        + "\n");
    file.close();
    QProcess proxy;
    proxy.setProcessChannelMode(QProcess::MergedChannels);
    proxy.start(haproxy, {QStringLiteral("-db"), QStringLiteral("-f"), file.fileName()});
    QVERIFY(proxy.waitForStarted());
    // It has checked the gateway, by a connection of its own, once it passes one on.
    QVERIFY2(GatewayWorld::eventually([&] {
        return proxy.state() == QProcess::Running && RawClient(port).isConnected() && world.gateway().counters().accepted > 0;
    }),
        proxy.readAll().constData());
    const QString url = (secure ? QStringLiteral("https") : QStringLiteral("http")) + QStringLiteral("://127.0.0.1:%1/").arg(port);
    QProcess client;
    client.start(curl,
        {QStringLiteral("-sSk"), QStringLiteral("--max-time"), QStringLiteral("10"), QStringLiteral("--interface"),
            QStringLiteral("127.0.0.5"), url, url});
    QVERIFY(client.waitForFinished(20'000));
    const QByteArray out = client.readAllStandardOutput();
    QVERIFY2(client.exitCode() == 0, client.readAllStandardError().constData());
    QCOMPARE(out.count("X-Forwarded-For: 127.0.0.5\r\n"), 2);
    QCOMPARE(out.count(secure ? "proto=https" : "proto=http\r\n"), 2);
    QCOMPARE(world.gateway().counters().refusedProxyHeaders.load(), std::uint64_t{0});
    proxy.terminate();
    if (!proxy.waitForFinished(5'000)) {
        proxy.kill();
        proxy.waitForFinished(5'000);
    }
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestProxyProtocol)
#include "TestProxyProtocol.moc"
