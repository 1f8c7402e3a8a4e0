// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/ScenarioA.h"

#include "core/demo/Arrangement.h"
#include "core/demo/DemoCast.h"

#include <QtGlobal>
#include <algorithm>
#include <boost/json.hpp>

namespace weir::demo {
namespace json = boost::json;
namespace {

constexpr std::string_view kBroken = "gpu-03";
constexpr unsigned kCallsPerStep = 6; ///< at once: one for each worker
constexpr std::uint64_t kGreenSteps = 4 * Scenario::kStepsPerSecond;
constexpr std::uint64_t kQuietSteps = 5 * Scenario::kStepsPerSecond; ///< without an error, until the defences are said to hold
constexpr std::uint64_t kRoomSteps = 3 * Scenario::kStepsPerSecond;  ///< in the act about it, until there is room on the disk
constexpr std::uint64_t kEnoughServed = 20;
constexpr std::uint64_t kEnoughSpoiled = 8;
constexpr std::uint64_t kEnoughRevivals = 3;
constexpr double kCooldown = 20;

constexpr std::string_view kQuarantineKey = "quarantine";
constexpr std::string_view kDeepKey = "deep";
constexpr std::string_view kRuleKey = "rule";

struct ActText {
    const char* title;
    const char* prompt;
    const char* lesson;
};

constexpr std::array<ActText, ScenarioA::kActs> kTexts{{
    {QT_TRANSLATE_NOOP("Demo", "Six workers, all green"),
        QT_TRANSLATE_NOOP("Demo", "Six workers make images, and every request goes through the gateway. On the Nodes page compare the columns Probe and Traffic."),
        QT_TRANSLATE_NOOP("Demo", "Probe says that a process answers, Traffic says what callers get. So far they agree.")},
    {QT_TRANSLATE_NOOP("Demo", "A disk is full"),
        QT_TRANSLATE_NOOP("Demo", "gpu-03 has run out of disk. Its check only asks whether the model is loaded. What does Probe say now?"),
        QT_TRANSLATE_NOOP("Demo", "The check stays green while callers get errors: it asks the wrong question.")},
    {QT_TRANSLATE_NOOP("Demo", "Out and back again"),
        QT_TRANSLATE_NOOP("Demo", "Now and then an HTTP 500 takes gpu-03 out, and the next green probe brings it back. Which column tells the truth?"),
        QT_TRANSLATE_NOOP("Demo", "Traffic does, but not all of it: nine errors in ten hide in an HTTP 200, and nothing counts them yet.")},
    {QT_TRANSLATE_NOOP("Demo", "Three defences"),
        QT_TRANSLATE_NOOP("Demo", "Switch on quarantine, the deep check and the rule for business errors, in any order, and watch gpu-03 after each."),
        QT_TRANSLATE_NOOP("Demo", "With all three gpu-03 is out and stays out, and callers notice nothing: the other five serve them.")},
    {QT_TRANSLATE_NOOP("Demo", "Room on the disk"),
        QT_TRANSLATE_NOOP("Demo", "Somebody makes room on the disk. Who has to bring gpu-03 back?"),
        QT_TRANSLATE_NOOP("Demo", "Nobody: the first good probe after the quarantine did.")},
    {QT_TRANSLATE_NOOP("Demo", "The report"),
        QT_TRANSLATE_NOOP("Demo", "What happened stands in the report of the incident. Open it with Ctrl+E (Incident, Export report…), and save or copy it."),
        QT_TRANSLATE_NOOP("Demo", "The report has the facts, each with the number of its event. What they mean is left for people to write.")},
}};

// What the act of the defences asks for, by what has been switched on so far.
constexpr const char* kQuarantineOn =
    QT_TRANSLATE_NOOP("Demo", "Quarantine is on: a green probe brings gpu-03 back only once the countdown is over, and then it fails again. Switch on another defence.");
constexpr const char* kRuleOn =
    QT_TRANSLATE_NOOP("Demo", "The rule counts errors inside a 200: Traffic shows them as semantic, and three in a row take gpu-03 out. Switch on another defence.");
constexpr const char* kDeepOn =
    QT_TRANSLATE_NOOP("Demo", "The deep check asks for disk space: two failed probes, and gpu-03 is out until there is room. Switch on another defence.");
constexpr const char* kTwoOn = QT_TRANSLATE_NOOP("Demo", "One more defence is off. Switch it on: each of them covers what the others miss.");
constexpr const char* kAllOn = QT_TRANSLATE_NOOP("Demo", "All three are on. Watch gpu-03 stay out, and the errors of callers stop.");

plane::Actor theDemo()
{
    return {"demo", {}, {}, "demo"};
}

std::size_t brokenIndex()
{
    const auto nodes = greenCast().nodes;
    return static_cast<std::size_t>(std::find_if(nodes.begin(), nodes.end(), [](const DemoNode& node) { return node.id == kBroken; }) - nodes.begin());
}

} // namespace

ScenarioA::ScenarioA(plane::ControlPlane& plane, DemoWorkers& workers, const std::string& gatewayUrl)
    : m_plane(plane)
    , m_workers(workers)
    , m_callers(gatewayUrl)
{
    m_workers.setDeepHealth(false);
}

void ScenarioA::step()
{
    if (!m_plane.isReady()) {
        return; // callers come once the fleet is there
    }
    ++m_step;
    m_callers.call(kCallsPerStep);
    look();
    judge();
}

void ScenarioA::restart()
{
    fillDisk(false);
    for (const std::string_view key : {kQuarantineKey, kDeepKey, kRuleKey}) {
        setSwitch(key, false);
    }
    arrange(m_plane, greenCast());
    m_callers.forget();
    m_done = {};
    m_ejections = 0;
    m_revivals = 0;
    m_spoiledSeen = 0;
    m_counts = {};
    enter(0);
}

void ScenarioA::look()
{
    m_counts = m_callers.counts();
    const std::uint64_t spoiled = m_counts.failed + m_counts.hidden;
    if (spoiled != m_spoiledSeen) {
        m_spoiledSeen = spoiled;
        m_spoiledStep = m_step;
    }
    bool isOut = false;
    m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) {
        const std::vector<NodeHandle> nodes = fleet.nodesInOrder();
        m_nodes = nodes.size();
        m_green = static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](NodeHandle node) { return fleet.node(node).health.inRotation(); }));
        const auto broken = fleet.findNode(kBroken);
        isOut = broken && !fleet.node(*broken).health.inRotation();
    });
    if (isOut != m_isOut && m_act > 0) {
        ++(isOut ? m_ejections : m_revivals);
    }
    m_isOut = isOut;
}

