// SPDX-License-Identifier: GPL-3.0-or-later
// The points at which modules are asked, through a real gateway: when, how often, and what their verdicts do.
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/Certificate.h"
#include "tests/support/TlsClient.h"

#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <mutex>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;
using weir::test::TlsClient;

namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

constexpr std::array<Point, kPointCount> kAll{Point::Accept, Point::Handshake, Point::BeforeLocation, Point::FoundProduct,
    Point::AfterLocation, Point::Forward, Point::ReadResponse, Point::RequestFinish, Point::Finish};
constexpr std::array<const char*, kPointCount> kNames{
    "accept", "handshake", "before", "found", "after", "forward", "read", "done", "finish"};

// What the points were, in one line, and what each is to be answered with.
struct Notes {
    using Decide = std::function<Verdict(Point, Turn&)>;

    std::mutex mutex;
    std::string line;
    Decide decide;

    std::string text()
    {
        const std::scoped_lock lock(mutex);
        return line;
    }
    bool becomes(const std::string& expected)
    {
        return GatewayWorld::eventually([&] { return text() == expected; });
    }
};

class Spy final : public Module {
public:
    Spy(Notes& notes, std::vector<Point> points)
        : m_notes(notes)
        , m_points(std::move(points))
    {
    }
    std::string_view name() const override { return "spy"; }
    std::span<const Point> points() const override { return m_points; }
    Verdict at(Point point, Turn& turn) override
    {
        {
            const std::scoped_lock lock(m_notes.mutex);
            m_notes.line += (m_notes.line.empty() ? "" : " ") + std::string(kNames.at(static_cast<std::size_t>(point)));
            m_notes.line += point == Point::Forward ? ":" + std::string(turn.node) : "";
        }
        return m_notes.decide ? m_notes.decide(point, turn) : Verdict::goOn();
    }

private:
    Notes& m_notes;
    std::vector<Point> m_points;
};

std::shared_ptr<ModuleChain> chainOf(Notes& notes, std::vector<Point> points = {kAll.begin(), kAll.end()})
{
    std::vector<std::unique_ptr<Module>> modules;
    modules.push_back(std::make_unique<Spy>(notes, std::move(points)));
    return std::make_shared<ModuleChain>(std::move(modules));
}

GatewayOptions optionsWith(Notes& notes, std::vector<Point> points = {kAll.begin(), kAll.end()})
{
    GatewayOptions options;
    options.modules = chainOf(notes, std::move(points));
    return options;
}

Answer ask(GatewayWorld& world, const std::string& path = "/")
{
    RawClient client(world.port());
    client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    return client.read();
}

} // namespace

class TestModulePoints : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aConnectionFromBeginningToEnd();
    void theHandshakeComesOnceTlsStands();
    void theHandshakeCloses();
    void forwardComesWithEachTry();
    void forwardChangesWhatIsSent();
    void forwardEndsTheRequest_data();
    void forwardEndsTheRequest();
    void forwardEndsRequestsThatWaited();
    void finishComesLastAndOnce();
    void finishIsForTheModulesOfTheBeginning();

private:
    [[nodiscard]] std::string file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toStdString(); }
    [[nodiscard]] GatewayOptions secureWith(Notes& notes) const
    {
        GatewayOptions options = optionsWith(notes);
        options.tls = http::TlsContext::load(file("one.pem"), file("one.key")).value_or(nullptr);
        return options;
    }

    QTemporaryDir m_dir;
};

void TestModulePoints::initTestCase()
{
    QVERIFY(weir::test::writeCertificate(file("one.pem"), file("one.key"), "one"));
}

void TestModulePoints::aConnectionFromBeginningToEnd()
{
    Notes notes;
    GatewayWorld world(optionsWith(notes));
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    {
        RawClient client(world.port());
        for (int i = 0; i < 2; ++i) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            QCOMPARE(client.read().status, 200);
        }
    }
    QVERIFY2(notes.becomes("accept before found after forward:w1 read done before found after forward:w1 read done finish"),
        notes.text().c_str());
}

