// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QTimer>

namespace weir::ui {

class EmptyState;
class GroupedHeader;
class TableDelegate;
class Theme;

/// A table as the console shows them all: rows of one height, no grid, a focus ring around the current row, links in cells.
class TableView : public QTableView {
    Q_OBJECT

public:
    explicit TableView(const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] GroupedHeader* groupedHeader() const { return m_header; }
    [[nodiscard]] TableDelegate* tableDelegate() const { return m_delegate; }
    /// The overlay of an empty table; set its sentence, it shows itself while the model has no rows.
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }

    /// Rows of another height than the density's (event lists and logs: 24); 0 follows the density.
    void setFixedRowHeight(int height);
    /// Row a drag would drop on; -1: none.
    void setTargetRow(int row);
    [[nodiscard]] int targetRow() const;
    /// Room before the first and after the last column, header included.
    void setEdgePadding(int pixels);
    void setModel(QAbstractItemModel* model) override;

signals:
    /// A link was clicked, or Enter was pressed on the row of one.
    void linkActivated(const QModelIndex& index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void applyRowHeight();
    void setHoverRow(int row);
    void updateRow(int row);
    [[nodiscard]] QModelIndex linkAt(const QPoint& position) const;
    void updateEmptyState();
    void paintBesideColumns(QPainter& painter) const;

    const Theme& m_theme;
    GroupedHeader* m_header;
    TableDelegate* m_delegate;
    EmptyState* m_empty;
    QTimer m_markTimer;
    QPersistentModelIndex m_pressedLink;
    int m_fixedRowHeight = 0;
    bool m_keyboardFocus = false;
};

} // namespace weir::ui
