// SPDX-License-Identifier: GPL-3.0-or-later
// Busy workers over real sockets: gateway.md "Busy workers: capacity and the queue".
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"

#include <QTest>

#include <algorithm>
#include <mutex>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using namespace std::chrono_literals;

class TestGatewayQueue : public QObject {
    Q_OBJECT

private slots:
    void neverTwoAtOnceOnOneNode();
    void keepsTheOrder();
    void takesAppsInTurn();
    void isBounded();
    void timesOut();
    void doesNotWaitWhenNobodyWillBeFree();
    void stopsWaitingWhenTheLastNodeGoes();
    void servesAtOnceWhenANodeComesBack();
    void leavingClientsLeaveTheLine();
    void theRefusalAloneIsRecorded();
    void aFailedRequestGoesFirst();
};

namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

std::string get(const std::string& path)
{
    return "GET /" + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

// Answers one request after the other, each when it is told to, and remembers their paths.
class GatedNode {
public:
    GatedNode()
        : m_node([this](NodeSocket& socket) {
            for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
                {
                    const std::scoped_lock lock(m_mutex);
                    m_paths.push_back(head.substr(5, head.find(' ', 5) - 5));
                }
                if (!GatewayWorld::eventually([&] { return m_isOpen || takePermit(); })) {
                    return;
                }
                socket.send(kOk);
            }
        })
    {
    }
    ~GatedNode() { m_isOpen = true; }
    [[nodiscard]] std::string url() const { return m_node.url(); }
    void letPass(int count = 1) { m_permits += count; }
    void open() { m_isOpen = true; }
    [[nodiscard]] std::vector<std::string> paths()
    {
        const std::scoped_lock lock(m_mutex);
        return m_paths;
    }

private:
    bool takePermit()
    {
        int permits = m_permits;
        return permits > 0 && m_permits.compare_exchange_strong(permits, permits - 1);
    }

    std::mutex m_mutex;
    std::vector<std::string> m_paths;
    std::atomic<int> m_permits = 0;
    std::atomic<bool> m_isOpen = false;
    ScriptedNode m_node;
};

// The app is what the host says.
class HostIsApp final : public Router {
public:
    explicit HostIsApp(ClusterSettings settings) : m_cluster(std::make_shared<const ClusterSettings>(std::move(settings))) {}
    Routed route(const RequestView& request, const ClientFacts&) override { return {m_cluster, std::string(request.host), {}, {}}; }

private:
    std::shared_ptr<const ClusterSettings> m_cluster;
};

bool waits(GatewayWorld& world, std::uint64_t count)
{
    return GatewayWorld::eventually([&] {
        const auto counters = world.counters();
        return counters && counters->waiting == count;
    });
}

} // namespace

void TestGatewayQueue::neverTwoAtOnceOnOneNode()
{
    constexpr int kNodes = 8;
    constexpr int kClients = 200;
    constexpr int kRequests = 5;
    std::atomic<int> overlaps = 0;
    std::vector<std::unique_ptr<std::atomic<int>>> busy;
    std::vector<std::unique_ptr<ScriptedNode>> nodes;
    for (int i = 0; i < kNodes; ++i) {
        busy.push_back(std::make_unique<std::atomic<int>>(0));
        nodes.push_back(std::make_unique<ScriptedNode>([&overlaps, mine = busy.back().get()](NodeSocket& socket) {
            while (!socket.readHead().empty()) {
                overlaps += mine->fetch_add(1) > 0 ? 1 : 0;
                std::this_thread::yield();
                mine->fetch_sub(1);
                socket.send(kOk);
            }
        }));
    }
    GatewayWorld world;
    std::vector<NodeHandle> handles;
    for (int i = 0; i < kNodes; ++i) {
        handles.push_back(world.addNode("w" + std::to_string(i), nodes[static_cast<std::size_t>(i)]->url()));
    }
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < kClients; ++i) {
        clients.push_back(std::make_unique<RawClient>(world.port()));
    }
    for (int round = 0; round < kRequests; ++round) {
        for (const auto& client : clients) {
            QVERIFY(client->send(get("x")));
        }
        for (const auto& client : clients) {
            QCOMPARE(client->read().status, 200); // nobody starves
        }
    }
    QCOMPARE(overlaps.load(), 0);
    QVERIFY(GatewayWorld::eventually([&] { return world.counters()->requests[2] == std::uint64_t(kClients * kRequests); }));
    QVERIFY(world.counters()->waited > 0);
    for (const NodeHandle node : handles) {
        QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(node) == 0; }));
    }
}

