// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoFleet.h"
#include "core/plane/incidents/IncidentReports.h"

#include <QtTest>

#include <algorithm>
#include <memory>
#include <mutex>

using namespace weir;

// The whole scenario with real workers, real probes and real requests through the gateway, ten times as fast.
class TestScenarioA : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void greenWhileItFails();
    void outAndBackAgain();
    void quarantineAlone();
    void theRuleAlone();
    void theDeepCheckAlone();
    void allThreeAndRoom();
    void switchesGoBack();
    void restartBringsItBack();
    void anEarlyReportIsNotTheLastAct();

private:
    [[nodiscard]] plane::ControlPlane& plane() const { return m_runtime->plane(); }
    [[nodiscard]] demo::ScenarioState state() const { return m_demo->status().state; }
    [[nodiscard]] bool isAct(std::size_t act) const { return state().act == act; }
    [[nodiscard]] bool isOn(std::string_view key) const;
    [[nodiscard]] plane::NodeFacts broken() const;
    void toDefences();
    void reportCounts();
    void switchOn(const char* key, bool on = true);

    NullLog m_log;
    SystemClock m_clock;
    std::unique_ptr<demo::DemoFleet> m_demo;
    std::unique_ptr<runtime::Runtime> m_runtime;
};

void TestScenarioA::init()
{
    auto demo = demo::DemoFleet::create(m_log, {"a", 10});
    QVERIFY(demo.has_value());
    m_demo = std::move(*demo);
    auto runtime = runtime::Runtime::start(m_clock, m_log, m_demo->runtimeOptions());
    QVERIFY2(runtime.has_value(), runtime ? "" : runtime.error().lines.front().c_str());
    m_runtime = std::move(*runtime);
    QVERIFY(!m_runtime->gatewayUrl().empty());
    m_demo->start(plane(), m_runtime->gatewayUrl());
}

void TestScenarioA::cleanup()
{
    m_demo->stop();
    m_runtime->stop();
    m_runtime.reset();
    m_demo.reset();
}

bool TestScenarioA::isOn(std::string_view key) const
{
    const demo::ScenarioState now = state();
    const auto found = std::find_if(now.switches.begin(), now.switches.end(), [&](const demo::SwitchState& each) { return each.key == key; });
    return found != now.switches.end() && found->on;
}

plane::NodeFacts TestScenarioA::broken() const
{
    const std::vector<plane::NodeFacts> nodes = plane().flow().nodeFacts();
    const auto found = std::find_if(nodes.begin(), nodes.end(), [](const plane::NodeFacts& node) { return node.spec.id.text() == "gpu-03"; });
    return found == nodes.end() ? plane::NodeFacts() : *found;
}

void TestScenarioA::toDefences()
{
    QTRY_VERIFY_WITH_TIMEOUT(isAct(3), 40000);
}

// The last act: an incident is there to be told, and taking its report ends the scenario.
void TestScenarioA::reportCounts()
{
    QVERIFY(std::string(state().acts[5].prompt).find("Ctrl+E") != std::string::npos);
    QVERIFY(!state().acts[5].done);
    struct Found {
        std::mutex mutex;
        std::string report;
    };
    const auto found = std::make_shared<Found>();
    plane().read([found](store::StoreReader& reader) {
        const auto incidents = reader.incidents({});
        if (incidents && !incidents->empty()) {
            const auto report = plane::readReport(reader, incidents->front().number, false, SystemClock().wall());
            const std::scoped_lock lock(found->mutex);
            found->report = report ? report->markdown : report.error().message;
        }
    });
    const auto text = [&found] {
        const std::scoped_lock lock(found->mutex);
        return QString::fromStdString(found->report);
    };
    QTRY_VERIFY_WITH_TIMEOUT(!text().isEmpty(), 5000);
    QVERIFY2(text().startsWith(QStringLiteral("# ")) && text().contains(QStringLiteral("gpu-03")), qPrintable(text()));
    m_demo->reportTaken();
    QTRY_VERIFY_WITH_TIMEOUT(state().acts[5].done, 5000);
    QVERIFY(isAct(6));
}

void TestScenarioA::switchOn(const char* key, bool on)
{
    m_demo->setSwitch(key, on);
    QTRY_COMPARE_WITH_TIMEOUT(isOn(key), on, 5000);
}

void TestScenarioA::greenWhileItFails()
{
    QTRY_VERIFY_WITH_TIMEOUT(state().act >= 1, 30000);
    const demo::ScenarioState before = state();
    QVERIFY(before.acts[0].done);
    QCOMPARE(before.nodes, std::size_t(6));
    QVERIFY(before.asked >= 20);
    QTRY_VERIFY_WITH_TIMEOUT(state().act >= 2, 30000);
    const demo::ScenarioState now = state();
    QVERIFY(now.acts[1].done);
    QVERIFY(now.refused >= 8);
    QVERIFY2(now.hidden * 2 > now.refused, "most errors hide in a 200");
    // What the check says is true, and says nothing.
    const plane::NodeFacts node = broken();
    QVERIFY(node.lastProbe.has_value());
    QCOMPARE(node.lastProbe->status, 200);
    QCOMPARE(node.traffic.semantic, 0U); // no rule, nothing counted
}

