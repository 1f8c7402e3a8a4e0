// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/TablePage.h"

#include "ui/live/Facet.h"
#include "ui/live/LiveTable.h"
#include "ui/live/PacedFeed.h"
#include "ui/live/PageParts.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/FacetButton.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSettings>
#include <QVBoxLayout>

namespace weir::ui {

TablePage::TablePage(FleetStore& store, const Theme& theme, const QString& name, QWidget* parent)
    : Page(parent)
    , m_store(store)
    , m_theme(theme)
    , m_name(name)
    , m_view(new TableView(theme, this))
    , m_feed(new PacedFeed(store, this))
    , m_tools(new QWidget(this))
    , m_toolRow(new QHBoxLayout(m_tools))
    , m_search(new SearchField(theme, m_tools))
    , m_filterError(new TextLine(theme, 2, this))
    , m_footer(new TableFooter(theme, this))
{
    setObjectName(QStringLiteral("page.") + name);
    m_view->setObjectName(name + QStringLiteral(".table"));
    m_footer->setObjectName(name + QStringLiteral(".footer"));
    m_search->setObjectName(name + QStringLiteral(".filter"));
    m_search->setShortcutHint(QStringLiteral("Ctrl+F"));
    m_search->setMinimumWidth(140);
    m_search->setMaximumWidth(272);
    m_filterError->setObjectName(name + QStringLiteral(".filterError"));
    m_filterError->setContentsMargins(12, 0, 12, 4);
    m_filterError->hide();
    m_tools->setFixedHeight(metrics::fitted(metrics::kToolRow, fontMetrics().height(), 18));
    m_toolRow->setContentsMargins(metrics::kPageMargin, 0, metrics::kPageMargin, 10);
    m_toolRow->setSpacing(metrics::kGap);
    m_toolRow->addWidget(m_search, 1);
}

void TablePage::setTable(PermutedTableModel& model, const QList<TableColumns::Column>& columns, int sortColumn, Qt::SortOrder sortOrder)
{
    m_model = &model;
    m_view->setModel(&model);
    m_columns = new TableColumns(*m_view, columns, sortColumn, sortOrder);
    m_live = new LiveTable(*m_view, model, m_store);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
}

Facet* TablePage::addFacet(const QString& key, std::function<QMap<QString, int>()> counts, std::function<QString(const QString&)> label)
{
    auto* button = new FacetButton(m_theme, {}, m_tools);
    button->setObjectName(m_name + QStringLiteral(".facet.") + key);
    auto* facet = new Facet(*button, std::move(counts), std::move(label));
    connect(facet, &Facet::changed, this, &TablePage::applyFilter);
    m_facetButtons.append(button);
    m_facets.append(facet);
    addTool(button);
    return facet;
}

FacetButton* TablePage::addToggle(const QString& key)
{
    auto* button = new FacetButton(m_theme, {}, m_tools);
    button->setObjectName(m_name + QLatin1Char('.') + key);
    button->setCheckable(true);
    connect(button, &QPushButton::toggled, this, &TablePage::applyFilter);
    m_toggles.append(button);
    addTool(button);
    return button;
}

void TablePage::addTool(QWidget* tool)
{
    m_toolRow->addWidget(tool);
}

void TablePage::addStretch()
{
    m_toolRow->addStretch(1);
}

void TablePage::finish(QWidget* drawer)
{
    m_drawer = drawer;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tools);
    layout->addWidget(m_filterError);
    layout->addWidget(new Rule(m_theme, Qt::Horizontal, Rule::Weight::Hair, this));
    layout->addWidget(m_view, 1);
    layout->addWidget(m_footer);
    layout->addWidget(m_drawer);
    connectTable();
    m_search->setPlaceholderText(tr("Filter"));
    retranslate();
    updateFooter();
    updateEmptyState();
    if (m_store.isLoaded()) {
        apply(everything());
    }
}

void TablePage::connectTable()
{
    connect(m_feed, &PacedFeed::ready, this, &TablePage::apply);
    connect(&m_store, &FleetStore::stateChanged, this, [this] {
        m_view->viewport()->update();
        stateChanged();
        updateEmptyState();
    });
    connect(m_live, &LiveTable::selectionChanged, this, [this] {
        updateFooter();
        emit Page::selectionChanged();
    });
    connect(m_live, &LiveTable::currentChanged, this, &TablePage::currentChanged);
    connect(m_live, &LiveTable::holdTextChanged, this, &TablePage::updateFooter);
    connect(m_live, &LiveTable::selectionLost, this, [this](int gone, int of) { emit notice(goneText(gone, of)); });
    connect(m_live, &LiveTable::activated, this, [this] { m_drawer->show(); });
    connect(m_search, &QLineEdit::textChanged, this, &TablePage::applyFilter);
    connect(m_view->emptyState(), &EmptyState::actionTriggered, this, &TablePage::clearFilter);
    connect(m_columns, &TableColumns::edited, this, &TablePage::stateEdited);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &TablePage::updateFooter);
}

bool TablePage::isActive() const
{
    return m_feed->isActive();
}

