// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/overview/VerdictBlock.h"

#include "ui/widgets/Icons.h"

#include <QPainter>

namespace weir::ui {

namespace {

std::pair<IconName, Tone> markOf(FleetVerdict::Level level)
{
    switch (level) {
    case FleetVerdict::Level::Good: return {IconName::MarkOnline, Tone::Online};
    case FleetVerdict::Level::Attention: return {IconName::MarkFailing, Tone::Failing};
    case FleetVerdict::Level::Bad: return {IconName::MarkOffline, Tone::Offline};
    case FleetVerdict::Level::Unknown: break;
    }
    return {IconName::MarkNoData, Tone::Neutral};
}

constexpr int kTextLeft = metrics::kVerdictIcon + 12;

} // namespace

VerdictBlock::VerdictBlock(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("verdict"));
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void VerdictBlock::setVerdict(const FleetVerdict& verdict)
{
    m_verdict = verdict;
    setAccessibleName(verdict.headline);
    setAccessibleDescription(verdict.detail);
    setToolTip(verdict.sentence());
    update();
}

QSize VerdictBlock::sizeHint() const
{
    const int headline = QFontMetrics(scaledFont(font(), TextSize::Verdict, true)).height();
    const int detail = QFontMetrics(scaledFont(font(), TextSize::Sub)).height();
    return {600, qMax(72, headline + detail + 26)};
}

QFont VerdictBlock::headlineFont(int width) const
{
    const QFont large = scaledFont(font(), TextSize::Verdict, true);
    return QFontMetrics(large).horizontalAdvance(m_verdict.headline) <= width ? large : scaledFont(font(), TextSize::Value, true);
}

void VerdictBlock::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    const int width = this->width() - kTextLeft;
    const QFontMetrics headline(headlineFont(width));
    const QFontMetrics detail(scaledFont(font(), TextSize::Sub));
    const int top = qMax(0, (height() - headline.height() - detail.height()) / 2);
    const auto [icon, tone] = markOf(m_verdict.level);
    painter.drawPixmap(0, top + (headline.height() - metrics::kVerdictIcon) / 2,
                       icons::pixmap(icon, t.fill(tone).fill, metrics::kVerdictIcon, devicePixelRatioF()));
    painter.setFont(headlineFont(width));
    painter.setPen(t.text);
    painter.drawText(QPoint(kTextLeft, top + headline.ascent()), headline.elidedText(m_verdict.headline, Qt::ElideRight, width));
    painter.setFont(scaledFont(font(), TextSize::Sub));
    painter.setPen(t.text2);
    painter.drawText(QPoint(kTextLeft, top + headline.height() + detail.ascent()),
                     detail.elidedText(m_verdict.detail, Qt::ElideRight, width));
}

} // namespace weir::ui
