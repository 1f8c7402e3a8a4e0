// SPDX-License-Identifier: GPL-3.0-or-later
#include "ScriptedServer.h"

#include <QSslServer>

#include <sys/socket.h>

namespace weir::probe::test {
namespace {

QTcpServer* makeTlsServer(const QSslConfiguration& tls)
{
    auto* server = new QSslServer;
    server->setSslConfiguration(tls);
    return server;
}

} // namespace

ScriptedServer::ScriptedServer(std::map<std::string, Script> scripts, const QHostAddress& address)
    : ScriptedServer(std::move(scripts), address, new QTcpServer)
{
}

ScriptedServer::ScriptedServer(std::map<std::string, Script> scripts, const QSslConfiguration& tls)
    : ScriptedServer(std::move(scripts), QHostAddress(QHostAddress::LocalHost), makeTlsServer(tls))
{
}

ScriptedServer::ScriptedServer(std::map<std::string, Script> scripts, const QHostAddress& address, QTcpServer* server)
    : m_scripts(std::move(scripts))
    , m_address(address)
    , m_server(server)
{
    m_server->setListenBacklogSize(1024);
    m_server->moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(
        m_server,
        [this] {
            if (qobject_cast<QSslServer*>(m_server) != nullptr) { // its sockets are there once the handshake is over
                QObject::connect(m_server, &QTcpServer::pendingConnectionAvailable, m_server, [this] { accept(); });
            } else {
                QObject::connect(m_server, &QTcpServer::newConnection, m_server, [this] { accept(); });
            }
            m_port = m_server->listen(m_address, 0) ? m_server->serverPort() : quint16(0);
        },
        Qt::BlockingQueuedConnection);
}

ScriptedServer::~ScriptedServer()
{
    QMetaObject::invokeMethod(m_server, [this] { delete m_server; }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

std::string ScriptedServer::url(const std::string& path) const
{
    const std::string host = m_address.toString().toStdString();
    const bool six = m_address.protocol() == QAbstractSocket::IPv6Protocol;
    return "http://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(m_port) + path;
}

std::vector<QByteArray> ScriptedServer::heads() const
{
    const std::scoped_lock lock(m_mutex);
    return m_heads;
}

void ScriptedServer::accept()
{
    while (QTcpSocket* socket = m_server->nextPendingConnection()) {
        ++m_connections;
        const int open = ++m_open;
        if (open > m_mostOpen) {
            m_mostOpen = open;
        }
        auto head = std::make_shared<QByteArray>();
        QObject::connect(socket, &QTcpSocket::disconnected, socket, [this, socket] {
            --m_open;
            socket->deleteLater();
        });
        QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, head] { read(*socket, *head); });
    }
}

void ScriptedServer::read(QTcpSocket& socket, QByteArray& head)
{
    const bool complete = head.contains("\r\n\r\n");
    head += socket.readAll();
    if (complete || !head.contains("\r\n\r\n")) {
        return;
    }
    {
        const std::scoped_lock lock(m_mutex);
        m_heads.push_back(head);
    }
    const QByteArray target = head.split(' ').value(1);
    const auto script = m_scripts.find(target.split('?').value(0).toStdString());
    if (script != m_scripts.end() && !m_silent) {
        script->second(socket, head);
    }
}

ScriptedServer::Script ScriptedServer::answer(QByteArray bytes)
{
    return [bytes](QTcpSocket& socket, const QByteArray&) {
        socket.write(bytes);
        socket.disconnectFromHost();
    };
}

ScriptedServer::Script ScriptedServer::reset()
{
    return [](QTcpSocket& socket, const QByteArray&) {
        const linger hard{1, 0};
        ::setsockopt(static_cast<int>(socket.socketDescriptor()), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        socket.abort();
    };
}

quint16 ScriptedServer::unusedPort()
{
    QTcpServer server;
    return server.listen(QHostAddress(QHostAddress::LocalHost), 0) ? server.serverPort() : quint16(0);
}

} // namespace weir::probe::test
