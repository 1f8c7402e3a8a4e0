// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QTcpServer>
#include <QTcpSocket>

#include <memory>
#include <vector>

namespace weir::test {

/// A receiver of webhooks on loopback, in the thread of the test. It can be shut, answer with any status, or say nothing.
class AlarmReceiver {
public:
    struct Taken {
        int status = 0; ///< what it answered
        QMap<QByteArray, QByteArray> headers; ///< names in lower case
        QByteArray body;

        [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(body).object(); }
        [[nodiscard]] QJsonObject alert() const { return json().value(QStringLiteral("alerts")).toArray().at(0).toObject(); }
    };

    AlarmReceiver() { open(); }

    void open()
    {
        m_server = std::make_unique<QTcpServer>();
        QObject::connect(m_server.get(), &QTcpServer::newConnection, m_server.get(), [this] {
            while (QTcpSocket* socket = m_server->nextPendingConnection()) {
                QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(*socket); });
                QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
        if (m_server->listen(QHostAddress::LocalHost, m_port)) {
            m_port = m_server->serverPort();
        }
    }
    void shut() { m_server.reset(); }

    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(m_port) + "/hook"; }
    [[nodiscard]] const std::vector<Taken>& taken() const { return m_taken; }
    /// Those it answered well.
    [[nodiscard]] std::vector<Taken> accepted() const
    {
        std::vector<Taken> good;
        for (const Taken& one : m_taken) {
            if (one.status == 200) {
                good.push_back(one);
            }
        }
        return good;
    }

    int answer = 200; ///< 0: none

private:
    void read(QTcpSocket& socket)
    {
        const QByteArray before = socket.property("read").toByteArray();
        const QByteArray all = before + socket.readAll();
        socket.setProperty("read", all);
        const qsizetype head = all.indexOf("\r\n\r\n");
        if (head < 0) {
            return;
        }
        Taken taken;
        for (const QByteArray& line : all.left(head).split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (colon > 0) {
                taken.headers.insert(line.left(colon).trimmed().toLower(), line.mid(colon + 1).trimmed());
            }
        }
        taken.body = all.mid(head + 4);
        if (taken.body.size() < taken.headers.value("content-length").toLongLong()) {
            return;
        }
        taken.status = answer;
        m_taken.push_back(taken);
        if (answer != 0) {
            socket.write("HTTP/1.1 " + QByteArray::number(answer) + " x\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
            socket.disconnectFromHost();
        }
    }

    std::unique_ptr<QTcpServer> m_server;
    quint16 m_port = 0;
    std::vector<Taken> m_taken;
};

} // namespace weir::test
