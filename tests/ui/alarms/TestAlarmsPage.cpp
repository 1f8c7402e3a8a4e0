// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/live/NodeActions.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/alarms/AlarmActions.h"
#include "ui/pages/alarms/AlarmsPage.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/TableView.h"
#include "ui/widgets/Theme.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAlarmsPage : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void beginsWithTheWorst();
    void drawerSaysWhy();
    void linksLeadAway();
    void incidentsAreAskedOneAtATime();
    void emptySaysWhy();
    void whyIsAboutTheAlarm();
    void hiddenPageHasNoTargets();
    void stateSurvivesARestart();

private:
    void sendSample();
    [[nodiscard]] TableView* table() const { return m_page->findChild<TableView*>(QStringLiteral("alarms.table")); }

    Theme m_theme;
    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    NodeActions* m_actions = nullptr;
    AlarmsPage* m_page = nullptr;
};

void TestAlarmsPage::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_client->incidents = test::sampleIncidents(m_client->wallMs);
    m_store = std::make_unique<FleetStore>(*m_client);
    m_window = std::make_unique<QWidget>();
    m_actions = new NodeActions(*m_store, m_times, *m_window);
    m_page = new AlarmsPage(*m_store, *m_actions, m_times, m_theme, m_window.get());
    m_page->setActive(true);
}

void TestAlarmsPage::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestAlarmsPage::sendSample()
{
    ChangeBatch batch;
    batch.reset = true;
    batch.alarms = test::sampleAlarms(m_client->wallMs);
    m_client->send(batch);
    m_store->flushNow();
}

void TestAlarmsPage::beginsWithTheWorst()
{
    sendSample();
    QCOMPARE(table()->model()->rowCount(), 7);
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("2")});
    QVERIFY(m_page->toProblem(true));
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("3")});
    m_page->findChild<QLineEdit*>(QStringLiteral("alarms.filter"))->setText(QStringLiteral("gpu-01"));
    QCOMPARE(table()->model()->rowCount(), 2);
    m_page->showAlarm(QStringLiteral("5")); // hidden by the filter, which gives way
    QCOMPARE(m_page->selection(), QStringList{QStringLiteral("5")});
    QCOMPARE(table()->model()->rowCount(), 7);
}

void TestAlarmsPage::drawerSaysWhy()
{
    sendSample();
    const auto text = [this](const char* name) { return m_page->findChild<QLabel*>(QLatin1String(name))->text(); };
    QCOMPARE(text("alarms.drawer.title"), QStringLiteral("Pool exhausted"));
    QVERIFY(text("alarms.drawer.first").startsWith(QStringLiteral("No origin for app-14")));
    QVERIFY(text("alarms.drawer.latest").contains(QStringLiteral("3 available origins are in pool-1")));
    // One that was seen once has one explanation.
    m_page->setSelection({QStringLiteral("3")});
    QVERIFY(m_page->findChild<QLabel*>(QStringLiteral("alarms.drawer.latest"))->isHidden());
    // It follows the row.
    AlarmRow row = *m_store->alarm(QStringLiteral("3"));
    row.latestSentence = QStringLiteral("pool-9 has nobody left.");
    ChangeBatch batch;
    batch.alarms = {row};
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(text("alarms.drawer.latest"), QStringLiteral("pool-9 has nobody left."));
}

void TestAlarmsPage::linksLeadAway()
{
    sendSample();
    QTRY_COMPARE(table()->model()->index(0, AlarmTableModel::Incident).data().toString(), QStringLiteral("#42"));
    QSignalSpy pools(m_page, &Page::poolRequested);
    QSignalSpy apps(m_page, &AlarmsPage::appRequested);
    QSignalSpy reports(m_page, &AlarmsPage::reportRequested);
    for (const int column : {AlarmTableModel::Pool, AlarmTableModel::App, AlarmTableModel::Incident}) {
        emit table()->linkActivated(table()->model()->index(0, column));
    }
    QCOMPARE(pools.value(0).value(0).toString(), QStringLiteral("pool-9"));
    QCOMPARE(apps.value(0).value(0).toString(), QStringLiteral("app-14"));
    QCOMPARE(reports.value(0).value(0).toLongLong(), 42);
}

