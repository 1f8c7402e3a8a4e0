// SPDX-License-Identifier: GPL-3.0-or-later
// Which node carries which stream, and the selectors for streams.
#include "tests/fleet/FleetWorld.h"

using namespace weir;
using namespace weir::fleet;

namespace {

/// Keeps the text that names point to.
struct Reported {
    std::vector<StreamName> names;
    Reported(std::initializer_list<StreamName> list) : names(list) {}
};

} // namespace

class TestStreams : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_world.reset(); }
    void aPublishIsRemembered();
    void srtAsksForSrt();
    void theOriginStaysWhereTheStreamIs();
    void theOriginMovesWhenItMayNotStay_data();
    void theOriginMovesWhenItMayNotStay();
    void aStickyOriginReservesNothing();
    void unreportedStreamsEnd();
    void aHeartbeatWithoutStreamsEndsNone();
    void anIgnoredHeartbeatSaysNothing();
    void streamsComeBackAfterARestart();
    void aReportDoesNotOverruleADecision();
    void aReportTakesOverFromAGoneNode();
    void edgesReportsBindNothing();
    void aGoodbyeEndsThem();
    void lapsedNodesLoseWhatTheyReported();
    void removalEndsThem();
    void thereIsABound();
    void findingEdgesIsQuiet();
    void anEdgeIsReserved();
    void aMoveCountsItsStreams();
    void refusalsLeaveNoStream();

private:
    bool beat(const std::string& id, std::uint64_t seq, const Reported& streams, const std::string& boot = "boot-1")
    {
        return m_world->fleet.heartbeat(m_world->handle(id), Heartbeat{boot, seq, 10, 0, {}, &streams.names}, m_world->now());
    }
    std::string publish(const std::string& app, const std::string& stream) { return m_world->name(m_world->fleet.selectOriginForPublish(app, stream, 1, m_world->now())); }
    std::string origin(const std::string& app, const std::string& stream) { return m_world->name(m_world->fleet.selectOriginForStream(app, stream, m_world->now())); }
    std::string carrier(const std::string& app, const std::string& stream)
    {
        const Streams::Stream* found = m_world->fleet.streams().find(app, stream);
        return found == nullptr ? std::string() : m_world->fleet.node(found->node).spec.id.text();
    }

    std::unique_ptr<FleetWorld> m_world;
};

void TestStreams::init()
{
    m_world = std::make_unique<FleetWorld>();
    m_world->node("a", "default", {.isStatic = false, .webrtc = "https://a", .publish = "srt://a:1"});
    m_world->node("b", "default", {.isStatic = false, .webrtc = "https://b"});
}

void TestStreams::aPublishIsRemembered()
{
    COMPARE_TEXT(publish("x", "s1"), "a");
    COMPARE_TEXT(publish("x", "s2"), "b"); // a has one less
    COMPARE_TEXT(carrier("x", "s1"), "a");
    QCOMPARE(m_world->fleet.streams().countOn(m_world->handle("a")), std::size_t{1});
    QVERIFY(!m_world->fleet.streams().find("x", "s1")->reported);
    QVERIFY(m_world->fleet.streams().find("y", "s1") == nullptr);
}

void TestStreams::srtAsksForSrt()
{
    for (int i = 0; i < 3; ++i) {
        COMPARE_TEXT(m_world->name(m_world->fleet.selectOriginForSrtPublish("x", "s", 1, m_world->now())), "a"); // b offers none
    }
    QCOMPARE(m_world->fleet.streams().size(), std::size_t{1});
}

void TestStreams::theOriginStaysWhereTheStreamIs()
{
    COMPARE_TEXT(publish("x", "s"), "a");
    m_world->drain("a");
    COMPARE_TEXT(origin("x", "s"), "a"); // it is there already
    m_world->drain("a", false);
    QVERIFY(m_world->beat("a", "boot-1", 2, 0)); // full
    COMPARE_TEXT(origin("x", "s"), "a");
    m_world->eject("a");
    COMPARE_TEXT(origin("x", "s"), "a");
    COMPARE_TEXT(origin("x", "other"), "b");
}

void TestStreams::theOriginMovesWhenItMayNotStay_data()
{
    QTest::addColumn<QByteArray>("why");
    for (const char* why : {"disconnected", "moved away", "app bound elsewhere"}) {
        QTest::newRow(why) << QByteArray(why);
    }
}

void TestStreams::theOriginMovesWhenItMayNotStay()
{
    QFETCH(QByteArray, why);
    COMPARE_TEXT(publish("x", "s"), "a");
    if (why == "disconnected") {
        m_world->at(25);
        QVERIFY(m_world->beat("b", "boot-1", 2, 10));
        m_world->at(31);
    } else if (why == "moved away") {
        m_world->move("a", "team");
    } else {
        m_world->node("t", "team", {.webrtc = "https://t"});
        m_world->boundApp("x", "team");
        COMPARE_TEXT(origin("x", "s"), "t");
        COMPARE_TEXT(carrier("x", "s"), "t");
        return;
    }
    COMPARE_TEXT(origin("x", "s"), "b");
    COMPARE_TEXT(carrier("x", "s"), "b");
    QCOMPARE(m_world->fleet.streams().countOn(m_world->handle("a")), std::size_t{0});
}

