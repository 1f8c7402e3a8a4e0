// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions, menus and the controls beside them.
#include "ui/live/Words.h"
#include "ui/moves/MoveActions.h"
#include "ui/pages/nodepools/NodePoolsPage.h"
#include "ui/pages/nodes/NodesPage.h"
#include "ui/shell/MainWindow.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/ShellSettings.h"
#include "ui/widgets/Icons.h"
#include "ui/widgets/SearchField.h"
#include "ui/widgets/TableView.h"
#include "weir_version.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace weir::ui {

void MainWindow::buildCorner(QWidget& row)
{
    m_menuBar = new QMenuBar(&row);
    m_menuBar->setObjectName(QStringLiteral("menu"));
    m_menuBar->setNativeMenuBar(false);
    m_zoneButton = new QPushButton(&row);
    m_zoneButton->setObjectName(QStringLiteral("zone"));
    m_lockButton = new QPushButton(&row);
    m_lockButton->setObjectName(QStringLiteral("lock"));
    m_pauseButton = new QPushButton(&row);
    m_pauseButton->setObjectName(QStringLiteral("pause"));
    for (QPushButton* button : {m_zoneButton, m_lockButton, m_pauseButton}) {
        button->setAutoDefault(false);
        button->setFixedHeight(metrics::fitted(24, fontMetrics().height(), 8));
    }
    connect(m_zoneButton, &QPushButton::clicked, this, [this] { m_times.setUtc(!m_times.isUtc()); });
    connect(m_lockButton, &QPushButton::clicked, this, [this] { m_store->setLocked(!m_store->isLocked()); });
    connect(m_pauseButton, &QPushButton::clicked, this, [this] { m_store->setPaused(!m_store->isPaused()); });
    connect(&m_theme, &Theme::changed, this, &MainWindow::refreshActions);
    auto* layout = new QHBoxLayout(&row);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(metrics::kGap);
    layout->addWidget(m_menuBar, 1, Qt::AlignVCenter);
    layout->addWidget(m_zoneButton);
    layout->addWidget(m_lockButton);
    layout->addWidget(m_pauseButton);
}

QMenu* MainWindow::addMenu(const char* text)
{
    QMenu* menu = m_menuBar->addMenu(QString());
    menu->setToolTipsVisible(true);
    m_menus.append(std::make_pair(menu, text));
    return menu;
}

QAction* MainWindow::addEntry(QMenu& menu, const char* name, const char* text, const QList<QKeySequence>& keys)
{
    QAction* action = menu.addAction(QString());
    action->setObjectName(QStringLiteral("action.") + QLatin1String(name));
    action->setShortcuts(keys);
    addAction(action); // the shortcut works while its menu is closed
    m_entries.append({action, text});
    m_byName.insert(QLatin1String(name), action);
    return action;
}

void MainWindow::addChoice(QMenu& menu, QActionGroup& group, const char* name, const char* text, const std::function<void()>& choose, bool checked)
{
    QAction* action = addEntry(menu, name, text, {});
    action->setCheckable(true);
    action->setChecked(checked);
    group.addAction(action);
    connect(action, &QAction::triggered, this, [this, choose] {
        choose();
        m_settings->touch();
    });
}

void MainWindow::buildMenus()
{
    fillFileMenu();
    fillViewMenu();
    fillGoMenu();
    fillNodeMenu();
    fillIncidentMenu();
    fillToolsMenu();
    fillHelpMenu();
}