void TestGatewayQueue::keepsTheOrder()
{
    GatedNode node;
    GatewayWorld world;
    world.addNode("w1", node.url());
    std::vector<std::unique_ptr<RawClient>> clients;
    std::vector<std::string> wanted;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(std::make_unique<RawClient>(world.port()));
        wanted.push_back(std::to_string(i));
        clients.back()->send(get(wanted.back()));
        QVERIFY(i == 0 ? GatewayWorld::eventually([&] { return node.paths().size() == 1; }) : waits(world, static_cast<std::uint64_t>(i)));
    }
    node.letPass(20);
    for (const auto& client : clients) {
        QCOMPARE(client->read().status, 200);
    }
    QCOMPARE(node.paths(), wanted);
}

void TestGatewayQueue::takesAppsInTurn()
{
    GatedNode node;
    GatewayWorld world;
    world.gateway().setRouter(std::make_unique<HostIsApp>(ClusterSettings()));
    world.addNode("w1", node.url());
    std::vector<std::unique_ptr<RawClient>> clients;
    std::uint64_t waiting = 0;
    for (const char* request : {"a0", "a1", "a2", "a3", "b1", "b2", "c1"}) {
        clients.push_back(std::make_unique<RawClient>(world.port()));
        clients.back()->send("GET /" + std::string(request) + " HTTP/1.1\r\nHost: " + request[0] + "\r\n\r\n");
        QVERIFY(request == std::string("a0") ? GatewayWorld::eventually([&] { return node.paths().size() == 1; }) : waits(world, ++waiting));
    }
    node.letPass(7);
    for (const auto& client : clients) {
        QCOMPARE(client->read().status, 200);
    }
    QCOMPARE(node.paths(), (std::vector<std::string>{"a0", "a1", "b1", "c1", "a2", "b2", "a3"}));
}

void TestGatewayQueue::isBounded()
{
    GatewayOptions options;
    options.cluster.queueMax = 2;
    GatedNode node;
    GatewayWorld world(std::move(options));
    const NodeHandle handle = world.addNode("w1", node.url());
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<RawClient>(world.port()));
        clients.back()->send(get("x"));
        QVERIFY(i == 0 ? GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }) : waits(world, static_cast<std::uint64_t>(i)));
    }
    RawClient client(world.port());
    client.send(get("x"));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.header("x-weir-error"), std::string("queue_full"));
    QVERIFY(!answer.header("retry-after").empty());
    QVERIFY(world.inRotation(handle));
    node.open();
    for (const auto& one : clients) {
        QCOMPARE(one->read().status, 200);
    }
}

