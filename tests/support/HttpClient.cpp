// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/HttpClient.h"

#include <QDeadlineTimer>
#include <QHostAddress>
#include <QJsonDocument>
#include <QTcpSocket>
#include <QUrl>

namespace weir::test {
namespace {

// Reads until `enough` says so, the peer closes or the deadline passes; true when it was enough.
template <typename Enough>
bool readUntil(QTcpSocket& socket, QByteArray& data, const QDeadlineTimer& deadline, Enough enough)
{
    while (!enough()) {
        if (socket.bytesAvailable() == 0 && !socket.waitForReadyRead(static_cast<int>(deadline.remainingTime()))) {
            data += socket.readAll();
            return enough();
        }
        data += socket.readAll();
    }
    return true;
}

} // namespace

QByteArray HttpAnswer::header(const QByteArray& name) const
{
    for (const auto& [key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0) {
            return value;
        }
    }
    return {};
}

QJsonObject HttpAnswer::json() const
{
    return QJsonDocument::fromJson(body).object();
}

QJsonValue HttpAnswer::at(const char* path) const
{
    QJsonValue value(json());
    for (const QByteArray& step : QByteArray(path).split('.')) {
        bool isIndex = false;
        const int index = step.toInt(&isIndex);
        value = isIndex && value.isArray() ? value.toArray().at(index) : value.toObject().value(QString::fromUtf8(step));
    }
    return value;
}

QByteArray HttpAnswer::verdict() const
{
    const QString code = text("code");
    return QByteArray::number(status) + (code.isEmpty() ? QByteArray() : ' ' + code.toUtf8());
}

HttpClient::HttpClient(const QString& url, QByteArray token, int deadlineMs)
    : m_port(static_cast<quint16>(QUrl(url).port()))
    , m_token(std::move(token))
    , m_deadlineMs(deadlineMs)
{
}

HttpAnswer HttpClient::send(const QByteArray& method, const QByteArray& target, const QByteArray& body, const Headers& headers) const
{
    QByteArray bytes = method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + QByteArray::number(m_port) + "\r\nConnection: close\r\n";
    if (!m_token.isEmpty()) {
        bytes += "Authorization: Bearer " + m_token + "\r\n";
    }
    for (const auto& [name, value] : headers) {
        bytes += name + ": " + value + "\r\n";
    }
    if (!body.isEmpty()) {
        bytes += "Content-Type: application/json\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n";
    }
    return sendRaw(bytes + "\r\n" + body, method != "HEAD");
}

HttpAnswer HttpClient::sendRaw(const QByteArray& bytes, bool answerHasBody) const
{
    HttpAnswer answer;
    const QDeadlineTimer deadline(m_deadlineMs);
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_port);
    if (!socket.waitForConnected(m_deadlineMs)) {
        answer.error = socket.errorString();
        return answer;
    }
    socket.write(bytes);
    QByteArray data;
    qsizetype end = -1;
    if (!readUntil(socket, data, deadline, [&] { return (end = data.indexOf("\r\n\r\n")) >= 0; })) {
        answer.error = QStringLiteral("no whole head: ") + socket.errorString();
        return answer;
    }
    const QList<QByteArray> lines = data.left(end).split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines[i].indexOf(':');
        answer.headers.emplace_back(lines[i].left(colon).trimmed(), lines[i].mid(colon + 1).trimmed());
    }
    const qsizetype length = answerHasBody ? answer.header("Content-Length").toLongLong() : 0;
    if (!readUntil(socket, data, deadline, [&] { return data.size() >= end + 4 + length; })) {
        answer.error = QStringLiteral("no whole body: ") + socket.errorString();
        return answer;
    }
    answer.body = data.mid(end + 4);
    answer.status = lines.first().split(' ').value(1).toInt();
    return answer;
}

} // namespace weir::test
