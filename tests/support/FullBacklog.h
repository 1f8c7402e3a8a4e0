// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

namespace weir::test {

/// A port on loopback that answers no further connection: it listens, nobody accepts, and its queue is full. The kernel drops
/// what comes, as a filter in between would.
class FullBacklog {
public:
    FullBacklog();
    FullBacklog(const FullBacklog&) = delete;
    FullBacklog& operator=(const FullBacklog&) = delete;
    ~FullBacklog();

    /// 0: it could not be set up.
    [[nodiscard]] quint16 port() const { return m_port; }

private:
    quint16 m_port = 0;
    std::vector<int> m_sockets;
};

} // namespace weir::test
