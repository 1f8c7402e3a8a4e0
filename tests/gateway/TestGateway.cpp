// SPDX-License-Identifier: GPL-3.0-or-later
// The forwarding path over real sockets: gateway.md "Forwarding".
#include "core/gateway/HeadWriter.h"
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"

#include <QTest>

#include <mutex>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;

class TestGateway : public QObject {
    Q_OBJECT

private slots:
    void forwards();
    void keepsConnectionsOnBothSides();
    void setsTheHeadersOfAProxy();
    void believesTrustedPeersOnly();
    void pipelinedRequestsAreAnsweredInOrder();
    void countedBodyGoesThrough();
    void chunkedBodyGoesThroughWithTrailers();
    void chunkedAnswerGoesThroughWithTrailers();
    void answerUntilCloseIsChunkedForNewClients();
    void http10ClientsGetTheirFraming();
    void headHasNoBody();
    void statusesWithoutBody();
    void expectContinueIsPassedOn();
    void expectContinueIsAnsweredWhenTheNodeIsSilent();
    void earlyHintsArePassedOn();
    void earlyAnswerEndsAnUpload();
    void largeBodiesBothWays();
    void upgradeBecomesATunnel();
    void upgradeRefusedStaysHttp();
    void healthComesBeforeRouting();
    void ownErrors();
    void aDeadKeptConnectionIsReplacedOnce();
    void aClientThatLeavesCancels();
    void closesIdleClientsAtOnce();
};

namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Remembers the heads that came in.
struct Heads {
    std::mutex mutex;
    std::vector<std::string> heads;

    ScriptedNode::Script script(std::string response = kOk)
    {
        return [this, response = std::move(response)](NodeSocket& socket) {
            for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
                socket.readBody(head);
                {
                    const std::scoped_lock lock(mutex);
                    heads.push_back(head);
                }
                if (!socket.send(response)) {
                    return;
                }
            }
        };
    }
    std::string last()
    {
        const std::scoped_lock lock(mutex);
        return heads.empty() ? std::string() : heads.back();
    }
};

} // namespace

void TestGateway::forwards()
{
    GatewayWorld world;
    QVERIFY(world.listened().has_value());
    Heads heads;
    ScriptedNode node(heads.script());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET /v1/x?y=%20z HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.body, std::string("ok"));
    QVERIFY(heads.last().starts_with("GET /v1/x?y=%20z HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\n"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle));
    QVERIFY(GatewayWorld::eventually([&] { return world.counters()->requests[2] == 1; }));
}

void TestGateway::keepsConnectionsOnBothSides()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    RawClient client(world.port());
    for (int i = 0; i < 50; ++i) {
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QCOMPARE(client.read().status, 200);
    }
    QCOMPARE(node.connections(), 1);
}

