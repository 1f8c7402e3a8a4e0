// SPDX-License-Identifier: GPL-3.0-or-later
// TLS on the traffic listener: what works in the clear works there too, and what comes instead of a handshake does no harm.
#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/Certificate.h"
#include "tests/support/TlsClient.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>
#include <mutex>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using weir::test::TlsClient;

namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const std::string kGet = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";

// The head of the next answer, and its body by Content-Length.
std::string readAnswer(TlsClient& client, std::string* body = nullptr)
{
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
        const std::string byte = client.read(1);
        if (byte.empty()) {
            return {};
        }
        head += byte;
    }
    const std::string length = headerOf(head, "content-length");
    const std::string got = client.read(length.empty() ? 0 : std::stoul(length));
    if (body != nullptr) {
        *body = got;
    }
    return head;
}

std::string patterned(std::size_t size)
{
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        text[i] = static_cast<char>((i * 31) >> 3U);
    }
    return text;
}

} // namespace

class TestGatewayTls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void forwards_data();
    void forwards();
    void conditionsSeeTheHandshake();
    void requestsInOneRecordAndInMany();
    void largeBodiesBothWays();
    void aSlowClientHoldsTheNodeBack();
    void upgradeBecomesATunnel();
    void theEndIsToldApartFromACut();
    void aFarewellCancels();
    void idleClientsAreToldTheEnd();
    void plainHttpIsToldWhy();
    void whatIsNoHandshakeEnds_data();
    void whatIsNoHandshakeEnds();
    void aDrippingHandshakeEnds();
    void aRenewedCertificateHoldsFromNowOn();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_dir.filePath(QString::fromStdString(name)).toStdString(); }
    [[nodiscard]] GatewayOptions options(const std::string& certificate = "one") const
    {
        GatewayOptions options;
        options.tls = http::TlsContext::load(file(certificate + ".pem"), file(certificate + ".key")).value_or(nullptr);
        return options;
    }

    QTemporaryDir m_dir;
};

void TestGatewayTls::initTestCase()
{
    (void)std::signal(SIGPIPE, SIG_IGN); // for the clients here: OpenSSL's own sockets raise it when the gateway has gone
    QVERIFY(weir::test::writeCertificate(file("one.pem"), file("one.key"), "one"));
    QVERIFY(weir::test::writeCertificate(file("two.pem"), file("two.key"), "two"));
    QVERIFY(options().tls != nullptr);
}

void TestGatewayTls::forwards_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<bool>("works");
    QTest::newRow("TLS 1.3") << TLS1_3_VERSION << true;
    QTest::newRow("TLS 1.2") << TLS1_2_VERSION << true;
    QTest::newRow("TLS 1.1") << TLS1_1_VERSION << false;
}

void TestGatewayTls::forwards()
{
    QFETCH(int, version);
    QFETCH(bool, works);
    GatewayWorld world(options());
    QVERIFY(world.gateway().url().starts_with("https://127.0.0.1:"));
    std::mutex mutex;
    std::string head;
    ScriptedNode node([&](NodeSocket& socket) {
        for (std::string text = socket.readHead(); !text.empty() && socket.send(kOk); text = socket.readHead()) {
            const std::scoped_lock lock(mutex);
            head = text;
        }
    });
    world.addNode("w1", node.url());
    TlsClient client(world.port(), version);
    QCOMPARE(client.isOpen(), works);
    const GatewayCounters& counters = world.gateway().counters();
    if (!works) {
        QVERIFY(GatewayWorld::eventually([&] { return counters.failedHandshakes == 1 && counters.connections == 0; }));
        return;
    }
    QCOMPARE(client.protocol(), std::string("http/1.1"));
    std::string body;
    for (int i = 0; i < 20; ++i) {
        QVERIFY(client.send(kGet));
        QVERIFY(readAnswer(client, &body).starts_with("HTTP/1.1 200 "));
        QCOMPARE(body, std::string("ok"));
    }
    QCOMPARE(counters.handshakes.load(), std::uint64_t{1});
    QCOMPARE(counters.failedHandshakes.load(), std::uint64_t{0});
    QCOMPARE(node.connections(), 1);
    QVERIFY(GatewayWorld::eventually([&] {
        const std::scoped_lock lock(mutex);
        return !head.empty();
    }));
    const std::scoped_lock lock(mutex);
    QCOMPARE(headerOf(head, "X-Forwarded-Proto"), std::string("https"));
    QVERIFY2(headerOf(head, "Forwarded").ends_with(";proto=https"), head.c_str());
}