void ScenarioA::enter(std::size_t act)
{
    m_act = act;
    m_actStep = m_step;
    m_atAct = m_counts;
    m_revivalsAtAct = m_revivals;
    m_reportTaken = false;
    if (act == static_cast<std::size_t>(Act::DiskFull)) {
        fillDisk(true);
    } else if (act == static_cast<std::size_t>(Act::Report)) {
        fillDisk(false); // also where the act before was skipped
    }
}

void ScenarioA::finish()
{
    m_done[m_act] = true;
    enter(m_act + 1);
}

void ScenarioA::judge()
{
    const std::uint64_t inAct = m_step - m_actStep;
    const std::uint64_t spoiled = m_counts.failed + m_counts.hidden - m_atAct.failed - m_atAct.hidden;
    switch (static_cast<Act>(m_act)) {
    case Act::Green:
        if (m_green == m_nodes && m_nodes > 0 && inAct >= kGreenSteps && m_counts.served >= kEnoughServed) {
            finish();
        }
        break;
    case Act::DiskFull:
        if (spoiled >= kEnoughSpoiled && inAct >= kGreenSteps) {
            finish();
        }
        break;
    case Act::OutAndBack:
        // A viewer who has switched something on already will not see it come back for a while.
        if (m_revivals - m_revivalsAtAct >= kEnoughRevivals || m_switches.quarantine || m_switches.deepCheck) {
            finish();
        }
        break;
    case Act::Defences:
        if (m_switches.all() && m_isOut && inAct >= kQuietSteps && m_step - m_spoiledStep >= kQuietSteps) {
            finish();
        }
        break;
    case Act::Room:
        if (inAct == kRoomSteps) {
            fillDisk(false);
        }
        if (inAct > kRoomSteps && m_green == m_nodes) {
            finish();
        }
        break;
    case Act::Report:
        if (m_reportTaken) {
            finish();
        }
        break;
    }
}

