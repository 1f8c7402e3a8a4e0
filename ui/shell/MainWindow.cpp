// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/Announcer.h"
#include "ui/shell/MainWindow.h"

#include "ui/live/MismatchBanner.h"
#include "ui/moves/MoveActions.h"
#include "ui/pages/alarms/AlarmsPage.h"
#include "ui/pages/apps/AppsPage.h"
#include "ui/pages/nodepools/NodePoolsPage.h"
#include "ui/pages/nodes/NodesPage.h"
#include "ui/pages/overview/OverviewPage.h"
#include "ui/shell/DemoPanel.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/PauseGate.h"
#include "ui/shell/ShellParts.h"
#include "ui/shell/ShellSettings.h"
#include "ui/shell/WhyDialog.h"
#include "ui/widgets/ContextStrip.h"
#include "ui/widgets/MessageBar.h"
#include "ui/widgets/TableView.h"

#include <QApplication>
#include <QCloseEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenuBar>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QStatusTipEvent>

namespace weir::ui {

namespace {

constexpr int kActionsKept = 10; ///< a move's Undo stays that many later actions

const QString kOverview = QStringLiteral("overview");
const QString kPools = QStringLiteral("nodepools");
const QString kNodes = QStringLiteral("nodes");
const QString kApps = QStringLiteral("apps");
const QString kAlarms = QStringLiteral("alarms");

} // namespace

MainWindow::MainWindow(ControlPlaneClient& client, Theme& theme, const MainWindowOptions& options, QWidget* parent)
    : QMainWindow(parent)
    , m_client(client)
    , m_theme(theme)
    , m_demo(options.demo)
    , m_demoControl(options.demoControl)
    , m_profile(options.profile)
    , m_translations(options.translations)
    , m_language(QStringLiteral("en"))
    , m_gate(new PauseGate(client, this))
    , m_store(new FleetStore(client, this))
    , m_settings(new ShellSettings(options.profile, options.demo, options.settingsFile, this))
{
    setObjectName(QStringLiteral("main"));
    setMinimumSize(1024, 640);
    resize(1280, 800);
    m_actions = new NodeActions(*m_store, m_times, *this);
    m_moves = new MoveFlow(*m_store, m_times, m_theme, *this);
    m_moveActions = new MoveActions(*m_moves, *m_actions);
    m_announcer = new Announcer(*this);
    buildPages();
    buildLayout();
    buildMenus();
    connectPages();
    connectMoves();
    connectAlarms();
    connectStore();
    restore(options);
    m_settings->setWriter([this](QSettings& settings) { save(settings); });
    retranslate();
}

MainWindow::~MainWindow()
{
    m_settings->setWriter({});
}

void MainWindow::buildPages()
{
    m_stack = new QStackedWidget;
    m_stack->setObjectName(QStringLiteral("pages"));
    m_overview = new OverviewPage(*m_gate, m_theme, m_stack);
    m_overview->setObjectName(QStringLiteral("page.overview"));
    m_pools = new NodePoolsPage(*m_store, *m_actions, m_times, m_theme, m_stack);
    m_nodes = new NodesPage(*m_store, *m_actions, m_times, m_theme, m_stack);
    m_apps = new AppsPage(*m_store, *m_actions, m_times, m_theme, m_stack);
    m_alarms = new AlarmsPage(*m_store, *m_actions, m_times, m_theme, m_stack);
    for (QWidget* widget : {static_cast<QWidget*>(m_overview), static_cast<QWidget*>(m_pools), static_cast<QWidget*>(m_nodes), static_cast<QWidget*>(m_apps),
             static_cast<QWidget*>(m_alarms)}) {
        m_stack->addWidget(widget);
    }
    m_pools->setMoves(*m_moveActions);
    m_nodes->setMoves(*m_moveActions);
    // A plain "/" leads to the filter, but only from a table: in a field it is a letter.
    const auto tables = m_stack->findChildren<TableView*>();
    for (TableView* table : tables) {
        auto* slash = new QShortcut(QKeySequence(Qt::Key_Slash), table, nullptr, nullptr, Qt::WidgetShortcut);
        connect(slash, &QShortcut::activated, this, [this] {
            if (Page* current = page()) {
                current->focusFilter();
            }
        });
    }
}

void MainWindow::buildLayout()
{
    m_context = new ContextStrip(m_theme);
    m_context->setObjectName(QStringLiteral("strip.context"));
    m_context->setVisible(m_demo);
    m_stale = new ContextStrip(m_theme);
    m_stale->setObjectName(QStringLiteral("strip.stale"));
    m_stale->hide();
    m_paused = new ContextStrip(m_theme);
    m_paused->setObjectName(QStringLiteral("strip.paused"));
    m_paused->hide();
    auto* menuRow = new QWidget;
    menuRow->setFixedHeight(metrics::fitted(metrics::kMenuRow, fontMetrics().height(), 14));
    buildCorner(*menuRow);
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(m_context);
    topLayout->addWidget(menuRow);
    topLayout->addWidget(new Rule(m_theme, Qt::Horizontal, Rule::Weight::Hair));
    topLayout->addWidget(m_stale);
    topLayout->addWidget(m_paused);
    setMenuWidget(top);

    m_nav = new NavBar(m_theme);
    m_nav->addPage(kOverview, IconName::Overview);
    m_nav->addPage(kPools, IconName::Pools);
    m_nav->addPage(kNodes, IconName::Nodes);
    m_nav->addPage(kApps, IconName::Apps);
    m_nav->addPage(kAlarms, IconName::Alarms);
    m_header = new PageHeader(m_theme);
    m_mismatch = new MismatchBanner(*m_store, m_theme);
    m_message = new MessageBar(m_theme);
    m_message->setObjectName(QStringLiteral("message"));
    m_moved = new MessageBar(m_theme);
    m_moved->setObjectName(QStringLiteral("message.moved"));
    m_alarmBar = new MessageBar(m_theme);
    m_alarmBar->setObjectName(QStringLiteral("message.alarm"));
    m_status = new StatusLine(m_theme);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_mismatch);
    column->addWidget(m_stack, 1);
    column->addWidget(m_alarmBar);
    column->addWidget(m_message);
    column->addWidget(m_moved);
    if (m_demoControl != nullptr) {
        column->addWidget(new DemoPanel(*m_demoControl, m_theme));
    }
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_nav);
    middle->addLayout(column, 1);
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(middle, 1);
    layout->addWidget(m_status);
    setCentralWidget(central);
}

