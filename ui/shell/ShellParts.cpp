// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/ShellParts.h"

#include "ui/widgets/Icons.h"

#include <QHBoxLayout>
#include <QPainter>

namespace weir::ui {

namespace {

constexpr int kPadding = 16;
constexpr int kSegmentGap = 12;
constexpr int kDot = 9;

} // namespace

PageHeader::PageHeader(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_title(new TextLabel(theme, TextSize::Title, 1, true, this))
    , m_mark(new QLabel(this))
    , m_sentence(new TextLine(theme, 2, this))
{
    setObjectName(QStringLiteral("page.header"));
    m_title->setObjectName(QStringLiteral("page.title"));
    m_sentence->setObjectName(QStringLiteral("page.verdict"));
    m_sentence->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 0);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addStretch(1);
    layout->addWidget(m_mark);
    layout->addWidget(m_sentence, 0);
    setFixedHeight(metrics::fitted(metrics::kTitleRow, fontMetrics().height(), 20));
    connect(&theme, &Theme::changed, this, &PageHeader::applyMark);
}

void PageHeader::setTitle(const QString& title)
{
    m_title->setText(title);
}

void PageHeader::setVerdict(const FleetVerdict& verdict)
{
    m_level = verdict.level;
    m_sentence->setText(verdict.sentence());
    applyMark();
}

void PageHeader::applyMark()
{
    const Tokens& t = m_theme.tokens();
    IconName name = IconName::MarkNoData;
    Tone tone = Tone::NoData;
    if (m_level == FleetVerdict::Level::Good) {
        name = IconName::MarkOnline;
        tone = Tone::Online;
    } else if (m_level == FleetVerdict::Level::Attention || m_level == FleetVerdict::Level::Bad) {
        name = IconName::MarkFailing;
        tone = Tone::Failing;
    }
    m_mark->setPixmap(icons::pixmap(name, t.fill(tone).fill, metrics::kIcon, devicePixelRatioF()));
}

StatusLine::StatusLine(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setObjectName(QStringLiteral("status"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StatusLine::setFigures(const StatusFigures& figures)
{
    m_figures = figures;
    QStringList parts;
    for (const QString& part : {figures.connectionText, figures.healthy, figures.unschedulable, figures.config, figures.notice, figures.selected, figures.asOf}) {
        if (!part.isEmpty()) {
            parts.append(part);
        }
    }
    setAccessibleName(parts.join(QStringLiteral(" · ")));
    setToolTip(accessibleName());
    update();
}

void StatusLine::setTip(const QString& tip)
{
    m_tip = tip;
    update();
}

QSize StatusLine::sizeHint() const
{
    return {400, metrics::fitted(metrics::kStatusBar, fontMetrics().height(), 6)};
}

void StatusLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.fillRect(rect(), t.window);
    painter.fillRect(QRect(0, 0, width(), 1), t.line);
    const QFontMetrics fm = fontMetrics();
    const bool live = m_figures.connection == StatusFigures::Connection::Live;
    const bool stale = m_figures.connection == StatusFigures::Connection::Stale;
    const Tone tone = live ? Tone::Online : stale ? Tone::Offline : Tone::NoData;
    const qreal dpr = devicePixelRatioF();
    int x = kPadding;
    const IconName mark = m_figures.connection == StatusFigures::Connection::Paused ? IconName::Pause : stale ? IconName::Disconnected : IconName::BadgeDot;
    const QColor markColor = mark == IconName::BadgeDot ? t.fill(tone).fill : t.text2;
    painter.drawPixmap(x, (height() - kDot) / 2 + 1, icons::pixmap(mark, markColor, kDot, dpr));
    x += kDot + 7;
    const QRect all = rect();
    // Right part first: the left one gives way to it.
    int right = width() - kPadding;
    for (const QString& text : {m_figures.asOf, m_figures.selected}) {
        if (text.isEmpty()) {
            continue;
        }
        const int textWidth = fm.horizontalAdvance(text);
        painter.setPen(t.text2);
        painter.drawText(QRect(right - textWidth, 1, textWidth, all.height() - 1), Qt::AlignVCenter, text);
        right -= textWidth + kSegmentGap;
        painter.fillRect(QRect(right, 4, 1, height() - 8), t.line);
        right -= kSegmentGap;
    }
    const QString notice = m_tip.isEmpty() ? m_figures.notice : m_tip;
    for (const QString& text : {m_figures.connectionText, m_figures.healthy, m_figures.unschedulable, m_figures.config, notice}) {
        if (text.isEmpty() || right - x < 40) {
            continue;
        }
        const QString shown = fm.elidedText(text, Qt::ElideRight, right - x);
        painter.setPen(stale ? t.text3 : t.text2);
        painter.drawText(QRect(x, 1, fm.horizontalAdvance(shown) + 1, all.height() - 1), Qt::AlignVCenter, shown);
        x += fm.horizontalAdvance(shown) + kSegmentGap;
        painter.fillRect(QRect(x, 4, 1, height() - 8), t.line);
        x += kSegmentGap;
    }
}

} // namespace weir::ui