void TestModulePoints::theHandshakeComesOnceTlsStands()
{
    Notes notes;
    std::string seen;
    notes.decide = [&seen](Point point, Turn& turn) {
        if (point == Point::Handshake || point == Point::Finish) {
            seen += std::string(turn.request.tls.serverName) + (turn.request.tls.isSecure ? " secure " : " plain ")
                + turn.request.peer->text() + ";";
        }
        return Verdict::goOn();
    };
    GatewayWorld world(secureWith(notes));
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    {
        TlsClient client(world.port(), TLS1_3_VERSION, "a.test");
        QVERIFY(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        QVERIFY(client.readUntil("ok").starts_with("HTTP/1.1 200 "));
    }
    QVERIFY2(notes.becomes("accept handshake before found after forward:w1 read done finish"), notes.text().c_str());
    QCOMPARE(seen, std::string("a.test secure 127.0.0.1;a.test secure 127.0.0.1;"));
}

void TestModulePoints::theHandshakeCloses()
{
    Notes notes;
    notes.decide = [](Point point, Turn& turn) {
        return point == Point::Handshake && turn.request.tls.serverName == "bad.test" ? Verdict::close() : Verdict::goOn();
    };
    GatewayWorld world(secureWith(notes));
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    TlsClient bad(world.port(), TLS1_3_VERSION, "bad.test");
    QVERIFY(bad.isOpen()); // the client's part of it is over before the gateway's
    QVERIFY(bad.endsCleanly());
    QVERIFY2(notes.becomes("accept handshake finish"), notes.text().c_str());
    TlsClient good(world.port(), TLS1_3_VERSION, "good.test");
    QVERIFY(good.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") && good.readUntil("ok").starts_with("HTTP/1.1 200 "));
}

void TestModulePoints::forwardComesWithEachTry()
{
    Notes notes;
    GatewayWorld world(optionsWith(notes, {Point::Forward}));
    ScriptedNode node(ScriptedNode::answering(kOk));
    // The emptier one is asked first, and is not there.
    const NodeHandle gone = world.addNode("a-gone", "http://127.0.0.1:" + std::to_string(unusedPort()), 10);
    world.addNode("b-here", node.url(), 1);
    QCOMPARE(ask(world).status, 200);
    QCOMPARE(notes.text(), std::string("forward:a-gone forward:b-here"));
    QVERIFY(!world.inRotation(gone));
}

void TestModulePoints::forwardChangesWhatIsSent()
{
    Notes notes;
    notes.decide = [](Point, Turn& turn) {
        turn.requestEdits.set("X-Node", turn.node);
        return Verdict::goOn();
    };
    GatewayWorld world(optionsWith(notes, {Point::Forward}));
    std::mutex mutex;
    std::string head;
    ScriptedNode node([&](NodeSocket& socket) {
        {
            const std::scoped_lock lock(mutex);
            head = socket.readHead();
        }
        socket.send(kOk);
    });
    world.addNode("a-gone", "http://127.0.0.1:" + std::to_string(unusedPort()), 10);
    world.addNode("b-here", node.url(), 1);
    QCOMPARE(ask(world).status, 200);
    const std::scoped_lock lock(mutex);
    QCOMPARE(headerOf(head, "X-Node"), std::string("b-here"));
    QCOMPARE(countOf(head, "X-Node"), 1);
}

void TestModulePoints::forwardEndsTheRequest_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("status");
    QTest::newRow("respond") << static_cast<int>(Verdict::Kind::Respond) << 418;
    QTest::newRow("redirect") << static_cast<int>(Verdict::Kind::Redirect) << 307;
    QTest::newRow("close") << static_cast<int>(Verdict::Kind::Close) << 0;
    QTest::newRow("finish") << static_cast<int>(Verdict::Kind::Finish) << 0;
}

void TestModulePoints::forwardEndsTheRequest()
{
    QFETCH(int, kind);
    QFETCH(int, status);
    Notes notes;
    notes.decide = [kind](Point point, Turn& turn) {
        if (point == Point::ReadResponse) {
            turn.responseEdits.add("X-Passed", "read");
        }
        if (point != Point::Forward || turn.request.path != "/ended") {
            return Verdict::goOn();
        }
        if (static_cast<Verdict::Kind>(kind) == Verdict::Kind::Redirect) {
            return Verdict::redirect(307, "https://elsewhere.test/");
        }
        return Verdict{static_cast<Verdict::Kind>(kind), {418, "text/plain", "short", {}}};
    };
    GatewayWorld world(optionsWith(notes));
    ScriptedNode node(ScriptedNode::answering(kOk));
    const NodeHandle handle = world.addNode("w1", node.url());
    RawClient client(world.port());
    client.send("GET /ended HTTP/1.1\r\nHost: a\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, status);
    const std::string answered = status > 0 ? "read " : "";
    QVERIFY2(
        GatewayWorld::eventually([&] { return notes.text().starts_with("accept before found after forward:w1 " + answered + "done"); }),
        notes.text().c_str());
    if (status > 0) {
        QCOMPARE(answer.header("x-passed"), std::string("read"));
        QCOMPARE(answer.header("location"), std::string(status == 307 ? "https://elsewhere.test/" : ""));
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"); // the connection goes on
        QCOMPARE(client.read().body, std::string("ok"));
    } else {
        QVERIFY(client.endsWithin(std::chrono::seconds(5)));
        QCOMPARE(node.connections(), 0);
    }
    // The node is free again, and it is not its failure.
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    QVERIFY(world.inRotation(handle));
    QCOMPARE(world.counters()->nodeFailures.load(), std::uint64_t{0});
    QCOMPARE(ask(world).status, 200);
}

void TestModulePoints::forwardEndsRequestsThatWaited()
{
    Notes notes;
    notes.decide = [](Point, Turn& turn) { return turn.request.path == "/ended" ? Verdict::respond({418, {}, {}, {}}) : Verdict::goOn(); };
    GatewayWorld world(optionsWith(notes, {Point::Forward}));
    std::promise<void> may;
    std::shared_future<void> wait = may.get_future().share();
    ScriptedNode node([&](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            wait.wait();
            socket.send(kOk);
        }
    });
    const NodeHandle handle = world.addNode("w1", node.url(), 1);
    RawClient busy(world.port());
    busy.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    std::vector<std::unique_ptr<RawClient>> waiting;
    for (const char* path : {"/ended", "/ended", "/", "/ended"}) {
        waiting.push_back(std::make_unique<RawClient>(world.port()));
        waiting.back()->send("GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    QVERIFY(GatewayWorld::eventually([&] { return world.counters()->waiting == 4; }));
    may.set_value();
    QCOMPARE(busy.read().status, 200);
    int ended = 0;
    for (const auto& client : waiting) {
        ended += client->read().status == 418 ? 1 : 0;
    }
    QCOMPARE(ended, 3);
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0 && world.counters()->waiting == 0; }));
}

