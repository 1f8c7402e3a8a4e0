// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/FakeWorker.h"

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>

namespace weir::test {

FakeWorker::FakeWorker(int status, QByteArray body)
    : m_status(status)
    , m_body(std::move(body))
{
    m_context.moveToThread(&m_thread);
    m_thread.start();
    setListening(true);
}

FakeWorker::~FakeWorker()
{
    QMetaObject::invokeMethod(&m_context, [this] { m_server.reset(); }, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

void FakeWorker::answer(int status, QByteArray body, QByteArray extraHeader)
{
    const std::scoped_lock lock(m_mutex);
    m_status = status;
    m_body = std::move(body);
    m_extraHeader = std::move(extraHeader);
}

void FakeWorker::setListening(bool listening)
{
    QMetaObject::invokeMethod(
        &m_context,
        [this, listening] {
            m_server.reset();
            if (!listening) {
                return;
            }
            m_server = std::make_unique<QTcpServer>();
            QObject::connect(m_server.get(), &QTcpServer::newConnection, m_server.get(), [this] { accept(); });
            m_port = m_server->listen(QHostAddress(QHostAddress::LocalHost), m_port) ? m_server->serverPort() : quint16(0);
        },
        Qt::BlockingQueuedConnection);
}

void FakeWorker::accept()
{
    while (QTcpSocket* socket = m_server->nextPendingConnection()) {
        QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(*socket); });
    }
}

void FakeWorker::read(QTcpSocket& socket)
{
    if (!socket.peek(64 * 1024).contains("\r\n\r\n")) {
        return;
    }
    socket.readAll();
    ++m_requests;
    if (m_silent) {
        return;
    }
    QTimer::singleShot(m_delayMs.load(), &socket, [this, &socket] {
        socket.write(response());
        socket.disconnectFromHost();
    });
}

QByteArray FakeWorker::response() const
{
    const std::scoped_lock lock(m_mutex);
    return "HTTP/1.1 " + QByteArray::number(m_status) + " Status\r\nContent-Type: application/json\r\nConnection: close\r\n" + m_extraHeader
        + "Content-Length: " + QByteArray::number(m_body.size()) + "\r\n\r\n" + m_body;
}

} // namespace weir::test