void MainWindow::fillFileMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&File"));
    connect(addEntry(*menu, "copy", QT_TR_NOOP("&Copy rows"), {QKeySequence(Qt::CTRL | Qt::Key_C)}), &QAction::triggered, this, [this] { copyRows(false); });
    connect(addEntry(*menu, "copyMarkdown", QT_TR_NOOP("Copy rows as &Markdown"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}), &QAction::triggered,
        this, [this] { copyRows(true); });
    menu->addSeparator();
    connect(addEntry(*menu, "quit", QT_TR_NOOP("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}), &QAction::triggered, this, &QWidget::close);
}

void MainWindow::fillViewMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&View"));
    QAction* pause = addEntry(*menu, "pause", QT_TR_NOOP("&Pause live data"), {QKeySequence(Qt::Key_Pause), QKeySequence(Qt::CTRL | Qt::Key_Period)});
    pause->setCheckable(true);
    connect(pause, &QAction::triggered, this, [this](bool on) { m_store->setPaused(on); });
    connect(addEntry(*menu, "resync", QT_TR_NOOP("&Re-sync"), {QKeySequence(Qt::Key_F5)}), &QAction::triggered, m_store, &FleetStore::resync);
    QAction* utc = addEntry(*menu, "utc", QT_TR_NOOP("Times in &UTC"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_U)});
    utc->setCheckable(true);
    connect(utc, &QAction::triggered, this, [this](bool on) { m_times.setUtc(on); });
    menu->addSeparator();
    connect(addEntry(*menu, "drawer", QT_TR_NOOP("&Detail drawer"), {QKeySequence(Qt::Key_F4)}), &QAction::triggered, this, [this] {
        if (Page* current = page()) {
            current->toggleDrawer();
        }
    });
    connect(addEntry(*menu, "nav", QT_TR_NOOP("&Navigation as icons"), {QKeySequence(Qt::CTRL | Qt::Key_B)}), &QAction::triggered, this, [this] {
        m_navByHand = true;
        m_nav->setCollapsed(!m_nav->isCollapsed());
        m_settings->touch();
    });
    menu->addSeparator();
    const auto subMenu = [this, menu](const char* text) {
        QMenu* sub = menu->addMenu(QString());
        m_menus.append(std::make_pair(sub, text));
        return sub;
    };
    QMenu* themes = subMenu(QT_TR_NOOP("&Theme"));
    auto* themeGroup = new QActionGroup(this);
    const Theme::Mode mode = m_theme.mode();
    addChoice(*themes, *themeGroup, "theme.system", QT_TR_NOOP("As the &system"), [this] { m_theme.setMode(Theme::Mode::System); }, mode == Theme::Mode::System);
    addChoice(*themes, *themeGroup, "theme.light", QT_TR_NOOP("&Light"), [this] { m_theme.setMode(Theme::Mode::Light); }, mode == Theme::Mode::Light);
    addChoice(*themes, *themeGroup, "theme.dark", QT_TR_NOOP("&Dark"), [this] { m_theme.setMode(Theme::Mode::Dark); }, mode == Theme::Mode::Dark);
    QMenu* densities = subMenu(QT_TR_NOOP("De&nsity"));
    auto* densityGroup = new QActionGroup(this);
    const Density density = m_theme.density();
    addChoice(*densities, *densityGroup, "density.compact", QT_TR_NOOP("&Compact"), [this] { m_theme.setDensity(Density::Compact); }, density == Density::Compact);
    addChoice(*densities, *densityGroup, "density.normal", QT_TR_NOOP("&Normal"), [this] { m_theme.setDensity(Density::Normal); }, density == Density::Normal);
    addChoice(*densities, *densityGroup, "density.large", QT_TR_NOOP("&Large"), [this] { m_theme.setDensity(Density::Large); }, density == Density::Large);
    QMenu* languages = subMenu(QT_TR_NOOP("&Language"));
    auto* languageGroup = new QActionGroup(this);
    addChoice(*languages, *languageGroup, "language.en", QT_TR_NOOP("&English"), [this] { setLanguage(QStringLiteral("en")); }, true);
    if (QFile::exists(m_translations + QStringLiteral("/weir_zh_CN.qm"))) {
        addChoice(*languages, *languageGroup, "language.zh_CN", "简体中文", [this] { setLanguage(QStringLiteral("zh_CN")); }, false);
    }
}

