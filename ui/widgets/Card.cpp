// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Card.h"

#include "ui/widgets/LinkLabel.h"
#include "ui/widgets/TextLabel.h"
#include "ui/widgets/Theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace weir::ui {

Card::Card(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_head(new QWidget(this))
    , m_headLayout(new QHBoxLayout(m_head))
    , m_layout(new QVBoxLayout(this))
    , m_title(new TextLabel(theme, TextSize::Body, 1, true, m_head))
    , m_secondary(new TextLabel(theme, TextSize::Body, 2, false, m_head))
    , m_link(new LinkLabel(theme, {}, m_head))
{
    m_layout->setContentsMargins(1, 1, 1, 1);
    m_layout->setSpacing(0);
    m_headLayout->setContentsMargins(11, 0, 9, 1);
    m_headLayout->setSpacing(metrics::kGap);
    m_headLayout->addWidget(m_title);
    m_headLayout->addWidget(m_secondary);
    m_headLayout->addStretch();
    m_headLayout->addWidget(m_link);
    m_secondary->hide();
    m_link->hide();
    m_layout->addWidget(m_head);
    connect(m_link, &LinkLabel::clicked, this, &Card::linkActivated);
    connect(&theme, &Theme::changed, this, [this] {
        applyFonts();
        update();
    });
    applyFonts();
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void Card::setSecondary(const QString& text, bool fixed)
{
    m_secondaryFixed = fixed;
    m_secondary->setText(text);
    m_secondary->setVisible(!text.isEmpty());
    applyFonts();
}

void Card::setLink(const QString& text)
{
    m_link->setText(text);
    m_link->setVisible(!text.isEmpty());
    m_link->updateGeometry();
}

void Card::addHeadWidget(QWidget* widget)
{
    m_headLayout->insertWidget(m_headLayout->indexOf(m_link), widget);
}

void Card::setContent(QWidget* content)
{
    m_layout->addWidget(content, 1);
}

void Card::applyFonts()
{
    m_applyingFonts = true;
    m_head->setFixedHeight(metrics::fitted(metrics::kCardHead, fontMetrics().height(), 10));
    if (m_secondaryFixed) {
        m_secondary->setFont(fixedFont(scaledFont(font(), TextSize::Caption)));
    }
    m_applyingFonts = false;
}

void Card::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && !m_applyingFonts) {
        applyFonts();
    }
}

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.line, 1));
    painter.setBrush(t.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kCardRadius, metrics::kCardRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(1, m_head->geometry().bottom(), width() - 2, 1), t.line);
}

} // namespace weir::ui
