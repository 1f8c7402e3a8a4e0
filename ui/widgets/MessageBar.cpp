// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/MessageBar.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/TextLabel.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace weir::ui {

MessageBar::MessageBar(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_label(new TextLabel(theme, TextSize::Body, 1, false, this))
    , m_undo(new QPushButton(this))
    , m_show(new QPushButton(this))
    , m_close(new QToolButton(this))
{
    static_cast<TextLabel*>(m_label)->setElided(true);
    m_undo->setObjectName(QStringLiteral("undo"));
    m_show->setObjectName(QStringLiteral("show"));
    m_close->setObjectName(QStringLiteral("close"));
    m_close->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(13 + metrics::kIcon + 8, 0, 12, 0);
    layout->setSpacing(12);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_undo);
    layout->addWidget(m_show);
    layout->addWidget(m_close);
    connect(m_undo, &QPushButton::clicked, this, &MessageBar::undoRequested);
    connect(m_show, &QPushButton::clicked, this, &MessageBar::showRequested);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    connect(&theme, &Theme::changed, this, &MessageBar::applyLook);
    retranslate();
    applyLook();
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& sentence, bool undoable, bool showable)
{
    m_kind = kind;
    m_label->setText(sentence);
    setAccessibleName(sentence);
    m_undo->setVisible(undoable);
    m_show->setVisible(showable);
    show();
    update();
    QAccessibleEvent told(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&told);
}

QString MessageBar::message() const
{
    return m_label->text();
}

void MessageBar::applyLook()
{
    const Tokens& t = m_theme.tokens();
    setFixedHeight(metrics::fitted(metrics::kMessageBar, fontMetrics().height(), 18));
    m_undo->setIcon(icons::icon(IconName::Undo, t.text2, t.disabled));
    m_close->setIcon(icons::icon(IconName::Close, t.text2, t.disabled));
    update();
}

void MessageBar::retranslate()
{
    m_undo->setText(tr("Undo (%1)").arg(QKeySequence(QKeySequence::Undo).toString(QKeySequence::NativeText)));
    m_show->setText(tr("Show"));
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss this message"));
}

void MessageBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

void MessageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    const bool done = m_kind == Kind::Done;
    const QColor color = done ? t.accent : t.fill(Tone::Offline).fill;
    painter.fillRect(rect(), t.base);
    painter.fillRect(QRect(0, 0, width(), 1), t.line);
    painter.fillRect(QRect(0, 0, metrics::kCurrentBar, height()), color);
    const IconName mark = done ? IconName::Check : IconName::MarkRefused;
    painter.drawPixmap(13, (height() - metrics::kIcon) / 2, icons::pixmap(mark, color, metrics::kIcon, devicePixelRatioF()));
}

} // namespace weir::ui
