// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/GroupedHeader.h"

#include "ui/widgets/Theme.h"

#include <QPainter>
#include <QPainterPath>

namespace weir::ui {

namespace {
constexpr int kArrow = 6;
constexpr int kSubLabelRow = 24;
} // namespace

GroupedHeader::GroupedHeader(const Theme& theme, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_theme(theme)
{
    setSectionsClickable(true);
    setSectionsMovable(true);
    setHighlightSections(false);
    setSortIndicatorShown(true);
    setSectionResizeMode(QHeaderView::Interactive);
    setMinimumSectionSize(32);
    // A group's label is painted in slices, one a section: neighbours move with it.
    connect(this, &QHeaderView::sectionResized, this, [this] { viewport()->update(); });
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        viewport()->update();
    });
}

void GroupedHeader::addGroup(const QString& label, int first, int last)
{
    m_groups.append({label, first, last});
    updateGeometry();
    viewport()->update();
}

void GroupedHeader::clearGroups()
{
    m_groups.clear();
    updateGeometry();
    viewport()->update();
}

QSize GroupedHeader::sizeHint() const
{
    const int caption = QFontMetrics(scaledFont(font(), TextSize::Caption)).height();
    const int height = m_groups.isEmpty() ? metrics::fitted(metrics::kHeader, caption, 8)
                                          : metrics::fitted(metrics::kGroupedHeader, 2 * caption, 12);
    return {QHeaderView::sizeHint().width(), height};
}

QSize GroupedHeader::sectionSizeFromContents(int logicalIndex) const
{
    const QFontMetrics fm(scaledFont(font(), TextSize::Caption));
    const QString label = model()->headerData(logicalIndex, Qt::Horizontal).toString();
    return {fm.horizontalAdvance(label) + 2 * metrics::kCellPadding + kArrow + 4, sizeHint().height()};
}

void GroupedHeader::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.tokens().window);
    painter.fillRect(QRect(0, viewport()->height() - 1, viewport()->width(), 1), m_theme.tokens().line);
    painter.end();
    QHeaderView::paintEvent(event);
}

void GroupedHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const
{
    if (!rect.isValid()) {
        return;
    }
    const Tokens& t = m_theme.tokens();
    painter->save();
    painter->setClipRect(rect);
    painter->fillRect(rect, t.window);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.line);
    painter->setFont(scaledFont(font(), TextSize::Caption));
    if (const Group* group = groupOf(logicalIndex)) {
        paintGroup(*painter, rect, *group);
    }
    const QFontMetrics fm = painter->fontMetrics();
    QRect labelRow = rect.adjusted(metrics::kCellPadding, 0, -metrics::kCellPadding, -1);
    labelRow.adjust(logicalIndex == 0 ? m_edgePadding : 0, 0, logicalIndex + 1 == count() ? -m_edgePadding : 0, 0);
    if (!m_groups.isEmpty()) {
        labelRow.setTop(rect.bottom() - metrics::fitted(kSubLabelRow, fm.height(), 6));
    }
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == logicalIndex;
    const QVariant alignment = model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole);
    const bool right = alignment.isValid() && (Qt::Alignment(alignment.toInt()) & Qt::AlignRight);
    const QString label = fm.elidedText(model()->headerData(logicalIndex, Qt::Horizontal).toString(), Qt::ElideRight,
                                        labelRow.width() - (sorted ? kArrow + 4 : 0));
    const int width = fm.horizontalAdvance(label);
    const int x = right ? labelRow.right() + 1 - width : labelRow.left();
    painter->setPen(t.text2);
    painter->drawText(QPoint(x, labelRow.top() + (labelRow.height() - fm.height()) / 2 + fm.ascent()), label);
    if (sorted) {
        const QRectF at(right ? x - kArrow - 4 : x + width + 4, labelRow.center().y() - 1, kArrow, kArrow / 2.0);
        const bool up = sortIndicatorOrder() == Qt::AscendingOrder;
        QPainterPath arrow(up ? at.bottomLeft() : at.topLeft());
        arrow.lineTo(up ? at.bottomRight() : at.topRight());
        arrow.lineTo(QPointF(at.center().x(), up ? at.top() : at.bottom()));
        painter->setRenderHint(QPainter::Antialiasing);
        painter->fillPath(arrow, t.text2);
    }
    painter->restore();
}

void GroupedHeader::paintGroup(QPainter& painter, const QRect& section, const Group& group) const
{
    int left = section.left();
    int right = section.right();
    for (int logical = group.first; logical <= group.last; ++logical) {
        if (!isSectionHidden(logical)) {
            left = qMin(left, sectionViewportPosition(logical));
            right = qMax(right, sectionViewportPosition(logical) + sectionSize(logical) - 1);
        }
    }
    const QFontMetrics fm = painter.fontMetrics();
    const int ruleY = section.bottom() - metrics::fitted(kSubLabelRow, fm.height(), 6) + 1;
    painter.fillRect(QRect(left + metrics::kCellPadding, ruleY, right - left + 1 - 2 * metrics::kCellPadding, 1), m_theme.tokens().line2);
    painter.setPen(m_theme.tokens().text2);
    const int x = left + (right - left + 1 - fm.horizontalAdvance(group.label)) / 2;
    painter.drawText(QPoint(x, section.top() + (ruleY - section.top() - fm.height()) / 2 + fm.ascent() + 1), group.label);
}

const GroupedHeader::Group* GroupedHeader::groupOf(int logicalIndex) const
{
    for (const Group& group : m_groups) {
        if (logicalIndex >= group.first && logicalIndex <= group.last) {
            return &group;
        }
    }
    return nullptr;
}

} // namespace weir::ui
