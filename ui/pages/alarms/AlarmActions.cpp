// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alarms/AlarmActions.h"

#include "ui/live/ActionRules.h"
#include "ui/live/AlarmWords.h"
#include "ui/live/ReasonDialog.h"
#include "ui/live/TimeDisplay.h"

#include <QAction>
#include <QDateTimeEdit>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr qint64 kMinuteMs = 60'000;
constexpr qint64 kHourMs = 60 * kMinuteMs;
constexpr qsizetype kNamedAtMost = 2;

bool canBeAcknowledged(const AlarmRow& row)
{
    return row.standing != AlarmStanding::Cleared && row.standing != AlarmStanding::Acknowledged;
}

bool canBeSilenced(const AlarmRow& row)
{
    return row.standing != AlarmStanding::Cleared;
}

bool isSilenced(const AlarmRow& row)
{
    return !row.silence.isEmpty();
}

SilenceItem silenceOf(const AlarmRow& row, qint64 untilMs, const QString& reason)
{
    return {row.kind, row.role, row.pool, row.app, row.node, untilMs, reason};
}

} // namespace

AlarmActions::AlarmActions(FleetStore& store, const TimeDisplay& times, QWidget& window)
    : QObject(&window)
    , m_store(store)
    , m_times(times)
    , m_window(window)
    , m_acknowledge(ActionRules::make(this, "action.acknowledge", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)))
    , m_halfHour(ActionRules::make(this, "action.silenceHalfHour"))
    , m_twoHours(ActionRules::make(this, "action.silenceTwoHours"))
    , m_until(ActionRules::make(this, "action.silenceUntil"))
    , m_endSilence(ActionRules::make(this, "action.endSilence"))
{
    connect(m_acknowledge, &QAction::triggered, this, &AlarmActions::runAcknowledge);
    connect(m_halfHour, &QAction::triggered, this, [this] { runSilence(30 * kMinuteMs); });
    connect(m_twoHours, &QAction::triggered, this, [this] { runSilence(2 * kHourMs); });
    connect(m_until, &QAction::triggered, this, [this] { runSilence(0); });
    connect(m_endSilence, &QAction::triggered, this, &AlarmActions::runEndSilence);
    connect(&store, &FleetStore::flushed, this, &AlarmActions::refresh);
    connect(&store, &FleetStore::stateChanged, this, &AlarmActions::refresh);
    refresh();
}

void AlarmActions::setTargets(const QStringList& ids)
{
    m_targets = ids;
    refresh();
}

QStringList AlarmActions::targetsWhere(bool (*applies)(const AlarmRow& row)) const
{
    QStringList ids;
    for (const QString& id : m_targets) {
        const AlarmRow* row = m_store.alarm(id);
        if (row != nullptr && applies(*row)) {
            ids.append(id);
        }
    }
    return ids;
}

QString AlarmActions::names(const QStringList& ids) const
{
    QStringList names;
    for (const QString& id : ids) {
        const AlarmRow* row = m_store.alarm(id);
        names.append(row == nullptr ? id : AlarmWords::name(*row));
    }
    return names.size() <= kNamedAtMost ? names.join(QLatin1String("; ")) : tr("%n alarm(s)", nullptr, static_cast<int>(names.size()));
}

QString AlarmActions::blockedReason() const
{
    const QString blocked = ActionRules::blocked(m_store, m_times, AccessRole::Operator);
    return blocked.isEmpty() && m_targets.isEmpty() ? tr("Select an alarm on the Alarms page first.") : blocked;
}

void AlarmActions::refresh()
{
    const QString blocked = blockedReason();
    const auto reason = [&](bool (*applies)(const AlarmRow&), const QString& otherwise) {
        return !blocked.isEmpty() ? blocked : targetsWhere(applies).isEmpty() ? otherwise : QString();
    };
    const bool cleared = targetsWhere(canBeSilenced).isEmpty();
    const QString over = tr("What is cleared needs nobody any more.");
    ActionRules::setState(*m_acknowledge, tr("&Acknowledge alarm"),
        reason(canBeAcknowledged, cleared ? over : tr("Somebody has acknowledged it already.")),
        tr("Says that somebody is on it: it is not told again, and goes on being recorded"));
    const QString silence = reason(canBeSilenced, over);
    const QString tip = tr("Tells nobody for that time, and goes on recording; asks for a reason");
    ActionRules::setState(*m_halfHour, tr("Silence for &30 min…"), silence, tip);
    ActionRules::setState(*m_twoHours, tr("Silence for &2 h…"), silence, tip);
    ActionRules::setState(*m_until, tr("Silence &until…"), silence, tip);
    ActionRules::setState(
        *m_endSilence, tr("&End silence"), reason(isSilenced, tr("No silence covers it.")), tr("What fires is told again"));
}