void MainWindow::connectPages()
{
    connect(m_nav, &NavBar::pageRequested, this, &MainWindow::showPage);
    connect(m_overview, &OverviewPage::nodeActivated, this, &MainWindow::showNode);
    connect(m_overview, &OverviewPage::poolActivated, this, &MainWindow::showPool);
    connect(m_overview, &OverviewPage::appActivated, this, [this](const QString& id) {
        WhyContext context;
        context.app = id;
        showWhy(context);
    });
    connect(m_overview, &OverviewPage::pageRequested, this, [this](OverviewPage::Target target) {
        showPage(target == OverviewPage::Target::Pools ? kPools : kNodes);
        if (target == OverviewPage::Target::Nodes) {
            m_nodes->showProblems();
        }
    });
    connect(m_mismatch, &MismatchBanner::whyRequested, this, &MainWindow::showWhy);
    connect(m_mismatch, &MismatchBanner::resolutionRequested, this, [this] {
        showPage(kApps);
        if (m_store->summary().appsStarved > 0) {
            m_apps->showProblems();
        } else {
            m_apps->clearFilter();
        }
    });
    for (Page* each : {static_cast<Page*>(m_pools), static_cast<Page*>(m_nodes), static_cast<Page*>(m_apps), static_cast<Page*>(m_alarms)}) {
        connect(each, &Page::selectionChanged, this, &MainWindow::selectionMoved);
        connect(each, &Page::stateEdited, m_settings, &ShellSettings::touch);
        connect(each, &Page::message, this, &MainWindow::showMessage);
        connect(each, &Page::notice, this, &MainWindow::noteGone);
        connect(each, &Page::announced, m_announcer, &Announcer::announce);
        connect(each, &Page::nodeRequested, this, &MainWindow::showNode);
        connect(each, &Page::poolRequested, this, &MainWindow::showPool);
        connect(each, &Page::whyRequested, this, &MainWindow::showWhy);
    }
    connect(m_actions, &NodeActions::message, this, &MainWindow::showMessage);
    connect(m_actions, &NodeActions::whyRequested, this, [this] { showWhy(page() != nullptr ? page()->whyContext() : WhyContext()); });
}