void TestGatewayTls::conditionsSeeTheHandshake()
{
    GatewayOptions secure = options();
    const std::string list = "[{\"module\":\"block\",\"rules\":["
                             "{\"name\":\"sni\",\"when\":\"req_proto_secure() && ses_tls_sni_in(`Blocked.test`)\",\"status\":451},"
                             "{\"name\":\"port\",\"when\":\"req_port_in(`443`) && req_path_in(`/port`, false)\",\"status\":452},"
                             "{\"name\":\"client\",\"when\":\"ses_tls_client_auth() || ses_tls_client_ca_in(`any`)\",\"status\":453}]}]";
    config::IssueCollector issues(list);
    secure.modules = ModuleChain::read(issues, *config::JsonReader(list).read(), "gateway.modules");
    QVERIFY(!issues.hasErrors());
    GatewayWorld world(std::move(secure));
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    TlsClient other(world.port(), TLS1_3_VERSION, "other.test");
    QVERIFY(other.send(kGet) && readAnswer(other).starts_with("HTTP/1.1 200 "));
    TlsClient unnamed(world.port());
    QVERIFY(unnamed.send(kGet) && readAnswer(unnamed).starts_with("HTTP/1.1 200 "));
    QVERIFY(unnamed.send("GET /port HTTP/1.1\r\nHost: a.test\r\n\r\n") && readAnswer(unnamed).starts_with("HTTP/1.1 452 "));
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        TlsClient blocked(world.port(), version, "blocked.test");
        QVERIFY(blocked.send(kGet) && readAnswer(blocked).starts_with("HTTP/1.1 451 "));
        // A session that goes on has asked for the same name.
        const std::unique_ptr<SSL_SESSION, decltype(&SSL_SESSION_free)> session(blocked.session(), &SSL_SESSION_free);
        TlsClient again(world.port(), version, "blocked.test", {}, session.get());
        QVERIFY(again.isOpen() && again.isResumed());
        QVERIFY(again.send(kGet) && readAnswer(again).starts_with("HTTP/1.1 451 "));
    }
}

void TestGatewayTls::requestsInOneRecordAndInMany()
{
    GatewayWorld world(options());
    std::mutex mutex;
    std::vector<std::string> seen;
    ScriptedNode node([&](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            const std::string body = socket.readBody(head);
            const std::scoped_lock lock(mutex);
            seen.push_back(head.substr(0, head.find(" HTTP")) + body);
            if (!socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(seen.back().size()) + "\r\n\r\n" + seen.back())) {
                return;
            }
        }
    });
    world.addNode("w1", node.url());
    TlsClient client(world.port());
    QVERIFY(client.send(
        "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n123GET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n"));
    for (const char* expected : {"POST /a123", "GET /b", "GET /c"}) {
        std::string body;
        QVERIFY(readAnswer(client, &body).starts_with("HTTP/1.1 200 "));
        QCOMPARE(body, std::string(expected));
    }
    for (const char byte : std::string("POST /d HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nslow")) {
        QVERIFY(client.send(std::string(1, byte)));
    }
    std::string body;
    QVERIFY(readAnswer(client, &body).starts_with("HTTP/1.1 200 "));
    QCOMPARE(body, std::string("POST /dslow"));
}

void TestGatewayTls::largeBodiesBothWays()
{
    GatewayWorld world(options());
    ScriptedNode node([&](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            const std::string body = socket.readBody(head);
            if (!socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body)) {
                return;
            }
        }
    });
    world.addNode("w1", node.url());
    const std::string body = patterned(24U << 20U);
    for (const int version : {TLS1_3_VERSION, TLS1_2_VERSION}) {
        TlsClient client(world.port(), version);
        for (const std::size_t size : {body.size(), std::size_t{16384}, std::size_t{70001}}) {
            QVERIFY(
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + body.substr(0, size)));
            std::string back;
            QVERIFY(readAnswer(client, &back).starts_with("HTTP/1.1 200 "));
            QVERIFY(back == body.substr(0, size));
        }
    }
}

