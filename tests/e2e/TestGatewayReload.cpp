// SPDX-License-Identifier: GPL-3.0-or-later
// What a running gateway takes over from a changed file: the line of those that wait, and whose word about a client it takes. Requests
// under way and those that wait keep what they began with.
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/ServerProcess.h"

#include <QtTest>

#include <array>
#include <atomic>
#include <csignal>
#include <future>
#include <memory>
#include <utility>

using weir::gateway::test::headerOf;
using weir::gateway::test::NodeSocket;
using weir::gateway::test::ScriptedNode;
using weir::http::test::Answer;
using weir::http::test::RawClient;
using weir::test::HttpClient;
using weir::test::ServerProcess;

namespace {

constexpr int kSoon = 20'000;

// Says what it was told of the client. `/hold` is answered once it is let go.
class Node {
public:
    Node()
        : m_node([this](NodeSocket& socket) {
            for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
                if (head.starts_with("GET /hold ")) {
                    ++m_held;
                    m_free.wait_for(std::chrono::milliseconds(kSoon));
                }
                const std::string body = headerOf(head, "X-Forwarded-For");
                socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
            }
        })
    {
    }
    ~Node() { letGo(); }
    [[nodiscard]] QByteArray url() const { return QByteArray::fromStdString(m_node.url()); }
    [[nodiscard]] int held() const { return m_held; }
    void letGo()
    {
        if (!std::exchange(m_isLetGo, true)) {
            m_letGo.set_value();
        }
    }

private:
    std::atomic<int> m_held = 0;
    bool m_isLetGo = false;
    std::promise<void> m_letGo;
    std::shared_future<void> m_free = m_letGo.get_future().share();
    ScriptedNode m_node;
};

std::string get(const std::string& path, const std::string& more = {})
{
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + more + "\r\n";
}

} // namespace

class TestGatewayReload : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aShorterLineThrowsNobodyOut();
    void aShorterWaitHoldsForNewcomers();
    void trustHoldsFromTheNextRequestOn();
    void aBadFileChangesNothing();

private:
    void start(const QByteArray& gateway);
    /// `gateway`: the section's inside, with ' for ".
    [[nodiscard]] QByteArray configOf(const QByteArray& gateway) const;
    void reload(const QByteArray& gateway, bool bySignal);
    [[nodiscard]] std::uint16_t port() const
    {
        return static_cast<std::uint16_t>(m_server->gatewayUrl().section(QLatin1Char(':'), -1).toUShort());
    }
    [[nodiscard]] QByteArray metric(const QByteArray& series) const;
    [[nodiscard]] bool waiting(int count) const;

    std::unique_ptr<Node> m_node;
    std::unique_ptr<ServerProcess> m_server;
    int m_version = 1;
};

void TestGatewayReload::init()
{
    m_node = std::make_unique<Node>();
    m_version = 1;
}

void TestGatewayReload::cleanup()
{
    m_node->letGo();
    m_server.reset();
    m_node.reset();
}

QByteArray TestGatewayReload::configOf(const QByteArray& gateway) const
{
    return "{\"gateway\": {" + QByteArray(gateway).replace('\'', '"')
        + "}, \"health_check\": {\"interval_seconds\": 600, \"timeout_seconds\": 5}, \"nodes\": [{\"node\": \"w1\", \"role\": \"worker\", "
          "\"url\": \""
        + m_node->url() + "\", \"capacity\": 1}]}";
}

void TestGatewayReload::start(const QByteArray& gateway)
{
    m_server = std::make_unique<ServerProcess>(configOf(gateway));
    QVERIFY2(m_server->start(), m_server->err().constData());
    QTRY_COMPARE_WITH_TIMEOUT(m_server->traffic().get("/gateway-health").text("status"), QStringLiteral("ok"), kSoon);
}

void TestGatewayReload::reload(const QByteArray& gateway, bool bySignal)
{
    m_server->writeConfig(configOf(gateway));
    ++m_version;
    if (bySignal) {
        m_server->signal(SIGHUP);
        QVERIFY2(m_server->waitForLog("version " + QByteArray::number(m_version) + " is in force"), m_server->err().constData());
    } else {
        QCOMPARE(m_server->client().send("POST", "/admin/config:reload").number("version"), double(m_version));
    }
}

QByteArray TestGatewayReload::metric(const QByteArray& series) const
{
    for (const QByteArray& line : HttpClient(m_server->adminUrl()).get("/metrics").body.split('\n')) {
        if (line.startsWith(series + " ")) {
            return line.mid(series.size() + 1);
        }
    }
    return {};
}

bool TestGatewayReload::waiting(int count) const
{
    return metric("weir_gateway_queue_length{cluster=\"default\"}") == QByteArray::number(count);
}

