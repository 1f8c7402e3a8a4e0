// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QTcpSocket>

#include <functional>
#include <vector>

namespace weir::test {

/// One message of a stream of server-sent events.
struct StreamMessage {
    QByteArray id;
    QByteArray event;
    QJsonObject data;
};

/// A reader of `GET /admin/stream` on a socket of its own.
class EventReader {
public:
    /// `url` as of the control listener. Sends the request; `lastEventId` empty: without the header.
    EventReader(const QString& url, const QByteArray& token, const QByteArray& lastEventId = {});

    /// Reads on until a message fits, from the one after the last that did. False: none came in time, or the stream ended before.
    [[nodiscard]] bool waitFor(const std::function<bool(const StreamMessage&)>& fits, int deadlineMs = 10'000);
    [[nodiscard]] bool waitFor(const QByteArray& event, int deadlineMs = 10'000);
    /// Reads until the server has ended the stream.
    [[nodiscard]] bool waitForEnd(int deadlineMs);

    /// Those up to the last that fitted.
    [[nodiscard]] std::vector<StreamMessage> messages() const { return {m_messages.begin(), m_messages.begin() + m_looked}; }
    [[nodiscard]] StreamMessage last() const { return m_looked == 0 ? StreamMessage() : m_messages[static_cast<std::size_t>(m_looked) - 1]; }
    [[nodiscard]] const QByteArray& head() const { return m_head; }
    [[nodiscard]] QByteArray lastId() const { return last().id; }
    /// The last chunk came, as it does when the server ended the stream of its own will.
    [[nodiscard]] bool endedWhole() const { return m_endedWhole; }
    [[nodiscard]] qint64 received() const { return m_received; }
    void close() { m_socket.abort(); }

private:
    bool readMore(int deadlineMs);
    void takeChunks();
    void takeMessages();

    QTcpSocket m_socket;
    QByteArray m_raw;
    QByteArray m_head;
    QByteArray m_text;
    std::vector<StreamMessage> m_messages;
    std::ptrdiff_t m_looked = 0;
    bool m_endedWhole = false;
    qint64 m_received = 0;
};

} // namespace weir::test