void TestGatewayTls::aSlowClientHoldsTheNodeBack()
{
    GatewayWorld world(options());
    constexpr std::size_t kPiece = 1U << 20U;
    constexpr std::size_t kPieces = 64;
    const std::string piece = patterned(kPiece);
    std::atomic<std::size_t> sent = 0;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kPiece * kPieces) + "\r\n\r\n");
        for (std::size_t i = 0; i < kPieces && socket.send(piece); ++i) {
            ++sent;
        }
        socket.isEnded();
    });
    world.addNode("w1", node.url());
    TlsClient client(world.port());
    QVERIFY(client.send(kGet));
    // Buffers of four sockets and two blocks lie between; the node stops long before the end.
    std::size_t before = 0;
    auto since = std::chrono::steady_clock::now();
    QVERIFY(GatewayWorld::eventually([&] {
        if (const std::size_t now = sent; now != before || now == 0) {
            before = now;
            since = std::chrono::steady_clock::now();
        }
        return std::chrono::steady_clock::now() - since > std::chrono::milliseconds(500);
    }));
    QVERIFY2(sent < kPieces / 2, std::to_string(sent).c_str());
    const std::string head = client.readUntil("\r\n\r\n");
    std::size_t got = head.size() - head.find("\r\n\r\n") - 4;
    bool same = head.ends_with(piece.substr(0, got));
    while (got < kPiece * kPieces && same) {
        const std::string more = client.read(std::min<std::size_t>(kPiece, kPiece * kPieces - got));
        for (std::size_t i = 0; i < more.size() && same; ++i) {
            same = more[i] == piece[(got + i) % kPiece];
        }
        got += more.size();
        if (more.empty()) {
            break;
        }
    }
    QVERIFY(same);
    QCOMPARE(got, kPiece * kPieces);
}

void TestGatewayTls::upgradeBecomesATunnel()
{
    GatewayWorld world(options());
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhi");
        const std::string said = socket.read(5);
        socket.send("<" + said + ">");
        if (socket.isEnded()) { // the client's farewell comes through, and its other side stays open
            socket.send("bye");
        }
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    TlsClient client(world.port());
    QVERIFY(client.send("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhel"));
    QVERIFY(client.readUntil("\r\n\r\nhi").starts_with("HTTP/1.1 101 "));
    QVERIFY(client.send("lo"));
    QCOMPARE(client.read(7), std::string("<hello>"));
    client.endSending();
    QCOMPARE(client.read(3), std::string("bye"));
    QVERIFY(client.endsCleanly());
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle));
}

void TestGatewayTls::theEndIsToldApartFromACut()
{
    GatewayWorld world(options());
    std::atomic<bool> isCut = false;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 200 OK\r\n\r\nall of it");
        if (isCut) {
            socket.abort();
        }
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    TlsClient whole(world.port());
    QVERIFY(whole.send("GET / HTTP/1.0\r\n\r\n"));
    QVERIFY(whole.readUntil("all of it").ends_with("all of it"));
    QVERIFY(whole.endsCleanly());
    QVERIFY(world.inRotation(handle));
    isCut = true;
    TlsClient cut(world.port());
    QVERIFY(cut.send("GET / HTTP/1.0\r\n\r\n"));
    (void)cut.readUntil("never");
    QVERIFY(!cut.endsCleanly());
}

void TestGatewayTls::aFarewellCancels()
{
    GatewayWorld world(options());
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.isEnded();
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    TlsClient client(world.port());
    QVERIFY(client.send(kGet));
    QVERIFY(GatewayWorld::eventually([&] { return node.connections() == 1 && world.inFlight(handle) == 1; }));
    client.endSending();
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0 && world.gateway().counters().clientsLeft == 1; }));
    QVERIFY(world.inRotation(handle));
}

