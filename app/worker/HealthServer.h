// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/HealthCheck.h"
#include "core/config/ListenAddress.h"
#include "core/http/Message.h"

#include <QObject>
#include <QTcpServer>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>

namespace weir::worker {

class HealthConnection;

struct ServerLimits {
    std::size_t connections = 256;
    std::size_t headBytes = 8U << 10U;
    std::chrono::milliseconds head{5'000};  ///< from accept to the end of the request's head
    std::chrono::milliseconds write{5'000}; ///< from the answer to the end of the connection
};

/// Answers GET and HEAD of `/health` and `/livez`, one request a connection. Every size and time is bounded; when all
/// connections are taken, the oldest that has not asked yet makes room, so that idle ones cannot keep a prober out.
/// Belongs to one thread with an event loop.
class HealthServer final : public QObject {
public:
    HealthServer(HealthCheck& check, ServerLimits limits);
    ~HealthServer() override;

    /// False when the address cannot be had; error() says why.
    [[nodiscard]] bool listen(const config::ListenAddress& address);
    [[nodiscard]] std::string error() const { return m_listener.errorString().toStdString(); }
    /// `http://127.0.0.1:8790`, with the port that was taken.
    [[nodiscard]] std::string url() const;

    /// Accepts nobody any more and calls `done` once the connections that have asked are gone.
    void close(std::function<void()> done);

    [[nodiscard]] std::size_t connections() const { return m_connections.size(); }

private:
    friend class HealthConnection;

    void accept();
    bool makeRoom();
    void answer(HealthConnection& connection, const http::Request& request);
    void ended(HealthConnection& connection);
    void endIfIdle();

    HealthCheck& m_check;
    ServerLimits m_limits;
    QTcpServer m_listener;
    std::deque<HealthConnection*> m_connections; // oldest first
    std::function<void()> m_closed;
};

} // namespace weir::worker
