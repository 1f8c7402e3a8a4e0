// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/PoolPickDialog.h"

#include "ui/live/NodeFilter.h"
#include "ui/live/PageParts.h"
#include "ui/moves/MoveDialog.h"
#include "ui/widgets/GroupedHeader.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableRoles.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TextLabel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kWidth = 660;
constexpr int kHeight = 420;
constexpr int kPoolColumn = 150;

} // namespace

PoolChoiceModel::PoolChoiceModel(MoveFlow& flow, const QStringList& nodes, QObject* parent)
    : QAbstractTableModel(parent)
    , m_flow(flow)
    , m_nodes(nodes)
{
    setText({});
}

int PoolChoiceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_pools.size());
}

int PoolChoiceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void PoolChoiceModel::setText(const QString& text)
{
    m_text = NodeFilter::folded(text.trimmed());
    QStringList pools;
    const QHash<QString, PoolRow>& all = m_flow.store().pools();
    for (const PoolRow& row : all) {
        const bool pinned = row.isDefault() || row.isUnassigned();
        if (!pinned && NodeFilter::folded(row.name + QLatin1Char('\n') + row.owner).contains(m_text)) {
            pools.append(row.id);
        }
    }
    pools = MoveText::sorted(pools);
    for (const QString& pinned : {QStringLiteral("default"), QStringLiteral("unassigned")}) {
        if (all.contains(pinned) && pinned.contains(m_text)) {
            pools.insert(pinned == QLatin1String("default") ? 0 : pools.size(), pinned);
        }
    }
    beginResetModel();
    m_pools = pools;
    endResetModel();
}

void PoolChoiceModel::setNodes(const QStringList& nodes)
{
    m_nodes = nodes;
    m_asked.clear();
}

bool PoolChoiceModel::canChoose(int row) const
{
    return row >= 0 && row < rowCount() && m_flow.refusal(m_nodes, poolAt(row)).isEmpty() && m_lines.value(poolAt(row)).kind != ImpactLine::Kind::Refused;
}

int PoolChoiceModel::bestRow() const
{
    if (m_text.isEmpty()) {
        return -1; // nothing was typed: Enter must not pick the first pool by itself
    }
    int best = -1;
    int rank = 3;
    for (int row = 0; row < rowCount(); ++row) {
        const QString name = NodeFilter::folded(poolAt(row));
        const int mine = name == m_text ? 0 : name.startsWith(m_text) ? 1 : 2;
        if (mine < rank) {
            best = row;
            rank = mine;
        }
    }
    return best;
}

void PoolChoiceModel::ask(int first, int last)
{
    for (int row = qMax(0, first); row <= qMin(last, rowCount() - 1); ++row) {
        const QString pool = poolAt(row);
        if (m_asked.contains(pool)) {
            continue;
        }
        m_asked.insert(pool);
        m_flow.preview(m_nodes, pool, this, [this, pool](const ImpactLine& line) {
            const qsizetype at = m_pools.indexOf(pool);
            if (m_lines.value(pool) == line && m_lines.contains(pool)) {
                return;
            }
            m_lines.insert(pool, line);
            if (at >= 0) {
                emit dataChanged(index(static_cast<int>(at), 0), index(static_cast<int>(at), ColumnCount - 1));
            }
        });
    }
}

QVariant PoolChoiceModel::data(const QModelIndex& index, int role) const
{
    const QString pool = poolAt(index.row());
    const PoolRow* row = m_flow.store().pool(pool);
    const ImpactLine line = m_lines.value(pool);
    const bool refused = line.kind == ImpactLine::Kind::Refused;
    switch (role) {
    case Qt::DisplayRole: return index.column() == Pool ? pool : line.text;
    case Qt::AccessibleTextRole: return index.column() == Pool ? QStringLiteral("%1, %2").arg(pool, line.text) : line.text;
    case Qt::TextAlignmentRole: return int(Qt::AlignLeft | Qt::AlignVCenter);
    case SecondaryRole:
        return index.column() != Pool || row == nullptr ? QString() : row->isDefault() ? tr("shared") : row->owner.isEmpty() ? QString() : tr("user %1").arg(row->owner);
    case IconRole:
        return index.column() != Impact || line.text.isEmpty() ? QVariant()
            : static_cast<int>(refused ? IconName::MarkRefused : line.kind == ImpactLine::Kind::Warning ? IconName::MarkFailing : IconName::MarkOnline);
    case IconToneRole: return static_cast<int>(refused ? Tone::Offline : line.kind == ImpactLine::Kind::Warning ? Tone::Failing : Tone::Online);
    case TextLevelRole: return refused ? 3 : index.column() == Pool ? 1 : 2;
    case SentenceRole: return index.column() == Impact;
    case PinLineRole: return pool == QLatin1String("default") || poolAt(index.row() + 1) == QLatin1String("unassigned");
    case IdRole: return pool;
    default: return {};
    }
}

QVariant PoolChoiceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::TextAlignmentRole)) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    return section == Pool ? tr("Pool") : tr("What the move would do");
}