void TestGateway::setsTheHeadersOfAProxy()
{
    GatewayWorld world;
    Heads heads;
    ScriptedNode node(heads.script("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: X-Inner\r\nX-Inner: 1\r\nKeep-Alive: timeout=5\r\nX-Outer: 2\r\n\r\nok"));
    world.addNode("w1", node.url() + "/base/");
    RawClient client(world.port());
    client.send("GET http://real.test:81/p HTTP/1.1\r\nHost: other.test\r\nConnection: keep-alive, X-Secret, Host\r\nX-Secret: 1\r\nX-Other: 2\r\n"
                "X-Forwarded-For: 1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil\r\n"
                "X-Forwarded-Port: 1\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nKeep-Alive: 5\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("x-inner"), std::string());
    QCOMPARE(answer.header("keep-alive"), std::string());
    QCOMPARE(answer.header("x-outer"), std::string("2"));
    const std::string head = heads.last();
    QVERIFY2(head.starts_with("GET /base/p HTTP/1.1\r\nHost: real.test:81\r\n"), head.c_str());
    QCOMPARE(headerOf(head, "X-Secret"), std::string());
    QCOMPARE(headerOf(head, "X-Other"), std::string("2"));
    QCOMPARE(headerOf(head, "X-Forwarded-For"), std::string("127.0.0.1"));
    QCOMPARE(headerOf(head, "X-Forwarded-Proto"), std::string("http"));
    QCOMPARE(headerOf(head, "X-Forwarded-Host"), std::string("real.test:81"));
    QCOMPARE(headerOf(head, "X-Forwarded-Port"), std::string());
    QCOMPARE(headerOf(head, "X-Real-Ip"), std::string("127.0.0.1"));
    QCOMPARE(headerOf(head, "Forwarded"), std::string("for=127.0.0.1;host=\"real.test:81\";proto=http"));
    QCOMPARE(headerOf(head, "TE"), std::string("trailers"));
    QCOMPARE(headerOf(head, "Proxy-Connection"), std::string());
    QCOMPARE(headerOf(head, "Keep-Alive"), std::string());
    QVERIFY(isTraceparent(headerOf(head, "traceparent")));
    for (const char* name : {"\r\nHost: ", "X-Forwarded-For: ", "X-Real-Ip: ", "\r\nForwarded: "}) {
        QCOMPARE(countOf(head, name), 1);
    }
    const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    client.send("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: " + trace + "\r\n\r\n");
    QCOMPARE(client.read().status, 200);
    QCOMPARE(headerOf(heads.last(), "traceparent"), trace);
}

void TestGateway::believesTrustedPeersOnly()
{
    GatewayOptions options;
    options.trustedProxies = {"127.0.0.0/8", "10.0.0.0/8"};
    GatewayWorld world(std::move(options));
    Heads heads;
    ScriptedNode node(heads.script());
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 6.6.6.6, 203.0.113.9\r\nX-Forwarded-For: 10.1.1.1\r\nX-Forwarded-Proto: https\r\n"
                "Forwarded: for=203.0.113.9\r\n\r\n");
    QCOMPARE(client.read().status, 200);
    const std::string head = heads.last();
    QCOMPARE(headerOf(head, "X-Forwarded-For"), std::string("6.6.6.6, 203.0.113.9, 10.1.1.1, 127.0.0.1"));
    QCOMPARE(headerOf(head, "X-Real-Ip"), std::string("203.0.113.9"));
    QCOMPARE(headerOf(head, "X-Forwarded-Proto"), std::string("https"));
    QCOMPARE(headerOf(head, "Forwarded"), std::string("for=203.0.113.9, for=127.0.0.1;host=\"a\";proto=http"));
}

void TestGateway::pipelinedRequestsAreAnsweredInOrder()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            const std::string body = socket.readBody(head) + head.substr(0, head.find(" HTTP"));
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        }
    });
    world.addNode("w1", node.url());
    RawClient client(world.port());
    std::string all;
    for (int i = 0; i < 200; ++i) {
        all += "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    }
    client.send(all);
    for (int i = 0; i < 200; ++i) {
        QCOMPARE(client.read().body, "abcPOST /" + std::to_string(i));
    }
}

void TestGateway::countedBodyGoesThrough()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            const std::string body = socket.readBody(head);
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        }
    });
    world.addNode("w1", node.url());
    RawClient client(world.port());
    // In one piece, in two, and byte by byte.
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
    QCOMPARE(client.read().body, std::string("hello"));
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
    client.send("hello");
    QCOMPARE(client.read().body, std::string("hello"));
    for (const char c : std::string("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")) {
        client.send(std::string(1, c));
    }
    QCOMPARE(client.read().body, std::string("hello"));
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    QCOMPARE(client.read().body, std::string());
}

void TestGateway::chunkedBodyGoesThroughWithTrailers()
{
    GatewayWorld world;
    std::string seen;
    ScriptedNode node([&](NodeSocket& socket) {
        const std::string head = socket.readHead();
        seen = headerOf(head, "transfer-encoding") + "|" + socket.readTo("\r\n\r\n");
        socket.send(kOk);
    });
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 11\r\nContent-Length: 3\r\n\r\n");
    QCOMPARE(client.read().status, 200);
    QCOMPARE(seen, std::string("chunked|b\r\nhello world\r\n0\r\nX-Sum: 11\r\n\r\n"));
}

void TestGateway::chunkedAnswerGoesThroughWithTrailers()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\nX-Sum: 6\r\n\r\n"));
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const std::string all = client.readAll();
    QCOMPARE(countOf(all, "\r\n\r\n6\r\nabcdef\r\n0\r\nX-Sum: 6\r\n\r\n"), 2);
    QCOMPARE(countOf(all, "Transfer-Encoding: chunked"), 2);
    QCOMPARE(node.connections(), 1);
}

void TestGateway::answerUntilCloseIsChunkedForNewClients()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nsome text");
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const std::string all = client.readAll();
    QCOMPARE(countOf(all, "9\r\nsome text\r\n0\r\n\r\n"), 2);
    QVERIFY(world.inRotation(handle));
}

