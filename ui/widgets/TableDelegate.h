// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/TableRoles.h"

#include <QStyledItemDelegate>

namespace weir::ui {

class Theme;

/// The one delegate of every table: fills the row, draws the hairline, then text, chip, icon and link from TableRoles.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit TableDelegate(const Theme& theme, QObject* parent = nullptr);

    /// Row under the pointer and row that a drag would drop on; -1: none.
    void setHoverRow(int row) { m_hoverRow = row; }
    void setTargetRow(int row) { m_targetRow = row; }
    [[nodiscard]] int hoverRow() const { return m_hoverRow; }
    [[nodiscard]] int targetRow() const { return m_targetRow; }

    /// More room before the first and after the last column, where a card's head starts further in than a cell.
    void setEdgePadding(int pixels) { m_edgePadding = pixels; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

    /// Where the text of a link cell is, so that only it reacts to the pointer; empty where the cell is none.
    [[nodiscard]] QRect linkRect(const QStyleOptionViewItem& option, const QModelIndex& index) const;

signals:
    /// A change mark has been drawn that goes away after `ms`.
    void markExpiresIn(qint64 ms) const;

private:
    struct Cell;

    [[nodiscard]] Cell cellOf(const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintChipCell(QPainter& painter, const Cell& cell) const;
    void paintTextCell(QPainter& painter, const Cell& cell) const;

    const Theme& m_theme;
    int m_hoverRow = -1;
    int m_targetRow = -1;
    int m_edgePadding = 0;
};

} // namespace weir::ui