void MainWindow::connectStore()
{
    connect(m_store, &FleetStore::flushed, this, [this] {
        refreshBadges();
        refreshFigures();
    });
    connect(m_store, &FleetStore::tick, this, &MainWindow::refreshFigures);
    connect(m_store, &FleetStore::stateChanged, this, [this] {
        refreshStrips();
        refreshFigures();
        refreshActions();
    });
    connect(m_store, &FleetStore::lockedChanged, this, [this](bool locked) {
        noteGone(locked ? tr("Changes are locked.") : tr("Changes are unlocked."));
        m_announcer->announce(m_notice);
    });
    connect(m_store, &FleetStore::missedChanged, this, &MainWindow::refreshStrips);
    connect(m_store, &FleetStore::pausedChanged, this, [this](bool paused) {
        m_gate->setPaused(paused);
        refreshStrips();
        refreshFigures();
        refreshActions();
    });
    connect(&m_times, &TimeDisplay::changed, this, [this] {
        m_overview->setTimeZone(m_times.zone());
        refreshStrips();
        refreshFigures();
        refreshActions();
        m_settings->touch();
    });
    connect(&m_client, &ControlPlaneClient::stateChanged, this, [this] {
        m_announcer->announce(m_store->isStale() ? tr("Disconnected.") : m_client.state() == ControlPlaneClient::State::Live ? tr("Live again.") : QString());
    });
    connect(m_stale, &ContextStrip::actionTriggered, m_store, &FleetStore::resync);
    connect(m_paused, &ContextStrip::actionTriggered, this, [this] { m_store->setPaused(false); });
}

Page* MainWindow::page() const
{
    return qobject_cast<Page*>(m_stack->currentWidget());
}

void MainWindow::showPage(const QString& name)
{
    QWidget* widget = name == kOverview ? static_cast<QWidget*>(m_overview)
        : name == kPools                ? static_cast<QWidget*>(m_pools)
        : name == kNodes                ? static_cast<QWidget*>(m_nodes)
        : name == kApps                 ? static_cast<QWidget*>(m_apps)
        : name == kAlarms               ? static_cast<QWidget*>(m_alarms)
                                        : nullptr;
    if (widget == nullptr) {
        return;
    }
    m_page = name;
    m_pools->setActive(widget == m_pools);
    m_nodes->setActive(widget == m_nodes);
    if (widget != m_pools) {
        m_moveActions->setPool({});
    }
    m_apps->setActive(widget == m_apps);
    m_alarms->setActive(widget == m_alarms);
    m_mismatch->setWanted(widget != m_nodes, widget == m_overview ? 0 : metrics::kGap);
    if (widget == m_overview) {
        m_actions->setTargets({});
    }
    m_stack->setCurrentWidget(widget);
    m_nav->setCurrent(name);
    // The Overview says the verdict itself, larger than a title row could.
    m_header->setVisible(widget != m_overview);
    m_header->setTitle(page() != nullptr ? page()->title() : QString());
    m_notice.clear();
    selectionMoved();
    refreshActions();
    m_settings->touch();
}

void MainWindow::showNode(const QString& id)
{
    showPage(kNodes);
    m_nodes->showNode(id);
}

void MainWindow::showPool(const QString& id)
{
    showPage(kPools);
    m_pools->showPool(id);
}

void MainWindow::showApp(const QString& id)
{
    showPage(kApps);
    m_apps->showApp(id);
}