void TestGateway::http10ClientsGetTheirFraming()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"));
    ScriptedNode counted(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.0\r\n\r\n");
    std::string all = client.readAll();
    QVERIFY(all.ends_with("\r\n\r\nabcdef"));
    QCOMPARE(countOf(all, "chunked"), 0);
    QCOMPARE(countOf(all, "Connection: close\r\n"), 1);
    world.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        fleet::NodeSpec spec = fleet.node(*fleet.findNode("w1")).spec;
        spec.url = counted.url();
        fleet.changeNode(*fleet.findNode("w1"), std::move(spec), now);
    });
    world.probe(*world.fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.findNode("w1"); }), true);
    RawClient keeping(world.port());
    keeping.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const Answer answer = keeping.read();
    QCOMPARE(answer.body, std::string("ok"));
    QCOMPARE(answer.header("connection"), std::string("keep-alive"));
    keeping.send("GET / HTTP/1.0\r\n\r\n");
    QVERIFY(keeping.readAll().ends_with("ok"));
}

void TestGateway::headHasNoBody()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"));
    world.addNode("w1", node.url());
    RawClient client(world.port());
    for (int i = 0; i < 3; ++i) {
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
        const Answer answer = client.read(true);
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.header("content-length"), std::string("1000"));
    }
    QCOMPARE(node.connections(), 1);
}

void TestGateway::statusesWithoutBody()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            socket.send(head.starts_with("GET /304") ? "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 10\r\n\r\n" : "HTTP/1.1 204 No Content\r\n\r\n");
        }
    });
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET /304 HTTP/1.1\r\nHost: a\r\n\r\n");
    QCOMPARE(client.read(true).status, 304);
    client.send("GET /204 HTTP/1.1\r\nHost: a\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 204);
    QCOMPARE(answer.header("content-length"), std::string());
    QCOMPARE(node.connections(), 1);
}

void TestGateway::expectContinueIsPassedOn()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        const std::string head = socket.readHead();
        if (head.starts_with("POST /no")) {
            socket.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            return;
        }
        socket.send(headerOf(head, "Expect") == "100-continue" ? "HTTP/1.1 100 Continue\r\n\r\n" : "HTTP/1.1 500 No Expect\r\n\r\n");
        const std::string body = socket.readBody(head);
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    });
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    QCOMPARE(client.read().status, 100);
    client.send("hello");
    QCOMPARE(client.read().body, std::string("hello"));
    // An answer instead of 100: the body never has to be sent.
    client.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 413);
    QCOMPARE(answer.header("connection"), std::string("close"));
}

void TestGateway::expectContinueIsAnsweredWhenTheNodeIsSilent()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering(kOk)); // reads the body before it says a word
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    QCOMPARE(client.read().status, 100);
    client.send("hello");
    QCOMPARE(client.read().status, 200);
}

void TestGateway::earlyHintsArePassedOn()
{
    GatewayWorld world;
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + kOk));
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const Answer hints = client.read();
    QCOMPARE(hints.status, 103);
    QCOMPARE(hints.header("link"), std::string("</a>"));
    QCOMPARE(client.read().body, std::string("ok"));
}

void TestGateway::earlyAnswerEndsAnUpload()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig");
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n" + std::string(1000, 'x'));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 413);
    QCOMPARE(answer.body, std::string("big"));
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(world.inRotation(handle));
}

void TestGateway::largeBodiesBothWays()
{
    GatewayWorld world;
    constexpr std::size_t kSize = 8U << 20U;
    ScriptedNode node([&](NodeSocket& socket) {
        const std::string head = socket.readHead();
        const std::string body = socket.readBody(head);
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    });
    world.addNode("w1", node.url());
    std::string body(kSize, '\0');
    for (std::size_t i = 0; i < body.size(); ++i) {
        body[i] = static_cast<char>((i * 31) >> 3U);
    }
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(kSize) + "\r\n\r\n" + body);
    QVERIFY(client.read().body == body);
}

