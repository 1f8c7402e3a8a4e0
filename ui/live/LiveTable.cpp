// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/LiveTable.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTableView>

namespace weir::ui {

LiveTable::LiveTable(QTableView& view, PermutedTableModel& model, FleetStore& store)
    : QObject(&view)
    , m_view(view)
    , m_model(model)
    , m_store(store)
{
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setMouseTracking(true);
    view.viewport()->setMouseTracking(true);
    view.installEventFilter(this);
    view.viewport()->installEventFilter(this);
    connect(&model, &PermutedTableModel::aboutToApply, this, &LiveTable::rememberAnchor);
    connect(&model, &PermutedTableModel::applied, this, &LiveTable::restoreAnchor);
    connect(&model, &PermutedTableModel::idsGone, this, &LiveTable::dropGone);
    connect(&model, &PermutedTableModel::wouldMoveChanged, this, &LiveTable::holdTextChanged);
    connect(&store, &FleetStore::tick, this, &LiveTable::onTick);
    connect(view.selectionModel(), &QItemSelectionModel::selectionChanged, this, &LiveTable::selectionChanged);
    connect(view.selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) { emit currentChanged(m_model.idAt(current.row())); });
    connect(&view, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { emit activated(m_model.idAt(index.row())); });
}

QStringList LiveTable::selectedIds() const
{
    QStringList ids;
    const QModelIndexList rows = m_view.selectionModel()->selectedRows();
    for (const QModelIndex& index : rows) {
        ids.append(m_model.idAt(index.row()));
    }
    return ids;
}

QString LiveTable::currentId() const
{
    return m_model.idAt(m_view.currentIndex().row());
}

void LiveTable::select(const QStringList& ids)
{
    QItemSelection selection;
    QModelIndex first;
    for (const QString& id : ids) {
        const int row = m_model.rowOf(id);
        if (row >= 0) {
            selection.select(m_model.index(row, 0), m_model.index(row, m_model.columnCount() - 1));
            first = first.isValid() ? first : m_model.index(row, 0);
        }
    }
    if (first.isValid()) {
        m_view.selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        m_view.scrollTo(first);
    }
    m_view.selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

bool LiveTable::toProblem(bool forward)
{
    const int rows = m_model.rowCount();
    const int start = m_view.currentIndex().isValid() ? m_view.currentIndex().row() : (forward ? -1 : rows);
    for (int step = 1; step <= rows; ++step) {
        const int row = ((forward ? start + step : start - step) % rows + rows) % rows;
        if (m_model.isProblem(row)) {
            select({m_model.idAt(row)});
            return true;
        }
    }
    return false;
}

void LiveTable::setForcedHold(bool hold)
{
    m_forced = hold;
    updateHold();
}

QString LiveTable::holdText() const
{
    return m_model.isHeld() ? tr("order held – %n row(s) would move (press .)", nullptr, m_model.wouldMove()) : QString();
}

void LiveTable::applyOrder()
{
    m_model.applyOrderNow();
    emit holdTextChanged();
}

bool LiveTable::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
        if (watched == m_view.viewport()) {
            m_pointerOverRows = m_view.rowAt(static_cast<QMouseEvent*>(event)->position().toPoint().y()) >= 0;
            updateHold();
        }
        break;
    case QEvent::Leave:
        if (watched == m_view.viewport()) {
            m_pointerOverRows = false;
            updateHold();
        }
        break;
    case QEvent::KeyPress: {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Period && key->modifiers() == Qt::NoModifier) {
            applyOrder();
            return true;
        }
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && key->modifiers() == Qt::NoModifier && m_view.currentIndex().isValid()) {
            emit activated(currentId());
            return true;
        }
        m_sinceKey.start();
        updateHold();
        break;
    }
    default: break;
    }
    return QObject::eventFilter(watched, event);
}

void LiveTable::updateHold()
{
    const bool keyed = m_sinceKey.isValid() && m_sinceKey.elapsed() < kKeyHoldMs;
    const bool covered = QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr;
    m_model.setHeld(m_view.isVisible() && (m_pointerOverRows || keyed || m_forced || covered));
    const QString text = holdText();
    if (text != m_shownHoldText) {
        m_shownHoldText = text;
        emit holdTextChanged();
    }
}

void LiveTable::onTick()
{
    if (!m_view.isVisible()) {
        return;
    }
    updateHold();
    const int first = m_view.rowAt(0);
    const int last = m_view.rowAt(m_view.viewport()->height() - 1);
    m_model.tickRows(first, last < 0 ? m_model.rowCount() - 1 : last);
}

void LiveTable::rememberAnchor()
{
    m_anchors.clear();
    m_atTop = m_view.verticalScrollBar()->value() == 0;
    const int first = m_view.rowAt(0);
    if (first < 0 || m_atTop) {
        return;
    }
    const int last = m_view.rowAt(m_view.viewport()->height() - 1);
    for (int row = first; row <= (last < 0 ? m_model.rowCount() - 1 : last); ++row) {
        m_anchors.append({m_model.idAt(row), m_view.rowViewportPosition(row)});
    }
}

void LiveTable::restoreAnchor(const QSet<QString>& touched)
{
    // A row that changed may have moved far away; staying with it would carry the reader off. The first row that did not is kept.
    for (const Anchor& anchor : std::as_const(m_anchors)) {
        const int row = m_model.rowOf(anchor.id);
        if (row < 0 || touched.contains(anchor.id)) {
            continue;
        }
        QScrollBar* bar = m_view.verticalScrollBar();
        const int wanted = bar->value() + m_view.rowViewportPosition(row) - anchor.y;
        if (wanted > bar->maximum()) {
            m_view.doItemsLayout(); // the range follows the number of rows only later
        }
        bar->setValue(wanted);
        break;
    }
    m_anchors.clear();
}

void LiveTable::dropGone(const QStringList& ids)
{
    const QStringList selected = selectedIds();
    QItemSelection gone;
    int count = 0;
    for (const QString& id : ids) {
        const int row = m_model.rowOf(id);
        if (row >= 0 && m_view.selectionModel()->isRowSelected(row)) {
            gone.select(m_model.index(row, 0), m_model.index(row, m_model.columnCount() - 1));
            ++count;
        }
    }
    // A current row that goes would hand its place to a neighbour, and Enter would open that one.
    if (ids.contains(currentId())) {
        m_view.selectionModel()->setCurrentIndex({}, QItemSelectionModel::NoUpdate);
    }
    if (count > 0) {
        m_view.selectionModel()->select(gone, QItemSelectionModel::Deselect);
        emit selectionLost(count, static_cast<int>(selected.size()));
    }
}

} // namespace weir::ui
