// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QSocketNotifier;

namespace weir::runtime {

/// SIGTERM, SIGINT and SIGHUP as calls on the main thread's event loop; SIGPIPE is ignored. One object in a program; further SIGTERM or SIGINT while
/// the first is being worked on end the process as usual.
class UnixSignals : public QObject {
public:
    UnixSignals(std::function<void()> terminate, std::function<void()> reload, QObject* parent = nullptr);
    ~UnixSignals() override;

private:
    void read();

    std::function<void()> m_terminate;
    std::function<void()> m_reload;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace weir::runtime
