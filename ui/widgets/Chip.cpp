// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Chip.h"

#include "ui/widgets/Theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

namespace weir::ui {

namespace {

QString word(const char* text, const char* disambiguation = nullptr, int n = -1)
{
    return QCoreApplication::translate("Chip", text, disambiguation, n);
}

constexpr IconName markOf(Tone tone)
{
    switch (tone) {
    case Tone::Online: return IconName::MarkOnline;
    case Tone::Failing: return IconName::MarkFailing;
    case Tone::Quarantined: return IconName::MarkQuarantined;
    case Tone::Offline: return IconName::MarkOffline;
    case Tone::Draining: return IconName::MarkDraining;
    case Tone::NoData: return IconName::MarkNoData;
    case Tone::Neutral: break;
    }
    return IconName::MarkIdle;
}

ChipSpec filled(Tone tone, const QString& text)
{
    return {markOf(tone), text, tone, true};
}

ChipSpec good(const QString& text)
{
    return {IconName::MarkOnline, text, Tone::Online, false};
}

ChipSpec neutral(IconName mark, const QString& text)
{
    return {mark, text, Tone::Neutral, false};
}

void paintMark(QPainter& painter, const QRect& at, const ChipSpec& spec, const Tokens& tokens, const ChipFlags& flags, const QColor& color)
{
    painter.drawPixmap(at.topLeft(), icons::pixmap(spec.mark, color, at.width(), painter.device()->devicePixelRatioF()));
    if (flags.selected && !spec.filled && spec.tone == Tone::Online) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(tokens.text, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QRectF(at).adjusted(0.5, 0.5, -0.5, -0.5));
        painter.restore();
    }
}

} // namespace

ChipSpec chips::probe(ProbeState state, int failures, int threshold, qint64 remainingS)
{
    switch (state) {
    case ProbeState::Online:
        return good(word(QT_TRANSLATE_NOOP("Chip", "Online")));
    case ProbeState::Failing:
        return filled(Tone::Failing, threshold > 0 ? word(QT_TRANSLATE_NOOP("Chip", "Failing %1/%2")).arg(failures).arg(threshold)
                                                   : word(QT_TRANSLATE_NOOP("Chip", "Failing")));
    case ProbeState::Quarantined:
        return filled(Tone::Quarantined, remainingS >= 0 ? word(QT_TRANSLATE_NOOP("Chip", "Quarantined %1 s")).arg(remainingS)
                                                         : word(QT_TRANSLATE_NOOP("Chip", "Quarantined")));
    case ProbeState::Offline:
        return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Offline")));
    case ProbeState::Draining:
        return filled(Tone::Draining, word(QT_TRANSLATE_NOOP("Chip", "Draining")));
    case ProbeState::NoData:
        break;
    }
    return filled(Tone::NoData, word(QT_TRANSLATE_NOOP("Chip", "No data")));
}

ChipSpec chips::probe(const NodeRow& row, qint64 nowMonoMs)
{
    const ProbeState state = row.probeState(nowMonoMs);
    if (state == ProbeState::Quarantined && row.awaitsProbe(nowMonoMs)) {
        return filled(Tone::Quarantined, word(QT_TRANSLATE_NOOP("Chip", "Awaits a probe")));
    }
    const qint64 remaining = (row.quarantinedUntilMonoMs - nowMonoMs + 999) / 1000;
    return probe(state, row.consecutiveFailures, row.unhealthyThreshold, state == ProbeState::Quarantined ? remaining : -1);
}

ChipSpec chips::pool(PoolVerdict verdict, int available)
{
    switch (verdict) {
    case PoolVerdict::Ok:
        return good(word(QT_TRANSLATE_NOOP("Chip", "OK")));
    case PoolVerdict::AtRisk:
        return filled(Tone::Failing, word(QT_TRANSLATE_NOOP("Chip", "At risk (%1 available)")).arg(available));
    case PoolVerdict::Exhausted:
        return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Exhausted")));
    case PoolVerdict::Unused:
        return neutral(IconName::MarkIdle, word(QT_TRANSLATE_NOOP("Chip", "Unused")));
    case PoolVerdict::OutOfScheduling:
        break;
    }
    return neutral(IconName::MarkSlashed, word(QT_TRANSLATE_NOOP("Chip", "Out of scheduling")));
}