void TestStreams::aStickyOriginReservesNothing()
{
    QCOMPARE(publish("x", "s"), std::string("a"));
    const std::uint64_t placement = m_world->fleet.lastPlacement();
    const Decision again = m_world->fleet.selectOriginForStream("x", "s", m_world->now());
    QCOMPARE(again.placement, std::uint64_t{0});
    QVERIFY(!again.fallback);
    QCOMPARE(m_world->fleet.lastPlacement(), placement);
    QCOMPARE(m_world->coreAt("a").reserved, 1);
}

void TestStreams::unreportedStreamsEnd()
{
    COMPARE_TEXT(publish("x", "s"), "a");
    QVERIFY(beat("a", 2, {}));
    COMPARE_TEXT(carrier("x", "s"), "a"); // it may not have begun yet
    QVERIFY(beat("a", 3, {{"x", "s"}}));
    QVERIFY(m_world->fleet.streams().find("x", "s")->reported);
    QVERIFY(beat("a", 4, {}));
    COMPARE_TEXT(carrier("x", "s"), "a");
    QVERIFY(beat("a", 5, {}));
    COMPARE_TEXT(carrier("x", "s"), "");
    COMPARE_TEXT(publish("x", "t"), "b"); // never reported at all
    QVERIFY(beat("b", 2, {}));
    COMPARE_TEXT(carrier("x", "t"), "b");
    QVERIFY(beat("b", 3, {}));
    COMPARE_TEXT(carrier("x", "t"), "");
}

void TestStreams::aHeartbeatWithoutStreamsEndsNone()
{
    QVERIFY(beat("a", 2, {{"x", "s"}}));
    for (std::uint64_t seq = 3; seq < 10; ++seq) {
        QVERIFY(m_world->beat("a", "boot-1", seq, 10));
    }
    COMPARE_TEXT(carrier("x", "s"), "a");
}

void TestStreams::anIgnoredHeartbeatSaysNothing()
{
    QVERIFY(beat("a", 5, {{"x", "s"}}));
    for (int i = 0; i < 5; ++i) {
        QVERIFY(!beat("a", 5, {}));
        QVERIFY(!beat("a", 4, {{"x", "old"}}));
    }
    COMPARE_TEXT(carrier("x", "s"), "a");
    COMPARE_TEXT(carrier("x", "old"), "");
}

void TestStreams::streamsComeBackAfterARestart()
{
    QVERIFY(beat("b", 2, {{"x", "s1"}, {"x", "s2"}, {"y", "s1"}}));
    QCOMPARE(m_world->fleet.streams().size(), std::size_t{3});
    COMPARE_TEXT(origin("x", "s2"), "b"); // and not a new decision, which would be a
}

void TestStreams::aReportDoesNotOverruleADecision()
{
    QVERIFY(beat("b", 2, {{"x", "s"}}));
    COMPARE_TEXT(publish("x", "s"), "a"); // the publisher came again
    QVERIFY(beat("b", 3, {{"x", "s"}}));  // b has not noticed yet
    COMPARE_TEXT(carrier("x", "s"), "a");
    QVERIFY(beat("a", 2, {}));
    QVERIFY(beat("a", 3, {})); // but it never arrived there
    COMPARE_TEXT(carrier("x", "s"), "");
    QVERIFY(beat("b", 4, {{"x", "s"}}));
    COMPARE_TEXT(carrier("x", "s"), "b");
}

void TestStreams::aReportTakesOverFromAGoneNode()
{
    COMPARE_TEXT(publish("x", "s"), "a");
    m_world->at(25);
    QVERIFY(beat("b", 2, {}));
    m_world->at(31);
    QVERIFY(beat("b", 3, {{"x", "s"}}));
    COMPARE_TEXT(carrier("x", "s"), "b");
}

void TestStreams::edgesReportsBindNothing()
{
    m_world->node("e", "default", {.role = Role::Edge, .isStatic = false});
    QVERIFY(beat("e", 2, {{"x", "s"}}));
    QCOMPARE(m_world->fleet.streams().size(), std::size_t{0});
}

void TestStreams::aGoodbyeEndsThem()
{
    COMPARE_TEXT(publish("x", "s"), "a");
    m_world->fleet.disconnect(m_world->handle("a"), m_world->now());
    COMPARE_TEXT(carrier("x", "s"), "");
    COMPARE_TEXT(origin("x", "s"), "b");
}

