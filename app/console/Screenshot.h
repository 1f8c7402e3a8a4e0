// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>

namespace weir::console {

/// Saves a picture of a window once the plane's clock has run for a time, then ends the program (0, or 1 where the file cannot be
/// written).
class Screenshot : public QObject {
    Q_OBJECT

public:
    Screenshot(QWidget& window, ui::ControlPlaneClient& client, QString file, double afterSeconds, QObject* parent = nullptr);

private:
    void look();

    QWidget& m_window;
    ui::ControlPlaneClient& m_client;
    QString m_file;
    qint64 m_dueMonoMs;
    QTimer m_timer;
};

} // namespace weir::console