ChipSpec chips::pool(const PoolRow& row)
{
    return pool(row.verdict, row.atRiskAvailable);
}

ChipSpec chips::traffic(Traffic traffic, int failedPercent)
{
    switch (traffic) {
    case Traffic::NotMeasured:
        return neutral(IconName::MarkNoData, word(QT_TRANSLATE_NOOP("Chip", "Not measured")));
    case Traffic::Idle:
        return neutral(IconName::MarkIdle, word(QT_TRANSLATE_NOOP("Chip", "Idle")));
    case Traffic::Ok:
        return good(word(QT_TRANSLATE_NOOP("Chip", "OK")));
    case Traffic::Degraded:
        return filled(Tone::Failing, word(QT_TRANSLATE_NOOP("Chip", "Degraded %1\u00A0%")).arg(failedPercent));
    case Traffic::Failing:
        return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Failing %1\u00A0%")).arg(failedPercent));
    case Traffic::NoEffect:
        break;
    }
    return neutral(IconName::MarkSlashed, word(QT_TRANSLATE_NOOP("Chip", "No effect")));
}

ChipSpec chips::traffic(const NodeRow& row)
{
    return traffic(row.traffic, failedPercent(row));
}

ChipSpec chips::schedulable(Schedulable schedulable, int apps, const QString& blockedBy)
{
    switch (schedulable) {
    case Schedulable::ForApps:
        return good(word(QT_TRANSLATE_NOOP("Chip", "For %n app(s)"), nullptr, apps));
    case Schedulable::ForUnknownApps:
        return good(word(QT_TRANSLATE_NOOP("Chip", "For undeclared apps")));
    case Schedulable::NoAppResolves:
        return neutral(IconName::MarkIdle, word(QT_TRANSLATE_NOOP("Chip", "No app resolves here")));
    case Schedulable::OutOfScheduling:
        return neutral(IconName::MarkSlashed, word(QT_TRANSLATE_NOOP("Chip", "Out of scheduling")));
    case Schedulable::NoEffect:
        return neutral(IconName::MarkSlashed, word(QT_TRANSLATE_NOOP("Chip", "No effect")));
    case Schedulable::Blocked:
        break;
    }
    return {IconName::None, word(QT_TRANSLATE_NOOP("Chip", "Blocked: %1")).arg(filterWord(blockedBy)), Tone::Neutral, false};
}

ChipSpec chips::app(AppVerdict verdict)
{
    switch (verdict) {
    case AppVerdict::Ok:
        return good(word(QT_TRANSLATE_NOOP("Chip", "OK")));
    case AppVerdict::FallsBack:
        return filled(Tone::Failing, word(QT_TRANSLATE_NOOP("Chip", "Falls back")));
    case AppVerdict::FailsClosed:
        break;
    }
    return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Fails closed")));
}

ChipSpec chips::severity(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return neutral(IconName::MarkIdle, word(QT_TRANSLATE_NOOP("Chip", "Info")));
    case Severity::Warning:
        return filled(Tone::Failing, word(QT_TRANSLATE_NOOP("Chip", "Warning")));
    case Severity::Critical:
        break;
    }
    return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Critical")));
}

ChipSpec chips::target(TargetWord target)
{
    switch (target) {
    case TargetWord::Met:
        return good(word(QT_TRANSLATE_NOOP("Chip", "Met")));
    case TargetWord::AtRisk:
        return filled(Tone::Failing, word(QT_TRANSLATE_NOOP("Chip", "At risk")));
    case TargetWord::Missed:
        return filled(Tone::Offline, word(QT_TRANSLATE_NOOP("Chip", "Missed")));
    case TargetWord::NoData:
        break;
    }
    return filled(Tone::NoData, word(QT_TRANSLATE_NOOP("Chip", "No data")));
}