void TestAlarmsPage::incidentsAreAskedOneAtATime()
{
    QCoreApplication::processEvents(); // the answer to the page's first question
    m_client->answersAtOnce = false;
    m_client->calls.clear();
    sendSample();
    sendSample();
    const QString question = QStringLiteral("incidents %1").arg(AlarmsPage::kIncidents);
    QCOMPARE(m_client->calls.count(question), 1);
    m_client->answerAll();
    QCOMPARE(m_client->calls.count(question), 2); // something changed while the answer was on its way
    m_client->answerAll();
    QCOMPARE(m_client->calls.count(question), 2);
    EventRow event;
    event.kind = QStringLiteral("incident_changed");
    ChangeBatch batch;
    batch.events = {event};
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(m_client->calls.count(question), 3);
    // Nobody asks while the page is hidden; it catches up when it is shown.
    m_client->answerAll();
    m_page->setActive(false);
    sendSample();
    QCOMPARE(m_client->calls.count(question), 3);
    m_page->setActive(true);
    QCOMPARE(m_client->calls.count(question), 4);
}

void TestAlarmsPage::emptySaysWhy()
{
    EmptyState* empty = table()->emptyState();
    QCOMPARE(empty->sentence(), QStringLiteral("Waiting for the control plane."));
    m_client->send({});
    m_store->flushNow();
    QVERIFY(empty->sentence().startsWith(QStringLiteral("Nothing has fired")));
    m_client->setState(ControlPlaneClient::State::Stale);
    QVERIFY(empty->sentence().startsWith(QStringLiteral("Disconnected"))); // never an all-clear
    m_client->setState(ControlPlaneClient::State::Live);
    sendSample();
    m_page->findChild<QLineEdit*>(QStringLiteral("alarms.filter"))->setText(QStringLiteral("no such thing"));
    QVERIFY2(empty->sentence().startsWith(QStringLiteral("0 of 7")), qPrintable(empty->sentence()));
}

void TestAlarmsPage::whyIsAboutTheAlarm()
{
    sendSample();
    const WhyContext context = m_page->whyContext();
    QCOMPARE(context.app, QStringLiteral("app-14"));
    QCOMPARE(context.pool, QStringLiteral("pool-9"));
    QCOMPARE(context.role, Role::Origin);
}

void TestAlarmsPage::hiddenPageHasNoTargets()
{
    sendSample();
    QVERIFY(m_page->actions().acknowledge()->isEnabled());
    m_page->setActive(false);
    QVERIFY(!m_page->actions().acknowledge()->isEnabled());
    QVERIFY(m_page->actions().targets().isEmpty());
    m_page->setActive(true);
    QCOMPARE(m_page->actions().targets(), m_page->selection());
}

void TestAlarmsPage::stateSurvivesARestart()
{
    sendSample();
    QTemporaryDir directory;
    QSettings settings(directory.filePath(QStringLiteral("page.ini")), QSettings::IniFormat);
    m_page->findChild<QLineEdit*>(QStringLiteral("alarms.filter"))->setText(QStringLiteral("pool-9"));
    m_page->toggleDrawer();
    table()->sortByColumn(AlarmTableModel::Count, Qt::DescendingOrder);
    m_page->saveState(settings);
    AlarmsPage again(*m_store, *m_actions, m_times, m_theme);
    again.restoreState(settings);
    QCOMPARE(again.findChild<QLineEdit*>(QStringLiteral("alarms.filter"))->text(), QStringLiteral("pool-9"));
    auto* restored = again.findChild<TableView*>(QStringLiteral("alarms.table"));
    QCOMPARE(restored->model()->rowCount(), 3);
    QCOMPARE(restored->horizontalHeader()->sortIndicatorSection(), int(AlarmTableModel::Count));
    QVERIFY(again.findChild<QWidget*>(QStringLiteral("alarms.drawer"))->isHidden());
}

QTEST_MAIN(TestAlarmsPage)
#include "TestAlarmsPage.moc"
