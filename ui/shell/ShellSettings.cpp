// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/ShellSettings.h"

namespace weir::ui {

ShellSettings::ShellSettings(const QString& profile, bool demo, const QString& file, QObject* parent)
    : QObject(parent)
{
    if (demo && file.isEmpty()) {
        m_demoDir = std::make_unique<QTemporaryDir>();
        m_store = std::make_unique<QSettings>(m_demoDir->filePath(QStringLiteral("console.ini")), QSettings::IniFormat);
    } else if (!file.isEmpty()) {
        m_store = std::make_unique<QSettings>(file, QSettings::IniFormat);
    } else {
        m_store = std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("weir"), QStringLiteral("console"));
    }
    m_store->beginGroup(demo ? QStringLiteral("demo") : QStringLiteral("profile-") + (profile.isEmpty() ? QStringLiteral("embedded") : profile));
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ShellSettings::writeNow);
}

ShellSettings::~ShellSettings() = default;

void ShellSettings::touch()
{
    if (!m_timer.isActive()) {
        m_timer.start(kWriteAfterMs);
    }
}

void ShellSettings::writeNow()
{
    m_timer.stop();
    m_store->setValue(QStringLiteral("version"), kVersion);
    if (m_writer) {
        m_writer(*m_store);
    }
    m_store->sync();
}

} // namespace weir::ui
