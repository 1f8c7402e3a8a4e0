// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/alarms/AlarmDrawer.h"

#include "ui/live/AlarmWords.h"
#include "ui/live/PageParts.h"
#include "ui/live/TimeDisplay.h"
#include "ui/live/Words.h"
#include "ui/widgets/TextLabel.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kCaption = 96;

} // namespace

AlarmDrawer::AlarmDrawer(const FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_times(times)
    , m_title(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_machineWord(new TextLine(theme, 2, this))
    , m_state(new ChipLabel(theme, this))
    , m_facts(new FactGrid(theme, kCaption, this))
    , m_firstTitle(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_first(new TextLabel(theme, TextSize::Body, 1, false, this))
    , m_latestTitle(new TextLabel(theme, TextSize::Body, 1, true, this))
    , m_latest(new TextLabel(theme, TextSize::Body, 1, false, this))
{
    setObjectName(QStringLiteral("alarms.drawer"));
    m_title->setObjectName(QStringLiteral("alarms.drawer.title"));
    m_first->setObjectName(QStringLiteral("alarms.drawer.first"));
    m_latest->setObjectName(QStringLiteral("alarms.drawer.latest"));
    m_firstTitle->setMinimumHeight(metrics::kChip); // as high as the head beside it, which has a chip
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    for (QWidget* widget : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_machineWord), static_cast<QWidget*>(m_state)}) {
        head->addWidget(widget);
    }
    head->addStretch(1);
    auto* left = new QVBoxLayout;
    left->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    left->setSpacing(4);
    left->addLayout(head);
    left->addWidget(m_facts);
    left->addStretch(1);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    right->setSpacing(4);
    for (TextLabel* label : {m_firstTitle, m_first, m_latestTitle, m_latest}) {
        label->setWordWrap(label == m_first || label == m_latest);
        right->addWidget(label);
    }
    right->addStretch(1);
    auto* panes = new QHBoxLayout;
    panes->setSpacing(0);
    panes->addLayout(left, 552);
    panes->addWidget(new Rule(theme, Qt::Vertical, Rule::Weight::Hair, this));
    panes->addLayout(right, 551);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Edge, this));
    layout->addLayout(panes, 1);
    setFixedHeight(metrics::fitted(kHeight, 8 * fontMetrics().height(), 24));
    connect(&times, &TimeDisplay::changed, this, &AlarmDrawer::refresh);
    refresh();
}

void AlarmDrawer::setAlarm(const QString& id)
{
    if (m_alarm != id) {
        m_alarm = id;
        refresh();
    }
}

void AlarmDrawer::setIncidents(const QList<IncidentRow>& incidents)
{
    m_incidents = incidents;
    refresh();
}

void AlarmDrawer::refresh()
{
    const AlarmRow* row = m_store.alarm(m_alarm);
    for (QWidget* widget : {static_cast<QWidget*>(m_machineWord), static_cast<QWidget*>(m_state), static_cast<QWidget*>(m_facts),
             static_cast<QWidget*>(m_firstTitle), static_cast<QWidget*>(m_first), static_cast<QWidget*>(m_latestTitle),
             static_cast<QWidget*>(m_latest)}) {
        widget->setVisible(row != nullptr);
    }
    if (row == nullptr) {
        m_title->setText(m_alarm.isEmpty() ? tr("No alarm selected") : tr("Alarm %1 is no longer kept.").arg(m_alarm));
        return;
    }
    m_title->setText(AlarmWords::kind(row->kind));
    m_machineWord->setText(row->kind);
    ChipSpec chip = AlarmWords::chip(*row);
    chip.text = tr("%1 · %2", "state of an alarm, its severity").arg(chip.text, AlarmWords::severity(row->severity));
    m_state->setSpec(chip);
    showFacts(*row);
    showExplanations(*row);
}

QString AlarmDrawer::told(const AlarmRow& row) const
{
    switch (row.standing) {
    case AlarmStanding::Firing:
        return row.stoodFor > 0 ? tr("told; %n other alarm(s) is (are) counted in it", nullptr, static_cast<int>(row.stoodFor))
                                : tr("told when it fired");
    case AlarmStanding::Counted:
        return tr("not by itself: alarm %1 stands for it").arg(row.countedIn);
    case AlarmStanding::Silenced:
        return tr("not until %1, by %2: %3", "time, who, reason")
            .arg(m_times.dateTimeZone(row.silencedUntilMs), row.silencedBy, row.silenceReason);
    case AlarmStanding::Acknowledged:
        return tr("acknowledged %1 by %2").arg(m_times.dateTime(row.acknowledgedMs), row.acknowledgedBy);
    case AlarmStanding::Cleared:
        return tr("cleared %1").arg(m_times.dateTime(row.resolvedMs));
    }
    return {};
}

void AlarmDrawer::showFacts(const AlarmRow& row)
{
    const IncidentRow* incident = AlarmWords::incidentOf(row, m_incidents);
    int line = 0;
    m_facts->setFact(line++, tr("About"), AlarmWords::subject(row));
    m_facts->setFact(line++, tr("Seen"),
        tr("%n time(s), from %1 to %2", nullptr, static_cast<int>(qMin<qint64>(row.count, 1'000'000)))
            .arg(m_times.dateTime(row.firstMs), m_times.dateTimeZone(row.lastMs)));
    m_facts->setFact(line++, tr("Notified"), told(row));
    m_facts->setFact(line++, tr("Incident"),
        incident != nullptr       ? AlarmWords::incident(*incident)
            : row.incident != 0 ? QStringLiteral("#%1").arg(row.incident)
                                : tr("none"));
    m_facts->truncate(line);
}

void AlarmDrawer::showExplanations(const AlarmRow& row)
{
    const bool once = row.firstSentence == row.latestSentence;
    m_firstTitle->setText(once ? tr("Why it fires, as of %1").arg(m_times.dateTimeZone(row.latestMs))
                               : tr("First occurrence, %1").arg(m_times.dateTimeZone(row.firstMs)));
    m_first->setText(row.firstSentence);
    m_first->setToolTip(row.firstSentence);
    m_latestTitle->setText(tr("Latest occurrence, %1").arg(m_times.dateTimeZone(row.latestMs)));
    m_latest->setText(row.latestSentence);
    m_latest->setToolTip(row.latestSentence);
    m_latestTitle->setVisible(!once);
    m_latest->setVisible(!once);
}

} // namespace weir::ui
