// SPDX-License-Identifier: GPL-3.0-or-later
// Broken, slow and dead peers: the right status and code, one passive failure where it is the node's fault, and nothing left behind.
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using namespace std::chrono_literals;

class TestGatewayFaults : public QObject {
    Q_OBJECT

private slots:
    void aNodeThatDoesNotAnswer();
    void aNodeThatDripsItsHead();
    void aNodeThatStallsInItsBody();
    void aNodeThatIsCutShort_data();
    void aNodeThatIsCutShort();
    void aNodeThatSendsTooMuch();
    void aNodeThatResets();
    void aNodeThatTakesNoConnection();
    void aNodeThatDiesAfterItWasKept();
    void aNodeThatTakesNoBody();
    void bodiesThatEndWithATurn();
    void aClientThatIsSlow();
    void aClientThatDripsItsHead();
    void aClientThatStopsItsUpload();
    void aClientThatTakesNothing();
    void retriesOnAnotherNode();
    void doesNotRepeatWhatWasSent();
    void repeatsAGetAtLevelOne();
    void repeatsListedStatuses();
    void errorStatusesEject_data();
    void errorStatusesEject();
    void oneFailureHoweverManyRequests();
    void nothingIsLeftBehind();
};

namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const std::string kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

GatewayOptions quick()
{
    GatewayOptions options;
    options.cluster.connectTimeout = 300ms;
    options.cluster.responseHeaderTimeout = 300ms;
    options.cluster.idleTimeout = 300ms;
    options.headTimeout = 300ms;
    return options;
}

int openDescriptors()
{
    return static_cast<int>(QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size());
}

long residentKilobytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly)) {
        return 0;
    }
    return file.readAll().split(' ').value(1).toLong() * (::sysconf(_SC_PAGESIZE) / 1024);
}

} // namespace

void TestGatewayFaults::aNodeThatDoesNotAnswer()
{
    ScriptedNode node([](NodeSocket& socket) { socket.isEnded(); });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    const Answer answer = client.read();
    QCOMPARE(answer.status, 504);
    QCOMPARE(answer.header("x-weir-error"), std::string("node_timeout"));
    QVERIFY(!world.inRotation(handle));
    QCOMPARE(world.lastOutcome(handle), std::string("timeout"));
    QCOMPARE(world.inFlight(handle), 0);
}

void TestGatewayFaults::aNodeThatDripsItsHead()
{
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        while (socket.send("X")) { // a byte at a time does not help
            std::this_thread::sleep_for(20ms);
        }
    });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    QCOMPARE(client.read().status, 504);
    QVERIFY(!world.inRotation(handle));
}

void TestGatewayFaults::aNodeThatStallsInItsBody()
{
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        socket.isEnded();
    });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    const std::string all = client.readAll();
    QVERIFY(all.starts_with("HTTP/1.1 200") && all.ends_with("abc"));
    QVERIFY(GatewayWorld::eventually([&] { return !world.inRotation(handle) && world.inFlight(handle) == 0; }));
    QCOMPARE(world.lastOutcome(handle), std::string("timeout"));
}

void TestGatewayFaults::aNodeThatIsCutShort_data()
{
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("length") << QByteArray("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
    QTest::newRow("chunks") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
    QTest::newRow("between chunks") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n");
    QTest::newRow("trailers") << QByteArray("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX: 1\r\n");
}

void TestGatewayFaults::aNodeThatIsCutShort()
{
    QFETCH(QByteArray, answer);
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send(answer.toStdString());
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    const std::string all = client.readAll(); // the connection ends: the client cannot take it for whole
    QVERIFY(!all.ends_with("0\r\n\r\n"));
    QVERIFY(GatewayWorld::eventually([&] { return !world.inRotation(handle) && world.inFlight(handle) == 0; }));
    QCOMPARE(world.lastOutcome(handle), std::string("incomplete"));
    QCOMPARE(world.counters()->nodeFailures.load(), 1U);
}

void TestGatewayFaults::aNodeThatSendsTooMuch()
{
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"));
    GatewayWorld world;
    world.addNode("w1", node.url());
    RawClient client(world.port());
    for (int i = 1; i <= 3; ++i) { // what is beyond the answer is never another one's
        client.send(kGet);
        QCOMPARE(client.read().body, std::string("ok"));
        QCOMPARE(node.connections(), i);
    }
}

void TestGatewayFaults::aNodeThatResets()
{
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.abort();
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    const Answer answer = client.read();
    QCOMPARE(answer.status, 502);
    QCOMPARE(answer.header("x-weir-error"), std::string("bad_response"));
    QCOMPARE(world.lastOutcome(handle), std::string("reset"));
    QCOMPARE(node.connections(), 1);
}

void TestGatewayFaults::aNodeThatTakesNoConnection()
{
    // A listener whose queue is full: the connection is neither made nor refused.
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), size), 0);
    QCOMPARE(::listen(fd, 0), 0);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    std::vector<int> fill;
    for (int i = 0; i < 3; ++i) {
        fill.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        (void)::connect(fill.back(), reinterpret_cast<const sockaddr*>(&address), size);
    }
    {
        GatewayWorld world(quick());
        const NodeHandle handle = world.addNode("w1", "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
        RawClient client(world.port());
        client.send(kGet);
        const Answer answer = client.read();
        QCOMPARE(answer.status, 502);
        QCOMPARE(answer.header("x-weir-error"), std::string("connect_failed"));
        QCOMPARE(world.lastOutcome(handle), std::string("timeout"));
    }
    for (const int one : fill) {
        ::close(one);
    }
    ::close(fd);
}

