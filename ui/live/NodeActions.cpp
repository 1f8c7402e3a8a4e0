// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/NodeActions.h"

#include "ui/live/ActionRules.h"
#include "ui/live/ReasonDialog.h"
#include "ui/live/Words.h"

#include <QAction>
#include <QRegularExpression>
#include <algorithm>
#include <memory>

namespace weir::ui {

namespace {

constexpr qsizetype kNamedAtMost = 3;

} // namespace

NodeActions::NodeActions(FleetStore& store, const TimeDisplay& times, QWidget& window)
    : QObject(&window)
    , m_store(store)
    , m_times(times)
    , m_window(window)
    , m_drain(ActionRules::make(this, "action.drain"))
    , m_revive(ActionRules::make(this, "action.endQuarantine"))
    , m_probe(ActionRules::make(this, "action.probe", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)))
    , m_why(ActionRules::make(this, "action.why", QKeySequence(Qt::CTRL | Qt::Key_I)))
{
    connect(m_drain, &QAction::triggered, this, &NodeActions::runDrain);
    connect(m_revive, &QAction::triggered, this, &NodeActions::runRevive);
    connect(m_probe, &QAction::triggered, this, &NodeActions::runProbe);
    connect(m_why, &QAction::triggered, this, &NodeActions::whyRequested);
    connect(&store, &FleetStore::flushed, this, &NodeActions::refresh);
    connect(&store, &FleetStore::stateChanged, this, &NodeActions::refresh);
    refresh();
}

void NodeActions::setTargets(const QStringList& ids)
{
    m_targets = ids;
    refresh();
    emit targetsChanged();
}

bool NodeActions::allDraining() const
{
    return !m_targets.isEmpty() && std::all_of(m_targets.begin(), m_targets.end(), [this](const QString& id) {
        const NodeRow* row = m_store.node(id);
        return row != nullptr && row->draining;
    });
}

QStringList NodeActions::quarantinedTargets() const
{
    QStringList ids;
    for (const QString& id : m_targets) {
        const NodeRow* row = m_store.node(id);
        if (row != nullptr && row->probeState(m_store.nowMonoMs()) == ProbeState::Quarantined) {
            ids.append(id);
        }
    }
    return ids;
}

QString NodeActions::names(const QStringList& ids) const
{
    return ids.size() <= kNamedAtMost ? ids.join(QLatin1String(", ")) : tr("%n node(s)", nullptr, static_cast<int>(ids.size()));
}

QString NodeActions::blockedReason(AccessRole needed) const
{
    // A probe is no change: the lock does not hold it back.
    const QString blocked = ActionRules::blocked(m_store, m_times, needed, needed == AccessRole::Superadmin);
    return blocked.isEmpty() && m_targets.isEmpty() ? tr("Select a node first.") : blocked;
}

void NodeActions::refresh()
{
    const QString change = blockedReason(AccessRole::Superadmin);
    if (allDraining()) {
        ActionRules::setState(*m_drain, tr("Un&drain"), change, tr("Let the scheduler choose %1 again").arg(names(m_targets)));
    } else {
        ActionRules::setState(*m_drain, tr("&Drain…"), change, tr("Keep what runs, send nothing new"));
    }
    QString revive = change;
    if (revive.isEmpty() && quarantinedTargets().isEmpty()) {
        revive = tr("%1 is not in quarantine.", "names of nodes", static_cast<int>(m_targets.size())).arg(names(m_targets));
    }
    ActionRules::setState(*m_revive, tr("&End quarantine early…"), revive, tr("Ends the quarantine and probes at once; asks for a reason"));
    ActionRules::setState(*m_probe, tr("&Probe now"), blockedReason(AccessRole::Operator), tr("Sends one health check now"));
    const QString offline = m_store.isStale() ? blockedReason(AccessRole::Viewer) : QString();
    ActionRules::setState(*m_why, tr("&Why (not) chosen?"), offline, tr("Dry run of the scheduler: nothing sent, no alarm, no counter"));
}

void NodeActions::forEachTarget(const std::function<void(const QString& id, Answer answer)>& one, const QString& done)
{
    const QStringList ids = m_targets;
    const auto last = std::make_shared<QString>(done);
    const auto answered = ActionRules::collect(ids.size(), [this, last](const QStringList& refusals) {
        emit message(refusals.isEmpty() ? MessageTone::Done : MessageTone::Refused, refusals.isEmpty() ? *last : refusals.join(QLatin1Char(' ')));
    });
    for (const QString& id : ids) {
        one(id, [answered, last, id](bool ok, const QString& text) {
            if (ok && last->isEmpty()) {
                *last = text;
            }
            answered(id, ok ? QString() : text);
        });
    }
}

