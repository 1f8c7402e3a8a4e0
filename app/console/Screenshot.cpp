// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/Screenshot.h"

#include <QCoreApplication>
#include <QPixmap>
#include <cmath>
#include <cstdio>

namespace weir::console {

Screenshot::Screenshot(QWidget& window, ui::ControlPlaneClient& client, QString file, double afterSeconds, QObject* parent)
    : QObject(parent)
    , m_window(window)
    , m_client(client)
    , m_file(std::move(file))
    , m_dueMonoMs(client.monotonicNowMs() + std::llround(afterSeconds * 1000))
{
    connect(&m_timer, &QTimer::timeout, this, &Screenshot::look);
    m_timer.start(50);
}

void Screenshot::look()
{
    if (m_client.monotonicNowMs() < m_dueMonoMs || m_client.state() == ui::ControlPlaneClient::State::Connecting) {
        return;
    }
    m_timer.stop();
    const bool saved = m_window.grab().save(m_file);
    if (!saved) {
        std::fprintf(stderr, "weir: the picture cannot be written to %s\n", qPrintable(m_file));
    }
    QCoreApplication::exit(saved ? 0 : 1);
}

} // namespace weir::console