void TestGatewayFaults::aNodeThatDiesAfterItWasKept()
{
    std::atomic<bool> isDead = false;
    ScriptedNode node([&](NodeSocket& socket) {
        while (!socket.readHead().empty() && !isDead) {
            socket.send(kOk);
        }
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    QCOMPARE(client.read().status, 200);
    isDead = true;
    client.send(kGet);
    const Answer answer = client.read();
    QCOMPARE(answer.status, 502);
    QCOMPARE(answer.header("x-weir-error"), std::string("bad_response"));
    QCOMPARE(node.connections(), 2); // a fresh one was tried, once
    QVERIFY(!world.inRotation(handle));
    QCOMPARE(world.counters()->nodeFailures.load(), 1U);
}

void TestGatewayFaults::aNodeThatTakesNoBody()
{
    std::atomic<bool> over = false;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        GatewayWorld::eventually([&] { return over.load(); });
    });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n");
    const std::string piece(1U << 20U, 'x');
    std::thread sender([&] {
        for (int i = 0; i < 95 && client.send(piece); ++i) {
        }
    });
    QVERIFY(GatewayWorld::eventually([&] { return !world.inRotation(handle); }));
    QCOMPARE(world.lastOutcome(handle), std::string("timeout"));
    over = true;
    sender.join();
}

// A body takes turns with other connections; one whose last bytes come with the last block of a turn must not be left lying.
void TestGatewayFaults::bodiesThatEndWithATurn()
{
    ScriptedNode node([](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            const std::string body = socket.readBody(head);
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        }
    });
    GatewayWorld world;
    (void)world.addNode("w1", node.url());
    RawClient client(world.port());
    for (std::size_t size = 400U << 10U; size <= 1100U << 10U; size += 13U << 10U) {
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + std::string(size, 'x'));
        const Answer answer = client.read();
        QVERIFY2(answer.status == 200 && answer.body.size() == size, qPrintable(QString::number(size)));
    }
}

void TestGatewayFaults::aClientThatIsSlow()
{
    // The node fills every buffer on the way and is then held back; the client still gets all of it.
    constexpr std::size_t kSize = 32U << 20U;
    std::atomic<bool> isSent = false;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kSize) + "\r\n\r\n" + std::string(kSize, 'x'));
        isSent = true;
        socket.isEnded();
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    QVERIFY(GatewayWorld::eventually([&] { return node.connections() == 1; }));
    QCOMPARE(client.read().body.size(), kSize);
    QVERIFY(GatewayWorld::eventually([&] { return isSent.load(); }));
    QVERIFY(world.inRotation(handle));
}

void TestGatewayFaults::aClientThatDripsItsHead()
{
    GatewayWorld world(quick());
    RawClient client(world.port());
    bool sent = true;
    for (int i = 0; i < 100 && sent; ++i) {
        sent = client.send(i == 0 ? "GET / HTTP/1.1\r\nX: " : "x") && !client.endsWithin(20ms);
        if (i > 60) {
            break;
        }
    }
    const Answer answer = client.read();
    QCOMPARE(answer.status, 408);
    QCOMPARE(answer.header("connection"), std::string("close"));
}

void TestGatewayFaults::aClientThatStopsItsUpload()
{
    ScriptedNode node([](NodeSocket& socket) { socket.isEnded(); });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    QCOMPARE(client.read().status, 408);
    QVERIFY(world.inRotation(handle)); // not its fault
    QCOMPARE(world.inFlight(handle), 0);
}

void TestGatewayFaults::aClientThatTakesNothing()
{
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n");
        const std::string piece(1U << 20U, 'x');
        for (int i = 0; i < 900 && socket.send(piece); ++i) { // more than all buffers on the way hold
        }
    });
    GatewayWorld world(quick());
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().clientsLeft == 1; }));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle)); // not its fault
}