void TablePage::setActive(bool active)
{
    m_feed->setActive(active);
}

void TablePage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool TablePage::clearFilter()
{
    const bool filtered = !m_search->text().isEmpty() || isFiltered();
    m_settingFilter = true;
    m_search->clear();
    for (Facet* facet : std::as_const(m_facets)) {
        facet->setChosen({});
    }
    for (FacetButton* toggle : std::as_const(m_toggles)) {
        toggle->setChecked(false);
    }
    m_settingFilter = false;
    applyFilter();
    return filtered;
}

void TablePage::toggleDrawer()
{
    m_drawer->setVisible(m_drawer->isHidden());
    emit stateEdited();
}

bool TablePage::toProblem(bool forward)
{
    return m_live->toProblem(forward);
}

QStringList TablePage::selection() const
{
    return m_live->selectedIds();
}

void TablePage::setSelection(const QStringList& ids)
{
    m_live->select(ids);
}

void TablePage::showRow(const QString& id)
{
    if (m_model->rowOf(id) < 0) {
        clearFilter();
    }
    m_live->select({id});
}

void TablePage::setFacetText(int index, const QString& text)
{
    m_facetButtons.at(index)->setText(text);
    m_facetButtons.at(index)->setAccessibleName(tr("Filter by: %1").arg(text));
}

void TablePage::setFilterError(const QString& text)
{
    m_filterError->setText(text);
    m_filterError->setVisible(!text.isEmpty());
}

void TablePage::apply(const FleetDelta& delta)
{
    const bool first = m_model->rowCount() == 0;
    take(delta);
    if (first && m_model->rowCount() > 0 && m_live->currentId().isEmpty() && selection().isEmpty()) {
        m_live->select({m_model->idAt(0)}); // the worst one, so that the drawer has something to say
    }
    updateFooter();
    updateEmptyState();
}

void TablePage::applyFilter()
{
    if (m_settingFilter) {
        return;
    }
    filterChanged();
    m_search->setResultText(tr("%1 of %2").arg(m_model->rowCount()).arg(m_model->totalCount()));
    updateFooter();
    updateEmptyState();
    emit stateEdited();
}

void TablePage::updateFooter()
{
    const QString own = sortText();
    const QString sorted = !own.isEmpty()
        ? own
        : tr("sorted by %1, then name").arg(m_model->headerData(m_model->sortColumn(), Qt::Horizontal, Qt::DisplayRole).toString());
    m_footer->setLeft(tr("%1 · %2", "count of rows, sort order").arg(countText(m_model->rowCount(), m_model->totalCount()), sorted));
    const QString hold = m_live->holdText();
    const int selected = static_cast<int>(selection().size());
    const QString selectedText = selected > 0 ? tr("%n selected", nullptr, selected) : QString();
    m_footer->setRight(hold.isEmpty() ? selectedText
            : selectedText.isEmpty()  ? hold
                                      : tr("%1 · %2", "selection, order held").arg(selectedText, hold));
}

void TablePage::updateEmptyState()
{
    EmptyState* empty = m_view->emptyState();
    if (!m_store.isLoaded()) {
        empty->setText(tr("Waiting for the control plane."));
    } else if (m_model->totalCount() == 0) {
        empty->setText(emptyText());
    } else {
        empty->setText(noMatchText(m_model->totalCount()), tr("Clear filter"));
    }
}

void TablePage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_drawer != nullptr) {
        m_search->setPlaceholderText(tr("Filter"));
        retranslate();
        updateFooter();
        updateEmptyState();
    }
}

void TablePage::saveState(QSettings& settings) const
{
    settings.beginGroup(m_view->objectName());
    m_columns->save(settings);
    settings.endGroup();
    settings.setValue(m_search->objectName(), m_search->text());
    settings.setValue(m_name + QStringLiteral(".drawer"), !m_drawer->isHidden());
    for (const FacetButton* toggle : m_toggles) {
        settings.setValue(toggle->objectName(), toggle->isChecked());
    }
    for (qsizetype i = 0; i < m_facets.size(); ++i) {
        const QSet<QString>& chosen = m_facets.at(i)->chosen();
        settings.setValue(m_facetButtons.at(i)->objectName(), QStringList(chosen.begin(), chosen.end()));
    }
}

void TablePage::restoreState(QSettings& settings)
{
    settings.beginGroup(m_view->objectName());
    m_columns->restore(settings);
    settings.endGroup();
    m_settingFilter = true;
    m_search->setText(settings.value(m_search->objectName()).toString());
    for (FacetButton* toggle : std::as_const(m_toggles)) {
        toggle->setChecked(settings.value(toggle->objectName()).toBool());
    }
    for (qsizetype i = 0; i < m_facets.size(); ++i) {
        const QStringList chosen = settings.value(m_facetButtons.at(i)->objectName()).toStringList();
        m_facets.at(i)->setChosen({chosen.begin(), chosen.end()});
    }
    m_settingFilter = false;
    m_drawer->setVisible(settings.value(m_name + QStringLiteral(".drawer"), true).toBool());
    applyFilter();
}

} // namespace weir::ui