void TestGatewayTls::idleClientsAreToldTheEnd()
{
    GatewayOptions brief = options();
    brief.idleTimeout = std::chrono::milliseconds(200);
    GatewayWorld world(std::move(brief));
    TlsClient idle(world.port());
    QVERIFY(idle.isOpen());
    QVERIFY(idle.endsCleanly());
    GatewayWorld closing(options());
    TlsClient open(closing.port());
    QVERIFY(open.isOpen());
    RawClient silent(closing.port());
    QVERIFY(GatewayWorld::eventually([&] { return closing.gateway().counters().connections == 2; }));
    auto closed = closing.close(std::chrono::seconds(20));
    QVERIFY(open.endsCleanly());
    QVERIFY(silent.endsWithin(std::chrono::seconds(2)));
    QCOMPARE(closed.wait_for(std::chrono::seconds(5)), std::future_status::ready);
}

void TestGatewayTls::plainHttpIsToldWhy()
{
    GatewayWorld world(options());
    RawClient client(world.port());
    QVERIFY(client.send(kGet));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.header("x-weir-error"), std::string("tls_required"));
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(client.endsWithin(std::chrono::seconds(5)));
    QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().connections == 0; }));
    QCOMPARE(world.gateway().counters().failedHandshakes.load(), std::uint64_t{1});
}

void TestGatewayTls::whatIsNoHandshakeEnds_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("leaves");
    QTest::newRow("silence") << QByteArray() << false;
    QTest::newRow("noise") << QByteArray("\x01\x02\x03 this is no TLS at all, nor HTTP") << false;
    QTest::newRow("half a hello") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) << false;
    QTest::newRow("leaves at once") << QByteArray() << true;
    QTest::newRow("leaves midway") << QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) << true;
}

void TestGatewayTls::whatIsNoHandshakeEnds()
{
    QFETCH(QByteArray, bytes);
    QFETCH(bool, leaves);
    GatewayOptions brief = options();
    brief.headTimeout = std::chrono::milliseconds(300);
    GatewayWorld world(std::move(brief));
    const GatewayCounters& counters = world.gateway().counters();
    RawClient client(world.port());
    QVERIFY(client.send({bytes.constData(), static_cast<std::size_t>(bytes.size())}));
    if (leaves) {
        client.shutdownSending();
    }
    (void)client.readAll(); // perhaps an alert, then the end
    QVERIFY(GatewayWorld::eventually([&] { return counters.failedHandshakes == 1 && counters.connections == 0; }));
    QCOMPARE(counters.accepted.load(), std::uint64_t{1});
    QCOMPARE(counters.handshakes.load(), std::uint64_t{0});
}

void TestGatewayTls::aDrippingHandshakeEnds()
{
    GatewayOptions brief = options();
    brief.headTimeout = std::chrono::milliseconds(500);
    GatewayWorld world(std::move(brief));
    const std::string hello("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
    RawClient client(world.port());
    bool isEnded = false;
    std::size_t dripped = 0;
    for (; !isEnded && dripped < 400; ++dripped) {
        (void)client.send(std::string(1, dripped < hello.size() ? hello[dripped] : 'x'));
        isEnded = client.endsWithin(std::chrono::milliseconds(20));
    }
    QVERIFY(isEnded);
    QVERIFY2(dripped > 5, "it had its time");
    QVERIFY(GatewayWorld::eventually(
        [&] { return world.gateway().counters().failedHandshakes == 1 && world.gateway().counters().connections == 0; }));
}

void TestGatewayTls::aRenewedCertificateHoldsFromNowOn()
{
    GatewayWorld world(options());
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    TlsClient early(world.port());
    QCOMPARE(early.subject(), std::string("/CN=one"));
    world.gateway().setTls(options("two").tls);
    QVERIFY(GatewayWorld::eventually([&] { return TlsClient(world.port()).subject() == "/CN=two"; }));
    QVERIFY(early.send(kGet) && readAnswer(early).starts_with("HTTP/1.1 200 "));
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGatewayTls)
#include "TestGatewayTls.moc"