void MainWindow::showWhy(const WhyContext& context)
{
    if (m_why == nullptr) {
        m_why = new WhyDialog(*m_store, m_times, m_theme, this);
        m_why->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_why->setContext(context);
    if (m_demoControl != nullptr) {
        m_demoControl->whyAsked();
    }
    m_why->show();
    m_why->raise();
    m_why->activateWindow();
}

void MainWindow::selectionMoved()
{
    if (!m_walking && !m_page.isEmpty()) {
        m_history.visit({m_page, page() != nullptr ? page()->selection() : QStringList()});
    }
    refreshFigures();
    refreshActions();
}

void MainWindow::goTo(const PageHistory::Place& place)
{
    m_walking = true;
    showPage(place.page);
    if (page() != nullptr && !place.selection.isEmpty()) {
        page()->setSelection(place.selection);
    }
    m_walking = false;
    refreshActions();
}

void MainWindow::noteGone(const QString& text)
{
    m_notice = text;
    refreshFigures();
}

void MainWindow::connectMoves()
{
    connect(m_moves, &MoveFlow::reported, this, &MainWindow::reportMove);
    connect(m_moveActions, &MoveActions::notice, this, &MainWindow::noteGone);
    connect(m_moved, &MessageBar::undoRequested, m_moves, &MoveFlow::undo);
    connect(m_moved, &MessageBar::showRequested, this, [this] { showNode(m_movedNode); });
}

void MainWindow::reportMove(const MoveReport& report)
{
    m_actionsSinceMove = 0;
    m_movedNode = report.node;
    m_announcer->announce(report.text);
    m_moved->showMessage(report.tone == MessageTone::Refused ? MessageBar::Kind::Refused : MessageBar::Kind::Done, report.text, report.undoable,
        !report.node.isEmpty());
}

void MainWindow::countAction()
{
    if (++m_actionsSinceMove >= kActionsKept) {
        m_moved->hide();
    }
}

void MainWindow::showMessage(MessageTone tone, const QString& text)
{
    countAction();
    m_announcer->announce(text);
    m_message->showMessage(tone == MessageTone::Refused ? MessageBar::Kind::Refused : MessageBar::Kind::Done, text);
}

void MainWindow::setLanguage(const QString& language)
{
    QCoreApplication::removeTranslator(&m_translator);
    m_language = QStringLiteral("en");
    const QString file = QStringLiteral("%1/weir_%2.qm").arg(m_translations, language);
    if (m_translator.load(file)) {
        m_language = language;
    } else {
        // The English file holds the plurals; without it, numbers read "5 app(s)".
        (void)m_translator.load(QStringLiteral("%1/weir_en.qm").arg(m_translations));
    }
    if (!m_translator.isEmpty()) {
        QCoreApplication::installTranslator(&m_translator);
    }
    m_theme.setLanguage(m_language);
    retranslate();
    m_settings->touch();
}

void MainWindow::retranslate()
{
    const QString name = m_profile.isEmpty() ? QStringLiteral("Weir") : QStringLiteral("%1 – Weir").arg(m_profile);
    setWindowTitle(m_demo ? QStringLiteral("DEMO – ") + name : name);
    m_nav->button(kOverview)->setTitle(tr("Overview"), QStringLiteral("Ctrl+1"));
    m_nav->button(kPools)->setTitle(tr("Node pools"), QStringLiteral("Ctrl+2"));
    m_nav->button(kNodes)->setTitle(tr("Nodes/Workers"), QStringLiteral("Ctrl+3"));
    m_nav->button(kApps)->setTitle(tr("Apps & bindings"), QStringLiteral("Ctrl+4"));
    m_nav->button(kAlarms)->setTitle(tr("Alarms"), QStringLiteral("Ctrl+7"));
    m_nav->setAccessibleName(tr("Pages"));
    m_header->setTitle(page() != nullptr ? page()->title() : QString());
    retranslateMenus();
    m_actions->refresh();
    m_moveActions->refresh();
    refreshActions();
    refreshStrips();
    refreshFigures();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() == QEvent::StatusTip) {
        m_status->setTip(static_cast<QStatusTipEvent*>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

} // namespace weir::ui