void NodeActions::runDrain()
{
    const bool drain = !allDraining();
    QString reason;
    if (drain) {
        qint64 running = 0;
        for (const QString& id : std::as_const(m_targets)) {
            const NodeRow* row = m_store.node(id);
            running += row != nullptr ? row->inFlight : 0;
        }
        ReasonDialog dialog({tr("Drain %1").arg(names(m_targets)), tr("Nothing new is sent to %1; what runs goes on.").arg(names(m_targets)),
                                tr("In flight now: %1").arg(Words::number(running)), tr("Drain %1").arg(names(m_targets))},
            false, &m_window);
        emit dialogOpen(true);
        const bool confirmed = dialog.exec() == QDialog::Accepted;
        emit dialogOpen(false);
        if (!confirmed) {
            return;
        }
        reason = dialog.reason();
    }
    forEachTarget(
        [this, drain, reason](const QString& id, const Answer& answer) {
            m_store.client().setDraining(id, drain, reason, this, [answer](const tl::expected<bool, ClientError>& result) {
                answer(result.has_value(), result.has_value() ? QString() : result.error().message);
            });
        },
        drain ? tr("Draining: %1.").arg(names(m_targets)) : tr("No longer draining: %1.").arg(names(m_targets)));
}

QString NodeActions::reviveFacts(const QString& id) const
{
    const NodeRow* row = m_store.node(id);
    if (row == nullptr) {
        return {};
    }
    const QString check = tr("Check: %1, %n good in a row.", nullptr, row->consecutiveSuccesses).arg(Words::check(*row));
    return tr("%1 Traffic: %2 (%3).", "check; traffic word; failures by bucket").arg(check, Words::traffic(*row), Words::trafficSentence(*row));
}

void NodeActions::runRevive()
{
    m_targets = quarantinedTargets();
    if (m_targets.isEmpty()) {
        return;
    }
    const QString who = names(m_targets);
    ReasonDialog dialog({tr("End quarantine of %1").arg(who), tr("%1 is probed at once and comes back when the check is good.").arg(who),
                            m_targets.size() == 1 ? reviveFacts(m_targets.first()) : QString(), tr("End quarantine of %1").arg(who)},
        true, &m_window);
    const QString first = m_targets.first();
    connect(&m_store, &FleetStore::flushed, &dialog, [this, &dialog, first] { dialog.setFacts(reviveFacts(first)); });
    emit dialogOpen(true);
    const bool confirmed = dialog.exec() == QDialog::Accepted;
    emit dialogOpen(false);
    if (!confirmed || dialog.reason().isEmpty()) {
        return;
    }
    const QString reason = dialog.reason();
    forEachTarget(
        [this, reason](const QString& id, const Answer& answer) {
            m_store.client().revive(id, reason, this, [answer](const tl::expected<bool, ClientError>& result) {
                answer(result.has_value(), result.has_value() ? QString() : result.error().message);
            });
        },
        tr("Quarantine ended: %1.").arg(who));
}

void NodeActions::runProbe()
{
    const bool single = m_targets.size() == 1;
    forEachTarget(
        [this](const QString& id, const Answer& answer) {
            m_store.client().probeNow(id, this, [answer, id](const tl::expected<ProbeEntry, ClientError>& result) {
                if (!result.has_value()) {
                    answer(false, result.error().message);
                    return;
                }
                const QString code = Words::probeReason(result->reason, result->status);
                answer(true, tr("%1 probed: %2 in %3 ms.").arg(id, code).arg(result->durationMs));
            });
        },
        single ? QString() : tr("Probed: %1.").arg(names(m_targets)));
}

ActionButton::ActionButton(QAction& action, QWidget* parent)
    : QPushButton(parent)
    , m_action(action)
{
    setAutoDefault(false);
    connect(&action, &QAction::changed, this, &ActionButton::follow);
    connect(this, &QPushButton::clicked, &action, &QAction::trigger);
    follow();
}

void ActionButton::follow()
{
    // The letter to press belongs to the menu; Chinese puts it in brackets behind the word.
    static const QRegularExpression bracketed(QStringLiteral("\\(&.\\)"));
    QString label = m_action.text();
    setText(label.remove(bracketed).remove(QLatin1Char('&')));
    setEnabled(m_action.isEnabled());
    setToolTip(m_action.toolTip());
    setStatusTip(m_action.statusTip());
    setAccessibleName(text());
    setAccessibleDescription(m_action.toolTip());
}

} // namespace weir::ui