void TestGatewayQueue::timesOut()
{
    GatewayOptions options;
    options.cluster.queueTimeout = 200ms;
    GatedNode node;
    GatewayWorld world(std::move(options));
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient first(world.port());
    first.send(get("first"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    RawClient client(world.port());
    const auto start = std::chrono::steady_clock::now();
    client.send(get("x"));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.header("x-weir-error"), std::string("queue_timeout"));
    QVERIFY(std::chrono::steady_clock::now() - start >= 200ms);
    QVERIFY(world.inRotation(handle));
    node.open();
    QCOMPARE(first.read().status, 200);
    QCOMPARE(node.paths().size(), std::size_t(1));
}

void TestGatewayQueue::doesNotWaitWhenNobodyWillBeFree()
{
    GatedNode node;
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient first(world.port());
    first.send(get("first"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    world.probe(handle, false);
    world.probe(handle, false);
    QVERIFY(!world.inRotation(handle)); // busy and out: nobody is left out by its capacity alone
    RawClient client(world.port());
    client.send(get("x"));
    QCOMPARE(client.read().header("x-weir-error"), std::string("no_candidate"));
    node.open();
    QCOMPARE(first.read().status, 200);
}

void TestGatewayQueue::stopsWaitingWhenTheLastNodeGoes()
{
    GatedNode node;
    GatewayWorld world;
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient first(world.port());
    first.send(get("first"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    RawClient client(world.port());
    client.send(get("x"));
    QVERIFY(waits(world, 1));
    world.probe(handle, false);
    world.probe(handle, false);
    QCOMPARE(client.read().header("x-weir-error"), std::string("no_candidate"));
    node.open();
    QCOMPARE(first.read().status, 200);
}

void TestGatewayQueue::servesAtOnceWhenANodeComesBack()
{
    GatedNode busy;
    GatedNode other;
    GatewayWorld world;
    const NodeHandle first = world.addNode("w1", busy.url());
    const NodeHandle second = world.addNode("w2", other.url());
    world.probe(second, false);
    world.probe(second, false);
    RawClient holder(world.port());
    holder.send(get("holder"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(first) == 1; }));
    RawClient client(world.port());
    client.send(get("x"));
    QVERIFY(waits(world, 1));
    other.open();
    const auto start = std::chrono::steady_clock::now();
    world.probe(second, true);
    QCOMPARE(client.read().status, 200);
    QVERIFY(std::chrono::steady_clock::now() - start < 2s);
    busy.open();
    QCOMPARE(holder.read().status, 200);
}

void TestGatewayQueue::leavingClientsLeaveTheLine()
{
    GatedNode node;
    GatewayWorld world;
    world.addNode("w1", node.url());
    RawClient first(world.port());
    first.send(get("first"));
    QVERIFY(GatewayWorld::eventually([&] { return node.paths().size() == 1; }));
    {
        RawClient leaving(world.port());
        leaving.send(get("leaving"));
        QVERIFY(waits(world, 1));
    }
    RawClient last(world.port());
    last.send(get("last"));
    QVERIFY(GatewayWorld::eventually([&] { return world.gateway().counters().clientsLeft == 1; }));
    node.open();
    QCOMPARE(first.read().status, 200);
    QCOMPARE(last.read().status, 200);
    QCOMPARE(node.paths(), (std::vector<std::string>{"first", "last"}));
}

void TestGatewayQueue::theRefusalAloneIsRecorded()
{
    GatewayOptions options;
    options.cluster.queueTimeout = 100ms;
    GatedNode node;
    GatewayWorld world(std::move(options));
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient first(world.port());
    first.send(get("first"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    QCOMPARE(world.count(fleet::ChangeKind::PoolExhausted), 0);
    RawClient client(world.port());
    client.send(get("x"));
    QVERIFY(waits(world, 1));
    QCOMPARE(world.count(fleet::ChangeKind::PoolExhausted), 0); // waiting, and asking again every few milliseconds, is quiet
    QCOMPARE(client.read().status, 503);
    QCOMPARE(world.count(fleet::ChangeKind::PoolExhausted), 1);
    node.open();
    QCOMPARE(first.read().status, 200);
}

void TestGatewayQueue::aFailedRequestGoesFirst()
{
    GatedNode node;
    GatewayOptions options;
    options.cluster.retryLevel = 1;
    std::promise<void> fail;
    std::shared_future<void> failing = fail.get_future().share();
    ScriptedNode bad([&](NodeSocket& socket) {
        socket.readHead();
        failing.wait();
    });
    GatewayWorld world(std::move(options));
    world.addNode("a", bad.url());
    const NodeHandle good = world.addNode("b", node.url());
    RawClient unlucky(world.port());
    unlucky.send(get("unlucky")); // on a
    QVERIFY(GatewayWorld::eventually([&] { return bad.connections() == 1; }));
    RawClient holder(world.port());
    holder.send(get("holder")); // on b
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(good) == 1 && node.paths().size() == 1; }));
    RawClient later(world.port());
    later.send(get("later"));
    QVERIFY(waits(world, 1));
    fail.set_value();
    QVERIFY(waits(world, 2));
    node.open();
    QCOMPARE(unlucky.read().status, 200);
    QCOMPARE(later.read().status, 200);
    QCOMPARE(holder.read().status, 200);
    QCOMPARE(node.paths(), (std::vector<std::string>{"holder", "unlucky", "later"}));
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGatewayQueue)
#include "TestGatewayQueue.moc"
