// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/Settings.h"

#include <QObject>

#include <functional>

class QHostAddress;
class QHostInfo;
class QTcpSocket;

namespace weir::worker {

/// Does a port accept a TCP connection? One look: all addresses of the name are tried side by side, the first that accepts
/// decides. Nothing is sent. The deadline is the owner's: destroying the check ends it.
class DependencyCheck final : public QObject {
public:
    /// `done` is called once, from the event loop, unless the check is destroyed before.
    DependencyCheck(const Dependency& dependency, std::function<void(bool up)> done, QObject* parent);
    ~DependencyCheck() override;

private:
    void resolved(const QHostInfo& info);
    void tryAddress(const QHostAddress& address);
    void failed();
    void end(bool up);

    std::function<void(bool)> m_done;
    quint16 m_port;
    int m_lookup = 0;
    int m_open = 0; // connections still under way
};

} // namespace weir::worker
