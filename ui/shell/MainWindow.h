// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/NodeActions.h"
#include "ui/live/TimeDisplay.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/PageHistory.h"
#include "ui/widgets/Theme.h"

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QTranslator>

class QActionGroup;
class QMenu;
class QMenuBar;
class QStackedWidget;
class QSystemTrayIcon;

namespace weir::ui {

class AlarmsPage;
class Announcer;
class AppsPage;
class ContextStrip;
class DemoControl;
class MessageBar;
class MoveActions;
class MoveFlow;
struct MoveReport;
class MismatchBanner;
class NodePoolsPage;
class NodesPage;
class OverviewPage;
class PageHeader;
class PauseGate;
class ReportDialog;
class ShellSettings;
class StatusLine;
class WhyDialog;

struct MainWindowOptions {
    bool demo = false;
    DemoControl* demoControl = nullptr; ///< steers the demo; must outlive the window
    QString profile;            ///< shown in the title and the name of the settings' group; empty: embedded
    QString page;               ///< page to begin with; empty: the last one, or the Overview
    QString language;           ///< "en", "zh_CN"; empty: as chosen last, or the system's
    QString settingsFile;       ///< ini file in place of the user's settings
    QString translations = QStringLiteral(":/i18n"); ///< where weir_<language>.qm are
};

/// The console's window. Names of pages: overview, nodepools, nodes, apps, alarms.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    static constexpr int kNavFrom = 1280; ///< narrower windows show the navigation as icons

    MainWindow(ControlPlaneClient& client, Theme& theme, const MainWindowOptions& options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Goes to a page by name; an unknown name does nothing.
    void showPage(const QString& name);
    [[nodiscard]] QString currentPage() const { return m_page; }
    void showNode(const QString& id);
    void showPool(const QString& id);
    void showApp(const QString& id);
    /// The Alarms page; with an id, on that alarm.
    void showAlarm(const QString& id);
    void showWhy(const WhyContext& context);
    /// The report of an incident, to be saved; 0: of the newest.
    void showReport(qint64 incident);
    void setLanguage(const QString& language);
    [[nodiscard]] const QString& language() const { return m_language; }
    [[nodiscard]] FleetStore& store() { return *m_store; }

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Entry {
        QAction* action = nullptr;
        const char* text = nullptr; ///< source text for tr()
    };

    // MainWindow.cpp
    void buildLayout();
    void buildPages();
    void connectPages();
    void connectStore();
    [[nodiscard]] Page* page() const;
    void retranslate();
    void showMessage(MessageTone tone, const QString& text);
    void connectMoves();
    void reportMove(const MoveReport& report);
    void countAction();
    void goTo(const PageHistory::Place& place);
    void selectionMoved();
    void noteGone(const QString& text);

    // MainWindowState.cpp
    void restore(const MainWindowOptions& options);
    void save(QSettings& settings) const;
    void applyNavWidth();

    // MainWindowFigures.cpp
    void refreshFigures();
    void refreshBadges();
    void refreshStrips();

    // MainWindowJournal.cpp
    void fillIncidentMenu();
    void connectAlarms();
    void tellAlarm(const QString& title, const QString& body, const QString& alarm, bool critical);
    void refreshTray();
    void comeForward(const QString& alarm);

    // MainWindowMenus.cpp
    void buildMenus();
    void fillFileMenu();
    void fillViewMenu();
    void fillGoMenu();
    void fillNodeMenu();
    void fillToolsMenu();
    void fillHelpMenu();
    QAction* addEntry(QMenu& menu, const char* name, const char* text, const QList<QKeySequence>& keys);
    QMenu* addMenu(const char* text);
    void addChoice(QMenu& menu, QActionGroup& group, const char* name, const char* text, const std::function<void()>& choose, bool checked);
    void buildCorner(QWidget& row);
    void retranslateMenus();
    void refreshActions();
    void copyRows(bool markdown);
    void nextPane(bool forward);
    void showShortcuts();
    void showAbout();

    ControlPlaneClient& m_client;
    Theme& m_theme;
    bool m_demo;
    DemoControl* m_demoControl;
    QString m_profile;
    QString m_translations;
    QString m_language;
    QTranslator m_translator;
    TimeDisplay m_times;
    PauseGate* m_gate = nullptr;
    FleetStore* m_store = nullptr;
    NodeActions* m_actions = nullptr;
    MoveFlow* m_moves = nullptr;
    MoveActions* m_moveActions = nullptr;
    ShellSettings* m_settings = nullptr;

    ContextStrip* m_context = nullptr;
    ContextStrip* m_stale = nullptr;
    ContextStrip* m_paused = nullptr;
    QMenuBar* m_menuBar = nullptr;
    QPushButton* m_zoneButton = nullptr;
    QPushButton* m_lockButton = nullptr;
    QPushButton* m_pauseButton = nullptr;
    NavBar* m_nav = nullptr;
    PageHeader* m_header = nullptr;
    QStackedWidget* m_stack = nullptr;
    MessageBar* m_message = nullptr;
    MessageBar* m_moved = nullptr; ///< the last move, with its Undo; other results do not push it away
    int m_actionsSinceMove = 0;
    QString m_movedNode;           ///< what Show of the bar leads to
    MessageBar* m_alarmBar = nullptr; ///< what fired, where there is no tray
    QString m_toldAlarm;              ///< what Show of that bar leads to
    QSystemTrayIcon* m_tray = nullptr;
    NavBadge m_trayBadge;             ///< as the tray shows it
    StatusLine* m_status = nullptr;
    Announcer* m_announcer = nullptr;
    OverviewPage* m_overview = nullptr;
    NodePoolsPage* m_pools = nullptr;
    NodesPage* m_nodes = nullptr;
    AppsPage* m_apps = nullptr;
    AlarmsPage* m_alarms = nullptr;
    MismatchBanner* m_mismatch = nullptr;
    QPointer<WhyDialog> m_why;
    QPointer<ReportDialog> m_report;
    QString m_reportFolder;

    QString m_page;
    PageHistory m_history;
    bool m_walking = false;      ///< going back or forward; not a visit
    bool m_navByHand = false;    ///< Ctrl+B chose; the width of the window no longer does
    QString m_notice;
    QList<Entry> m_entries;
    QList<std::pair<QMenu*, const char*>> m_menus;
    QHash<QString, QAction*> m_byName;
};

} // namespace weir::ui
