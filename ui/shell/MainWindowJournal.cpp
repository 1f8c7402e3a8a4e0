// SPDX-License-Identifier: GPL-3.0-or-later
// What the window has for alarms and incidents: the menu, notifications, the tray, the report.
#include "ui/shell/MainWindow.h"

#include "ui/client/DemoControl.h"
#include "ui/pages/alarms/AlarmActions.h"
#include "ui/pages/alarms/AlarmsPage.h"
#include "ui/shell/AlarmNotices.h"
#include "ui/shell/Announcer.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/ReportDialog.h"
#include "ui/shell/ShellSettings.h"
#include "ui/widgets/MessageBar.h"

#include <QApplication>
#include <QMenu>
#include <QPainter>
#include <QSystemTrayIcon>

namespace weir::ui {

namespace {

constexpr int kTrayIcon = 32;
constexpr int kTrayBadge = 18;

} // namespace

void MainWindow::fillIncidentMenu()
{
    QMenu* menu = addMenu(QT_TR_NOOP("&Incident"));
    const AlarmActions& alarms = m_alarms->actions();
    for (QAction* action :
        {alarms.acknowledge(), alarms.silenceHalfHour(), alarms.silenceTwoHours(), alarms.silenceUntil(), alarms.endSilence()}) {
        menu->addAction(action);
        addAction(action);
    }
    menu->addSeparator();
    connect(addEntry(*menu, "exportReport", QT_TR_NOOP("E&xport report…"), {QKeySequence(Qt::CTRL | Qt::Key_E)}), &QAction::triggered, this,
        [this] { showReport(0); });
}

void MainWindow::connectAlarms()
{
    connect(m_alarms, &AlarmsPage::appRequested, this, &MainWindow::showApp);
    connect(m_alarms, &AlarmsPage::reportRequested, this, &MainWindow::showReport);
    connect(m_alarmBar, &MessageBar::showRequested, this, [this] { showAlarm(m_toldAlarm); });
    if (m_demo) {
        return; // what a simulated fleet does is nobody's business outside its window
    }
    auto* notices = new AlarmNotices(*m_store, this);
    connect(notices, &AlarmNotices::told, this, &MainWindow::tellAlarm);
    if (QSystemTrayIcon::isSystemTrayAvailable()) {
        m_tray = new QSystemTrayIcon(this);
        m_tray->setObjectName(QStringLiteral("tray"));
        refreshTray();
        m_tray->show();
        connect(m_tray, &QSystemTrayIcon::messageClicked, this, [this] { comeForward(m_toldAlarm); });
        connect(m_tray, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
            if (reason != QSystemTrayIcon::Context) {
                comeForward({});
            }
        });
    }
}

void MainWindow::comeForward(const QString& alarm)
{
    showNormal();
    raise();
    activateWindow();
    showAlarm(alarm);
}

void MainWindow::showAlarm(const QString& id)
{
    showPage(QStringLiteral("alarms"));
    if (!id.isEmpty()) {
        m_alarms->showAlarm(id);
    }
}

void MainWindow::tellAlarm(const QString& title, const QString& body, const QString& alarm, bool critical)
{
    m_toldAlarm = alarm;
    m_announcer->announce(title);
    if (m_tray != nullptr && QSystemTrayIcon::supportsMessages()) {
        m_tray->showMessage(title, body, critical ? QSystemTrayIcon::Critical : QSystemTrayIcon::Warning);
        return;
    }
    QApplication::alert(this);
    const QString line = QString(body).replace(QLatin1Char('\n'), QLatin1String("; "));
    m_alarmBar->showMessage(MessageBar::Kind::Refused, tr("%1 — %2", "title and text of a notification").arg(title, line), false, true);
}

// A shape and a number, as in the navigation.
void MainWindow::refreshTray()
{
    if (m_tray == nullptr) {
        return;
    }
    const NavBadge badge = m_nav->button(QStringLiteral("alarms"))->badge();
    if (!m_tray->icon().isNull() && badge == m_trayBadge) {
        return;
    }
    m_trayBadge = badge;
    const Tokens& t = m_theme.tokens();
    QPixmap pixmap(kTrayIcon, kTrayIcon);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QIcon(QStringLiteral(":/icons/weir.svg")).paint(&painter, QRect(0, 0, kTrayIcon, kTrayIcon));
    if (badge.count > 0) {
        const StateFill fill = t.fill(badge.needsAction ? Tone::Offline : Tone::Failing);
        const QRect corner(kTrayIcon - kTrayBadge, kTrayIcon - kTrayBadge, kTrayBadge, kTrayBadge);
        painter.drawPixmap(
            corner.topLeft(), icons::pixmap(badge.needsAction ? IconName::BadgeDot : IconName::BadgeTriangle, fill.fill, kTrayBadge, 1));
        painter.setPen(fill.label);
        painter.setFont(scaledFont(font(), TextSize::Caption));
        painter.drawText(corner, Qt::AlignCenter, badge.count > 9 ? QStringLiteral("9+") : QString::number(badge.count));
    }
    painter.end();
    m_tray->setIcon(QIcon(pixmap));
    m_tray->setToolTip(badge.count == 0 ? tr("Weir: no alarm fires") : tr("Weir: %n alarm(s) fire", nullptr, badge.count));
}

void MainWindow::showReport(qint64 incident)
{
    if (m_report == nullptr) {
        m_report = new ReportDialog(m_client, m_demo, m_reportFolder, this);
        m_report->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_report, &ReportDialog::taken, this, [this](const QString& sentence) {
            m_reportFolder = m_report->folder();
            m_settings->touch();
            if (m_demoControl != nullptr) {
                m_demoControl->reportTaken();
            }
            showMessage(MessageTone::Done, sentence);
        });
    }
    m_report->choose(incident);
    m_report->show();
    m_report->raise();
    m_report->activateWindow();
}

} // namespace weir::ui
