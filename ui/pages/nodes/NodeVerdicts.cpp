// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/nodes/NodeVerdicts.h"

#include "ui/live/Words.h"
#include "ui/widgets/Theme.h"

#include <QGridLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kCaptionWidth = 92;
constexpr int kChipWidth = 110;

} // namespace

CountdownBar::CountdownBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setFixedHeight(4);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CountdownBar::setLeft(double share)
{
    m_left = qBound(0.0, share, 1.0);
    update();
}

void CountdownBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.tokens().line);
    painter.fillRect(QRect(0, 0, qRound(width() * m_left), height()), m_theme.tokens().fill(ProbeState::Quarantined).fill);
}

NodeVerdicts::NodeVerdicts(const FleetStore& store, NodeActions& actions, const TimeDisplay& times, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_store(store)
    , m_times(times)
    , m_theme(theme)
    , m_countdown(new QWidget(this))
    , m_left(new TextLabel(theme, TextSize::Verdict, 1, true, m_countdown))
    , m_until(new TextLine(theme, 2, m_countdown))
    , m_cause(new TextLine(theme, 2, m_countdown))
    , m_bar(new CountdownBar(theme, m_countdown))
    , m_buckets(new TextLine(theme, 2, this))
    , m_evidence(new TextLine(theme, 1, this))
{
    m_left->setObjectName(QStringLiteral("nodes.drawer.countdown"));
    auto* countdown = new QGridLayout(m_countdown);
    countdown->setContentsMargins(0, 0, 0, 4);
    countdown->setHorizontalSpacing(16);
    countdown->setVerticalSpacing(0);
    countdown->addWidget(m_left, 0, 0, 2, 1);
    countdown->addWidget(m_until, 0, 1);
    countdown->addWidget(m_cause, 1, 1);
    countdown->setColumnStretch(1, 1);
    countdown->setRowMinimumHeight(2, 6);
    countdown->addWidget(m_bar, 3, 0, 1, 2);

    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(0);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, kCaptionWidth);
    grid->setColumnMinimumWidth(1, kChipWidth);
    grid->setColumnStretch(2, 1);
    m_probe = addLine(*grid, 0);
    m_traffic = addLine(*grid, 1);
    m_schedulable = {new TextLine(m_theme, 2, this), new ChipLabel(m_theme, this), nullptr};
    grid->addWidget(m_schedulable.caption, 2, 0);
    grid->addWidget(m_schedulable.chip, 2, 1, 1, 2, Qt::AlignLeft | Qt::AlignVCenter); // its words are longer than the others'

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::kGap);
    const std::pair<QAction*, const char*> all[] = {{actions.drain(), "nodes.drawer.drain"}, {actions.endQuarantine(), "nodes.drawer.endQuarantine"},
        {actions.probe(), "nodes.drawer.probe"}, {actions.why(), "nodes.drawer.why"}};
    auto* second = new QHBoxLayout;
    second->setSpacing(metrics::kGap);
    int count = 0;
    for (const auto& [action, name] : all) {
        auto* button = new ActionButton(*action, this);
        button->setObjectName(QLatin1String(name));
        (count++ < 2 ? buttons : second)->addWidget(button);
    }
    buttons->addStretch();
    second->addStretch();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::kPageMargin, 8, metrics::kPageMargin, 8);
    layout->setSpacing(4);
    layout->addWidget(m_countdown);
    layout->addLayout(grid);
    layout->addWidget(m_buckets);
    layout->addWidget(m_evidence);
    layout->addStretch();
    layout->addLayout(buttons);
    layout->addSpacing(4);
    layout->addLayout(second);
    retranslate();
}

NodeVerdicts::Line NodeVerdicts::addLine(QGridLayout& grid, int row)
{
    Line line{new TextLine(m_theme, 2, this), new ChipLabel(m_theme, this), new TextLine(m_theme, 2, this)};
    grid.addWidget(line.caption, row, 0);
    grid.addWidget(line.chip, row, 1, Qt::AlignLeft | Qt::AlignVCenter);
    grid.addWidget(line.note, row, 2);
    return line;
}

void NodeVerdicts::retranslate()
{
    m_probe.caption->setText(tr("Probe"));
    m_traffic.caption->setText(tr("Traffic"));
    m_schedulable.caption->setText(tr("Schedulable"));
}

