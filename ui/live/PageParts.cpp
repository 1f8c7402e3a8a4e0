// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/PageParts.h"

#include "ui/widgets/Theme.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPainter>

namespace weir::ui {

Rule::Rule(const Theme& theme, Qt::Orientation orientation, Weight weight, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_weight(weight)
{
    if (orientation == Qt::Horizontal) {
        setFixedHeight(1);
    } else {
        setFixedWidth(1);
    }
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Rule::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), m_weight == Weight::Hair ? m_theme.tokens().line : m_theme.tokens().line2);
}

TextLine::TextLine(const Theme& theme, int level, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_level(level)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TextLine::setText(const QString& text)
{
    if (m_text == text) {
        return;
    }
    const int before = fontMetrics().horizontalAdvance(m_text);
    m_text = text;
    setAccessibleName(text);
    setToolTip(fontMetrics().horizontalAdvance(text) > width() ? text : QString());
    // Ticking figures keep their width most of the time; the layout need not hear of those.
    if (fontMetrics().horizontalAdvance(text) != before) {
        updateGeometry();
    }
    update();
}

void TextLine::setLevel(int level)
{
    m_level = level;
    update();
}

void TextLine::setAlignment(Qt::Alignment alignment)
{
    m_alignment = alignment;
    update();
}

QSize TextLine::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 1, fontMetrics().height()};
}

QSize TextLine::minimumSizeHint() const
{
    return {0, fontMetrics().height()};
}

void TextLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = m_theme.tokens();
    painter.setPen(m_level == 1 ? t.text : m_level == 2 ? t.text2 : t.text3);
    const QString shown = fontMetrics().elidedText(m_text, Qt::ElideRight, width());
    painter.drawText(rect(), int(m_alignment | Qt::TextSingleLine), shown);
}

TableFooter::TableFooter(const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_left(new TextLine(theme, 2, this))
    , m_right(new TextLine(theme, 2, this))
{
    for (TextLine* line : {m_left, m_right}) {
        line->setFont(scaledFont(font(), TextSize::Caption));
    }
    m_right->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* layout = new QHBoxLayout;
    layout->setContentsMargins(metrics::kCellPadding, 0, metrics::kCellPadding, 0);
    layout->addWidget(m_left, 1);
    layout->addWidget(m_right);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new Rule(theme, Qt::Horizontal, Rule::Weight::Hair, this));
    column->addLayout(layout, 1);
    setFixedHeight(metrics::fitted(metrics::kFooter, fontMetrics().height()));
}

void TableFooter::setLeft(const QString& text)
{
    m_left->setText(text);
}

void TableFooter::setRight(const QString& text)
{
    m_right->setText(text);
}

FactGrid::FactGrid(const Theme& theme, int captionWidth, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_captionWidth(captionWidth)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(metrics::kGap);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnMinimumWidth(0, captionWidth);
    m_grid->setColumnStretch(1, 1);
}

void FactGrid::setFact(int line, const QString& caption, const QString& value)
{
    while (m_lines.size() <= line) {
        auto* left = new TextLine(m_theme, 2, this);
        auto* right = new TextLine(m_theme, 1, this);
        left->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        const int row = static_cast<int>(m_lines.size());
        m_grid->addWidget(left, row, 0);
        m_grid->addWidget(right, row, 1);
        m_lines.append(std::make_pair(left, right));
    }
    const auto& [left, right] = m_lines.at(line);
    left->setText(caption);
    right->setText(value);
    left->show();
    right->show();
}

void FactGrid::truncate(int line)
{
    for (qsizetype i = line; i < m_lines.size(); ++i) {
        m_lines.at(i).first->hide();
        m_lines.at(i).second->hide();
    }
}

} // namespace weir::ui
