// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/TableView.h"

#include "ui/widgets/EmptyState.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/TableDelegate.h"
#include "ui/widgets/Theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace weir::ui {

TableView::TableView(const Theme& theme, QWidget* parent)
    : QTableView(parent)
    , m_theme(theme)
    , m_header(new GroupedHeader(theme, this))
    , m_delegate(new TableDelegate(theme, this))
    , m_empty(new EmptyState(theme, viewport()))
{
    setHorizontalHeader(m_header);
    setItemDelegate(m_delegate);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(false);
    setWordWrap(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    m_empty->hide();
    m_markTimer.setSingleShot(true);
    connect(&m_markTimer, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
    connect(m_delegate, &TableDelegate::markExpiresIn, this, [this](qint64 ms) {
        if (!m_markTimer.isActive()) {
            m_markTimer.start(static_cast<int>(ms) + 1);
        }
    });
    connect(&theme, &Theme::densityChanged, this, &TableView::applyRowHeight);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    applyRowHeight();
}

void TableView::setFixedRowHeight(int height)
{
    m_fixedRowHeight = height;
    applyRowHeight();
}

void TableView::applyRowHeight()
{
    const int height = m_fixedRowHeight > 0 ? metrics::fitted(m_fixedRowHeight, fontMetrics().height(), 6)
                                            : metrics::rowHeight(m_theme.density(), fontMetrics().height());
    verticalHeader()->setMinimumSectionSize(height);
    verticalHeader()->setDefaultSectionSize(height);
}

void TableView::setTargetRow(int row)
{
    const int before = m_delegate->targetRow();
    if (before != row) {
        m_delegate->setTargetRow(row);
        updateRow(before);
        updateRow(row);
    }
}

int TableView::targetRow() const
{
    return m_delegate->targetRow();
}

void TableView::setEdgePadding(int pixels)
{
    m_delegate->setEdgePadding(pixels);
    m_header->setEdgePadding(pixels);
    viewport()->update();
}

void TableView::setModel(QAbstractItemModel* model)
{
    if (this->model() != nullptr) {
        disconnect(this->model(), nullptr, m_empty, nullptr);
    }
    QTableView::setModel(model);
    if (model != nullptr) {
        connect(model, &QAbstractItemModel::rowsInserted, m_empty, [this] { updateEmptyState(); });
        connect(model, &QAbstractItemModel::rowsRemoved, m_empty, [this] { updateEmptyState(); });
        connect(model, &QAbstractItemModel::modelReset, m_empty, [this] { updateEmptyState(); });
    }
    updateEmptyState();
}

void TableView::updateEmptyState()
{
    m_empty->setVisible(model() == nullptr || model()->rowCount() == 0);
    m_empty->setGeometry(viewport()->rect());
}

void TableView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    paintBesideColumns(painter);
    const auto frame = [&](int row) {
        const QRect ring(0, rowViewportPosition(row), viewport()->width(), rowHeight(row));
        painter.setPen(QPen(m_theme.tokens().accent, metrics::kFocusRing));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(ring.adjusted(1, 1, -1, -1));
    };
    if (m_delegate->targetRow() >= 0) {
        frame(m_delegate->targetRow());
    }
    if (hasFocus() && m_keyboardFocus && currentIndex().isValid()) {
        frame(currentIndex().row());
    }
}

void TableView::paintBesideColumns(QPainter& painter) const
{
    const int left = m_header->length() - m_header->offset();
    if (model() == nullptr || left >= viewport()->width()) {
        return;
    }
    const Tokens& t = m_theme.tokens();
    for (int row = qMax(0, rowAt(0)); row < model()->rowCount(); ++row) {
        const QRect rest(left, rowViewportPosition(row), viewport()->width() - left, rowHeight(row));
        if (rest.top() >= viewport()->height()) {
            break;
        }
        const bool selected = selectionModel()->isRowSelected(row);
        const bool hovered = row == m_delegate->hoverRow();
        painter.fillRect(rest, row == m_delegate->targetRow() ? t.target : (selected ? t.selection : (hovered ? t.hover : t.base)));
        const bool pinned = model()->index(row, 0).data(PinLineRole).toBool();
        painter.fillRect(QRect(rest.left(), rest.bottom(), rest.width(), 1), pinned ? t.line2 : t.line);
    }
}

void TableView::updateRow(int row)
{
    if (row >= 0) {
        viewport()->update(0, rowViewportPosition(row), viewport()->width(), rowHeight(row));
    }
}

void TableView::setHoverRow(int row)
{
    const int before = m_delegate->hoverRow();
    if (before != row) {
        m_delegate->setHoverRow(row);
        updateRow(before);
        updateRow(row);
    }
}

QModelIndex TableView::linkAt(const QPoint& position) const
{
    const QModelIndex index = indexAt(position);
    if (!index.isValid()) {
        return {};
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    return m_delegate->linkRect(option, index).contains(position) ? index : QModelIndex();
}

void TableView::mouseMoveEvent(QMouseEvent* event)
{
    setHoverRow(rowAt(event->position().toPoint().y()));
    const bool overLink = event->buttons() == Qt::NoButton && linkAt(event->position().toPoint()).isValid();
    viewport()->setCursor(overLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QTableView::mouseMoveEvent(event);
}

void TableView::mousePressEvent(QMouseEvent* event)
{
    m_keyboardFocus = false;
    m_pressedLink = event->button() == Qt::LeftButton ? linkAt(event->position().toPoint()) : QModelIndex();
    QTableView::mousePressEvent(event);
}

void TableView::mouseReleaseEvent(QMouseEvent* event)
{
    QTableView::mouseReleaseEvent(event);
    const QPersistentModelIndex pressed = std::exchange(m_pressedLink, QPersistentModelIndex());
    if (pressed.isValid() && event->button() == Qt::LeftButton && linkAt(event->position().toPoint()) == pressed) {
        emit linkActivated(pressed);
    }
}

void TableView::leaveEvent(QEvent* event)
{
    setHoverRow(-1);
    QTableView::leaveEvent(event);
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    m_keyboardFocus = true;
    updateRow(currentIndex().row());
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        for (int column = 0; column < model()->columnCount(); ++column) {
            const QModelIndex index = currentIndex().siblingAtColumn(column);
            if (index.data(LinkRole).toBool()) {
                emit linkActivated(index);
                break;
            }
        }
    }
    QTableView::keyPressEvent(event);
}

void TableView::focusInEvent(QFocusEvent* event)
{
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) {
        m_keyboardFocus = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::OtherFocusReason;
    }
    QTableView::focusInEvent(event);
    updateRow(currentIndex().row());
}

void TableView::focusOutEvent(QFocusEvent* event)
{
    QTableView::focusOutEvent(event);
    updateRow(currentIndex().row());
}

void TableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    m_empty->setGeometry(viewport()->rect());
}

void TableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        applyRowHeight();
    }
}

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    updateRow(previous.row());
    updateRow(current.row());
}

} // namespace weir::ui