void MainWindow::fillGoMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&Go"));
    const auto go = [this, menu](const char* name, const char* text, const QString& target, Qt::Key key) {
        connect(addEntry(*menu, name, text, {QKeySequence(Qt::CTRL | key)}), &QAction::triggered, this, [this, target] { showPage(target); });
    };
    go("overview", QT_TR_NOOP("&Overview"), QStringLiteral("overview"), Qt::Key_1);
    go("nodepools", QT_TR_NOOP("Node &pools"), QStringLiteral("nodepools"), Qt::Key_2);
    go("nodes", QT_TR_NOOP("&Nodes/Workers"), QStringLiteral("nodes"), Qt::Key_3);
    go("apps", QT_TR_NOOP("&Apps && bindings"), QStringLiteral("apps"), Qt::Key_4);
    go("alarms", QT_TR_NOOP("A&larms"), QStringLiteral("alarms"), Qt::Key_7);
    menu->addSeparator();
    connect(addEntry(*menu, "back", QT_TR_NOOP("&Back"), {QKeySequence(Qt::ALT | Qt::Key_Left)}), &QAction::triggered, this, [this] {
        if (const auto place = m_history.back()) {
            goTo(*place);
        }
    });
    connect(addEntry(*menu, "forward", QT_TR_NOOP("&Forward"), {QKeySequence(Qt::ALT | Qt::Key_Right)}), &QAction::triggered, this, [this] {
        if (const auto place = m_history.forward()) {
            goTo(*place);
        }
    });
    menu->addSeparator();
    const auto problem = [this](bool forward) {
        if (page() != nullptr && !page()->toProblem(forward)) {
            noteGone(tr("No row here needs attention."));
        }
    };
    connect(addEntry(*menu, "nextProblem", QT_TR_NOOP("Next p&roblem"), {QKeySequence(Qt::Key_F8)}), &QAction::triggered, this, [problem] { problem(true); });
    connect(addEntry(*menu, "previousProblem", QT_TR_NOOP("Pre&vious problem"), {QKeySequence(Qt::SHIFT | Qt::Key_F8)}), &QAction::triggered, this,
        [problem] { problem(false); });
    connect(addEntry(*menu, "filter", QT_TR_NOOP("F&ilter"), {QKeySequence(Qt::CTRL | Qt::Key_F)}), &QAction::triggered, this, [this] {
        if (page() != nullptr) {
            page()->focusFilter();
        }
    });
    connect(addEntry(*menu, "clearFilter", QT_TR_NOOP("&Clear filter"), {QKeySequence(Qt::Key_Escape)}), &QAction::triggered, this, [this] {
        if (!m_moveActions->cancelCut() && page() != nullptr) {
            page()->clearFilter();
        }
    });
    menu->addSeparator();
    connect(addEntry(*menu, "nextPane", QT_TR_NOOP("Next p&ane"), {QKeySequence(Qt::Key_F6)}), &QAction::triggered, this, [this] { nextPane(true); });
    connect(addEntry(*menu, "previousPane", QT_TR_NOOP("Previo&us pane"), {QKeySequence(Qt::SHIFT | Qt::Key_F6)}), &QAction::triggered, this,
        [this] { nextPane(false); });
}

void MainWindow::fillNodeMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("N&ode"));
    for (QAction* action : {m_moveActions->moveTo(), m_moveActions->takeOut(), m_moveActions->cut(), m_moveActions->paste(), m_moveActions->addNodes(),
             m_moveActions->undo(), m_moveActions->redo()}) {
        menu->addAction(action);
        addAction(action);
    }
    menu->addSeparator();
    for (QAction* action : {m_actions->drain(), m_actions->endQuarantine(), m_actions->probe(), m_actions->why()}) {
        menu->addAction(action);
        addAction(action);
    }
}

void MainWindow::fillToolsMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&Tools"));
    QAction* lock = addEntry(*menu, "lock", QT_TR_NOOP("&Lock changes"), {QKeySequence(Qt::CTRL | Qt::Key_L)});
    lock->setCheckable(true);
    connect(lock, &QAction::triggered, m_store, &FleetStore::setLocked);
}

