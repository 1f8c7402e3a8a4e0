// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps from one start to the next.
#include "ui/shell/MainWindow.h"

#include "ui/pages/alarms/AlarmsPage.h"
#include "ui/pages/apps/AppsPage.h"
#include "ui/pages/nodepools/NodePoolsPage.h"
#include "ui/pages/nodes/NodesPage.h"
#include "ui/shell/NavBar.h"
#include "ui/shell/ShellSettings.h"

#include <QCloseEvent>
#include <QLocale>
#include <QSettings>

namespace weir::ui {

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    applyNavWidth();
    m_settings->touch();
}

void MainWindow::moveEvent(QMoveEvent* event)
{
    QMainWindow::moveEvent(event);
    m_settings->touch();
}

void MainWindow::applyNavWidth()
{
    if (!m_navByHand) {
        m_nav->setCollapsed(width() < kNavFrom);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_settings->writeNow();
    QMainWindow::closeEvent(event);
}

void MainWindow::save(QSettings& settings) const
{
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("page"), m_page);
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_theme.mode()));
    settings.setValue(QStringLiteral("density"), static_cast<int>(m_theme.density()));
    settings.setValue(QStringLiteral("language"), m_language);
    settings.setValue(QStringLiteral("utc"), m_times.isUtc());
    settings.setValue(QStringLiteral("navByHand"), m_navByHand);
    settings.setValue(QStringLiteral("navCollapsed"), m_nav->isCollapsed());
    m_pools->saveState(settings);
    m_nodes->saveState(settings);
    m_apps->saveState(settings);
    m_alarms->saveState(settings);
    settings.setValue(QStringLiteral("reportFolder"), m_reportFolder);
}

void MainWindow::restore(const MainWindowOptions& options)
{
    QSettings& settings = m_settings->store();
    const bool known = settings.contains(QStringLiteral("version"));
    if (known) {
        restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
        m_theme.setMode(static_cast<Theme::Mode>(qBound(0, settings.value(QStringLiteral("theme")).toInt(), 2)));
        m_theme.setDensity(static_cast<Density>(qBound(0, settings.value(QStringLiteral("density"), 1).toInt(), 2)));
        m_times.setUtc(settings.value(QStringLiteral("utc")).toBool());
        m_pools->restoreState(settings);
        m_nodes->restoreState(settings);
        m_apps->restoreState(settings);
        m_alarms->restoreState(settings);
        m_reportFolder = settings.value(QStringLiteral("reportFolder")).toString();
        m_navByHand = settings.value(QStringLiteral("navByHand")).toBool();
        if (m_navByHand) {
            m_nav->setCollapsed(settings.value(QStringLiteral("navCollapsed")).toBool());
        }
    }
    QString language = options.language;
    if (language.isEmpty()) {
        language = settings.value(QStringLiteral("language"), QLocale::system().name()).toString();
    }
    setLanguage(language);
    showPage(QStringLiteral("overview"));
    showPage(options.page.isEmpty() ? settings.value(QStringLiteral("page"), QStringLiteral("overview")).toString() : options.page);
}

} // namespace weir::ui
