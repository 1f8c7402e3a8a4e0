// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHostAddress>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weir::probe::test {

/// A server on a loopback address with a thread of its own. What it does with a request is the test's script, by path;
/// `/silent` and every path without a script get no answer.
class ScriptedServer {
public:
    /// Runs on the server's thread when the head of a request is complete.
    using Script = std::function<void(QTcpSocket& socket, const QByteArray& head)>;

    explicit ScriptedServer(std::map<std::string, Script> scripts = {}, const QHostAddress& address = QHostAddress(QHostAddress::LocalHost));
    /// Speaks TLS, on 127.0.0.1.
    ScriptedServer(std::map<std::string, Script> scripts, const QSslConfiguration& tls);
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;
    ~ScriptedServer();

    [[nodiscard]] quint16 port() const { return m_port; } ///< 0: could not listen
    [[nodiscard]] std::string url(const std::string& path) const;
    /// Answers nobody any more; connections are still accepted.
    void setSilent(bool silent) { m_silent = silent; }

    [[nodiscard]] int connections() const { return m_connections; }
    [[nodiscard]] int open() const { return m_open; }
    [[nodiscard]] int mostOpen() const { return m_mostOpen; }
    [[nodiscard]] std::vector<QByteArray> heads() const;

    /// A script that sends fixed bytes and closes.
    [[nodiscard]] static Script answer(QByteArray bytes);
    /// A script that resets the connection.
    [[nodiscard]] static Script reset();
    /// A port of 127.0.0.1 where nobody listens.
    [[nodiscard]] static quint16 unusedPort();

private:
    ScriptedServer(std::map<std::string, Script> scripts, const QHostAddress& address, QTcpServer* server);
    void accept();
    void read(QTcpSocket& socket, QByteArray& head);

    std::map<std::string, Script> m_scripts;
    QHostAddress m_address;
    QThread m_thread;
    QTcpServer* m_server = nullptr;
    quint16 m_port = 0;
    std::atomic<bool> m_silent = false;
    std::atomic<int> m_connections = 0;
    std::atomic<int> m_open = 0;
    std::atomic<int> m_mostOpen = 0;
    mutable std::mutex m_mutex;
    std::vector<QByteArray> m_heads;
};

} // namespace weir::probe::test
