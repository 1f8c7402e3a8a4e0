// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"
#include "ui/live/TableColumns.h"

#include <QMap>
#include <functional>

class QHBoxLayout;

namespace weir::ui {

class Facet;
class FacetButton;
class LiveTable;
class PacedFeed;
class PermutedTableModel;
class SearchField;
class TableFooter;
class TableView;
class TextLine;
class Theme;

/// A page that is one live table: filter, facets and actions above, what is shown and selected below, and details of the current row in a
/// drawer. It keeps text, facets, columns and drawer over a restart under `<name>.…`; object names begin with the same name.
///
/// A derived page makes its model and drawer, calls setTable(), fills tools(), and ends its constructor with finish().
class TablePage : public Page {
    Q_OBJECT

public:
    void setActive(bool active) override;
    void focusFilter() override;
    bool clearFilter() override;
    void toggleDrawer() override;
    bool toProblem(bool forward) override;
    [[nodiscard]] QStringList selection() const override;
    void setSelection(const QStringList& ids) override;
    void saveState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

protected:
    TablePage(FleetStore& store, const Theme& theme, const QString& name, QWidget* parent);

    void setTable(PermutedTableModel& model, const QList<TableColumns::Column>& columns, int sortColumn, Qt::SortOrder sortOrder);
    /// `counts`: values and how often they occur now; `label`: a value in words.
    Facet* addFacet(const QString& key, std::function<QMap<QString, int>()> counts, std::function<QString(const QString&)> label);
    /// A condition that is on or off ("Problems only").
    FacetButton* addToggle(const QString& key);
    void addTool(QWidget* tool);
    /// Whatever comes after it stands at the right edge.
    void addStretch();
    /// Lays the page out, connects it, and takes over what the store holds.
    void finish(QWidget* drawer);
    /// Selects a row, and drops the filter where it would hide it.
    void showRow(const QString& id);

    /// Words of a facet's button, after each change of language.
    void setFacetText(int index, const QString& text);
    /// What is wrong with the typed filter; empty: nothing.
    void setFilterError(const QString& text);

    /// Changes of the store, as often as this page is shown.
    virtual void take(const FleetDelta& delta) = 0;
    /// The ids that a page begins with, as a first delta.
    [[nodiscard]] virtual FleetDelta everything() const = 0;
    /// Text, facets or toggles changed: tell the model.
    virtual void filterChanged() = 0;
    [[nodiscard]] virtual bool isFiltered() const = 0;
    /// "3 of 14 apps".
    [[nodiscard]] virtual QString countText(int shown, int all) const = 0;
    /// The words for the order that the page begins with; empty: name the column.
    [[nodiscard]] virtual QString sortText() const = 0;
    [[nodiscard]] virtual QString emptyText() const = 0;
    [[nodiscard]] virtual QString noMatchText(int all) const = 0;
    [[nodiscard]] virtual QString goneText(int gone, int of) const = 0;
    virtual void currentChanged(const QString& id) = 0;
    /// The connection, or whether changes are locked.
    virtual void stateChanged() = 0;
    virtual void retranslate() = 0;

    void changeEvent(QEvent* event) override;
    void updateFooter();
    void updateEmptyState();

    [[nodiscard]] FleetStore& store() const { return m_store; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] TableView& view() const { return *m_view; }
    [[nodiscard]] LiveTable& live() const { return *m_live; }
    [[nodiscard]] SearchField& search() const { return *m_search; }
    [[nodiscard]] QWidget& tools() const { return *m_tools; }
    [[nodiscard]] bool isActive() const;

private:
    void apply(const FleetDelta& delta);
    void applyFilter();
    void connectTable();

    FleetStore& m_store;
    const Theme& m_theme;
    QString m_name;
    PermutedTableModel* m_model = nullptr;
    TableView* m_view;
    LiveTable* m_live = nullptr;
    TableColumns* m_columns = nullptr;
    PacedFeed* m_feed;
    QWidget* m_tools;
    QHBoxLayout* m_toolRow;
    SearchField* m_search;
    TextLine* m_filterError;
    TableFooter* m_footer;
    QWidget* m_drawer = nullptr;
    QList<FacetButton*> m_facetButtons;
    QList<Facet*> m_facets;
    QList<FacetButton*> m_toggles;
    bool m_settingFilter = false;
};

} // namespace weir::ui