void TestModulePoints::finishComesLastAndOnce()
{
    Notes notes;
    std::atomic<bool> isShut = false;
    notes.decide = [&isShut](Point point, Turn&) { return point == Point::Accept && isShut ? Verdict::close() : Verdict::goOn(); };
    GatewayWorld world(optionsWith(notes, {Point::Accept, Point::Forward, Point::RequestFinish, Point::Finish}));
    ScriptedNode node([](NodeSocket& socket) {
        socket.readHead();
        socket.isEnded();
    });
    const NodeHandle handle = world.addNode("w1", node.url());
    {
        RawClient client(world.port());
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 1; }));
    }
    QVERIFY2(notes.becomes("accept forward:w1 done finish"), notes.text().c_str());
    // What accept closes has no end of its own.
    isShut = true;
    RawClient refused(world.port());
    QVERIFY(refused.endsWithin(std::chrono::seconds(5)));
    auto closed = world.close(std::chrono::seconds(1));
    QCOMPARE(closed.wait_for(std::chrono::seconds(5)), std::future_status::ready);
    QCOMPARE(notes.text(), std::string("accept forward:w1 done finish accept"));
}

void TestModulePoints::finishIsForTheModulesOfTheBeginning()
{
    Notes before;
    Notes after;
    GatewayWorld world(optionsWith(before, {Point::Accept, Point::Finish}));
    ScriptedNode node(ScriptedNode::answering(kOk));
    world.addNode("w1", node.url());
    {
        RawClient client(world.port());
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QCOMPARE(client.read().status, 200);
        world.gateway().setModules(chainOf(after));
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        QCOMPARE(client.read().status, 200);
    }
    QVERIFY2(before.becomes("accept finish"), before.text().c_str());
    QCOMPARE(after.text(), std::string("before found after forward:w1 read done"));
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestModulePoints)
#include "TestModulePoints.moc"