QString NodeVerdicts::checkNote(const NodeRow& row) const
{
    if (row.lastProbe.atMs == 0) {
        return tr("no probe has ended yet");
    }
    const QString result = row.lastProbe.status > 0
        ? tr("%1 in %2 ms").arg(Words::probeReason(row.lastProbe.reason, row.lastProbe.status)).arg(row.lastProbe.durationMs)
        : Words::probeReason(row.lastProbe.reason, row.lastProbe.status);
    const qint64 next = row.nextProbeMonoMs - m_store.nowMonoMs();
    return row.nextProbeMonoMs > 0 && next > 0 ? tr("%1, next in %2").arg(result, Words::duration(next + 999)) : result;
}

QString NodeVerdicts::evidence(const NodeRow& row) const
{
    if (Words::disagrees(row)) {
        return tr("The check is good while requests fail.");
    }
    if (row.draining) {
        return row.drainReason.isEmpty() ? tr("Draining by %1, %2 in flight.").arg(row.drainedBy, Words::number(row.inFlight))
                                         : tr("Draining by %1: %2; %3 in flight.").arg(row.drainedBy, row.drainReason, Words::number(row.inFlight));
    }
    if (!row.healthReason.isEmpty()) {
        return row.healthReason;
    }
    return row.consecutiveFailures > 0 ? tr("%1 failed in a row, out at %2.").arg(row.consecutiveFailures).arg(row.unhealthyThreshold)
                                       : tr("%1 good in a row.").arg(row.consecutiveSuccesses);
}

void NodeVerdicts::showCountdown(const NodeRow& row)
{
    const qint64 left = row.quarantinedUntilMonoMs - m_store.nowMonoMs();
    const bool held = row.probeState(m_store.nowMonoMs()) == ProbeState::Quarantined;
    m_countdown->setVisible(held);
    if (!held) {
        return;
    }
    m_left->setText(Words::quarantineLeft(row, m_store.nowMonoMs()));
    m_until->setText(left > 0 ? tr("left in quarantine, until %1").arg(m_times.time(row.quarantinedUntilMs)) : tr("The quarantine is over; only a good probe is missing."));
    QString cause = row.causeDetail;
    m_cause->setText(tr("cause: %1").arg(cause.replace(QLatin1Char(':'), QLatin1Char(' '))));
    m_bar->setLeft(row.quarantineLengthMs > 0 ? static_cast<double>(left) / static_cast<double>(row.quarantineLengthMs) : 0);
}

void NodeVerdicts::show(const NodeRow& row)
{
    showCountdown(row);
    m_probe.chip->setSpec(chips::probe(Words::checkState(row), row.consecutiveFailures, row.unhealthyThreshold));
    m_probe.note->setText(checkNote(row));
    m_traffic.chip->setSpec(chips::traffic(row));
    const int failed = row.trafficTransport + row.trafficStatus + qMax(0, row.trafficSemantic);
    m_traffic.note->setText(failed + row.trafficOk > 0 ? tr("%1 ok / %2 err").arg(Words::number(row.trafficOk), Words::number(failed)) : QString());
    ChipSpec schedulable{IconName::MarkOnline, Words::schedulable(row), Tone::Online, false};
    if (row.schedulable == Schedulable::Blocked) {
        const ProbeState state = row.probeState(m_store.nowMonoMs());
        schedulable.mark = state == ProbeState::Quarantined ? IconName::MarkQuarantined
            : state == ProbeState::Draining                 ? IconName::MarkDraining
            : state == ProbeState::NoData                   ? IconName::MarkNoData
            : state == ProbeState::Offline                  ? IconName::MarkOffline
                                                            : IconName::MarkIdle;
        schedulable.tone = state == ProbeState::Online || state == ProbeState::Failing ? Tone::Neutral : toneOf(state);
    } else if (row.schedulable != Schedulable::ForApps && row.schedulable != Schedulable::ForUnknownApps) {
        schedulable.mark = row.schedulable == Schedulable::NoAppResolves ? IconName::MarkIdle : IconName::MarkSlashed;
        schedulable.tone = Tone::Neutral;
    }
    m_schedulable.chip->setSpec(schedulable);
    m_schedulable.chip->setToolTip(Words::schedulableSentence(row));
    m_buckets->setText(Words::trafficSentence(row));
    m_evidence->setText(evidence(row));
}

} // namespace weir::ui
