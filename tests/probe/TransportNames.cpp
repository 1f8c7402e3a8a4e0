// SPDX-License-Identifier: GPL-3.0-or-later
// TransportBehaviour: who answers, and where.
#include "TestCertificate.h"
#include "TransportBehaviour.h"

#include <QTemporaryDir>
#include <QTest>

namespace weir::probe::test {

void TransportBehaviour::callsNoTlsATlsFailure_data()
{
    QTest::addColumn<bool>("answers");
    QTest::newRow("answers in plain text") << true;
    QTest::newRow("closes") << false;
}

void TransportBehaviour::callsNoTlsATlsFailure()
{
    QFETCH(bool, answers);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress(QHostAddress::LocalHost), 0));
    connect(&server, &QTcpServer::newConnection, this, [&server, answers] {
        while (QTcpSocket* socket = server.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, socket, [socket, answers] {
                if (answers) {
                    socket->write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
                }
                socket->disconnectFromHost();
            });
        }
    });
    const ProbeAnswer answer = ask("https://127.0.0.1:" + std::to_string(server.serverPort()) + "/health");
    QCOMPARE(answer.failure, std::string("tls"));
    QCOMPARE(answer.status, 0);
}

void TransportBehaviour::callsNoRouteALocalError()
{
    // A plain TCP socket may not connect to the broadcast address: the kernel says so without sending anything.
    const ProbeAnswer answer = ask("http://255.255.255.255:9/health");
    QCOMPARE(answer.failure, std::string("unreachable"));
    QVERIFY(answer.localError);
}

void TransportBehaviour::checksWhoAnswersHttps_data()
{
    QTest::addColumn<bool>("trusted");
    QTest::addColumn<QByteArray>("serverName");
    QTest::addColumn<bool>("verify");
    QTest::addColumn<QByteArray>("failure");
    QTest::newRow("trusted, its address in the certificate") << true << QByteArray() << true << QByteArray();
    QTest::newRow("trusted under a name of its own") << true << QByteArray("worker.test") << true << QByteArray();
    QTest::newRow("trusted, but another name") << true << QByteArray("other.test") << true << QByteArray("tls");
    QTest::newRow("not trusted") << false << QByteArray() << true << QByteArray("tls");
    QTest::newRow("not trusted, not verified") << false << QByteArray() << false << QByteArray();
    QTest::newRow("another name, not verified") << false << QByteArray("other.test") << false << QByteArray();
}

void TransportBehaviour::checksWhoAnswersHttps()
{
    QFETCH(bool, trusted);
    QFETCH(QByteArray, serverName);
    QFETCH(bool, verify);
    QFETCH(QByteArray, failure);
    const QTemporaryDir directory;
    const test::TestCertificate certificate = test::makeTestCertificate("worker.test", "127.0.0.1");
    const std::string file = (directory.path() + QStringLiteral("/ca.pem")).toStdString();
    QVERIFY(certificate.writeTo(file));
    ScriptedServer server({{"/health", ScriptedServer::answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine")}}, certificate.configuration());
    QVERIFY(server.port() != 0);
    const ProbeTls tls{trusted ? file : std::string(), serverName.toStdString(), verify};
    for (int i = 0; i < 2; ++i) { // the second one must not live off the first
        std::optional<ProbeAnswer> answer;
        m_transport->start("https://127.0.0.1:" + std::to_string(server.port()) + "/health", std::chrono::seconds(5), [&](ProbeAnswer&& got) { answer = std::move(got); }, tls);
        QTRY_VERIFY(answer.has_value());
        QCOMPARE(QByteArray::fromStdString(answer->failure), failure);
        QCOMPARE(answer->status, failure.isEmpty() ? 200 : 0);
        QCOMPARE(answer->body, std::string(failure.isEmpty() ? "fine" : ""));
        QVERIFY(!answer->localError);
    }
}

void TransportBehaviour::resolvesNames()
{
    // "localhost" may stand for ::1 as well, where this server does not listen.
    const ProbeAnswer answer = ask("http://LOCALHOST:" + std::to_string(m_server->port()) + "/health");
    QCOMPARE(answer.failure, std::string());
    QCOMPARE(answer.status, 200);
    QVERIFY(m_server->heads().back().contains("Host: localhost:" + QByteArray::number(m_server->port()) + "\r\n"));
}

} // namespace weir::probe::test
