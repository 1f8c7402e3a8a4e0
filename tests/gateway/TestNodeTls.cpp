// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that are spoken to by https: whom the gateway believes (configuration.md `nodes[].tls`).
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/Authority.h"
#include "tests/support/TlsClient.h"
#include "tests/support/TlsNode.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using weir::test::Authority;
using weir::test::TlsNode;

class TestNodeTls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void checksWhoAnswers_data();
    void checksWhoAnswers();
    void otherTrustNeedsOtherConnections();
    void whatIsUnderWayIsNotKeptForAnotherAddress();
    void aFileThatChangesIsReadAgain();
    void aMissingFileIsNotTheNodesFailure();
    void bodiesGoThroughTlsOnBothSides();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_dir.filePath(QString::fromStdString(name)).toStdString(); }
    static NodeHandle addNode(GatewayWorld& world, const TlsNode& node, const NodeTls& tls)
    {
        const NodeHandle handle = world.addNode("w1", node.url(), 10);
        setTls(world, handle, tls);
        return handle;
    }
    static void setTls(GatewayWorld& world, NodeHandle node, const NodeTls& tls)
    {
        world.fleet().with([&](fleet::Fleet& fleet, Instant now) {
            fleet::NodeSpec spec = fleet.node(node).spec;
            spec.tls = tls;
            fleet.changeNode(node, std::move(spec), now);
        });
    }
    static Answer ask(GatewayWorld& world)
    {
        RawClient client(world.port());
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        return client.read();
    }

    QTemporaryDir m_dir;
};

void TestNodeTls::initTestCase()
{
    const Authority right("right");
    const Authority wrong("wrong");
    QVERIFY(right.write(file("right.pem")) && wrong.write(file("wrong.pem")));
    QVERIFY(right.issue(file("node.pem"), file("node.key"), "DNS:worker.test,IP:127.0.0.1"));
    QVERIFY(wrong.issue(file("foreign.pem"), file("foreign.key"), "DNS:worker.test,IP:127.0.0.1"));
}

void TestNodeTls::checksWhoAnswers_data()
{
    QTest::addColumn<QString>("ca");
    QTest::addColumn<QString>("serverName");
    QTest::addColumn<bool>("verify");
    QTest::addColumn<bool>("works");
    QTest::addColumn<QString>("asksFor");
    QTest::newRow("its authority, its address") << "right.pem"
                                                << "" << true << true << "";
    QTest::newRow("its authority, its name") << "right.pem"
                                             << "worker.test" << true << true << "worker.test";
    QTest::newRow("another name") << "right.pem"
                                  << "other.test" << true << false << "";
    QTest::newRow("another address") << "right.pem"
                                     << "127.0.0.2" << true << false << "";
    QTest::newRow("another authority") << "wrong.pem"
                                       << "" << true << false << "";
    QTest::newRow("the system's authorities") << ""
                                              << "" << true << false << "";
    QTest::newRow("nobody is checked") << ""
                                       << "" << false << true << "";
    QTest::newRow("nor is a name") << "wrong.pem"
                                   << "other.test" << false << true << "other.test";
}

void TestNodeTls::checksWhoAnswers()
{
    QFETCH(QString, ca);
    QFETCH(QString, serverName);
    QFETCH(bool, verify);
    QFETCH(bool, works);
    QFETCH(QString, asksFor);
    GatewayWorld world;
    TlsNode node(file("node.pem"), file("node.key"));
    const NodeHandle handle =
        addNode(world, node, {ca.isEmpty() ? std::string() : file(ca.toStdString()), serverName.toStdString(), verify});
    const Answer answer = ask(world);
    if (works) {
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.body, std::string("ok"));
        QCOMPARE(node.serverName(), asksFor.toStdString());
        QVERIFY(world.inRotation(handle));
        return;
    }
    QCOMPARE(answer.status, 502);
    QCOMPARE(answer.header("x-weir-error"), std::string("connect_failed"));
    QCOMPARE(world.lastOutcome(handle), std::string("tls"));
    QVERIFY(!world.inRotation(handle));
}