void ScenarioA::fillDisk(bool full)
{
    m_workers.setMode(brokenIndex(), full ? WorkerMode::DiskFull : WorkerMode::Healthy);
}

void ScenarioA::setSwitch(std::string_view key, bool on)
{
    if (key == kQuarantineKey) {
        m_switches.quarantine = on; // put in force by whoever scales the probes, see cooldownSeconds()
    } else if (key == kDeepKey) {
        m_switches.deepCheck = on;
        m_workers.setDeepHealth(on);
    } else if (key == kRuleKey && on != m_switches.businessErrors) {
        m_switches.businessErrors = on;
        putRule(on);
    }
    m_spoiledStep = m_step;
}

void ScenarioA::putRule(bool on)
{
    json::array rules;
    if (on) {
        rules.emplace_back(json::object{{"name", "disk-full"}, {"when", "res_json_in(\"code\", \"50007|50013\")"}, {"after", 3}});
    }
    m_plane.outcomes().put({{"rules", std::move(rules)}}, theDemo(), [](const Result<outcome::OutcomeSettings>&) {});
}

double ScenarioA::cooldownSeconds() const
{
    return m_switches.quarantine ? kCooldown : 0;
}

void ScenarioA::reportTaken()
{
    m_reportTaken = true;
}

void ScenarioA::skipAct()
{
    if (m_act + 1 < kActs) {
        enter(m_act + 1);
    }
}

const char* ScenarioA::defencePrompt() const
{
    const int on = int(m_switches.quarantine) + int(m_switches.deepCheck) + int(m_switches.businessErrors);
    if (on == 0) {
        return kTexts[static_cast<std::size_t>(Act::Defences)].prompt;
    }
    if (on > 1) {
        return on == 2 ? kTwoOn : kAllOn;
    }
    return m_switches.quarantine ? kQuarantineOn : m_switches.deepCheck ? kDeepOn : kRuleOn;
}

ScenarioState ScenarioA::state() const
{
    ScenarioState state;
    for (std::size_t act = 0; act < kActs; ++act) {
        state.acts.push_back({kTexts[act].title, kTexts[act].prompt, kTexts[act].lesson, m_done[act]});
    }
    state.acts[static_cast<std::size_t>(Act::Defences)].prompt = defencePrompt();
    state.switches = {
        {kQuarantineKey.data(), QT_TRANSLATE_NOOP("Demo", "Quarantine"), QT_TRANSLATE_NOOP("Demo", "After a failure in use no probe brings a worker back for 20 s (cooldown_seconds)"),
            m_switches.quarantine},
        {kDeepKey.data(), QT_TRANSLATE_NOOP("Demo", "Deep check"), QT_TRANSLATE_NOOP("Demo", "The workers' /health also looks at the disk, as weir-worker does"), m_switches.deepCheck},
        {kRuleKey.data(), QT_TRANSLATE_NOOP("Demo", "Business errors"), QT_TRANSLATE_NOOP("Demo", "An outcome rule: three answers in a row with code 50007 count as a failure"),
            m_switches.businessErrors},
    };
    state.act = m_act;
    state.asked = m_counts.asked;
    state.refused = m_counts.failed + m_counts.hidden;
    state.hidden = m_counts.hidden;
    state.ejections = m_ejections;
    state.revivals = m_revivals;
    state.nodes = m_nodes;
    state.nodesGreen = m_green;
    state.sentence = m_counts.lastError;
    return state;
}

} // namespace weir::demo
