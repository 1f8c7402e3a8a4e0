// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

namespace weir::ui {

/// Tells screen readers what happened elsewhere than where the focus is: one label outside the visible window that changes its name
/// and raises an alert. At most one announcement in three seconds; of those that come sooner the last one is told when the time is up.
class Announcer : public QWidget {
    Q_OBJECT

public:
    static constexpr int kLeastGapMs = 3000;

    explicit Announcer(QWidget& window);

    /// Results of actions, refused drops, changes of the connection; never figures that tick. The same text as the last one within the
    /// gap is not told again.
    void announce(const QString& text);

signals:
    void announced(const QString& text);

private:
    void tell(const QString& text);

    QTimer m_timer;
    QElapsedTimer m_sinceLast;
    QString m_waiting;
};

} // namespace weir::ui