QString chips::filterWord(const QString& code)
{
    static constexpr std::pair<const char*, const char*> kWords[] = {
        {"unhealthy", QT_TRANSLATE_NOOP("Chip", "unhealthy")},
        {"quarantined", QT_TRANSLATE_NOOP("Chip", "quarantined")},
        {"draining", QT_TRANSLATE_NOOP("Chip", "draining")},
        {"unchecked", QT_TRANSLATE_NOOP("Chip", "unchecked")},
        {"disconnected", QT_TRANSLATE_NOOP("Chip", "disconnected")},
        {"no_capacity", QT_TRANSLATE_NOOP("Chip", "no capacity")},
        {"wrong_role", QT_TRANSLATE_NOOP("Chip", "other role")},
        {"missing_endpoint", QT_TRANSLATE_NOOP("Chip", "no endpoint")},
    };
    for (const auto& [key, text] : kWords) {
        if (code == QLatin1String(key)) {
            return word(text);
        }
    }
    return code;
}

int chips::failedPercent(const NodeRow& row)
{
    const qint64 failed = qint64(row.trafficTransport) + row.trafficStatus + qMax(0, row.trafficSemantic);
    const qint64 all = failed + row.trafficOk;
    if (all == 0 || failed == 0) {
        return 0;
    }
    return qMax(1, static_cast<int>((failed * 100 + all / 2) / all));
}

int chipWidth(const ChipSpec& spec, const QFontMetrics& fontMetrics)
{
    const int mark = spec.mark == IconName::None ? 0 : metrics::kIcon + (spec.text.isEmpty() ? 0 : metrics::kChipIconGap);
    return metrics::kChipLeft + mark + fontMetrics.horizontalAdvance(spec.text) + metrics::kChipRight;
}

int chipHeight(const QFontMetrics& fontMetrics)
{
    return metrics::fitted(metrics::kChip, fontMetrics.height(), 2);
}

QRect paintChip(QPainter& painter, const QRect& rect, const ChipSpec& spec, const Tokens& tokens, ChipFlags flags)
{
    const QFontMetrics fm = painter.fontMetrics();
    const int height = qMin(chipHeight(fm), rect.height());
    const QRect box(rect.left(), rect.top() + (rect.height() - height) / 2, chipWidth(spec, fm), height);
    const StateFill fill = tokens.fill(spec.tone);
    const QColor quiet = spec.tone == Tone::Neutral ? tokens.thirdLevel(flags.selected) : fill.fill;
    const bool plain = spec.mark == IconName::None && !spec.filled;
    QColor markColor = spec.filled ? fill.label : quiet;
    QColor textColor = spec.filled ? fill.label : (plain ? tokens.text2 : tokens.text);
    if (flags.dimmed) {
        textColor = markColor = spec.filled ? textColor : tokens.thirdLevel(flags.selected);
    }
    if (spec.filled) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(flags.selected ? QPen(tokens.text, 1) : QPen(Qt::NoPen));
        painter.setBrush(fill.fill);
        const QRectF shape = flags.selected ? QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5) : QRectF(box);
        painter.drawRoundedRect(shape, metrics::kRadius, metrics::kRadius);
        painter.restore();
    }
    int x = box.left() + metrics::kChipLeft;
    if (spec.mark != IconName::None) {
        paintMark(painter, QRect(x, box.top() + (box.height() - metrics::kIcon) / 2, metrics::kIcon, metrics::kIcon), spec, tokens, flags,
                  markColor);
        x += metrics::kIcon + metrics::kChipIconGap;
    }
    painter.setPen(textColor);
    const int baseline = box.top() + (box.height() - fm.height()) / 2 + fm.ascent();
    painter.drawText(QPoint(x, baseline), spec.text);
    return box;
}

ChipLabel::ChipLabel(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ChipLabel::setSpec(const ChipSpec& spec)
{
    if (spec == m_spec) {
        return;
    }
    m_spec = spec;
    setAccessibleName(spec.text);
    setVisible(!spec.isEmpty());
    updateGeometry();
    update();
}

QSize ChipLabel::sizeHint() const
{
    ensurePolished();
    return {chipWidth(m_spec, fontMetrics()), chipHeight(fontMetrics())};
}

void ChipLabel::paintEvent(QPaintEvent*)
{
    if (m_spec.isEmpty()) {
        return;
    }
    QPainter painter(this);
    paintChip(painter, rect(), m_spec, m_theme.tokens());
}

void ChipLabel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
    }
    QWidget::changeEvent(event);
}

} // namespace weir::ui
