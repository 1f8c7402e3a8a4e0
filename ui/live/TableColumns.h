// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QMenu;
class QSettings;
class QTableView;

namespace weir::ui {

/// The columns of one table: what is shown, how wide, in which order, sorted by what. Chosen in the header's menu, kept by name, so that
/// settings written by another version lose nothing.
class TableColumns : public QObject {
    Q_OBJECT

public:
    struct Column {
        QString key;     ///< stable name in the settings
        int width = 80;
        bool shown = true;
    };

    /// `columns`: one entry for each column of the view's model, in its order.
    TableColumns(QTableView& view, const QList<Column>& columns, int sortColumn, Qt::SortOrder sortOrder);

    /// Widths, order, visibility and sort as delivered.
    void reset();
    void save(QSettings& settings) const;
    /// Unknown or missing entries keep their default.
    void restore(QSettings& settings);

signals:
    void edited();

private:
    void showMenu(const QPoint& position);

    QTableView& m_view;
    QList<Column> m_columns;
    int m_sortColumn;
    Qt::SortOrder m_sortOrder;
};

} // namespace weir::ui
