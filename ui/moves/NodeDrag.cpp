// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/NodeDrag.h"

#include "ui/live/PermutedTableModel.h"
#include "ui/moves/DragBadge.h"
#include "ui/moves/DropBar.h"
#include "ui/widgets/TableView.h"

#include <QApplication>
#include <QCursor>
#include <QDrag>
#include <QDropEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QUuid>

namespace weir::ui {

namespace {

constexpr int kTimerMs = 30;
constexpr int kScrollStep = 10;
constexpr int kMimeVersion = 1;
const QString kMime = QStringLiteral("application/x-weir-nodes+json");
const QString kDefault = QStringLiteral("default");
const QString kUnassigned = QStringLiteral("unassigned");

} // namespace

NodeDrag::NodeDrag(MoveFlow& flow, TableView& nodes, PermutedTableModel& nodeModel, TableView& pools, PermutedTableModel& poolModel)
    : QObject(&pools)
    , m_flow(flow)
    , m_nodes(nodes)
    , m_nodeModel(nodeModel)
    , m_pools(pools)
    , m_poolModel(poolModel)
    , m_badge(new DragBadge(flow.theme()))
    , m_top(new DropBar(flow.theme(), pools.viewport()))
    , m_bottom(new DropBar(flow.theme(), pools.viewport()))
    , m_mark(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
    m_top->setObjectName(QStringLiteral("drop.default"));
    m_bottom->setObjectName(QStringLiteral("drop.unassigned"));
    for (TableView* view : {&nodes, &pools}) {
        view->viewport()->setAcceptDrops(true);
        view->viewport()->installEventFilter(this);
    }
    m_timer.setInterval(kTimerMs);
    connect(&m_timer, &QTimer::timeout, this, &NodeDrag::onTimer);
    connect(&flow.store(), &FleetStore::flushed, this, [this] { askImpact(); });
    connect(&flow.store(), &FleetStore::stateChanged, this, [this] { askImpact(); });
}

NodeDrag::~NodeDrag()
{
    delete m_badge;
}

bool NodeDrag::isOurs(const QMimeData* data) const
{
    return data != nullptr && QJsonDocument::fromJson(data->data(kMime)).object().value(QLatin1String("window")).toString() == m_mark;
}

QMimeData* NodeDrag::mimeFor(const QStringList& nodes) const
{
    auto* data = new QMimeData;
    const QJsonObject object{{QStringLiteral("version"), kMimeVersion}, {QStringLiteral("window"), m_mark},
        {QStringLiteral("nodes"), QJsonArray::fromStringList(nodes)}};
    data->setData(kMime, QJsonDocument(object).toJson(QJsonDocument::Compact));
    return data;
}

QStringList NodeDrag::nodesIn(const QMimeData* data) const
{
    QStringList nodes;
    const QJsonArray ids = QJsonDocument::fromJson(data->data(kMime)).object().value(QLatin1String("nodes")).toArray();
    for (const QJsonValue& id : ids) {
        nodes.append(id.toString());
    }
    return nodes;
}

bool NodeDrag::eventFilter(QObject* watched, QEvent* event)
{
    if (m_dragging && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease)) {
        return cancelOnRightButton(event);
    }
    if (watched == m_nodes.viewport()) {
        return overNodes(event);
    }
    return watched == m_pools.viewport() && overPools(event);
}

// On xcb any released button drops; a right click is meant as "no".
bool NodeDrag::cancelOnRightButton(QEvent* event)
{
    if (static_cast<QMouseEvent*>(event)->button() != Qt::RightButton) {
        return false;
    }
    QDrag::cancel();
    return true;
}