void TestScenarioA::outAndBackAgain()
{
    toDefences();
    const demo::ScenarioState now = state();
    QVERIFY(now.acts[2].done);
    QVERIFY(now.ejections >= 3 && now.revivals >= 3);
    const plane::NodeFacts node = broken();
    QVERIFY(node.traffic.status > 0);
    QCOMPARE(node.traffic.semantic, 0U);
    QCOMPARE(toSeconds(node.quarantineLength), 0.0);
}

void TestScenarioA::quarantineAlone()
{
    toDefences();
    switchOn("quarantine");
    QTRY_VERIFY_WITH_TIMEOUT(broken().quarantineRemaining > Duration::zero(), 20000);
    QCOMPARE(toSeconds(broken().quarantineLength), 2.0); // 20 s, ten times as fast
    QVERIFY(!state().acts[3].done);
    QVERIFY(std::string(state().acts[3].prompt).starts_with("Quarantine is on"));
}

void TestScenarioA::theRuleAlone()
{
    toDefences();
    switchOn("rule");
    QTRY_VERIFY_WITH_TIMEOUT(broken().traffic.semantic >= 3, 20000);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(broken().passiveOutcome), QStringLiteral("rule:disk-full"), 20000);
    QVERIFY(std::string(state().acts[3].prompt).starts_with("The rule counts"));
    QVERIFY(!state().acts[3].done);
}

void TestScenarioA::theDeepCheckAlone()
{
    toDefences();
    switchOn("deep");
    QTRY_VERIFY_WITH_TIMEOUT(!broken().inRotation && broken().lastProbe && broken().lastProbe->status == 503, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(broken().bodyReason.starts_with("degraded: disk_free_below_5.0g"), 5000);
    const std::uint64_t revivals = state().revivals;
    const std::uint64_t asked = state().asked;
    QTRY_VERIFY_WITH_TIMEOUT(state().asked > asked + 40, 20000);
    QVERIFY(!broken().inRotation);
    QCOMPARE(state().revivals, revivals);
}

void TestScenarioA::allThreeAndRoom()
{
    toDefences();
    for (const char* key : {"rule", "quarantine", "deep"}) {
        switchOn(key);
    }
    QTRY_VERIFY_WITH_TIMEOUT(state().acts[3].done, 40000);
    QTRY_VERIFY_WITH_TIMEOUT(isAct(5), 40000);
    QVERIFY(state().acts[4].done);
    QVERIFY(broken().inRotation);
    reportCounts();
    const std::uint64_t refused = state().refused;
    const std::uint64_t asked = state().asked;
    QTRY_VERIFY_WITH_TIMEOUT(state().asked > asked + 40, 20000);
    QCOMPARE(state().refused, refused);
}

void TestScenarioA::switchesGoBack()
{
    toDefences();
    switchOn("deep");
    QTRY_VERIFY_WITH_TIMEOUT(!broken().inRotation && broken().lastProbe && broken().lastProbe->status == 503, 20000);
    switchOn("deep", false);
    QTRY_VERIFY_WITH_TIMEOUT(broken().inRotation, 20000); // shallow again, and so green again
    switchOn("rule");
    QTRY_VERIFY_WITH_TIMEOUT(!plane().outcomes().settings().rules.empty(), 5000);
    switchOn("rule", false);
    QTRY_VERIFY_WITH_TIMEOUT(plane().outcomes().settings().rules.empty(), 5000);
    m_demo->setSwitch("nonsense", true);
}

void TestScenarioA::restartBringsItBack()
{
    toDefences();
    switchOn("deep");
    switchOn("quarantine");
    switchOn("rule");
    m_demo->restart();
    QTRY_VERIFY_WITH_TIMEOUT(isAct(0) && !state().acts[0].done && !isOn("deep") && !isOn("quarantine") && !isOn("rule"), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(plane().healthSettings().cooldownSeconds == 0 && plane().outcomes().settings().rules.empty(), 5000);
    QTRY_VERIFY_WITH_TIMEOUT(state().act >= 2, 40000); // green at first, then it fails again
}

void TestScenarioA::anEarlyReportIsNotTheLastAct()
{
    m_demo->reportTaken(); // of what has not happened yet
    for (int i = 0; i < 6; ++i) {
        m_demo->skipAct();
        QTRY_VERIFY_WITH_TIMEOUT(state().act >= static_cast<std::size_t>(std::min(i + 1, 5)), 5000);
    }
    QVERIFY(isAct(5));
    QTRY_VERIFY_WITH_TIMEOUT(broken().inRotation, 20000); // the disk has room, though its act was skipped
    QVERIFY(!state().acts[5].done);
    m_demo->reportTaken();
    QTRY_VERIFY_WITH_TIMEOUT(state().acts[5].done, 5000);
}

QTEST_GUILESS_MAIN(TestScenarioA)
#include "TestScenarioA.moc"
