// SPDX-License-Identifier: GPL-3.0-or-later
#include "RawClient.h"
#include "RunningServer.h"

#include <QtTest>
#include <atomic>

using namespace weir::http;
using namespace weir::http::test;
using namespace std::chrono_literals;

namespace {

const std::string kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

void addChunkRows()
{
    const auto chunks = [](const char* name, const QByteArray& body) {
        QTest::newRow(name) << QByteArray("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
    };
    chunks("chunk size is no number", "zz\r\n");
    chunks("chunk size is empty", "\r\n");
    chunks("chunk size is negative", "-1\r\n");
    chunks("chunk size with 0x", "0x1\r\na\r\n");
    chunks("chunk size too long", "000000001\r\n");
    chunks("chunk size ends in LF", "1\na\r\n0\r\n\r\n");
    chunks("chunk size with a blank", "1 \r\na\r\n0\r\n\r\n");
    chunks("chunk longer than it says", "1\r\nab\r\n0\r\n\r\n");
    chunks("chunk ends in LF", "1\r\na\n0\r\n\r\n");
    chunks("control in an extension", "1;\x01\r\na\r\n0\r\n\r\n");
    chunks("trailer without colon", "0\r\nnonsense\r\n\r\n");
    chunks("folded trailer", "0\r\nX: a\r\n b\r\n\r\n");
    chunks("end without CR", "0\r\n\n");
}

bool isReady(std::future<void>& future, std::chrono::milliseconds limit = 5000ms)
{
    return future.wait_for(limit) == std::future_status::ready;
}

} // namespace

class TestLimits : public QObject {
    Q_OBJECT

private slots:
    void refusesMalformedRequests_data();
    void refusesMalformedRequests();
    void refusesLongHeads();
    void refusesLargeBodies_data();
    void refusesLargeBodies();
    void doesNotReadForEver();
    void timesOutSlowHeads();
    void timesOutSlowBodies();
    void closesIdleConnectionsSilently();
    void waitsForSlowHandlers();
    void closesOnClientsThatDoNotRead();
    void limitsConnections();
    void closesIdleOnesAtOnce();
    void letsRequestsUnderWayFinish();
    void cutsAfterTheGrace();
};

void TestLimits::refusesMalformedRequests_data()
{
    QTest::addColumn<QByteArray>("request");
    const auto row = [](const char* name, const QByteArray& request) { QTest::newRow(name) << request; };
    const auto head = [&](const char* name, const QByteArray& lines) { row(name, "POST /x HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n"); };
    row("TLS hello", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01", 8));
    row("blank first", " GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("bare LF in the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n");
    row("bare LF everywhere", "GET / HTTP/1.1\nHost: a\n\n");
    row("bare LF after a header", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n");
    row("bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n");
    row("bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n");
    row("no version", "GET /\r\nHost: a\r\n\r\n");
    row("HTTP/0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n");
    row("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n");
    row("HTTP/9.9", "GET / HTTP/9.9\r\nHost: a\r\n\r\n");
    row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    row("version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n");
    row("version with a blank", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n");
    row("two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("tab for a blank", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n");
    row("method is no token", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("method too long", QByteArray(33, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n");
    row("blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
    row("control in the target", "GET /a\x01 HTTP/1.1\r\nHost: a\r\n\r\n");
    row("byte over 127 in the target", "GET /\xC3\xA9 HTTP/1.1\r\nHost: a\r\n\r\n");
    row("relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n");
    row("fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n");
    row("bad escape in the path", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n");
    row("cut escape in the query", "GET /?a=%2 HTTP/1.1\r\nHost: a\r\n\r\n");
    row("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n");
    row("no Host", "GET / HTTP/1.1\r\nX: y\r\n\r\n");
    row("two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
    row("two Hosts in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n");
    row("Host with a slash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n");
    row("Host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n");
    row("Host with a list", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n");
    row("Host with a bad port", "GET / HTTP/1.1\r\nHost: a:8x\r\n\r\n");
    head("no colon", "Nonsense\r\n");
    head("no name", ": x\r\n");
    head("blank before the colon", "X : y\r\n");
    head("blank in a name", "Bad Name: y\r\n");
    head("name with a byte over 127", "N\xC3\xA4me: y\r\n");
    head("folded line", "X: a\r\n b\r\n");
    row("folded first line", "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
    head("NUL in a value", QByteArray("X: a\0b\r\n", 8));
    head("DEL in a value", "X: a\x7F\r\n");
    head("two lengths", "Content-Length: 1\r\nContent-Length: 1\r\n");
    head("a list of lengths", "Content-Length: 1, 1\r\n");
    head("negative length", "Content-Length: -1\r\n");
    head("signed length", "Content-Length: +1\r\n");
    head("overlong length", "Content-Length: 18446744073709551617\r\n");
    head("length of zeros", "Content-Length: 0000000000000000001\r\n");
    head("hexadecimal length", "Content-Length: 0x1\r\n");
    head("empty length", "Content-Length:\r\n");
    head("length and chunked", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n");
    head("chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n");
    head("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n");
    head("chunked in a list", "Transfer-Encoding: gzip, chunked\r\n");
    head("unknown coding", "Transfer-Encoding: xchunked\r\n");
    head("empty coding", "Transfer-Encoding:\r\n");
    row("chunked in 1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    addChunkRows();
}

void TestLimits::refusesMalformedRequests()
{
    QFETCH(QByteArray, request);
    std::atomic<int> handled = 0;
    RunningServer server([&](Request r, const Reply& reply) {
        ++handled;
        echo(std::move(r), reply);
    });
    RawClient client(server.port());
    // A request smuggled behind must not be served either.
    QVERIFY(client.send(request.toStdString() + kGet));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 400);
    QCOMPARE(answer.header("content-type"), std::string("application/problem+json"));
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(answer.headers.contains("x-request-id"));
    QVERIFY(answer.body.find("\"malformed_") != std::string::npos);
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));
    QCOMPARE(handled.load(), 0);
}

void TestLimits::refusesLongHeads()
{
    RunningServer server(echo);
    RawClient client(server.port());
    QVERIFY(client.send("GET /x HTTP/1.1\r\nHost: a\r\nX: " + std::string(15U << 10U, 'x') + "\r\n\r\n"));
    QCOMPARE(client.read().status, 200);
    QVERIFY(client.send("GET /x HTTP/1.1\r\nHost: a\r\nX: " + std::string(1U << 20U, 'x') + "\r\n\r\n"));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 431);
    QVERIFY(answer.body.find("\"headers_too_large\"") != std::string::npos);
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));
}

void TestLimits::refusesLargeBodies_data()
{
    QTest::addColumn<bool>("isChunked");
    QTest::newRow("announced") << false;
    QTest::newRow("chunked") << true;
}

void TestLimits::refusesLargeBodies()
{
    QFETCH(bool, isChunked);
    constexpr std::size_t kSize = 2U << 20U;
    std::atomic<int> handled = 0;
    RunningServer server([&](const Request&, const Reply&) { ++handled; });
    RawClient client(server.port());
    const std::string start = "POST /x HTTP/1.1\r\nHost: a\r\nX-Request-Id: large\r\n";
    if (isChunked) {
        QVERIFY(client.send(start + "Transfer-Encoding: chunked\r\n\r\n"));
        for (std::size_t sent = 0; sent < kSize; sent += 0x10000) {
            QVERIFY(client.send("10000\r\n" + std::string(0x10000, 'x') + "\r\n"));
        }
        QVERIFY(client.send("0\r\n\r\n"));
    } else {
        // All of it goes out before the answer is read, as simple clients do.
        QVERIFY(client.send(start + "Content-Length: " + std::to_string(kSize) + "\r\n\r\n" + std::string(kSize, 'x')));
    }
    const Answer answer = client.read();
    QCOMPARE(answer.status, 413);
    QVERIFY(answer.body.find("\"body_too_large\"") != std::string::npos);
    QCOMPARE(answer.header("x-request-id"), std::string("large"));
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));
    QCOMPARE(handled.load(), 0);
}

void TestLimits::doesNotReadForEver()
{
    ServerOptions options;
    options.maxLinger = 1U << 20U;
    options.lingerTimeout = 60s;
    RunningServer byBytes(echo, options);
    RawClient flood(byBytes.port());
    const std::string piece(1U << 20U, 'x');
    bool isOpen = flood.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n");
    int pieces = 0;
    while (isOpen && pieces < 100) {
        isOpen = flood.send(piece);
        ++pieces;
    }
    QVERIFY(!isOpen);

    options.lingerTimeout = 100ms;
    RunningServer byTime(echo, options);
    RawClient silent(byTime.port());
    QVERIFY(silent.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n"));
    QCOMPARE(silent.read().status, 413);
    // The sending side is shut at once; that the whole connection goes shows when more is sent.
    QTRY_VERIFY_WITH_TIMEOUT(!silent.send("x"), 5000);
}

void TestLimits::timesOutSlowHeads()
{
    ServerOptions options;
    options.headerTimeout = 200ms;
    std::atomic<int> handled = 0;
    RunningServer server(
        [&](Request request, const Reply& reply) {
            ++handled;
            echo(std::move(request), reply);
        },
        options);
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    QCOMPARE(client.read().status, 200);
    // Bytes that trickle in do not move the limit.
    std::atomic<bool> stop = false;
    QVERIFY(client.send("GET /x HTTP/1.1\r\nHost: a\r\nX: "));
    std::thread trickle([&] {
        while (!stop && client.send("y")) {
            std::this_thread::sleep_for(20ms);
        }
    });
    const Answer answer = client.read();
    stop = true;
    trickle.join();
    QCOMPARE(answer.status, 408);
    QVERIFY(answer.body.find("\"request_timeout\"") != std::string::npos);
    QCOMPARE(answer.header("connection"), std::string("close"));
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));
    QCOMPARE(handled.load(), 1);
}

void TestLimits::timesOutSlowBodies()
{
    ServerOptions options;
    options.bodyTimeout = 200ms;
    RunningServer server(echo, options);
    RawClient client(server.port());
    QVERIFY(client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nX-Request-Id: slow\r\n\r\nhalf"));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 408);
    QCOMPARE(answer.header("x-request-id"), std::string("slow"));
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));
}

void TestLimits::closesIdleConnectionsSilently()
{
    ServerOptions options;
    options.idleTimeout = 200ms;
    RunningServer server(echo, options);
    RawClient fresh(server.port());
    RawClient used(server.port());
    QVERIFY(used.send(kGet));
    QCOMPARE(used.read().status, 200);
    QVERIFY(fresh.endsWithin(5000ms));
    QVERIFY(used.endsWithin(5000ms));
}

void TestLimits::waitsForSlowHandlers()
{
    ServerOptions options;
    options.idleTimeout = 50ms;
    options.headerTimeout = 50ms;
    options.bodyTimeout = 50ms;
    Inbox inbox;
    RunningServer server(inbox.handler(), options);
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    auto item = inbox.take();
    QVERIFY(item.has_value());
    QVERIFY(!client.endsWithin(300ms)); // no limit of the listener ends a request that is being handled
    item->reply(text("at last"));
    QCOMPARE(client.read().body, std::string("at last"));
}

void TestLimits::closesOnClientsThatDoNotRead()
{
    ServerOptions options;
    options.idleTimeout = 200ms;
    RunningServer server([](const Request&, const Reply& reply) { reply(text(std::string(64U << 20U, 'x'))); }, options);
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    // The server gives the connection up by itself: then sending fails.
    QTRY_VERIFY_WITH_TIMEOUT(!client.send("x"), 5000);
}

void TestLimits::limitsConnections()
{
    ServerOptions options;
    options.maxConnections = 3;
    RunningServer server(echo, options);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        QVERIFY(clients.back()->send(kGet));
        QCOMPARE(clients.back()->read().status, 200);
    }
    RawClient surplus(server.port());
    QVERIFY(surplus.send(kGet));
    const Answer answer = surplus.read();
    QCOMPARE(answer.status, 503);
    QVERIFY(answer.body.find("\"too_many_connections\"") != std::string::npos);
    QVERIFY(surplus.endsWithin(5000ms));
    // A place that becomes free is given again.
    clients.pop_back();
    const auto served = [&] {
        RawClient next(server.port());
        return next.send(kGet) && next.read().status == 200;
    };
    QTRY_VERIFY_WITH_TIMEOUT(served(), 5000);
    QVERIFY(clients.front()->send(kGet));
    QCOMPARE(clients.front()->read().status, 200);
}

void TestLimits::closesIdleOnesAtOnce()
{
    RunningServer server(echo);
    RawClient fresh(server.port());
    RawClient used(server.port());
    QVERIFY(used.send(kGet));
    QCOMPARE(used.read().status, 200);
    const std::uint16_t port = server.port();
    auto closed = server.close(60s);
    QVERIFY(isReady(closed));
    QVERIFY(used.endsWithin(5000ms));
    QVERIFY(fresh.endsWithin(5000ms));
    QVERIFY(!RawClient(port).isConnected());
    QCOMPARE(server.port(), port);
    auto again = server.close(60s);
    QVERIFY(isReady(again));
}

void TestLimits::letsRequestsUnderWayFinish()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    RawClient client(server.port());
    RawClient half(server.port());
    QVERIFY(client.send(kGet));
    auto item = inbox.take();
    QVERIFY(item.has_value());
    QVERIFY(half.send("POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo"));
    auto closed = server.close(60s);
    server.onIoThread([] {}); // close() has been posted: it has begun now
    QVERIFY(!RawClient(server.port()).isConnected());
    QVERIFY(!isReady(closed, 0ms));
    item->reply(text("finished"));
    const Answer answer = client.read();
    QCOMPARE(answer.body, std::string("finished"));
    QCOMPARE(answer.header("connection"), std::string("close"));
    client.shutdownSending();
    QVERIFY(client.endsWithin(5000ms));

    QVERIFY(half.send("dy"));
    auto second = inbox.take();
    QVERIFY(second.has_value());
    QCOMPARE(second->request.body, std::string("body"));
    second->reply(text("too"));
    QCOMPARE(half.read().body, std::string("too"));
    half.shutdownSending();
    QVERIFY(isReady(closed));
}

void TestLimits::cutsAfterTheGrace()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    auto item = inbox.take();
    QVERIFY(item.has_value());
    auto closed = server.close(100ms);
    QVERIFY(isReady(closed));
    QVERIFY(client.endsWithin(5000ms));
    item->reply(text("too late"));
    server.onIoThread([] {});
}

QTEST_GUILESS_MAIN(TestLimits)
#include "TestLimits.moc"