bool NodeDrag::overNodes(QEvent* event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress: return nodePress(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove: return nodeMove(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick: m_armed = false; return false;
    case QEvent::DragEnter:
    case QEvent::DragMove: {
        auto* drag = static_cast<QDropEvent*>(event);
        if (isOurs(drag->mimeData())) {
            m_carried = nodesIn(drag->mimeData());
            setTarget({}, tr("Drop nodes on a pool, not on a node."));
        }
        drag->ignore();
        // Entered all the same, so that moves and the refusal go on being told.
        if (event->type() == QEvent::DragEnter) {
            drag->accept();
        }
        return true;
    }
    case QEvent::DragLeave: leave(); return true;
    case QEvent::Drop:
        leave();
        static_cast<QDropEvent*>(event)->ignore();
        return true;
    default: return false;
    }
}

bool NodeDrag::nodePress(const QMouseEvent& event)
{
    m_armed = false;
    const QModelIndex index = m_nodes.indexAt(event.position().toPoint());
    if (event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier && index.isValid() && m_nodes.selectionModel()->isRowSelected(index.row())) {
        m_armed = true;
        m_pressedAt = event.position().toPoint();
        m_sincePress.start();
    }
    return false;
}

bool NodeDrag::nodeMove(const QMouseEvent& event)
{
    if (!m_armed || !(event.buttons() & Qt::LeftButton)) {
        return false;
    }
    const int distance = (event.position().toPoint() - m_pressedAt).manhattanLength();
    if (distance >= qMax(QApplication::startDragDistance(), kLeastDistance) && m_sincePress.elapsed() >= kLeastMs) {
        m_armed = false;
        const QString blocked = m_flow.blockedReason();
        if (blocked.isEmpty()) {
            startDrag();
        } else {
            emit notice(blocked);
            QToolTip::showText(event.globalPosition().toPoint(), blocked, &m_nodes);
        }
    }
    return true; // an armed press must not select the rows it is dragged across
}

void NodeDrag::startDrag()
{
    QStringList nodes;
    const QModelIndexList rows = m_nodes.selectionModel()->selectedRows();
    for (const QModelIndex& index : rows) {
        if (!m_nodeModel.isGone(index.row())) {
            nodes.append(m_nodeModel.idAt(index.row()));
        }
    }
    nodes = MoveText::sorted(nodes);
    if (nodes.isEmpty()) {
        return;
    }
    m_dragging = true;
    m_carried = nodes;
    m_held.reset();
    emit dragActive(true);
    placeBars();
    setTarget({}, {});
    m_timer.start();
    auto* drag = new QDrag(&m_nodes);
    drag->setMimeData(mimeFor(nodes));
    // The drag's own filter is put up when it begins; only one put up after it sees the right button first.
    QTimer::singleShot(0, this, [this] {
        if (m_dragging) {
            qApp->installEventFilter(this);
        }
    });
    drag->exec(Qt::MoveAction); // what it returns means nothing: the plane moves nodes, not the view
    endDrag();
}

void NodeDrag::endDrag()
{
    qApp->removeEventFilter(this);
    m_dragging = false;
    m_timer.stop();
    leave();
    m_badge->hide();
    m_carried.clear();
    emit dragActive(false);
    if (const auto held = std::exchange(m_held, std::nullopt)) {
        request(held->first, held->second);
    }
}

// Asked for when the drop's event is over: a dialog must not open inside it.
void NodeDrag::request(const QStringList& nodes, const QString& pool)
{
    QMetaObject::invokeMethod(this, [this, nodes, pool] { m_flow.move(nodes, pool, MoveSource::Drag); }, Qt::QueuedConnection);
}

bool NodeDrag::overPools(QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove: {
        auto* drag = static_cast<QDropEvent*>(event);
        if (isOurs(drag->mimeData())) {
            m_carried = nodesIn(drag->mimeData());
            moveOver(drag->position().toPoint());
        } else {
            setTarget({}, tr("Only nodes can be dropped here."));
        }
        const bool possible = !m_target.isEmpty() && m_line.kind != ImpactLine::Kind::Refused;
        drag->setDropAction(Qt::MoveAction);
        drag->setAccepted(possible || event->type() == QEvent::DragEnter); // a refused enter would be told of no move
        return true;
    }
    case QEvent::DragLeave: leave(); return true;
    case QEvent::Drop: drop(*static_cast<QDropEvent*>(event)); return true;
    default: return false;
    }
}

void NodeDrag::drop(QDropEvent& event)
{
    const QString pool = isOurs(event.mimeData()) ? poolAt(event.position().toPoint()) : QString();
    const QStringList nodes = pool.isEmpty() ? QStringList() : nodesIn(event.mimeData());
    leave();
    event.setDropAction(Qt::MoveAction);
    event.setAccepted(!nodes.isEmpty());
    if (nodes.isEmpty()) {
        return;
    }
    if (m_dragging) {
        m_held = std::make_pair(nodes, pool);
    } else {
        request(nodes, pool);
    }
}

