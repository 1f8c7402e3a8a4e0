// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that two programs may read differently: each is refused with its status, the connection ends, and nothing reaches a node.
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"

#include <QTest>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;

class TestSmuggling : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void isRefused_data();
    void isRefused();
    void isTaken_data();
    void isTaken();
    void brokenAnswersAre502_data();
    void brokenAnswersAre502();
    void cleanupTestCase() { m_world.reset(); }

private:
    std::atomic<int> m_requests = 0;
    std::unique_ptr<ScriptedNode> m_node;
    std::unique_ptr<GatewayWorld> m_world;
};

void TestSmuggling::initTestCase()
{
    m_node = std::make_unique<ScriptedNode>([this](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            ++m_requests;
            if (headerOf(head, "transfer-encoding") == "chunked") {
                socket.readTo("0\r\n\r\n");
            } else {
                socket.readBody(head);
            }
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    });
    m_world = std::make_unique<GatewayWorld>();
    m_world->addNode("w1", m_node->url(), 100);
}

void TestSmuggling::isRefused_data()
{
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("status");
    const QByteArray get = "GET / HTTP/1.1\r\nHost: a\r\n";
    const QByteArray post = "POST / HTTP/1.1\r\nHost: a\r\n";
    const QByteArray chunked = post + "Transfer-Encoding: chunked\r\n";
    const auto row = [](const char* name, const QByteArray& request, int status = 400) { QTest::newRow(name) << request << status; };

    row("both framings", post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG");
    row("both framings, the other way", post + "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\nG");
    row("both framings, length 0", chunked + "Content-Length: 0\r\n\r\n0\r\n\r\n");
    row("two lengths", post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    row("two equal lengths", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc");
    row("length list", post + "Content-Length: 3, 3\r\n\r\nabc");
    row("length with plus", post + "Content-Length: +3\r\n\r\nabc");
    row("length with minus", post + "Content-Length: -3\r\n\r\nabc");
    row("length in hex", post + "Content-Length: 0x3\r\n\r\nabc");
    row("length with fraction", post + "Content-Length: 3.0\r\n\r\nabc");
    row("length with a blank inside", post + "Content-Length: 1 2\r\n\r\nabc");
    row("length empty", post + "Content-Length:\r\n\r\n");
    row("length a word", post + "Content-Length: three\r\n\r\nabc");
    row("length too great", post + "Content-Length: 18446744073709551616\r\n\r\nabc");
    row("length of 64 digits", post + "Content-Length: " + QByteArray(64, '9') + "\r\n\r\nabc");
    row("coding twice", chunked + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("coding identity", post + "Transfer-Encoding: identity\r\n\r\n", 501);
    row("coding gzip", post + "Transfer-Encoding: gzip\r\n\r\n", 501);
    row("coding gzip, chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501);
    row("coding chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501);
    row("coding xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501);
    row("coding quoted", post + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", 501);
    row("coding with parameter", post + "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n", 501);
    row("coding empty", post + "Transfer-Encoding:\r\n\r\n0\r\n\r\n", 501);
    row("coding with vertical tab", post + "Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n");
    row("coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("name with blank before colon", post + "Content-Length : 3\r\n\r\nabc");
    row("name with tab before colon", post + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n");
    row("folded line", get + "X-A: 1\r\n 2\r\n\r\n");
    row("folded with tab", get + "X-A: 1\r\n\t2\r\n\r\n");
    row("folded coding", post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n");
    row("first line folded", "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
    row("bare LF after request line", "GET / HTTP/1.1\nHost: a\r\n\r\n");
    row("bare LF after header", "GET / HTTP/1.1\r\nHost: a\nX-A: 1\r\n\r\n");
    row("bare LF at the end", get + "\n");
    row("bare CR in value", get + "X-A: 1\rX-B: 2\r\n\r\n");
    row("NUL in value", get + QByteArray("X-A: 1\0002\r\n\r\n", 13));
    row("NUL in name", get + QByteArray("X\0A: 1\r\n\r\n", 11));
    row("NUL in target", QByteArray("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 28));
    row("control character in value", get + "X-A: a\x01z\r\n\r\n");
    row("DEL in value", get + "X-A: \x7f\r\n\r\n");
    row("empty name", get + ": 1\r\n\r\n");
    row("no colon", get + "X-A\r\n\r\n");
    row("name with bracket", get + "X[A]: 1\r\n\r\n");
    row("name beyond ASCII", get + "X-\xc3\xa4: 1\r\n\r\n");
    row("two hosts", get + "Host: b\r\n\r\n");
    row("two equal hosts", get + "Host: a\r\n\r\n");
    row("no host", "GET / HTTP/1.1\r\nX-A: 1\r\n\r\n");
    row("host list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n");
    row("host with blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
    row("host with user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n");
    row("host with path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n");
    row("host with bad port", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n");
    row("empty method", " / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("method with bracket", "G[T / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n");
    row("two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("blank in target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
    row("tab as separator", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n");
    row("no version", "GET /\r\nHost: a\r\n\r\n");
    row("version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n");
    row("version without minor", "GET / HTTP/1\r\nHost: a\r\n\r\n");
    row("version with blank", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n");
    row("version 2", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505);
    row("version 0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505);
    row("version 3", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505);
    row("preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505);
    row("TLS", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11));
    row("target without slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n");
    row("target with fragment", "GET /#x HTTP/1.1\r\nHost: a\r\n\r\n");
    row("target beyond ASCII", "GET /\xc3\xa4 HTTP/1.1\r\nHost: a\r\n\r\n");
    row("target of another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n");
    row("target with user", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n");
    row("star with GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n");
    row("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 405);
    row("unknown expectation", post + "Expect: 200-ok\r\nContent-Length: 1\r\n\r\na", 417);
    row("too many headers", get + QByteArray("X: 1\r\n").repeated(300) + "\r\n", 431);
    row("head too long", get + "X: " + QByteArray(70000, 'x') + "\r\n\r\n", 431);
    row("target too long", "GET /" + QByteArray(70000, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", 431);
    row("chunk size a word", chunked + "\r\nxyz\r\nabc\r\n0\r\n\r\n");
    row("chunk size empty", chunked + "\r\n\r\nabc\r\n0\r\n\r\n");
    row("chunk size with 0x", chunked + "\r\n0x3\r\nabc\r\n0\r\n\r\n");
    row("chunk size with minus", chunked + "\r\n-1\r\nabc\r\n0\r\n\r\n");
    row("chunk size with blank", chunked + "\r\n3 \r\nabc\r\n0\r\n\r\n");
    row("chunk size too great", chunked + "\r\nffffffffffffffff3\r\nabc\r\n0\r\n\r\n");
    row("chunk size with bare LF", chunked + "\r\n3\nabc\r\n0\r\n\r\n");
    row("chunk longer than said", chunked + "\r\n3\r\nabcd\r\n0\r\n\r\n");
    row("chunk without CRLF", chunked + "\r\n3\r\nabc0\r\n\r\n");
    row("chunk extension with bare LF", chunked + "\r\n3;a\nb\r\nabc\r\n0\r\n\r\n");
    row("chunk extension with NUL", chunked + QByteArray("\r\n3;a\0\r\nabc\r\n0\r\n\r\n", 18));
    row("chunk extension too long", chunked + "\r\n3;" + QByteArray(3000, 'x') + "\r\nabc\r\n0\r\n\r\n");
    row("trailer without name", chunked + "\r\n0\r\n: x\r\n\r\n");
    row("trailer with bare LF", chunked + "\r\n0\r\nX: 1\n\r\n");
    row("trailers too long", chunked + "\r\n0\r\nX: " + QByteArray(10000, 'x') + "\r\n\r\n");
}

void TestSmuggling::isRefused()
{
    QFETCH(QByteArray, request);
    QFETCH(int, status);
    const int before = m_requests;
    RawClient client(m_world->port());
    // What follows must not be taken for a request, whatever the first one was.
    client.send(request.toStdString() + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, status);
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(!answer.header("x-weir-error").empty());
    client.shutdownSending();
    QVERIFY(client.readAll().empty());
    QCOMPARE(m_requests.load(), before);
}

void TestSmuggling::isTaken_data()
{
    QTest::addColumn<QByteArray>("request");
    const auto row = [](const char* name, const QByteArray& request) { QTest::newRow(name) << request; };
    row("plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("version 1.0 without host", "GET / HTTP/1.0\r\n\r\n");
    row("version 1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n");
    row("absolute target", "GET http://b.test/x HTTP/1.1\r\nHost: a\r\n\r\n");
    row("address as host", "GET / HTTP/1.1\r\nHost: [::1]:8780\r\n\r\n");
    row("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n");
    row("star with OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    row("stray percent sign", "GET /100%?q=%zz HTTP/1.1\r\nHost: a\r\n\r\n");
    row("blanks around a value", "GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n");
    row("bytes beyond ASCII in a value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: \xc3\xa4\r\n\r\n");
    row("unusual method", "M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("chunked in capitals", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    row("chunk size with zeros", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0003\r\nabc\r\n000\r\n\r\n");
    row("chunk extension", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0;x\r\n\r\n");
    row("length with zeros", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0003\r\n\r\nabc");
}

void TestSmuggling::isTaken()
{
    QFETCH(QByteArray, request);
    // In one piece and byte by byte.
    RawClient client(m_world->port());
    client.send(request.toStdString());
    QCOMPARE(client.read().status, 200);
    RawClient slow(m_world->port());
    for (const char c : request) {
        slow.send(std::string(1, c));
    }
    QCOMPARE(slow.read().status, 200);
}

void TestSmuggling::brokenAnswersAre502_data()
{
    QTest::addColumn<QByteArray>("answer");
    const auto row = [](const char* name, const QByteArray& answer) { QTest::newRow(name) << answer; };
    row("nothing", "");
    row("garbage", "hello\r\n\r\n");
    row("HTTP/0.9", "<html>");
    row("version 2", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n");
    row("status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n");
    row("status 600", "HTTP/1.1 600 No\r\nContent-Length: 0\r\n\r\n");
    row("status 000", "HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n");
    row("both framings", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    row("two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    row("bad length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n");
    row("unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
    row("bare LF", "HTTP/1.1 200 OK\nContent-Length: 0\n\n");
    row("folded line", "HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n");
    row("name with blank", "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n");
    row("NUL in value", QByteArray("HTTP/1.1 200 OK\r\nX: \0\r\nContent-Length: 0\r\n\r\n", 45));
    row("bad chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    row("101 that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
    row("head of 1 MiB", "HTTP/1.1 200 OK\r\nX: " + QByteArray(1048576, 'x') + "\r\n\r\n");
    row("head without end", "HTTP/1.1 200 OK\r\nX: 1\r\n");
    row("interim answers without end", QByteArray("HTTP/1.1 102 Processing\r\n\r\n").repeated(100));
}

void TestSmuggling::brokenAnswersAre502()
{
    QFETCH(QByteArray, answer);
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send(answer.toStdString());
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"); // interim answers are not for this client
    const Answer got = client.read();
    QCOMPARE(got.status, 502);
    QCOMPARE(got.header("x-weir-error"), std::string("bad_response"));
    QVERIFY(!world.inRotation(handle));
    QCOMPARE(world.inFlight(handle), 0);
    QCOMPARE(world.counters()->nodeFailures.load(), 1U);
    QCOMPARE(node.connections(), 1);
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestSmuggling)
#include "TestSmuggling.moc"
