// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/FleetVerdict.h"

#include "ui/widgets/TimeText.h"

#include <QCoreApplication>

namespace weir::ui {

namespace {

using Level = FleetVerdict::Level;

class Sentences {
    Q_DECLARE_TR_FUNCTIONS(FleetVerdict)

public:
    explicit Sentences(const FleetFacts& facts)
        : m_facts(facts)
    {
    }

    [[nodiscard]] FleetVerdict verdict()
    {
        const FleetSummary& s = m_facts.summary;
        addApps(s);
        addWorkers(s);
        if (s.storeBehind) {
            add(Level::Attention, tr("Events are not being written; the history may be incomplete."));
        }
        addUnknowns(s);
        if (m_said.isEmpty()) {
            return {Level::Good, tr("All %n app(s) schedulable; %1 of %2 workers serving.", nullptr, s.apps).arg(s.workersHealthy).arg(s.workersTotal), {}};
        }
        if (s.workersTotal > 0 && !m_workersSaid) {
            m_said.append(tr("%1 of %2 workers serving.").arg(s.workersHealthy).arg(s.workersTotal));
        }
        return {m_level, m_said.first(), m_said.mid(1).join(QLatin1Char(' '))};
    }

    [[nodiscard]] static FleetVerdict connecting(bool snapshot)
    {
        return {Level::Unknown, tr("Connecting to the control plane…"),
                snapshot ? tr("What is shown may be out of date.") : tr("Nothing is known about the fleet yet.")};
    }

    [[nodiscard]] static FleetVerdict collecting()
    {
        return {Level::Unknown, tr("Collecting the state of the fleet…"), tr("Nothing is known about the fleet yet.")};
    }

    [[nodiscard]] static FleetVerdict stale(const FleetFacts& facts, const QTimeZone& zone)
    {
        const QString when = timetext::clock(facts.staleSinceMs, zone);
        const QString name = timetext::zoneName(zone, facts.staleSinceMs);
        const QString headline = facts.staleSinceMs > 0 ? tr("Disconnected since %1 (%2).").arg(when, name) : tr("Disconnected.");
        return {Level::Unknown, headline,
                facts.snapshot ? tr("What is shown is the state of then; the fleet may look different now.")
                               : tr("Nothing is known about the fleet yet.")};
    }

private:
    void add(Level level, const QString& sentence)
    {
        if (m_said.isEmpty()) {
            m_level = level;
        }
        m_said.append(sentence);
    }

    void addApps(const FleetSummary& s)
    {
        if (s.appsStarved > 0) {
            add(Level::Bad, tr("%1 of %n app(s) cannot be scheduled (fail-closed).", nullptr, s.apps).arg(s.appsStarved));
        }
        if (m_facts.greenFailing > 0) {
            add(Level::Bad, tr("%n worker(s) fail traffic while the check is green.", nullptr, m_facts.greenFailing));
        }
        if (s.strandedNodes > 0) {
            add(Level::Attention, tr("%n healthy node(s) are where no app can reach them.", nullptr, s.strandedNodes));
            if (!s.strandedSentence.isEmpty()) {
                m_said.append(s.strandedSentence);
            }
        }
    }

    void addWorkers(const FleetSummary& s)
    {
        const int out = s.workersTotal - s.workersHealthy - m_facts.unchecked;
        if (s.minHealthy > 0 && s.workersHealthy < s.minHealthy) {
            add(Level::Bad, tr("%1 of %2 workers serving; the minimum is %3.").arg(s.workersHealthy).arg(s.workersTotal).arg(s.minHealthy));
            m_workersSaid = true;
        } else if (s.workersTotal > 0 && s.workersHealthy == 0 && m_facts.unchecked < s.workersTotal) {
            add(Level::Bad, tr("None of %n worker(s) is serving.", nullptr, s.workersTotal));
            m_workersSaid = true;
        } else if (out > 0 && m_said.isEmpty()) { // else the closing sentence says as much
            add(Level::Attention, tr("%1 of %n worker(s) out of rotation.", nullptr, s.workersTotal).arg(out));
        }
        if (m_facts.probeFailing > 0) {
            add(Level::Attention, tr("%n worker(s) fail the check and are still in rotation.", nullptr, m_facts.probeFailing));
        }
        if (m_facts.degraded > 0) {
            add(Level::Attention, tr("Some requests fail on %n worker(s).", nullptr, m_facts.degraded));
        }
    }

    void addUnknowns(const FleetSummary& s)
    {
        if (s.workersTotal == 0) {
            add(Level::Unknown, tr("No worker is registered yet."));
        } else if (m_facts.unchecked > 0) {
            add(Level::Unknown, tr("%n worker(s) not checked yet.", nullptr, m_facts.unchecked));
        }
        if (s.apps == 0) {
            addNoApps(s);
        }
    }

    // Apps that nobody declared may ask all the same; where they go is up to `admit_unknown_apps`.
    void addNoApps(const FleetSummary& s)
    {
        if (!s.admitsUnknownApps) {
            add(Level::Unknown, tr("No app is declared; one that asks is refused."));
        } else if (s.decisions1h == 0) {
            add(Level::Unknown, tr("No app is declared; one that asks resolves to default."));
        } else {
            add(s.exhausted1h > 0 ? Level::Attention : Level::Unknown,
                tr("No app is declared; those that ask resolve to default: %n decision(s) in the last hour, %1 refused.", nullptr, s.decisions1h)
                    .arg(s.exhausted1h));
        }
    }

    const FleetFacts& m_facts;
    QStringList m_said;
    Level m_level = Level::Unknown;
    bool m_workersSaid = false;
};

} // namespace

void FleetFacts::addNode(const NodeRow& node, qint64 nowMonoMs)
{
    if (node.pool == QLatin1String("unassigned")) {
        return;
    }
    if (isGreenButFailing(node, nowMonoMs)) {
        ++greenFailing;
    }
    degraded += node.traffic == Traffic::Degraded ? 1 : 0;
    probeFailing += node.probeState(nowMonoMs) == ProbeState::Failing ? 1 : 0;
    unchecked += node.checked ? 0 : 1;
}

void FleetFacts::clearNodes()
{
    greenFailing = degraded = probeFailing = unchecked = 0;
}

bool isGreenButFailing(const NodeRow& node, qint64 nowMonoMs)
{
    return node.traffic == Traffic::Failing && node.probeState(nowMonoMs) == ProbeState::Online;
}

FleetVerdict fleetVerdict(const FleetFacts& facts, const QTimeZone& zone)
{
    if (facts.state == ControlPlaneClient::State::Connecting) {
        return Sentences::connecting(facts.snapshot);
    }
    if (facts.state == ControlPlaneClient::State::Stale) {
        return Sentences::stale(facts, zone);
    }
    return facts.snapshot ? Sentences(facts).verdict() : Sentences::collecting();
}

} // namespace weir::ui
