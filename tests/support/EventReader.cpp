// SPDX-License-Identifier: GPL-3.0-or-later
#include "EventReader.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QUrl>

namespace weir::test {

EventReader::EventReader(const QString& url, const QByteArray& token, const QByteArray& lastEventId)
{
    const QUrl parsed(url);
    m_socket.connectToHost(parsed.host(), static_cast<quint16>(parsed.port()));
    m_socket.waitForConnected(5'000);
    QByteArray request = "GET /admin/stream HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer " + token + "\r\n";
    if (!lastEventId.isEmpty()) {
        request += "Last-Event-ID: " + lastEventId + "\r\n";
    }
    m_socket.write(request + "\r\n");
    m_socket.waitForBytesWritten(5'000);
}

bool EventReader::readMore(int deadlineMs)
{
    if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(deadlineMs)) {
        return false;
    }
    const QByteArray bytes = m_socket.readAll();
    m_received += bytes.size();
    m_raw += bytes;
    if (m_head.isEmpty()) {
        const qsizetype end = m_raw.indexOf("\r\n\r\n");
        if (end < 0) {
            return true;
        }
        m_head = m_raw.left(end);
        m_raw.remove(0, end + 4);
    }
    takeChunks();
    takeMessages();
    return true;
}

void EventReader::takeChunks()
{
    while (true) {
        const qsizetype line = m_raw.indexOf("\r\n");
        if (line < 0) {
            return;
        }
        const qsizetype size = m_raw.left(line).toLongLong(nullptr, 16);
        if (m_raw.size() < line + 2 + size + 2) {
            return;
        }
        m_text += m_raw.mid(line + 2, size);
        m_raw.remove(0, line + 2 + size + 2);
        m_endedWhole = m_endedWhole || size == 0;
    }
}

void EventReader::takeMessages()
{
    for (qsizetype end = m_text.indexOf("\n\n"); end >= 0; end = m_text.indexOf("\n\n")) {
        StreamMessage message;
        const QList<QByteArray> lines = m_text.left(end).split('\n');
        m_text.remove(0, end + 2);
        for (const QByteArray& line : lines) {
            if (line.startsWith("id: ")) {
                message.id = line.mid(4);
            } else if (line.startsWith("event: ")) {
                message.event = line.mid(7);
            } else if (line.startsWith("data: ")) {
                message.data = QJsonDocument::fromJson(line.mid(6)).object();
            }
        }
        if (!message.event.isEmpty()) {
            m_messages.push_back(message);
        }
    }
}

bool EventReader::waitFor(const std::function<bool(const StreamMessage&)>& fits, int deadlineMs)
{
    QElapsedTimer timer;
    timer.start();
    while (true) {
        while (m_looked < std::ssize(m_messages)) {
            if (fits(m_messages[static_cast<std::size_t>(m_looked++)])) {
                return true;
            }
        }
        const int left = deadlineMs - static_cast<int>(timer.elapsed());
        if (left <= 0 || !readMore(left)) {
            return false;
        }
    }
}

bool EventReader::waitFor(const QByteArray& event, int deadlineMs)
{
    return waitFor([&](const StreamMessage& message) { return message.event == event; }, deadlineMs);
}

bool EventReader::waitForEnd(int deadlineMs)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < deadlineMs) {
        if (!readMore(200) && m_socket.state() == QAbstractSocket::UnconnectedState) {
            return true;
        }
    }
    return false;
}

} // namespace weir::test