QString NodeDrag::poolAt(const QPoint& position) const
{
    if (!m_top->isHidden() && m_top->geometry().contains(position)) {
        return kDefault;
    }
    if (!m_bottom->isHidden() && m_bottom->geometry().contains(position)) {
        return kUnassigned;
    }
    const QModelIndex index = m_pools.indexAt(position);
    return index.isValid() && !m_poolModel.isGone(index.row()) ? m_poolModel.idAt(index.row()) : QString();
}

void NodeDrag::moveOver(const QPoint& position)
{
    m_position = position;
    m_overPools = true;
    placeBars();
    const QString pool = poolAt(position);
    setTarget(pool, pool.isEmpty() ? QString() : m_flow.refusal(m_carried, pool));
}

void NodeDrag::leave()
{
    m_overPools = false;
    setTarget({}, {});
    if (!m_dragging) {
        m_top->hide();
        m_bottom->hide();
    }
}

void NodeDrag::setTarget(const QString& pool, const QString& refusal)
{
    const bool same = pool == m_target;
    m_target = pool;
    if (!refusal.isEmpty()) {
        ++m_question;
        showBadge({ImpactLine::Kind::Refused, refusal});
    } else if (!same || pool.isEmpty()) {
        ++m_question;
        showBadge({});
        askImpact();
    }
    frameTarget();
}

void NodeDrag::frameTarget()
{
    const bool possible = !m_target.isEmpty() && m_line.kind != ImpactLine::Kind::Refused;
    const bool onTop = possible && !m_top->isHidden() && m_target == kDefault;
    const bool onBottom = possible && !m_bottom->isHidden() && m_target == kUnassigned;
    m_top->setTarget(onTop);
    m_bottom->setTarget(onBottom);
    m_pools.setTargetRow(possible && !onTop && !onBottom ? m_poolModel.rowOf(m_target) : -1);
}

void NodeDrag::askImpact()
{
    if (m_target.isEmpty() || m_carried.isEmpty()) {
        return;
    }
    const int question = ++m_question;
    m_flow.preview(m_carried, m_target, this, [this, question](const ImpactLine& line) {
        if (question == m_question) {
            showBadge(line);
            frameTarget();
        }
    });
}

void NodeDrag::showBadge(const ImpactLine& line)
{
    if (line.kind == ImpactLine::Kind::Refused && line.text != m_line.text) {
        emit refused(line.text);
    }
    m_line = line;
    m_badge->setContent(MoveText::badge(m_carried), m_target, line);
    if (m_dragging) {
        m_badge->follow(QCursor::pos());
    }
}

void NodeDrag::placeBars()
{
    const QRect viewport = m_pools.viewport()->rect();
    const auto shown = [&](const QString& pool) {
        const int row = m_poolModel.rowOf(pool);
        const int top = row < 0 ? 0 : m_pools.rowViewportPosition(row);
        return row < 0 || (top >= 0 && top + m_pools.rowHeight(row) <= viewport.height());
    };
    m_top->setText(kDefault);
    m_bottom->setText(tr("unassigned – out of scheduling"));
    m_top->setGeometry(0, 0, viewport.width(), DropBar::kHeight);
    m_bottom->setGeometry(0, viewport.height() - DropBar::kHeight, viewport.width(), DropBar::kHeight);
    m_top->setVisible(!shown(kDefault));
    m_bottom->setVisible(!shown(kUnassigned));
    m_top->raise();
    m_bottom->raise();
}

void NodeDrag::scrollAtEdge(const QPoint& position)
{
    const int height = m_pools.viewport()->height();
    const int top = m_top->isHidden() ? 0 : DropBar::kHeight;
    const int bottom = height - (m_bottom->isHidden() ? 0 : DropBar::kHeight);
    const bool up = position.y() >= top && position.y() < top + kScrollZone;
    const bool down = position.y() < bottom && position.y() >= bottom - kScrollZone;
    if (!up && !down) {
        return; // on a bar the pointer rests on its target
    }
    QScrollBar* bar = m_pools.verticalScrollBar();
    const int before = bar->value();
    bar->setValue(before + (up ? -kScrollStep : kScrollStep));
    if (bar->value() != before) {
        moveOver(position);
    }
}

void NodeDrag::onTimer()
{
    m_badge->follow(QCursor::pos());
    if (m_overPools) {
        scrollAtEdge(m_position);
    }
}

} // namespace weir::ui
