// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/moves/NodePickDialog.h"

#include "ui/live/LiveTable.h"
#include "ui/live/NodeTableModel.h"
#include "ui/live/PageParts.h"
#include "ui/live/TableColumns.h"
#include "ui/moves/MoveDialog.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/TextLabel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

constexpr int kWidth = 640;
constexpr int kHeight = 480;

QList<TableColumns::Column> columns()
{
    using Model = NodeTableModel;
    QList<TableColumns::Column> all(Model::ColumnCount);
    for (int i = 0; i < Model::ColumnCount; ++i) {
        all[i] = {QString::number(i), 90, false};
    }
    const auto show = [&all](int column, const char* key, int width) { all[column] = {QLatin1String(key), width, true}; };
    show(Model::Name, "node", 110);
    show(Model::Role, "role", 72);
    show(Model::Pool, "pool", 90);
    show(Model::Probe, "probe", 137);
    show(Model::FreeCap, "free_cap", 80);
    show(Model::Streams, "streams", 70);
    return all;
}

} // namespace

NodePickDialog::NodePickDialog(MoveFlow& flow, const QString& pool, QWidget* parent)
    : QDialog(parent)
    , m_flow(flow)
    , m_pool(pool)
    , m_model(new NodeTableModel(flow.store(), NodeTableModel::ProbeColumn::Merged, this))
    , m_view(new TableView(flow.theme(), this))
    , m_live(nullptr)
    , m_columns(nullptr)
    , m_search(new SearchField(flow.theme(), this))
    , m_error(new TextLine(flow.theme(), 2, this))
    , m_impact(new TextLine(flow.theme(), 1, this))
    , m_cancel(new QuietButton(tr("Cancel"), this))
    , m_confirm(new QPushButton(this))
{
    setObjectName(QStringLiteral("addnodes.dialog"));
    setWindowTitle(tr("Weir – Add nodes"));
    setModal(true);
    resize(kWidth, kHeight);
    m_view->setModel(m_model);
    m_columns = new TableColumns(*m_view, columns(), NodeTableModel::Name, Qt::AscendingOrder);
    m_live = new LiveTable(*m_view, *m_model, flow.store());
    buildLayout();
    connectAll();
    applyFilter();
    FleetDelta all;
    all.reset = true;
    const QStringList ids = flow.store().nodes().keys();
    all.nodes = {ids.begin(), ids.end()};
    m_model->apply(all);
    m_search->setFocus();
    askImpact();
}

void NodePickDialog::buildLayout()
{
    auto* title = new TextLabel(m_flow.theme(), TextSize::Sub, 1, false, this);
    title->setText(tr("Add nodes to %1").arg(MoveText::poolWithOwner(m_flow.store(), m_pool)));
    m_search->setObjectName(QStringLiteral("addnodes.filter"));
    m_search->setPlaceholderText(tr("Filter nodes of other pools"));
    m_search->setAccessibleName(tr("Filter nodes of other pools"));
    m_search->installEventFilter(this);
    m_view->setObjectName(QStringLiteral("addnodes.nodes"));
    m_view->setAccessibleName(tr("Nodes of other pools"));
    m_view->emptyState()->setText(tr("No node of another pool matches."));
    m_cancel->setObjectName(QStringLiteral("addnodes.cancel"));
    m_cancel->setAccessibleName(m_cancel->text());
    m_cancel->setDefault(true);
    m_confirm->setObjectName(QStringLiteral("addnodes.confirm"));
    m_confirm->setAutoDefault(false);
    m_impact->setObjectName(QStringLiteral("addnodes.impact"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_impact, 1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_confirm);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(metrics::kGap);
    layout->addWidget(title);
    layout->addWidget(m_search);
    layout->addWidget(m_error);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
}

void NodePickDialog::connectAll()
{
    connect(m_search, &QLineEdit::textChanged, this, &NodePickDialog::applyFilter);
    connect(m_live, &LiveTable::selectionChanged, this, &NodePickDialog::askImpact);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, &QDialog::accept);
    connect(&m_flow.store(), &FleetStore::stateChanged, this, &NodePickDialog::askImpact);
    connect(&m_flow.store(), &FleetStore::flushed, this, [this](const FleetDelta& delta) {
        m_model->apply(delta);
        askImpact();
    });
}

QStringList NodePickDialog::nodes() const
{
    return m_live->selectedIds();
}

void NodePickDialog::applyFilter()
{
    NodeFilter filter;
    m_error->setText(filter.setText(QStringLiteral("-pool:%1 %2").arg(m_pool, m_search->text())));
    m_error->setVisible(!m_error->text().isEmpty());
    m_model->setFilter(filter);
}

void NodePickDialog::askImpact()
{
    const QStringList chosen = nodes();
    const int question = ++m_question;
    if (chosen.isEmpty()) {
        m_line = {};
        updateConfirm();
        return;
    }
    m_flow.preview(chosen, m_pool, this, [this, question](const ImpactLine& line) {
        if (question == m_question) {
            m_line = line;
            updateConfirm();
        }
    });
    updateConfirm();
}

void NodePickDialog::updateConfirm()
{
    const int count = static_cast<int>(nodes().size());
    const QString blocked = m_flow.blockedReason();
    const bool refused = m_line.kind == ImpactLine::Kind::Refused;
    m_impact->setText(!blocked.isEmpty() ? blocked : count == 0 ? tr("Select the nodes to add.") : m_line.text);
    m_confirm->setText(count == 0 ? tr("Add nodes to %1").arg(m_pool) : tr("Add %n node(s) to %1", nullptr, count).arg(m_pool));
    m_confirm->setAccessibleName(m_confirm->text());
    m_confirm->setEnabled(blocked.isEmpty() && count > 0 && !refused);
    m_confirm->setToolTip(m_confirm->isEnabled() ? QString() : m_impact->text());
}

bool NodePickDialog::eventFilter(QObject* watched, QEvent* event)
{
    // From the field, Enter and Down lead to the table; Enter must not reach a button.
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_view->setFocus(Qt::TabFocusReason);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace weir::ui
