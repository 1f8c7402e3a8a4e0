// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/HealthServer.h"

#include "app/worker/HealthConnection.h"
#include "core/http/Problem.h"

#include <QHostAddress>
#include <QPointer>
#include <QTcpSocket>

#include <algorithm>
#include <utility>

namespace weir::worker {
namespace {

http::Response jsonAnswer(unsigned status, std::string body)
{
    http::Response response;
    response.status = status;
    response.body = std::move(body);
    return response;
}

} // namespace

HealthServer::HealthServer(HealthCheck& check, ServerLimits limits)
    : m_check(check)
    , m_limits(limits)
{
    connect(&m_listener, &QTcpServer::newConnection, this, &HealthServer::accept);
}

HealthServer::~HealthServer()
{
    m_closed = nullptr;
    m_listener.close();
    for (HealthConnection* connection : std::exchange(m_connections, {})) {
        delete connection;
    }
}

bool HealthServer::listen(const config::ListenAddress& address)
{
    return m_listener.listen(QHostAddress(QString::fromStdString(address.host)), address.port);
}

std::string HealthServer::url() const
{
    return "http://" + config::toText({m_listener.serverAddress().toString().toStdString(), m_listener.serverPort()});
}

void HealthServer::accept()
{
    while (QTcpSocket* socket = m_listener.nextPendingConnection()) {
        if (m_connections.size() >= m_limits.connections && !makeRoom()) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        m_connections.push_back(new HealthConnection(socket, *this));
    }
}

bool HealthServer::makeRoom()
{
    const auto idle = std::find_if(m_connections.begin(), m_connections.end(), [](const HealthConnection* each) { return !each->hasAsked(); });
    if (idle == m_connections.end()) {
        return false;
    }
    (*idle)->drop();
    return true;
}

void HealthServer::answer(HealthConnection& connection, const http::Request& request)
{
    const bool isHealth = request.path == "/health";
    if (!isHealth && request.path != "/livez") {
        connection.reply(http::problem({"not_found", "There is only /health and /livez."}));
        return;
    }
    if (request.method != "GET" && request.method != "HEAD") {
        http::Response response = http::problem({"method_not_allowed", request.path + " is asked with GET or HEAD."});
        response.headers.emplace_back("Allow", "GET, HEAD");
        connection.reply(response);
        return;
    }
    if (!isHealth) {
        connection.reply(jsonAnswer(200, "{\"status\":\"ok\"}"));
        return;
    }
    m_check.ask([client = QPointer<HealthConnection>(&connection)](const Report& report) {
        if (client) {
            client->reply(jsonAnswer(report.status, report.body));
        }
    });
}

void HealthServer::ended(HealthConnection& connection)
{
    std::erase(m_connections, &connection);
    endIfIdle();
}

void HealthServer::close(std::function<void()> done)
{
    m_listener.close();
    m_closed = std::move(done);
    const std::deque<HealthConnection*> open = m_connections;
    for (HealthConnection* connection : open) {
        if (!connection->hasAsked()) {
            connection->drop();
        }
    }
    endIfIdle();
}

void HealthServer::endIfIdle()
{
    if (m_connections.empty() && m_closed) {
        std::exchange(m_closed, nullptr)();
    }
}

} // namespace weir::worker