void TestNodeTls::otherTrustNeedsOtherConnections()
{
    GatewayWorld world;
    TlsNode node(file("node.pem"), file("node.key"));
    const NodeHandle handle = addNode(world, node, {file("right.pem"), {}, true});
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(ask(world).status, 200);
    }
    QCOMPARE(node.handshakes(), 1);
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    setTls(world, handle, {file("wrong.pem"), {}, true});
    QCOMPARE(ask(world).header("x-weir-error"), std::string("connect_failed"));
}

void TestNodeTls::whatIsUnderWayIsNotKeptForAnotherAddress()
{
    GatewayWorld world;
    std::promise<void> may;
    std::shared_future<void> wait = may.get_future().share();
    ScriptedNode before([&](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            wait.wait();
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nbefore");
        }
    });
    ScriptedNode after(ScriptedNode::answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nafter"));
    const NodeHandle handle = world.addNode("w1", before.url(), 4);
    RawClient early(world.port());
    early.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QVERIFY(GatewayWorld::eventually([&] { return before.connections() == 1; }));
    world.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        fleet::NodeSpec spec = fleet.node(handle).spec;
        spec.url = after.url();
        fleet.changeNode(handle, std::move(spec), now);
    });
    world.probe(handle, true);
    QCOMPARE(ask(world).body, std::string("after"));
    may.set_value();
    QCOMPARE(early.read().body, std::string("before"));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(ask(world).body, std::string("after"));
    }
}

void TestNodeTls::aFileThatChangesIsReadAgain()
{
    GatewayWorld world;
    TlsNode node(file("node.pem"), file("node.key"));
    TlsNode foreign(file("foreign.pem"), file("foreign.key"));
    std::filesystem::copy_file(file("right.pem"), file("changing.pem"));
    const NodeHandle handle = addNode(world, node, {file("changing.pem"), {}, true});
    QCOMPARE(ask(world).status, 200);
    std::filesystem::copy_file(file("wrong.pem"), file("changing.pem"), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::last_write_time(file("changing.pem"), std::filesystem::last_write_time(file("right.pem")) + std::chrono::seconds(5));
    world.fleet().with([&](fleet::Fleet& fleet, Instant now) {
        fleet::NodeSpec spec = fleet.node(handle).spec;
        spec.url = foreign.url();
        fleet.changeNode(handle, std::move(spec), now);
    });
    world.probe(handle, true);
    QCOMPARE(ask(world).status, 200);
    QCOMPARE(foreign.handshakes(), 1);
}

void TestNodeTls::aMissingFileIsNotTheNodesFailure()
{
    GatewayWorld world;
    TlsNode node(file("node.pem"), file("node.key"));
    const NodeHandle handle = addNode(world, node, {file("nowhere.pem"), {}, true});
    const Answer answer = ask(world);
    QCOMPARE(answer.status, 502);
    QCOMPARE(answer.header("x-weir-error"), std::string("connect_failed"));
    QVERIFY(world.inRotation(handle));
    QCOMPARE(node.handshakes(), 0);
}

void TestNodeTls::bodiesGoThroughTlsOnBothSides()
{
    GatewayOptions options;
    options.tls = http::TlsContext::load(file("node.pem"), file("node.key")).value_or(nullptr);
    GatewayWorld world(std::move(options));
    TlsNode node(file("node.pem"), file("node.key"));
    addNode(world, node, {file("right.pem"), "worker.test", true});
    std::string body(12U << 20U, '\0');
    for (std::size_t i = 0; i < body.size(); ++i) {
        body[i] = static_cast<char>((i * 131) >> 5U);
    }
    weir::test::TlsClient client(world.port());
    for (const std::size_t size : {body.size(), std::size_t{1}, std::size_t{16385}}) {
        QVERIFY(client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + body.substr(0, size)));
        std::string head;
        while (!head.ends_with("\r\n\r\n")) {
            const std::string byte = client.read(1);
            QVERIFY(!byte.empty());
            head += byte;
        }
        QVERIFY2(head.starts_with("HTTP/1.1 200 "), head.c_str());
        QVERIFY(client.read(size) == body.substr(0, size));
    }
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestNodeTls)
#include "TestNodeTls.moc"
