// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/ScenarioB.h"

#include "core/demo/Arrangement.h"

#include <QtGlobal>
#include <algorithm>

namespace weir::demo {
namespace {

constexpr std::uint64_t kGreenSteps = 3 * Scenario::kStepsPerSecond; ///< the first act is looked at for so long
constexpr std::uint64_t kEnoughRefused = 28;                         ///< two rounds over all apps
constexpr int kPublishesPerStep = 2;
constexpr std::uint64_t kHoldSteps = 10 * Scenario::kStepsPerSecond;
constexpr std::uint32_t kEdgeNeed = 12;

struct ActText {
    const char* title;
    const char* prompt;
    const char* lesson;
};

constexpr std::array<ActText, ScenarioB::kActs> kTexts{{
    {QT_TRANSLATE_NOOP("Demo", "Three origins, all green"),
        QT_TRANSLATE_NOOP("Demo", "Three healthy origins stand in pool-1. No app has a binding or an owner, so all resolve to default, which has no origin."),
        QT_TRANSLATE_NOOP("Demo", "Green says that a process answers. It does not say that any app can reach it.")},
    {QT_TRANSLATE_NOOP("Demo", "Every publish is refused"),
        QT_TRANSLATE_NOOP("Demo", "Publishers arrive. Compare the refusals with the Nodes page: not one node is red."),
        QT_TRANSLATE_NOOP("Demo", "Every publish was refused while every node was green: no node is broken, the apps look in the wrong pool.")},
    {QT_TRANSLATE_NOOP("Demo", "Ask why"),
        QT_TRANSLATE_NOOP("Demo", "Select an app on Apps & bindings and press Ctrl+I: which step of the decision leaves nobody?"),
        QT_TRANSLATE_NOOP("Demo", "The decision names the pool, the rule that led there, and where the healthy origins are.")},
    {QT_TRANSLATE_NOOP("Demo", "Two remedies"),
        QT_TRANSLATE_NOOP("Demo", "Move the origins to default, or select all apps and set their owner to user 1. Both work; which one keeps user 1's nodes for user 1?"),
        ""},
}};
constexpr const char* kWrong = QT_TRANSLATE_NOOP("Demo",
    "It works, but the origins of user 1 now serve everybody: the isolation is gone. Undo the move and set the owner of the apps instead.");
constexpr const char* kRight = QT_TRANSLATE_NOOP("Demo", "The apps resolve to pool-1 now: served, by the nodes that are meant for them, and no node moved.");

} // namespace

ScenarioB::ScenarioB(plane::ControlPlane& plane)
    : m_plane(plane)
    , m_answers(mismatchCast().apps.size(), Answer::None)
{
}

void ScenarioB::step()
{
    ++m_step;
    release();
    look();
    play();
    judge();
}

void ScenarioB::restart()
{
    arrange(m_plane, mismatchCast());
    m_act = 0;
    m_actStep = m_step;
    m_done = {};
    m_answers.assign(m_answers.size(), Answer::None);
    m_asked = 0;
    m_refused = 0;
    m_sentence.clear();
    for (Held& held : m_held) {
        held.untilStep = 0;
    }
}

void ScenarioB::look()
{
    m_plane.fleet().read([this](const fleet::Fleet& fleet, Instant) {
        const std::vector<NodeHandle> nodes = fleet.nodesInOrder();
        m_nodes = nodes.size();
        m_green = static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](NodeHandle node) { return fleet.node(node).health.inRotation(); }));
        m_starved = fleet.reachability().starvedApps;
    });
}

// Nobody calls in the first act. Then viewers come and are served, and publishers come.
void ScenarioB::play()
{
    if (m_act >= static_cast<std::size_t>(Act::Refused)) {
        const auto apps = mismatchCast().apps;
        publish();
        ask(Role::Edge, apps[m_step % apps.size()].id, kEdgeNeed);
    }
}

void ScenarioB::publish()
{
    for (int i = 0; i < kPublishesPerStep; ++i) {
        ask(Role::Origin, mismatchCast().apps[m_nextApp].id, 1);
        m_nextApp = (m_nextApp + 1) % m_answers.size();
    }
}

void ScenarioB::ask(Role role, std::string_view app, std::uint32_t need)
{
    fleet::Request request;
    request.role = role;
    request.app = app;
    request.need = need;
    const fleet::Decision decision = m_plane.fleet().decide(request);
    if (decision.code == fleet::Code::Ok) {
        m_held.push_back({decision.placement, m_step + kHoldSteps});
    }
    if (role != Role::Origin) {
        return;
    }
    ++m_asked;
    Answer& answer = m_answers[m_nextApp];
    if (decision.code == fleet::Code::Ok) {
        const bool shared = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) { return decision.pool == fleet.defaultPool(); });
        answer = shared ? Answer::Shared : Answer::Own;
        return;
    }
    answer = Answer::Refused;
    ++m_refused;
    m_sentence = m_plane.fleet().read([&](const fleet::Fleet& fleet, Instant) { return fleet.refusalSentence(decision); });
}

void ScenarioB::release()
{
    while (!m_held.empty() && m_held.front().untilStep <= m_step) {
        m_plane.fleet().with([&](fleet::Fleet& fleet, Instant now) { static_cast<void>(fleet.release(m_held.front().placement, now)); });
        m_held.pop_front();
    }
}

std::size_t ScenarioB::count(Answer answer) const
{
    return static_cast<std::size_t>(std::count(m_answers.begin(), m_answers.end(), answer));
}

void ScenarioB::enter(std::size_t act)
{
    m_act = act;
    m_actStep = m_step;
}

void ScenarioB::judge()
{
    const bool green = m_nodes > 0 && m_green == m_nodes;
    if (m_act == static_cast<std::size_t>(Act::Green) && green && m_starved == m_answers.size() && m_step - m_actStep >= kGreenSteps) {
        m_done[m_act] = true;
        enter(m_act + 1);
    } else if (m_act == static_cast<std::size_t>(Act::Refused) && green && m_refused >= kEnoughRefused && count(Answer::Refused) == m_answers.size()) {
        m_done[m_act] = true;
        enter(m_act + 1);
    }
    // The cure is in the answers, whoever brought it about and in whichever act.
    if (count(Answer::Own) + count(Answer::Shared) == m_answers.size()) {
        m_done[static_cast<std::size_t>(Act::Remedy)] = true;
        enter(count(Answer::Shared) == 0 ? kActs : static_cast<std::size_t>(Act::Remedy));
    }
}

void ScenarioB::whyAsked()
{
    if (m_act == static_cast<std::size_t>(Act::AskWhy)) {
        m_done[m_act] = true;
        enter(m_act + 1);
    }
}

void ScenarioB::skipAct()
{
    if (m_act < static_cast<std::size_t>(Act::Remedy)) {
        enter(m_act + 1);
    }
}

ScenarioState ScenarioB::state() const
{
    ScenarioState state;
    for (std::size_t act = 0; act < kActs; ++act) {
        state.acts.push_back({kTexts[act].title, kTexts[act].prompt, kTexts[act].lesson, m_done[act]});
    }
    if (m_done.back()) {
        state.acts.back().lesson = m_act < kActs ? kWrong : kRight;
    }
    state.act = m_act;
    state.asked = m_asked;
    state.refused = m_refused;
    state.nodes = m_nodes;
    state.nodesGreen = m_green;
    state.apps = m_answers.size();
    state.appsServed = count(Answer::Own) + count(Answer::Shared);
    state.sentence = m_sentence;
    return state;
}

} // namespace weir::demo
