// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/HealthConnection.h"

#include "core/http/Problem.h"

#include <QTcpSocket>

#include <limits>
#include <string_view>
#include <sys/socket.h>

namespace weir::worker {
namespace {

QByteArray bytesOf(const http::Response& response, bool isHead)
{
    std::string text = "HTTP/1.1 " + std::to_string(response.status) + ' ' + std::string(http::reasonPhrase(response.status)) + "\r\nContent-Type: " + response.contentType
        + "\r\nContent-Length: " + std::to_string(response.body.size()) + "\r\nCache-Control: no-store\r\nConnection: close\r\n";
    for (const auto& [name, value] : response.headers) {
        text += name + ": " + value + "\r\n";
    }
    text += "\r\n";
    return QByteArray::fromStdString(isHead ? text : text + response.body);
}

} // namespace

HealthConnection::HealthConnection(QTcpSocket* socket, HealthServer& server)
    : QObject(&server)
    , m_socket(socket)
    , m_server(server)
    , m_parser(std::numeric_limits<std::size_t>::max(), server.m_limits.headBytes) // bodies are never read, so never too large
{
    socket->setParent(this);
    socket->setReadBufferSize(static_cast<qint64>(server.m_limits.headBytes));
    connect(socket, &QTcpSocket::readyRead, this, &HealthConnection::read);
    connect(socket, &QTcpSocket::bytesWritten, this, &HealthConnection::sent);
    connect(socket, &QTcpSocket::disconnected, this, &HealthConnection::end);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HealthConnection::timedOut);
    m_timer.start(server.m_limits.head);
}

HealthConnection::~HealthConnection() = default;

void HealthConnection::read()
{
    if (m_asked || m_replied) {
        m_socket->readAll(); // a body, or more requests: thrown away, so that closing does not reset the answer
        return;
    }
    m_input += m_socket->readAll();
    std::string_view input(m_input.constData(), static_cast<std::size_t>(m_input.size()));
    switch (m_parser.feed(input)) {
    case http::RequestParser::Step::NeedMore:
        // The parser took a forgiven empty line, or nothing.
        m_input = m_input.right(static_cast<qsizetype>(input.size()));
        return;
    case http::RequestParser::Step::Failed:
        m_asked = true;
        m_lingers = true;
        reply(http::problem(m_parser.error()));
        return;
    case http::RequestParser::Step::BodyFollows:
        m_lingers = true;
        break;
    case http::RequestParser::Step::Complete:
        break;
    }
    m_asked = true;
    m_timer.stop(); // the check has its own deadline
    m_input.clear();
    const http::Request request = m_parser.take();
    m_isHead = request.method == "HEAD";
    m_server.answer(*this, request);
}

void HealthConnection::reply(const http::Response& response)
{
    if (m_replied || m_ended) {
        return;
    }
    m_replied = true;
    m_timer.start(m_server.m_limits.write);
    m_socket->write(bytesOf(response, m_isHead));
    if (!m_lingers) {
        m_socket->disconnectFromHost();
    }
}

// Closing with bytes unread would reset the connection and with it the answer: say that nothing follows, and wait for the
// client to go, at most until the timer ends.
void HealthConnection::sent()
{
    if (m_replied && m_lingers && m_socket->bytesToWrite() == 0) {
        ::shutdown(static_cast<int>(m_socket->socketDescriptor()), SHUT_WR);
    }
}

void HealthConnection::timedOut()
{
    if (!m_replied && !m_input.isEmpty()) {
        reply(http::problem({"request_timeout", "The request did not come in time."}));
    } else {
        drop();
    }
}

void HealthConnection::drop()
{
    m_socket->abort();
    end();
}

void HealthConnection::end()
{
    if (m_ended) {
        return;
    }
    m_ended = true;
    m_timer.stop();
    m_server.ended(*this);
    deleteLater();
}

} // namespace weir::worker