void TestGatewayFaults::retriesOnAnotherNode()
{
    ScriptedNode good(ScriptedNode::answering(kOk));
    GatewayWorld world;
    std::vector<NodeHandle> dead;
    for (const char* id : {"a1", "a2", "a3"}) {
        dead.push_back(world.addNode(id, "http://127.0.0.1:" + std::to_string(unusedPort())));
    }
    world.addNode("z", good.url());
    RawClient client(world.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"); // nothing was sent, so any method goes again
    QCOMPARE(client.read().body, std::string("ok"));
    for (const NodeHandle node : dead) {
        QVERIFY(!world.inRotation(node));
    }
    QCOMPARE(world.counters()->retries.load(), 3U);
    QCOMPARE(world.counters()->tries.load(), 4U);
    QCOMPARE(world.counters()->nodeFailures.load(), 3U);
}

void TestGatewayFaults::doesNotRepeatWhatWasSent()
{
    ScriptedNode bad([](NodeSocket& socket) { socket.readHead(); });
    ScriptedNode good(ScriptedNode::answering(kOk));
    for (const std::string& request : {kGet, std::string("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")}) {
        GatewayOptions options;
        options.cluster.retryLevel = request == kGet ? 0 : 1;
        GatewayWorld world(std::move(options));
        world.addNode("a", bad.url());
        world.addNode("b", good.url());
        RawClient client(world.port());
        client.send(request);
        QCOMPARE(client.read().status, 502);
    }
    QCOMPARE(good.connections(), 0);
}

void TestGatewayFaults::repeatsAGetAtLevelOne()
{
    ScriptedNode bad([](NodeSocket& socket) { socket.readHead(); });
    ScriptedNode good(ScriptedNode::answering(kOk));
    GatewayOptions options;
    options.cluster.retryLevel = 1;
    GatewayWorld world(std::move(options));
    world.addNode("a", bad.url());
    world.addNode("b", good.url());
    RawClient client(world.port());
    client.send(kGet);
    QCOMPARE(client.read().status, 200);
    QCOMPARE(bad.connections(), 1);
}

void TestGatewayFaults::repeatsListedStatuses()
{
    ScriptedNode busy(ScriptedNode::answering("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n"));
    ScriptedNode good(ScriptedNode::answering(kOk));
    GatewayOptions options;
    options.cluster.retryStatus.set(429);
    GatewayWorld world(std::move(options));
    const NodeHandle first = world.addNode("a", busy.url(), 5);
    world.addNode("b", good.url(), 5);
    RawClient client(world.port());
    client.send(kGet);
    QCOMPARE(client.read().status, 200);
    QVERIFY(world.inRotation(first)); // 429 never ejects
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    const int status = client.read().status;
    QVERIFY(status == 429 || status == 200);
}

void TestGatewayFaults::errorStatusesEject_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("ejects");
    for (const int status : {200, 204, 304, 400, 401, 403, 404, 413, 429, 500, 502, 503, 599}) {
        QTest::addRow("%d", status) << status << (status == 401 || status >= 500);
    }
}

void TestGatewayFaults::errorStatusesEject()
{
    QFETCH(int, status);
    QFETCH(bool, ejects);
    ScriptedNode node(ScriptedNode::answering("HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 0\r\n\r\n"));
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send(kGet);
    QCOMPARE(client.read().status, status); // the answer is passed on all the same
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QCOMPARE(!world.inRotation(handle), ejects);
}

void TestGatewayFaults::oneFailureHoweverManyRequests()
{
    std::promise<void> die;
    std::shared_future<void> dead = die.get_future().share();
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        dead.wait();
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url(), 20);
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(std::make_unique<RawClient>(world.port()));
        clients.back()->send(kGet);
    }
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 20 && node.connections() == 20; }));
    die.set_value();
    for (const auto& client : clients) {
        QCOMPARE(client->read().status, 502);
    }
    QCOMPARE(world.inFlight(handle), 0);
    QCOMPARE(world.count(fleet::ChangeKind::NodeOffline), 1);
}

void TestGatewayFaults::nothingIsLeftBehind()
{
    std::atomic<int> turn = 0;
    ScriptedNode node([&](NodeSocket& socket) {
        socket.readHead();
        switch (turn++ % 4) {
        case 0:
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
            break;
        case 1:
            socket.abort();
            break;
        case 2:
            socket.send("HTTP/1.1 200 OK\r\nX: " + std::string(200000, 'x'));
            break;
        default:
            socket.send("garbage\r\n");
            break;
        }
    });
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    const auto round = [&] {
        for (int i = 0; i < 200; ++i) {
            RawClient client(world.port());
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            client.readAll();
            world.fleet().with([&](fleet::Fleet& fleet, Instant now) { fleet.revive(handle, now); });
            world.probe(handle, true);
        }
        QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().connections == 0; }));
    };
    round();
    const int descriptors = openDescriptors();
    [[maybe_unused]] const long memory = residentKilobytes();
    for (int i = 0; i < 4; ++i) {
        round();
    }
    QVERIFY(GatewayWorld::eventually([&] { return openDescriptors() <= descriptors + 2; }));
#ifndef __SANITIZE_ADDRESS__ // which keeps freed memory on purpose
    QVERIFY2(residentKilobytes() <= memory + 4096, qPrintable(QStringLiteral("%1 kB, then %2 kB").arg(memory).arg(residentKilobytes())));
#endif
    QCOMPARE(world.inFlight(handle), 0);
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGatewayFaults)
#include "TestGatewayFaults.moc"
