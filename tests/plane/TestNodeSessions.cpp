// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Clock.h" // first: moc 6.4 fails on <concepts> when nothing comes before it
#include "core/plane/NodeSessions.h"

#include <QtTest>

using namespace weir;
using namespace weir::plane;
using Standing = weir::plane::NodeSessions::Standing;

class TestNodeSessions : public QObject {
    Q_OBJECT

private slots:
    void tokensAreRandomAndLong();
    void aNewSessionReplacesTheOneBefore();
    void aLaterNodeWithTheHandleIsAnother();
    void anEndedSessionIsUnknown();
    void fewReplacedOnesAreRemembered();

private:
    static Standing standing(const NodeSessions& sessions, const NodeSessions::Key& key, const std::string& token) { return sessions.standing(key, NodeSessions::hashOf(token)); }
};

void TestNodeSessions::tokensAreRandomAndLong()
{
    const std::string token = NodeSessions::newToken();
    QVERIFY(token.size() > 43);
    QVERIFY(token != NodeSessions::newToken());
}

void TestNodeSessions::aNewSessionReplacesTheOneBefore()
{
    NodeSessions sessions;
    const NodeSessions::Key key{NodeHandle(5), 7};
    QVERIFY(standing(sessions, key, "a") == Standing::Unknown);
    sessions.begin(key, "a", "10.0.0.1");
    QVERIFY(standing(sessions, key, "a") == Standing::Current);
    QVERIFY(standing(sessions, {NodeHandle(4), 7}, "a") == Standing::Unknown);
    sessions.begin(key, "b", "10.0.0.2");
    QVERIFY(standing(sessions, key, "a") == Standing::Replaced);
    QVERIFY(standing(sessions, key, "b") == Standing::Current);
    QCOMPARE(sessions.addressOf(key), std::string("10.0.0.2"));
    QVERIFY(standing(sessions, key, "") == Standing::Unknown);
}

void TestNodeSessions::aLaterNodeWithTheHandleIsAnother()
{
    NodeSessions sessions;
    sessions.begin({NodeHandle(0), 1}, "a", "x");
    QVERIFY(standing(sessions, {NodeHandle(0), 2}, "a") == Standing::Unknown);
    sessions.end({NodeHandle(0), 2});
    QVERIFY(standing(sessions, {NodeHandle(0), 1}, "a") == Standing::Current);
    sessions.begin({NodeHandle(0), 2}, "b", "y");
    QVERIFY(standing(sessions, {NodeHandle(0), 2}, "a") == Standing::Unknown);
}

void TestNodeSessions::anEndedSessionIsUnknown()
{
    NodeSessions sessions;
    const NodeSessions::Key key{NodeHandle(0), 1};
    sessions.begin(key, "a", "x");
    sessions.end(key);
    QVERIFY(standing(sessions, key, "a") == Standing::Unknown);
    QVERIFY(standing(sessions, key, "") == Standing::Unknown);
    QCOMPARE(sessions.addressOf(key), std::string());
    sessions.begin(key, "b", "x");
    QVERIFY(standing(sessions, key, "b") == Standing::Current);
    QVERIFY(standing(sessions, key, "a") == Standing::Unknown);
}

void TestNodeSessions::fewReplacedOnesAreRemembered()
{
    NodeSessions sessions;
    const NodeSessions::Key key{NodeHandle(0), 1};
    for (int i = 0; i < 20; ++i) {
        sessions.begin(key, "token-" + std::to_string(i), "x");
    }
    for (int i = 0; i < 20; ++i) {
        const Standing expected = i == 19 ? Standing::Current : i >= 15 ? Standing::Replaced : Standing::Unknown;
        QVERIFY2(standing(sessions, key, "token-" + std::to_string(i)) == expected, std::to_string(i).c_str());
    }
}

QTEST_GUILESS_MAIN(TestNodeSessions)
#include "TestNodeSessions.moc"
