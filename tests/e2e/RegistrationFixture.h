// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/Message.h"
#include "tests/support/ServerProcess.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

#include <memory>
#include <vector>

namespace weir::test {

/// How long a test waits for what happens soon.
inline constexpr int kSoon = 8000;

struct JournalRow {
    QString kind;
    QString node;
    QString pool;
    QJsonObject detail;
};

/// The journal as it lies on disk, read once the server is down.
inline std::vector<JournalRow> journalOf(const ServerProcess& server)
{
    std::vector<JournalRow> events;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("journal"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            query.exec(QStringLiteral("SELECT kind, node_id, pool_id, detail FROM events ORDER BY seq"));
            while (query.next()) {
                events.push_back({query.value(0).toString(), query.value(1).toString(), query.value(2).toString(),
                    QJsonDocument::fromJson(query.value(3).toString().toUtf8()).object()});
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("journal"));
    return events;
}

/// A server with users 7 and 9 and a pool `canary`, and what tests do with nodes that register at it.
class RegistrationFixture {
public:
    struct Node {
        QByteArray id;
        QByteArray secret;
        QByteArray token;
    };

    /// A new server with these members of `registration`.
    void restart(const QByteArray& registration)
    {
        m_server = std::make_unique<ServerProcess>("{\"health_check\": {\"interval_seconds\": 0.4, \"timeout_seconds\": 0.4}, \"users\": [\"7\", \"9\"], "
                                                   "\"pools\": [{\"pool\": \"canary\"}], \"registration\": {" + registration + "}}");
        QVERIFY2(m_server->start(), m_server->err().constData());
        m_client = std::make_unique<HttpClient>(m_server->client());
    }
    [[nodiscard]] HttpClient anonymous() const { return HttpClient(m_server->adminUrl()); }
    /// An origin that may register; `more` are further members of the call.
    [[nodiscard]] Node make(const QByteArray& id, const QByteArray& more = {})
    {
        const HttpAnswer made = m_client->post("/admin/mmx-nodes", "{\"nodeId\": \"" + id + "\", \"role\": \"origin\"" + more + "}");
        return {id, made.text("nodeSecret").toUtf8(), {}};
    }
    /// Registers with the node's secret, or with the licence's code where `more` has one.
    [[nodiscard]] HttpAnswer enrol(const Node& node, Message more = {}) const
    {
        if (!more.has("licenseCode")) {
            more.set("nodeSecret", node.secret);
        }
        return anonymous().post("/v1/nodes/register", more.json());
    }
    [[nodiscard]] Node enrolled(const QByteArray& id, const QByteArray& more = {}, Message with = {})
    {
        Node node = make(id, more);
        node.token = enrol(node, std::move(with)).text("sessionToken").toUtf8();
        return node;
    }
    [[nodiscard]] HttpAnswer beat(const Node& node, const Message& body) const
    {
        return HttpClient(m_server->adminUrl(), node.token).post("/v1/nodes/" + node.id + "/heartbeat", body.json());
    }
    [[nodiscard]] HttpAnswer beat(const Node& node, int seq, int capacity = 10, int used = 0) const
    {
        return beat(node, Message{{"bootId", "b1"}, {"seq", seq}, {"capacity", capacity}, {"used", used}});
    }
    [[nodiscard]] HttpAnswer row(const QByteArray& id) const { return m_client->get("/admin/mmx-nodes/" + id); }
    [[nodiscard]] qint64 eventCount(const QString& kind) const
    {
        qint64 count = 0;
        for (const JournalRow& event : journalOf(*m_server)) {
            count += event.kind == kind ? 1 : 0;
        }
        return count;
    }

protected:
    std::unique_ptr<ServerProcess> m_server;
    std::unique_ptr<HttpClient> m_client;
};

} // namespace weir::test
