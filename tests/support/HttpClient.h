// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <utility>
#include <vector>

namespace weir::test {

/// What came back. `status` 0: no whole answer within the deadline, and `error` says why.
struct HttpAnswer {
    int status = 0;
    std::vector<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    QString error;

    /// Value of the first header of that name, whatever its case; empty without one.
    [[nodiscard]] QByteArray header(const QByteArray& name) const;
    /// The body as JSON object; empty when it is none.
    [[nodiscard]] QJsonObject json() const;
    /// What stands at a path such as `moves.0.from` in the body; undefined when nothing does.
    [[nodiscard]] QJsonValue at(const char* path) const;
    [[nodiscard]] QString text(const char* path) const { return at(path).toString(); }
    [[nodiscard]] double number(const char* path) const { return at(path).toDouble(-1); }
    [[nodiscard]] bool flag(const char* path) const { return at(path).toBool(); }
    [[nodiscard]] QJsonArray items(const char* path = "items") const { return at(path).toArray(); }
    /// "422 unknown_pool": the status with the problem's code.
    [[nodiscard]] QByteArray verdict() const;
};

/// A small blocking client, one connection a request. Any thread, one at a time.
class HttpClient {
public:
    /// `url` as `http://127.0.0.1:8700`; `token` empty: no Authorization.
    explicit HttpClient(const QString& url, QByteArray token = {}, int deadlineMs = 10'000);

    using Headers = std::vector<std::pair<QByteArray, QByteArray>>;
    [[nodiscard]] HttpAnswer send(const QByteArray& method, const QByteArray& target, const QByteArray& body = {}, const Headers& headers = {}) const;
    [[nodiscard]] HttpAnswer get(const QByteArray& target) const { return send("GET", target); }
    [[nodiscard]] HttpAnswer post(const QByteArray& target, const QByteArray& json) const { return send("POST", target, json); }
    [[nodiscard]] HttpAnswer put(const QByteArray& target, const QByteArray& json) const { return send("PUT", target, json); }
    [[nodiscard]] HttpAnswer patch(const QByteArray& target, const QByteArray& json) const { return send("PATCH", target, json); }
    [[nodiscard]] HttpAnswer remove(const QByteArray& target) const { return send("DELETE", target); }
    /// Sends bytes as they are and reads one answer.
    [[nodiscard]] HttpAnswer sendRaw(const QByteArray& bytes, bool answerHasBody = true) const;

    [[nodiscard]] quint16 port() const { return m_port; }

private:
    quint16 m_port = 0;
    QByteArray m_token;
    int m_deadlineMs;
};

} // namespace weir::test