void TestGatewayReload::aShorterLineThrowsNobodyOut()
{
    start("'queue': {'max': 2}");
    RawClient busy(port());
    QVERIFY(busy.send(get("/hold")));
    QTRY_COMPARE_WITH_TIMEOUT(m_node->held(), 1, kSoon);
    std::array<std::unique_ptr<RawClient>, 2> waiters;
    for (std::size_t i = 0; i < waiters.size(); ++i) {
        waiters[i] = std::make_unique<RawClient>(port());
        QVERIFY(waiters[i]->send(get("/")));
        QTRY_VERIFY_WITH_TIMEOUT(waiting(static_cast<int>(i) + 1), kSoon);
    }
    reload("'queue': {'max': 0}", true);
    RawClient late(port());
    QVERIFY(late.send(get("/")));
    QCOMPARE(late.read().header("x-weir-error"), std::string("queue_full"));
    QVERIFY(waiting(2)); // those of before are where they were
    reload("'queue': {'max': 3}", false);
    RawClient third(port());
    QVERIFY(third.send(get("/")));
    QTRY_VERIFY_WITH_TIMEOUT(waiting(3), kSoon);
    m_node->letGo();
    QCOMPARE(busy.read().status, 200);
    for (const auto& waiter : waiters) {
        QCOMPARE(waiter->read().status, 200);
    }
    QCOMPARE(third.read().status, 200);
}

void TestGatewayReload::aShorterWaitHoldsForNewcomers()
{
    start("'queue': {'timeout_seconds': 600}");
    RawClient busy(port());
    QVERIFY(busy.send(get("/hold")));
    QTRY_COMPARE_WITH_TIMEOUT(m_node->held(), 1, kSoon);
    RawClient patient(port());
    QVERIFY(patient.send(get("/")));
    QTRY_VERIFY_WITH_TIMEOUT(waiting(1), kSoon);
    reload("'queue': {'timeout_seconds': 0.1}", false);
    RawClient late(port());
    QVERIFY(late.send(get("/")));
    const Answer answer = late.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.header("x-weir-error"), std::string("queue_timeout"));
    QVERIFY(waiting(1)); // who came before it has waited longer already, and waits on
    m_node->letGo();
    QCOMPARE(busy.read().status, 200);
    QCOMPARE(patient.read().status, 200);
}

void TestGatewayReload::trustHoldsFromTheNextRequestOn()
{
    start({});
    const std::string said = get("/", "X-Forwarded-For: 203.0.113.9\r\n");
    RawClient kept(port());
    QVERIFY(kept.send(said));
    QCOMPARE(kept.read().body, std::string("127.0.0.1")); // what it said is dropped
    reload("'trusted_proxies': ['127.0.0.0/8']", true);
    QVERIFY(kept.send(said)); // over the same connection
    QCOMPARE(kept.read().body, std::string("203.0.113.9, 127.0.0.1"));
    RawClient fresh(port());
    QVERIFY(fresh.send(said));
    QCOMPARE(fresh.read().body, std::string("203.0.113.9, 127.0.0.1"));
    // One that is under way keeps what it began with.
    QVERIFY(fresh.send(get("/hold", "X-Forwarded-For: 203.0.113.9\r\n")));
    QTRY_COMPARE_WITH_TIMEOUT(m_node->held(), 1, kSoon);
    RawClient waits(port());
    QVERIFY(waits.send(said));
    QTRY_VERIFY_WITH_TIMEOUT(waiting(1), kSoon);
    reload({}, false);
    m_node->letGo();
    QCOMPARE(fresh.read().body, std::string("203.0.113.9, 127.0.0.1"));
    QCOMPARE(waits.read().body, std::string("203.0.113.9, 127.0.0.1"));
    QVERIFY(kept.send(said));
    QCOMPARE(kept.read().body, std::string("127.0.0.1"));
}

void TestGatewayReload::aBadFileChangesNothing()
{
    start("'queue': {'max': 1}, 'trusted_proxies': ['127.0.0.0/8']");
    m_server->writeConfig(configOf("'queue': {'max': -1}, 'trusted_proxies': ['everybody']"));
    const auto answer = m_server->client().send("POST", "/admin/config:reload");
    QCOMPARE(answer.status, 422);
    QVERIFY(answer.body.contains("gateway.queue.max") && answer.body.contains("gateway.trusted_proxies[0]"));
    RawClient client(port());
    QVERIFY(client.send(get("/", "X-Forwarded-For: 203.0.113.9\r\n")));
    QCOMPARE(client.read().body, std::string("203.0.113.9, 127.0.0.1"));
}

QTEST_GUILESS_MAIN(TestGatewayReload)
#include "TestGatewayReload.moc"
