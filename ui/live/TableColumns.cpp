// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/TableColumns.h"

#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <algorithm>

namespace weir::ui {

namespace {

constexpr int kLeastWidth = 24;
constexpr int kMostWidth = 2000;

} // namespace

TableColumns::TableColumns(QTableView& view, const QList<Column>& columns, int sortColumn, Qt::SortOrder sortOrder)
    : QObject(&view)
    , m_view(view)
    , m_columns(columns)
    , m_sortColumn(sortColumn)
    , m_sortOrder(sortOrder)
{
    QHeaderView* header = view.horizontalHeader();
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setHighlightSections(false);
    header->setMinimumSectionSize(kLeastWidth);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    reset();
    connect(header, &QHeaderView::customContextMenuRequested, this, &TableColumns::showMenu);
    connect(header, &QHeaderView::sectionResized, this, &TableColumns::edited);
    connect(header, &QHeaderView::sectionMoved, this, &TableColumns::edited);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &TableColumns::edited);
}

void TableColumns::reset()
{
    QHeaderView* header = m_view.horizontalHeader();
    for (int column = 0; column < m_columns.size(); ++column) {
        header->moveSection(header->visualIndex(column), column);
        header->setSectionHidden(column, !m_columns.at(column).shown);
        header->resizeSection(column, m_columns.at(column).width);
    }
    header->setSortIndicator(m_sortColumn, m_sortOrder);
    m_view.setSortingEnabled(true);
    m_view.sortByColumn(m_sortColumn, m_sortOrder);
    emit edited();
}

void TableColumns::showMenu(const QPoint& position)
{
    QHeaderView* header = m_view.horizontalHeader();
    QMenu menu(&m_view);
    menu.setObjectName(m_view.objectName() + QStringLiteral(".columns"));
    for (int column = 0; column < m_columns.size(); ++column) {
        QAction* action = menu.addAction(m_view.model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column != 0); // without its first column a row has no name
        connect(action, &QAction::toggled, this, [this, header, column](bool shown) {
            header->setSectionHidden(column, !shown);
            emit edited();
        });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Reset this table")), &QAction::triggered, this, &TableColumns::reset);
    menu.exec(header->mapToGlobal(position));
}

void TableColumns::save(QSettings& settings) const
{
    const QHeaderView* header = m_view.horizontalHeader();
    for (int column = 0; column < m_columns.size(); ++column) {
        settings.beginGroup(m_columns.at(column).key);
        settings.setValue(QStringLiteral("shown"), !header->isSectionHidden(column));
        settings.setValue(QStringLiteral("position"), header->visualIndex(column));
        // A hidden section has no width of its own.
        if (!header->isSectionHidden(column)) {
            settings.setValue(QStringLiteral("width"), header->sectionSize(column));
        }
        settings.endGroup();
    }
    const int sorted = header->sortIndicatorSection();
    if (sorted >= 0 && sorted < m_columns.size()) {
        settings.setValue(QStringLiteral("sort"), m_columns.at(sorted).key);
        settings.setValue(QStringLiteral("descending"), header->sortIndicatorOrder() == Qt::DescendingOrder);
    }
}

void TableColumns::restore(QSettings& settings)
{
    QHeaderView* header = m_view.horizontalHeader();
    std::vector<std::pair<int, int>> positions; // wanted position, column
    for (int column = 0; column < m_columns.size(); ++column) {
        settings.beginGroup(m_columns.at(column).key);
        bool valid = false;
        const int width = settings.value(QStringLiteral("width")).toInt(&valid);
        if (valid && width >= kLeastWidth && width <= kMostWidth) {
            header->resizeSection(column, width);
        }
        header->setSectionHidden(column, column != 0 && !settings.value(QStringLiteral("shown"), m_columns.at(column).shown).toBool());
        positions.emplace_back(settings.value(QStringLiteral("position"), column).toInt(), column);
        settings.endGroup();
    }
    std::stable_sort(positions.begin(), positions.end());
    for (std::size_t to = 0; to < positions.size(); ++to) {
        header->moveSection(header->visualIndex(positions[to].second), static_cast<int>(to));
    }
    const QString sorted = settings.value(QStringLiteral("sort")).toString();
    for (int column = 0; column < m_columns.size(); ++column) {
        if (m_columns.at(column).key == sorted) {
            m_view.sortByColumn(column, settings.value(QStringLiteral("descending")).toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
        }
    }
}

} // namespace weir::ui
