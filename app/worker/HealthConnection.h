// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/HealthServer.h"
#include "core/http/RequestParser.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

class QTcpSocket;

namespace weir::worker {

/// One client, one request. Deletes itself when the connection is over.
class HealthConnection final : public QObject {
public:
    HealthConnection(QTcpSocket* socket, HealthServer& server);
    ~HealthConnection() override;

    /// A whole head has come.
    [[nodiscard]] bool hasAsked() const { return m_asked; }
    /// Sends the answer, without its body to a HEAD, and closes. Only the first call counts.
    void reply(const http::Response& response);
    /// Drops the connection.
    void drop();

private:
    void read();
    void sent();
    void timedOut();
    void end();

    QTcpSocket* m_socket;
    HealthServer& m_server;
    http::RequestParser m_parser;
    QByteArray m_input;
    QTimer m_timer;
    bool m_asked = false;
    bool m_isHead = false;
    bool m_lingers = false; // more than the request may have come
    bool m_replied = false;
    bool m_ended = false;
};

} // namespace weir::worker
