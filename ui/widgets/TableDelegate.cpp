// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TableDelegate.h"

#include "ui/widgets/Chip.h"
#include "ui/widgets/Theme.h"

#include <QAbstractItemView>
#include <QDeadlineTimer>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace weir::ui {

qint64 uiClockMs()
{
    return QDeadlineTimer::current(Qt::PreciseTimer).deadline();
}

/// One cell, read and measured; what paint, tooltip and link hit test share.
struct TableDelegate::Cell {
    QRect rect;              ///< inside the padding
    QFont font;
    QFont secondaryFont;
    QString text;            ///< as drawn, elided
    QString full;
    QString secondary;
    QString trailing;
    ChipSpec chip;
    IconName icon = IconName::None;
    std::optional<Tone> iconTone;
    IconName modifier = IconName::None;
    Qt::Alignment alignment;
    int textX = 0;
    int textWidth = 0;
    int trailingWidth = 0;
    int level = 1;
    bool link = false;
    bool struck = false;
    bool dimmed = false;
    bool selected = false;
    bool elided = false;
};

namespace {

QString clipped(const QFontMetrics& metrics, const QString& text, bool sentence, int width)
{
    return metrics.elidedText(text, sentence ? Qt::ElideRight : Qt::ElideMiddle, qMax(0, width));
}

int baseline(const QRect& rect, const QFontMetrics& metrics)
{
    return rect.top() + (rect.height() - metrics.height()) / 2 + metrics.ascent();
}

} // namespace

TableDelegate::TableDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

TableDelegate::Cell TableDelegate::cellOf(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    Cell cell;
    cell.font = option.font;
    cell.font.setBold(index.data(BoldRole).toBool());
    cell.chip = index.data(ChipRole).value<ChipSpec>();
    cell.full = index.data(Qt::DisplayRole).toString();
    cell.secondary = index.data(SecondaryRole).toString();
    cell.trailing = index.data(TrailingRole).toString();
    cell.icon = static_cast<IconName>(index.data(IconRole).toInt());
    if (const QVariant tone = index.data(IconToneRole); tone.isValid()) {
        cell.iconTone = static_cast<Tone>(tone.toInt());
    }
    cell.modifier = static_cast<IconName>(index.data(ModifierRole).toInt());
    const QVariant level = index.data(TextLevelRole);
    cell.level = level.isValid() ? level.toInt() : 1;
    cell.link = index.data(LinkRole).toBool() && !cell.full.isEmpty();
    cell.struck = index.data(StruckRole).toBool();
    cell.dimmed = index.data(DimmedRole).toBool();
    cell.selected = (option.state & QStyle::State_Selected) != 0;
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    cell.alignment = alignment.isValid() ? Qt::Alignment(alignment.toInt()) : Qt::AlignLeft;
    const int before = index.column() == 0 ? m_edgePadding : 0;
    const int after = index.column() + 1 == index.model()->columnCount(index.parent()) ? m_edgePadding : 0;
    if (!cell.chip.isEmpty()) {
        cell.rect = option.rect.adjusted(metrics::kChipCellLeft + before, 0, -metrics::kChipCellRight - after, -1);
        cell.secondaryFont = option.font;
        return cell;
    }
    cell.rect = option.rect.adjusted(metrics::kCellPadding + before, 0, -metrics::kCellPadding - after, -1);
    cell.secondaryFont = scaledFont(option.font, TextSize::Caption);
    const QFontMetrics fm(cell.font);
    const int iconWidth = cell.icon == IconName::None ? 0 : metrics::kIcon + metrics::kIconGap;
    cell.trailingWidth = cell.trailing.isEmpty() ? 0 : QFontMetrics(option.font).horizontalAdvance(cell.trailing) + metrics::kGap;
    const int room = cell.rect.width() - iconWidth - cell.trailingWidth;
    cell.text = clipped(fm, cell.full, index.data(SentenceRole).toBool(), room);
    cell.elided = cell.text != cell.full;
    cell.textWidth = fm.horizontalAdvance(cell.text);
    cell.textX = cell.rect.left() + iconWidth;
    if (cell.alignment & Qt::AlignRight) {
        cell.textX = cell.rect.right() + 1 - cell.textWidth;
    } else if (cell.alignment & Qt::AlignHCenter) {
        cell.textX += (room - cell.textWidth) / 2;
    }
    if (!cell.secondary.isEmpty()) {
        const int left = room - cell.textWidth - metrics::kIconGap;
        const QString shown = clipped(QFontMetrics(cell.secondaryFont), cell.secondary, true, left);
        cell.elided = cell.elided || shown != cell.secondary;
    }
    return cell;
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    painter->save();
    paintGround(*painter, option, index);
    painter->setClipRect(option.rect);
    const Cell cell = cellOf(option, index);
    if (cell.chip.isEmpty()) {
        paintTextCell(*painter, cell);
    } else {
        paintChipCell(*painter, cell);
    }
    const qint64 changedAt = index.data(ChangedAtRole).toLongLong();
    if (changedAt != 0) {
        const qint64 left = changedAt + kChangeMarkMs - uiClockMs();
        if (left > 0) {
            painter->fillRect(QRect(option.rect.left(), option.rect.top() + 3, 2, option.rect.height() - 7), m_theme.tokens().accent);
            emit markExpiresIn(left);
        }
    }
    painter->restore();
}

void TableDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Tokens& t = m_theme.tokens();
    QColor ground = t.base;
    if (index.row() == m_targetRow) {
        ground = t.target;
    } else if (option.state & QStyle::State_Selected) {
        ground = t.selection;
    } else if (index.row() == m_hoverRow) {
        ground = t.hover;
    }
    painter.fillRect(option.rect, ground);
    const QRect hairline(option.rect.left(), option.rect.bottom(), option.rect.width(), 1);
    painter.fillRect(hairline, index.data(PinLineRole).toBool() ? t.line2 : t.line);
}

void TableDelegate::paintChipCell(QPainter& painter, const Cell& cell) const
{
    const Tokens& t = m_theme.tokens();
    painter.setFont(cell.font);
    const QRect chip = paintChip(painter, cell.rect, cell.chip, t, {cell.selected, cell.dimmed});
    int x = chip.right() + 1 + (cell.chip.filled ? metrics::kGap : 0);
    if (cell.modifier != IconName::None) {
        const int y = cell.rect.top() + (cell.rect.height() - metrics::kIcon) / 2;
        painter.drawPixmap(x, y, icons::pixmap(cell.modifier, t.text2, metrics::kIcon, painter.device()->devicePixelRatioF()));
        x += metrics::kIcon + metrics::kIconGap;
    }
    painter.setFont(cell.secondaryFont);
    const QFontMetrics fm = painter.fontMetrics();
    const int right = cell.rect.right() + 1 - (metrics::kCellPadding - metrics::kChipCellRight);
    int trailingWidth = cell.trailing.isEmpty() ? 0 : fm.horizontalAdvance(cell.trailing);
    if (right - trailingWidth < x) {
        trailingWidth = 0; // a narrow column shows the chip alone; the drawer has the rest
    }
    painter.setPen(cell.dimmed ? t.thirdLevel(cell.selected) : t.text2);
    if (trailingWidth > 0) {
        painter.drawText(QPoint(right - trailingWidth, baseline(cell.rect, fm)), cell.trailing);
    }
    if (!cell.secondary.isEmpty()) {
        const int room = right - x - (trailingWidth > 0 ? trailingWidth + metrics::kGap : 0);
        painter.drawText(QPoint(x, baseline(cell.rect, fm)), clipped(fm, cell.secondary, true, room));
    }
}

void TableDelegate::paintTextCell(QPainter& painter, const Cell& cell) const
{
    const Tokens& t = m_theme.tokens();
    const QColor third = t.thirdLevel(cell.selected);
    const bool placeholder = cell.full == QStringLiteral("–");
    QColor color = cell.link ? t.link : (cell.level == 1 ? t.text : (cell.level == 2 ? t.text2 : third));
    if (cell.dimmed || placeholder) {
        color = third;
    }
    if (cell.icon != IconName::None) {
        const QColor iconColor = cell.dimmed ? third : (cell.iconTone ? t.fill(*cell.iconTone).fill : t.text2);
        const QPixmap pixmap = icons::pixmap(cell.icon, iconColor, metrics::kIcon, painter.device()->devicePixelRatioF());
        painter.drawPixmap(cell.rect.left(), cell.rect.top() + (cell.rect.height() - metrics::kIcon) / 2, pixmap);
    }
    QFont font = cell.font;
    font.setStrikeOut(cell.struck);
    painter.setFont(font);
    painter.setPen(color);
    const int y = baseline(cell.rect, painter.fontMetrics());
    painter.drawText(QPoint(cell.textX, y), cell.text);
    if (!cell.trailing.isEmpty()) {
        painter.setPen(t.text2);
        painter.drawText(QPoint(cell.rect.right() + 1 - (cell.trailingWidth - metrics::kGap), y), cell.trailing);
    }
    if (!cell.secondary.isEmpty()) {
        painter.setFont(cell.secondaryFont);
        painter.setPen(third);
        const int x = cell.textX + cell.textWidth + metrics::kIconGap;
        const int room = cell.rect.right() + 1 - x - cell.trailingWidth;
        painter.drawText(QPoint(x, y), clipped(painter.fontMetrics(), cell.secondary, true, room));
    }
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QFontMetrics fm(option.font);
    const int height = metrics::rowHeight(m_theme.density(), fm.height());
    const auto chip = index.data(ChipRole).value<ChipSpec>();
    if (!chip.isEmpty()) {
        return {chipWidth(chip, fm) + metrics::kChipCellLeft + metrics::kChipCellRight, height};
    }
    return {fm.horizontalAdvance(index.data(Qt::DisplayRole).toString()) + 2 * metrics::kCellPadding, height};
}

bool TableDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid() || !index.data(Qt::ToolTipRole).toString().isEmpty()) {
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    QStyleOptionViewItem full = option;
    initStyleOption(&full, index);
    const Cell cell = cellOf(full, index);
    if (!cell.elided) {
        QToolTip::hideText();
        return true;
    }
    QToolTip::showText(event->globalPos(), cell.secondary.isEmpty() ? cell.full : cell.full + QStringLiteral(" · ") + cell.secondary, view);
    return true;
}

QRect TableDelegate::linkRect(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Cell cell = cellOf(option, index);
    return cell.link ? QRect(cell.textX, option.rect.top(), cell.textWidth, option.rect.height()) : QRect();
}

} // namespace weir::ui