void AlarmActions::report(const QStringList& refusals, const QString& done)
{
    emit message(
        refusals.isEmpty() ? MessageTone::Done : MessageTone::Refused, refusals.isEmpty() ? done : refusals.join(QLatin1Char(' ')));
}

void AlarmActions::runAcknowledge()
{
    const QStringList ids = targetsWhere(canBeAcknowledged);
    const QString done = tr("Acknowledged: %1.").arg(names(ids));
    const auto answered = ActionRules::collect(ids.size(), [this, done](const QStringList& refusals) { report(refusals, done); });
    for (const QString& id : ids) {
        const QString who = names({id});
        m_store.client().acknowledgeAlarm(id, {}, this, [answered, who](const tl::expected<bool, ClientError>& result) {
            answered(who, result.has_value() ? QString() : result.error().message);
        });
    }
}

void AlarmActions::runSilence(qint64 lengthMs)
{
    const QStringList ids = targetsWhere(canBeSilenced);
    if (ids.isEmpty()) {
        return;
    }
    const QString who = names(ids);
    const qint64 now = m_store.client().wallNowMs();
    const QString until = m_times.dateTimeZone(now + lengthMs);
    ReasonDialog dialog(
        {tr("Silence %1").arg(who),
            tr("Nobody is told of %1, nor of what fires again under the same name. It goes on being recorded.").arg(who),
            lengthMs == 0 ? QString() : tr("Until %1").arg(until), tr("Silence %n alarm(s)", nullptr, static_cast<int>(ids.size()))},
        true, &m_window);
    QDateTimeEdit* end = nullptr;
    if (lengthMs == 0) {
        end = new QDateTimeEdit(QDateTime::fromMSecsSinceEpoch(now + kHourMs, m_times.isUtc() ? Qt::UTC : Qt::LocalTime), &dialog);
        end->setObjectName(QStringLiteral("silence.until"));
        end->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
        end->setCalendarPopup(false);
        end->setMinimumDateTime(QDateTime::fromMSecsSinceEpoch(now + kMinuteMs, m_times.isUtc() ? Qt::UTC : Qt::LocalTime));
        dialog.addField(tr("&Until (%1)", "time zone").arg(m_times.zoneName(now)), end);
    }
    emit dialogOpen(true);
    const bool confirmed = dialog.exec() == QDialog::Accepted;
    emit dialogOpen(false);
    if (!confirmed || dialog.reason().isEmpty()) {
        return;
    }
    const qint64 untilMs = end == nullptr ? m_store.client().wallNowMs() + lengthMs : end->dateTime().toMSecsSinceEpoch();
    QList<std::pair<QString, SilenceItem>> silences; // two episodes of one condition are covered by one
    for (const QString& id : ids) {
        const AlarmRow* row = m_store.alarm(id);
        if (row == nullptr) {
            continue;
        }
        const SilenceItem item = silenceOf(*row, untilMs, dialog.reason());
        const bool known = std::any_of(silences.begin(), silences.end(), [&item](const auto& each) { return each.second == item; });
        if (!known) {
            silences.append({AlarmWords::name(*row), item});
        }
    }
    const QString done = tr("Silenced until %1: %2.").arg(m_times.dateTimeZone(untilMs), who);
    const auto answered = ActionRules::collect(silences.size(), [this, done](const QStringList& refusals) { report(refusals, done); });
    for (const auto& [name, item] : std::as_const(silences)) {
        m_store.client().silenceAlarms(item, this, [answered, name = name](const tl::expected<QString, ClientError>& result) {
            answered(name, result.has_value() ? QString() : result.error().message);
        });
    }
}

void AlarmActions::runEndSilence()
{
    const QStringList ids = targetsWhere(isSilenced);
    QStringList silences;
    for (const QString& id : ids) {
        const QString silence = m_store.alarm(id)->silence;
        if (!silences.contains(silence)) {
            silences.append(silence);
        }
    }
    const QString done = tr("No longer silenced: %1.").arg(names(ids));
    const auto answered = ActionRules::collect(silences.size(), [this, done](const QStringList& refusals) { report(refusals, done); });
    for (const QString& silence : std::as_const(silences)) {
        m_store.client().endSilence(silence, this, [answered, silence](const tl::expected<bool, ClientError>& result) {
            answered(silence, result.has_value() ? QString() : result.error().message);
        });
    }
}

} // namespace weir::ui
