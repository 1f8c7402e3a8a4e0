// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoFleet.h"

#include <QtTest>
#include <atomic>

using namespace weir;

// The whole scenario with real workers, real probes and a real store, ten times as fast.
class TestScenarioB : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void refusedWhileEverythingIsGreen();
    void wrongRemedyWorksAndTeaches();
    void rightRemedyEndsIt();
    void remedyBeforeItsAct();
    void restartBringsItBack();

private:
    [[nodiscard]] plane::ControlPlane& plane() const { return m_runtime->plane(); }
    [[nodiscard]] demo::ScenarioState state() const { return m_demo->status().state; }
    /// Lets the scenario come to the act in which the remedies are asked for.
    void toRemedies();
    void moveOrigins(const std::string& pool);
    void setOwners(const std::string& user);
    [[nodiscard]] fleet::Decision decide() const;
    [[nodiscard]] std::string poolOf(const fleet::Decision& decision) const;

    NullLog m_log;
    SystemClock m_clock;
    std::unique_ptr<demo::DemoFleet> m_demo;
    std::unique_ptr<runtime::Runtime> m_runtime;
};

void TestScenarioB::init()
{
    auto demo = demo::DemoFleet::create(m_log, {"b", 10});
    QVERIFY(demo.has_value());
    m_demo = std::move(*demo);
    auto runtime = runtime::Runtime::start(m_clock, m_log, m_demo->runtimeOptions());
    QVERIFY(runtime.has_value());
    m_runtime = std::move(*runtime);
    m_demo->start(plane());
}

void TestScenarioB::cleanup()
{
    m_demo->stop();
    m_runtime->stop();
    m_runtime.reset();
    m_demo.reset();
}

void TestScenarioB::toRemedies()
{
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(2), 20'000);
    m_demo->whyAsked();
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(3), 5000);
}

void TestScenarioB::moveOrigins(const std::string& pool)
{
    plane::MoveRequest request;
    for (const char* node : {"origin-11", "origin-12", "origin-13"}) {
        request.moves.push_back({node, pool, std::nullopt});
    }
    std::atomic<int> answered{0};
    plane().nodes().move(std::move(request), {"test", {}, {}, "test"}, [&](const auto& answer) { answered = answer.has_value() ? 1 : -1; });
    QTRY_COMPARE_WITH_TIMEOUT(answered.load(), 1, 5000);
}

void TestScenarioB::setOwners(const std::string& user)
{
    std::atomic<int> answered{0};
    const auto apps = m_demo->cast().apps;
    for (const demo::DemoApp& app : apps) {
        plane().apps().putApp(AppId::trusted(std::string(app.id)), user, {"test", {}, {}, "test"},
            [&](const Result<bool>& result) { answered += result.has_value() ? 1 : 0; });
    }
    QTRY_COMPARE_WITH_TIMEOUT(answered.load(), static_cast<int>(apps.size()), 5000);
}

fleet::Decision TestScenarioB::decide() const
{
    fleet::Request request;
    request.role = Role::Origin;
    request.app = "app-9";
    return plane().fleet().decide(request);
}

std::string TestScenarioB::poolOf(const fleet::Decision& decision) const
{
    return plane().fleet().read([&](const fleet::Fleet& fleet, Instant) { return fleet.pool(decision.pool).spec.id.text(); });
}

void TestScenarioB::refusedWhileEverythingIsGreen()
{
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(2), 20'000);
    const demo::ScenarioState now = state();
    QVERIFY(now.acts[0].done && now.acts[1].done && !now.acts[2].done && !now.acts[3].done);
    QCOMPARE(now.nodesGreen, now.nodes);
    QCOMPARE(now.nodes, m_demo->cast().nodes.size());
    QVERIFY(now.refused >= 28);
    QCOMPARE(now.refused, now.asked);
    QCOMPARE(now.appsServed, std::size_t(0));
    QCOMPARE(QString::fromStdString(now.sentence), QStringLiteral("default: 0 of 9 usable: 9 of another role."));
    QCOMPARE(decide().code, fleet::Code::NoCandidate);
    const fleet::Reachability reach = plane().fleet().read([](const fleet::Fleet& fleet, Instant) { return fleet.reachability(); });
    QCOMPARE(QString::fromStdString(reach.sentence),
        QStringLiteral("3 healthy origins are in pool-1, which no app resolves to; 14 apps resolve to default, which has none."));
    for (const plane::AppFacts& app : plane().facts().apps()) {
        QCOMPARE(app.verdict, fleet::Verdict::FailsClosed);
    }
    m_demo->whyAsked();
    QTRY_VERIFY_WITH_TIMEOUT(state().acts[2].done, 5000);
}

void TestScenarioB::wrongRemedyWorksAndTeaches()
{
    toRemedies();
    moveOrigins("default");
    const fleet::Decision decision = decide();
    QCOMPARE(decision.code, fleet::Code::Ok);
    QCOMPARE(poolOf(decision), std::string("default"));
    QTRY_VERIFY_WITH_TIMEOUT(state().acts[3].done, 10'000);
    QCOMPARE(state().act, std::size_t(3)); // it works, but it is not over
    QVERIFY(std::string(state().acts[3].lesson).find("isolation") != std::string::npos);
    moveOrigins("pool-1");
    setOwners("1");
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(4), 10'000);
    QVERIFY(std::string(state().acts[3].lesson).find("resolve to pool-1") != std::string::npos);
}

void TestScenarioB::rightRemedyEndsIt()
{
    toRemedies();
    setOwners("1");
    const fleet::Decision decision = decide();
    QCOMPARE(decision.code, fleet::Code::Ok);
    QCOMPARE(poolOf(decision), std::string("pool-1"));
    QVERIFY(!decision.fallback);
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(4), 10'000);
    QCOMPARE(state().appsServed, std::size_t(14));
}

void TestScenarioB::remedyBeforeItsAct()
{
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(1), 20'000);
    setOwners("1");
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(4), 10'000);
    QVERIFY(state().acts[3].done);
    QVERIFY(!state().acts[2].done); // nobody asked why
}

void TestScenarioB::restartBringsItBack()
{
    toRemedies();
    moveOrigins("default");
    setOwners("1");
    m_demo->restart();
    QTRY_VERIFY_WITH_TIMEOUT(state().act == 0 && !state().acts[0].done, 5000);
    QTRY_COMPARE_WITH_TIMEOUT(state().act, std::size_t(2), 20'000); // refused again, so nodes and owners are back
    QVERIFY(!state().acts[3].done);
}

QTEST_GUILESS_MAIN(TestScenarioB)
#include "TestScenarioB.moc"