PoolPickDialog::PoolPickDialog(MoveFlow& flow, const QStringList& nodes, QWidget* parent)
    : QDialog(parent)
    , m_flow(flow)
    , m_nodes(nodes)
    , m_model(new PoolChoiceModel(flow, nodes, this))
    , m_search(new SearchField(flow.theme(), this))
    , m_view(new TableView(flow.theme(), this))
    , m_hint(new TextLine(flow.theme(), 2, this))
    , m_cancel(new QuietButton(tr("Cancel"), this))
    , m_confirm(new QPushButton(this))
{
    setObjectName(QStringLiteral("movepick.dialog"));
    setWindowTitle(tr("Weir – Move to pool"));
    setModal(true);
    resize(kWidth, kHeight);
    buildLayout();
    connectAll();
    m_search->setFocus();
    updateConfirm();
    QMetaObject::invokeMethod(this, &PoolPickDialog::askVisible, Qt::QueuedConnection); // rows have places then
}

void PoolPickDialog::buildLayout()
{
    auto* title = new TextLabel(m_flow.theme(), TextSize::Sub, 1, false, this);
    title->setText(MoveText::badge(MoveText::sorted(m_nodes)));
    title->setElided(true);
    m_search->setObjectName(QStringLiteral("movepick.text"));
    m_search->setPlaceholderText(tr("Type a pool's name"));
    m_search->setAccessibleName(tr("Pool"));
    m_search->installEventFilter(this);
    m_view->setObjectName(QStringLiteral("movepick.pools"));
    m_view->setAccessibleName(tr("Pools"));
    m_view->setModel(m_model);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setColumnWidth(PoolChoiceModel::Pool, kPoolColumn);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->installEventFilter(this);
    m_cancel->setObjectName(QStringLiteral("movepick.cancel"));
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->setDefault(true);
    m_confirm->setObjectName(QStringLiteral("movepick.confirm"));
    m_confirm->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_hint, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_confirm);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(metrics::kGap);
    layout->addWidget(title);
    layout->addWidget(m_search);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
}

void PoolPickDialog::connectAll()
{
    connect(m_search, &QLineEdit::textChanged, this, &PoolPickDialog::typed);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &PoolPickDialog::updateConfirm);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &PoolPickDialog::updateConfirm);
    connect(m_view, &QTableView::doubleClicked, this, [this] {
        if (m_confirm->isEnabled()) {
            accept();
        }
    });
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &PoolPickDialog::askVisible);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
    connect(&m_flow.store(), &FleetStore::stateChanged, this, &PoolPickDialog::updateConfirm);
    connect(&m_flow.store(), &FleetStore::flushed, this, &PoolPickDialog::dropGone);
}

QString PoolPickDialog::pool() const
{
    return m_model->poolAt(m_view->currentIndex().row());
}

void PoolPickDialog::typed()
{
    m_model->setText(m_search->text());
    const int best = m_model->bestRow();
    if (best >= 0) {
        m_view->setCurrentIndex(m_model->index(best, 0));
    }
    askVisible();
    updateConfirm();
}

void PoolPickDialog::askVisible()
{
    const int last = m_view->rowAt(m_view->viewport()->height() - 1);
    m_model->ask(m_view->rowAt(0), last < 0 ? m_model->rowCount() - 1 : last);
}

void PoolPickDialog::dropGone(const FleetDelta& delta)
{
    const qsizetype before = m_nodes.size();
    m_nodes.removeIf([&delta](const QString& id) { return delta.removedNodes.contains(id); });
    if (m_nodes.size() != before) {
        m_model->setNodes(m_nodes);
    }
    m_model->changed();
    askVisible();
    updateConfirm();
}

void PoolPickDialog::updateConfirm()
{
    const int row = m_view->currentIndex().row();
    QString why;
    if (m_nodes.isEmpty()) {
        why = tr("The selected nodes are gone.");
    } else if (row < 0) {
        why = m_model->rowCount() == 0 ? tr("No pool is called so.") : tr("Choose a pool.");
    } else if (!m_model->canChoose(row)) {
        why = m_model->index(row, PoolChoiceModel::Impact).data().toString();
    }
    const int count = static_cast<int>(m_nodes.size());
    m_confirm->setText(row < 0 ? tr("Move %n node(s)", nullptr, count) : tr("Move %n node(s) to %1", nullptr, count).arg(pool()));
    m_confirm->setAccessibleName(m_confirm->text());
    m_confirm->setEnabled(row >= 0 && why.isEmpty() && !m_nodes.isEmpty() && m_model->canChoose(row));
    m_confirm->setToolTip(why);
    m_hint->setText(why);
}

bool PoolPickDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress) {
        return QDialog::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        if (m_confirm->isEnabled()) {
            accept();
        }
        return true;
    }
    if (key == Qt::Key_Escape) {
        reject();
        return true;
    }
    if (watched == m_search && (key == Qt::Key_Down || key == Qt::Key_Up)) {
        const int at = m_view->currentIndex().row();
        const int next = qBound(0, at < 0 ? 0 : at + (key == Qt::Key_Down ? 1 : -1), m_model->rowCount() - 1);
        m_view->setCurrentIndex(m_model->index(next, 0));
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace weir::ui