void TestGateway::upgradeBecomesATunnel()
{
    GatewayWorld world;
    std::string head;
    ScriptedNode node([&](NodeSocket& socket) {
        head = socket.readHead();
        socket.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\nhi");
        const std::string said = socket.read(5);
        socket.send("<" + said + ">");
        socket.endSending();
        socket.isEnded();
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    // The client does not wait for the 101.
    client.send("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\nhel");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 101);
    QCOMPARE(answer.header("upgrade"), std::string("websocket"));
    QCOMPARE(answer.header("connection"), std::string("Upgrade"));
    QCOMPARE(answer.header("sec-websocket-accept"), std::string("x"));
    QCOMPARE(world.inFlight(handle), 1);
    client.send("lo");
    client.shutdownSending();
    QCOMPARE(client.readAll(), std::string("hi<hello>"));
    QCOMPARE(headerOf(head, "Connection"), std::string("Upgrade"));
    QCOMPARE(headerOf(head, "Upgrade"), std::string("websocket"));
    QCOMPARE(headerOf(head, "Sec-WebSocket-Key"), std::string("k"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle));
}

void TestGateway::upgradeRefusedStaysHttp()
{
    GatewayWorld world;
    Heads heads;
    ScriptedNode node(heads.script());
    world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    QCOMPARE(client.read().body, std::string("ok"));
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n");
    QCOMPARE(client.read().body, std::string("ok"));
    QCOMPARE(headerOf(heads.last(), "Upgrade"), std::string());
    QCOMPARE(headerOf(heads.last(), "HTTP2-Settings"), std::string());
}

void TestGateway::healthComesBeforeRouting()
{
    GatewayWorld world;
    RawClient client(world.port());
    client.send("GET /gateway-health HTTP/1.1\r\nHost: whatever\r\n\r\n");
    QCOMPARE(client.read().status, 200);
    client.send("GET /gateway-health/ HTTP/1.1\r\nHost: whatever\r\n\r\n");
    QCOMPARE(client.read().status, 503);
}

void TestGateway::ownErrors()
{
    GatewayWorld world;
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    Answer answer = client.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.header("x-weir-error"), std::string("no_candidate"));
    QCOMPARE(answer.header("content-type"), std::string("application/problem+json"));
    QVERIFY(!answer.header("retry-after").empty());
    QVERIFY(answer.body.find("\"code\":\"no_candidate\"") != std::string::npos);
    QCOMPARE(world.count(fleet::ChangeKind::PoolExhausted), 1);
    const NodeHandle handle = world.addNode("w1", "http://127.0.0.1:" + std::to_string(unusedPort()));
    client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"); // the same connection, still in step
    answer = client.read(true);
    QCOMPARE(answer.status, 502);
    QCOMPARE(answer.header("x-weir-error"), std::string("connect_failed"));
    QVERIFY(!world.inRotation(handle));
    QCOMPARE(world.lastOutcome(handle), std::string("refused"));
}

void TestGateway::aDeadKeptConnectionIsReplacedOnce()
{
    GatewayWorld world;
    ScriptedNode node([](NodeSocket& socket) { // one answer a connection, without saying so; the next request finds it gone
        const std::string head = socket.readHead();
        socket.readBody(head);
        socket.send(kOk);
        socket.readHead();
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    for (int i = 1; i <= 3; ++i) {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        QCOMPARE(client.read().status, 200);
        QCOMPARE(node.connections(), i);
    }
    QVERIFY(world.inRotation(handle));
    QCOMPARE(world.counters()->replacedLinks.load(), 2U);
    QCOMPARE(world.counters()->nodeFailures.load(), 0U);
}

void TestGateway::aClientThatLeavesCancels()
{
    GatewayWorld world;
    std::atomic<bool> ended = false;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        ended = socket.isEnded();
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    {
        RawClient client(world.port());
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1 && node.connections() == 1; }));
    }
    QVERIFY(GatewayWorld::eventually([&] { return ended && world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle));
    QCOMPARE(world.gateway().counters().clientsLeft.load(), 1U);
}

void TestGateway::closesIdleClientsAtOnce()
{
    GatewayWorld world;
    std::promise<void> may;
    std::shared_future<void> wait = may.get_future().share();
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        wait.wait();
        socket.send(kOk);
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient idle(world.port());
    RawClient busy(world.port());
    busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1 && world.gateway().counters().connections == 2; }));
    auto closed = world.close(std::chrono::seconds(5));
    QVERIFY(idle.endsWithin(std::chrono::seconds(2)));
    may.set_value();
    const Answer answer = busy.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("connection"), std::string("close"));
    QCOMPARE(closed.wait_for(std::chrono::seconds(4)), std::future_status::ready);
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGateway)
#include "TestGateway.moc"