void TestStreams::lapsedNodesLoseWhatTheyReported()
{
    QVERIFY(beat("a", 2, {{"x", "s"}}));
    COMPARE_TEXT(publish("x", "quiet"), "a"); // a tie, which the smaller id wins
    COMPARE_TEXT(publish("x", "other"), "b"); // which never reports streams
    m_world->at(40);
    COMPARE_TEXT(carrier("x", "s"), "");
    COMPARE_TEXT(carrier("x", "other"), "b");
    QVERIFY(beat("a", 3, {{"x", "s"}}));
    COMPARE_TEXT(carrier("x", "s"), "a");
}

void TestStreams::removalEndsThem()
{
    QVERIFY(beat("a", 2, {{"x", "s1"}, {"x", "s2"}}));
    m_world->drain("a");
    m_world->fleet.removeNode(m_world->handle("a"), m_world->now());
    QCOMPARE(m_world->fleet.streams().size(), std::size_t{0});
    COMPARE_TEXT(origin("x", "s1"), "b");
}

void TestStreams::thereIsABound()
{
    std::vector<std::string> texts;
    texts.reserve(Streams::kMost + 5);
    Reported many{};
    for (std::size_t i = 0; i < Streams::kMost + 5; ++i) {
        texts.push_back("s" + std::to_string(i));
        many.names.push_back({"x", texts.back()});
    }
    QVERIFY(beat("b", 2, many));
    QCOMPARE(m_world->fleet.streams().size(), Streams::kMost);
    QCOMPARE(m_world->fleet.streams().unlisted(), std::uint64_t{5});
    const std::uint64_t placement = m_world->fleet.lastPlacement();
    COMPARE_TEXT(publish("x", "one more"), "too_many_streams");
    QCOMPARE(m_world->fleet.lastPlacement(), placement);
    QCOMPARE(m_world->coreAt("a").reserved, 0);
    COMPARE_TEXT(publish("x", "s7"), "a"); // known already
    QVERIFY(m_world->fleet.endStream("x", "s8"));
    COMPARE_TEXT(publish("x", "one more"), "b"); // the reservation on a counts
    QVERIFY(!m_world->fleet.endStream("x", "s8"));
}

void TestStreams::findingEdgesIsQuiet()
{
    m_world->node("e1", "default", {.capacity = 3, .role = Role::Edge});
    m_world->node("e2", "default", {.capacity = 5, .role = Role::Edge});
    m_world->node("e3", "default", {.capacity = 4, .role = Role::Edge});
    const std::uint64_t revision = m_world->fleet.revision();
    const std::size_t facts = m_world->sink.changes.size();
    for (int i = 0; i < 1000; ++i) {
        const std::vector<NodeHandle> edges = m_world->fleet.findEdgesForStream("x", "s", 2, m_world->now());
        QCOMPARE(edges.size(), std::size_t{2});
        QVERIFY(edges[0] == m_world->handle("e2") && edges[1] == m_world->handle("e3"));
        QVERIFY(m_world->fleet.findEdgesForStream("x", "s", 0, m_world->now()).empty());
    }
    QCOMPARE(m_world->fleet.revision(), revision);
    QCOMPARE(m_world->sink.changes.size(), facts);
    QVERIFY(m_world->fleet.recentDecisions().empty());
    QCOMPARE(m_world->fleet.counters().chosen[weir::indexOf(Role::Edge)], std::uint64_t{0});
}

void TestStreams::anEdgeIsReserved()
{
    m_world->node("e1", "default", {.capacity = 1, .role = Role::Edge});
    COMPARE_TEXT(m_world->name(m_world->fleet.selectEdgeForStream("x", "s", m_world->now())), "e1");
    COMPARE_TEXT(m_world->name(m_world->fleet.selectEdgeForStream("x", "s", m_world->now())), "no_candidate");
    QVERIFY(m_world->fleet.findEdgesForStream("x", "s", 9, m_world->now()).empty());
}

void TestStreams::aMoveCountsItsStreams()
{
    QVERIFY(beat("a", 2, {{"x", "s1"}, {"x", "s2"}}));
    const std::vector<Move> moves{{m_world->handle("a"), m_world->pool("team"), {}}, {m_world->handle("b"), m_world->pool("team"), {}}};
    QCOMPARE(m_world->fleet.previewMoves(moves, m_world->now()).streams, std::size_t{2});
}

void TestStreams::refusalsLeaveNoStream()
{
    m_world->boundApp("x", "team");
    COMPARE_TEXT(publish("x", "s"), "no_candidate");
    COMPARE_TEXT(origin("x", "s"), "no_candidate");
    QCOMPARE(m_world->fleet.streams().size(), std::size_t{0});
    QCOMPARE(m_world->sink.count(ChangeKind::PoolExhausted), std::size_t{2});
}

QTEST_GUILESS_MAIN(TestStreams)
#include "TestStreams.moc"