void MainWindow::fillHelpMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&Help"));
    connect(addEntry(*menu, "shortcuts", QT_TR_NOOP("&Keyboard shortcuts"), {QKeySequence(Qt::CTRL | Qt::Key_Slash)}), &QAction::triggered, this,
        &MainWindow::showShortcuts);
    connect(addEntry(*menu, "about", QT_TR_NOOP("&About Weir"), {}), &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::retranslateMenus()
{
    for (const auto& [menu, text] : std::as_const(m_menus)) {
        menu->setTitle(tr(text));
    }
    for (const Entry& entry : std::as_const(m_entries)) {
        entry.action->setText(tr(entry.text));
    }
}

void MainWindow::refreshActions()
{
    if (m_byName.isEmpty()) {
        return;
    }
    const auto enable = [this](const char* name, bool on, const QString& reason) {
        QAction* action = m_byName.value(QLatin1String(name));
        action->setEnabled(on);
        action->setToolTip(on ? QString() : reason);
        action->setStatusTip(on ? QString() : reason);
    };
    const bool hasPage = page() != nullptr;
    const QString noTable = tr("This page has no table.");
    for (const char* name : {"copy", "copyMarkdown", "drawer", "nextProblem", "previousProblem", "filter", "clearFilter"}) {
        enable(name, hasPage, noTable);
    }
    enable("back", m_history.canGoBack(), tr("There is nothing before this."));
    enable("forward", m_history.canGoForward(), tr("There is nothing after this."));
    m_byName.value(QStringLiteral("pause"))->setChecked(m_store->isPaused());
    m_byName.value(QStringLiteral("utc"))->setChecked(m_times.isUtc());
    m_byName.value(QStringLiteral("lock"))->setChecked(m_store->isLocked());
    const QString theme = m_theme.mode() == Theme::Mode::Light ? QStringLiteral("theme.light")
        : m_theme.mode() == Theme::Mode::Dark                  ? QStringLiteral("theme.dark")
                                                               : QStringLiteral("theme.system");
    m_byName.value(theme)->setChecked(true);
    const QString density = m_theme.density() == Density::Compact ? QStringLiteral("density.compact")
        : m_theme.density() == Density::Large                     ? QStringLiteral("density.large")
                                                                  : QStringLiteral("density.normal");
    m_byName.value(density)->setChecked(true);
    if (QAction* language = m_byName.value(QStringLiteral("language.") + m_language)) {
        language->setChecked(true);
    }
    m_zoneButton->setText(m_times.zoneName(m_client.wallNowMs()));
    m_zoneButton->setToolTip(m_times.isUtc() ? tr("Times are in UTC; click for local time (Ctrl+Shift+U)") : tr("Times are local; click for UTC (Ctrl+Shift+U)"));
    m_zoneButton->setAccessibleName(m_zoneButton->toolTip());
    const Tokens& t = m_theme.tokens();
    m_lockButton->setText(m_store->isLocked() ? tr("Locked") : tr("Unlocked"));
    m_lockButton->setIcon(icons::icon(m_store->isLocked() ? IconName::Lock : IconName::Unlock, t.text2, t.disabled));
    m_lockButton->setIconSize({metrics::kIcon, metrics::kIcon});
    m_lockButton->setToolTip(m_store->isLocked() ? tr("Nothing can be changed here; click to unlock (Ctrl+L)") : tr("Lock changes (Ctrl+L)"));
    m_lockButton->setAccessibleName(m_lockButton->toolTip());
    m_pauseButton->setText(m_store->isPaused() ? tr("Paused") : tr("Live"));
    m_pauseButton->setIcon(icons::icon(m_store->isPaused() ? IconName::Play : IconName::Pause, t.text2, t.disabled));
    m_pauseButton->setIconSize({metrics::kIcon, metrics::kIcon});
    m_pauseButton->setToolTip(m_store->isPaused() ? tr("Go on with live data (Pause)") : tr("Pause live data (Pause)"));
    m_pauseButton->setAccessibleName(m_pauseButton->toolTip());
}

void MainWindow::copyRows(bool markdown)
{
    QTableView* view = qobject_cast<QTableView*>(QApplication::focusWidget());
    if (view == nullptr || view->selectionModel() == nullptr || !view->selectionModel()->hasSelection()) {
        noteGone(tr("Select rows of a table first."));
        return;
    }
    QList<int> columns;
    for (int visual = 0; visual < view->horizontalHeader()->count(); ++visual) {
        const int column = view->horizontalHeader()->logicalIndex(visual);
        if (!view->isColumnHidden(column)) {
            columns.append(column);
        }
    }
    QList<int> rows;
    const QModelIndexList selected = view->selectionModel()->selectedRows();
    for (const QModelIndex& index : selected) {
        rows.append(index.row());
    }
    std::sort(rows.begin(), rows.end());
    const QString separator = markdown ? QStringLiteral(" | ") : QStringLiteral("\t");
    const auto line = [&](const QStringList& cells) {
        return markdown ? QStringLiteral("| %1 |\n").arg(cells.join(separator)) : cells.join(separator) + QLatin1Char('\n');
    };
    QStringList header;
    QStringList rule;
    for (const int column : columns) {
        header.append(view->model()->headerData(column, Qt::Horizontal).toString());
        rule.append(QStringLiteral("---"));
    }
    QString text = line(header);
    if (markdown) {
        text += line(rule);
    }
    for (const int row : rows) {
        QStringList cells;
        for (const int column : columns) {
            QString cell = view->model()->index(row, column).data().toString();
            cells.append(markdown ? cell.replace(QLatin1Char('|'), QLatin1String("\\|")) : cell);
        }
        text += line(cells);
    }
    QApplication::clipboard()->setText(text);
    showMessage(MessageTone::Done, tr("Copied %n row(s).", nullptr, static_cast<int>(rows.size())));
}

void MainWindow::nextPane(bool forward)
{
    QList<QWidget*> panes{m_nav->button(m_page)};
    QWidget* current = m_stack->currentWidget();
    const auto fields = current->findChildren<SearchField*>();
    const auto tables = current->findChildren<TableView*>();
    for (SearchField* field : fields) {
        panes.append(field);
    }
    for (TableView* table : tables) {
        panes.append(table);
    }
    panes.removeIf([](QWidget* widget) { return widget == nullptr || !widget->isVisible(); });
    if (panes.isEmpty()) {
        return;
    }
    const qsizetype at = panes.indexOf(QApplication::focusWidget());
    const qsizetype count = panes.size();
    const qsizetype next = at < 0 ? 0 : (at + (forward ? 1 : count - 1)) % count;
    panes.at(next)->setFocus(Qt::TabFocusReason);
}

void MainWindow::showShortcuts()
{
    QDialog dialog(this);
    dialog.setObjectName(QStringLiteral("shortcuts.dialog"));
    dialog.setWindowTitle(tr("Keyboard shortcuts"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(4);
    int row = 0;
    const auto add = [&](const QString& text, const QString& keys) {
        grid->addWidget(new QLabel(text, &dialog), row, 0);
        grid->addWidget(new QLabel(keys, &dialog), row++, 1);
    };
    const auto all = actions();
    for (const QAction* action : all) {
        if (!action->shortcut().isEmpty()) {
            QStringList keys;
            const auto sequences = action->shortcuts();
            for (const QKeySequence& sequence : sequences) {
                keys.append(sequence.toString(QKeySequence::NativeText));
            }
            add(action->text().remove(QLatin1Char('&')), keys.join(QLatin1String(", ")));
        }
    }
    add(tr("Filter, from a table"), QStringLiteral("/"));
    add(tr("Apply the held order, in a table"), QStringLiteral("."));
    add(tr("Open the details of a row"), tr("Enter"));
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    connect(close, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->addLayout(grid);
    layout->addWidget(close);
    dialog.exec();
}

void MainWindow::showAbout()
{
    QMessageBox box(this);
    box.setObjectName(QStringLiteral("about.dialog"));
    box.setWindowTitle(tr("About Weir"));
    box.setText(QStringLiteral("Weir %1").arg(QStringLiteral(WEIR_VERSION)));
    box.setInformativeText(tr("Control plane and console for a fleet of media nodes.\nLicence: GPL-3.0-or-later. Built with Qt %1.").arg(QLatin1String(qVersion())));
    box.setStandardButtons(QMessageBox::Close);
    box.exec();
}

} // namespace weir::ui
