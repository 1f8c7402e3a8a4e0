// SPDX-License-Identifier: GPL-3.0-or-later
// The server over TLS: versions, large bodies both ways, renewed certificates, and clients that misbehave.
#include "RunningServer.h"
#include "tests/support/Certificate.h"
#include "tests/support/TlsClient.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace weir;
using namespace weir::http;
using namespace weir::http::test;
using weir::test::TlsClient;
using weir::test::writeCertificate;

namespace {

// "METHOD bytes": the length of what came, and as many bytes back.
void mirror(Request request, const Reply& reply)
{
    Response response;
    response.contentType = "text/plain";
    response.body = request.method + " " + std::to_string(request.body.size()) + "\n" + request.body + "END";
    reply(std::move(response));
}

std::string post(std::size_t bytes)
{
    return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" + std::string(bytes, 'x');
}

} // namespace

class TestTls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { QVERIFY(std::signal(SIGPIPE, SIG_DFL) == SIG_DFL); } // nobody hides a broken pipe
    void requestsAreAnswered_data();
    void requestsAreAnswered();
    void oldVersionsAreRefused();
    void aSlowReaderGetsEverything();
    void theEndIsSaid();
    void plainTextAndGoneClientsHurtNobody();
    void aRenewedCertificateHoldsForNewConnections();
    void badFilesAreNamed_data();
    void badFilesAreNamed();

private:
    [[nodiscard]] std::string path(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toStdString(); }
    [[nodiscard]] ServerOptions options(const char* name = "one") const
    {
        ServerOptions options;
        options.tls = TlsContext::load(path(name) + ".pem", path(name) + ".key").value_or(nullptr);
        return options;
    }

    QTemporaryDir m_dir;
};

void TestTls::initTestCase()
{
    for (const char* name : {"one", "two"}) {
        QVERIFY(writeCertificate(path(name) + ".pem", path(name) + ".key", name));
        QVERIFY(options(name).tls != nullptr);
    }
    std::signal(SIGPIPE, SIG_DFL);
}

void TestTls::requestsAreAnswered_data()
{
    QTest::addColumn<int>("version");
    QTest::addColumn<qulonglong>("bytes");
    for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        for (const qulonglong bytes : {0ULL, 1ULL, 8191ULL, 16384ULL, 16385ULL, 65537ULL, 1000000ULL}) {
            QTest::addRow("%d with %llu", version & 0xF, bytes) << version << bytes;
        }
    }
}

void TestTls::requestsAreAnswered()
{
    QFETCH(int, version);
    QFETCH(qulonglong, bytes);
    RunningServer server(mirror, options());
    QVERIFY(server.listened().has_value());
    QVERIFY(server.url().starts_with("https://127.0.0.1:"));
    TlsClient client(server.port(), version);
    QVERIFY(client.isOpen());
    QCOMPARE(client.version(), std::string(version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3"));
    QCOMPARE(client.protocol(), std::string("http/1.1"));
    for (int i = 0; i < 3; ++i) { // one connection
        QVERIFY(client.send(post(bytes)));
        const std::string answer = client.readUntil("END");
        QVERIFY(answer.starts_with("HTTP/1.1 200 "));
        QVERIFY(answer.ends_with("POST " + std::to_string(bytes) + "\n" + std::string(bytes, 'x') + "END"));
    }
}

void TestTls::oldVersionsAreRefused()
{
    RunningServer server(mirror, options());
    QVERIFY(!TlsClient(server.port(), TLS1_1_VERSION).isOpen());
    QVERIFY(TlsClient(server.port(), TLS1_2_VERSION).isOpen());
}

void TestTls::aSlowReaderGetsEverything()
{
    constexpr std::size_t kBytes = 30U << 20U; // far more than a socket holds: the server must go on where it stopped
    std::atomic<bool> answered = false;
    RunningServer server([&answered](const Request&, const Reply& reply) {
        reply(text(std::string(kBytes, 'y') + "END"));
        answered = true;
    }, options());
    TlsClient client(server.port());
    QVERIFY(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    QTRY_VERIFY(answered); // and nothing was read yet
    const std::string answer = client.readUntil("END");
    QCOMPARE(answer.size() - answer.find("\r\n\r\n") - 4, kBytes + 3);
    QCOMPARE(answer.find_first_not_of('y', answer.find("\r\n\r\n") + 4), answer.size() - 3);
}

void TestTls::theEndIsSaid()
{
    RunningServer server(mirror, options());
    TlsClient client(server.port());
    QVERIFY(client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
    QVERIFY(client.readUntil("END").ends_with("END"));
    QVERIFY(client.endsCleanly()); // no attacker could have cut it
}

void TestTls::plainTextAndGoneClientsHurtNobody()
{
    RunningServer server(mirror, options());
    for (int i = 0; i < 20; ++i) {
        TlsClient client(server.port());
        QVERIFY(client.isOpen());
        QVERIFY(client.send(post(100000)));
        const linger hard{1, 0}; // reset: the answer meets a dead socket
        ::setsockopt(client.socket(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    }
    const int plain = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(server.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    QCOMPARE(::connect(plain, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    QCOMPARE(::send(plain, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
    std::array<char, 256> buffer{};
    std::string answer;
    for (ssize_t count = 1; count > 0;) {
        count = ::recv(plain, buffer.data(), buffer.size(), 0);
        answer.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    ::close(plain);
    QVERIFY(!answer.starts_with("HTTP/"));
    TlsClient client(server.port()); // it serves on
    QVERIFY(client.send(post(3)));
    QVERIFY(client.readUntil("END").ends_with("END"));
}

void TestTls::aRenewedCertificateHoldsForNewConnections()
{
    RunningServer server(mirror, options("one"));
    TlsClient before(server.port());
    QCOMPARE(before.subject(), std::string("/CN=one"));
    server.setTls(options("two").tls);
    QTRY_COMPARE(TlsClient(server.port()).subject(), std::string("/CN=two"));
    QVERIFY(before.send(post(3))); // the old connection lives on
    QVERIFY(before.readUntil("END").ends_with("END"));
}

void TestTls::badFilesAreNamed_data()
{
    QTest::addColumn<QString>("certificate");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("blames");
    QTest::newRow("no certificate") << "missing.pem" << "one.key" << "missing.pem";
    QTest::newRow("no key") << "one.pem" << "missing.key" << "missing.key";
    QTest::newRow("key of another") << "one.pem" << "two.key" << "two.key";
    QTest::newRow("not PEM") << "text" << "one.key" << "text";
    QTest::newRow("the two exchanged") << "one.key" << "one.pem" << "one.key";
}

void TestTls::badFilesAreNamed()
{
    QFETCH(QString, certificate);
    QFETCH(QString, key);
    QFETCH(QString, blames);
    QFile text(m_dir.filePath(QStringLiteral("text")));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("nothing of the kind\n") > 0);
    text.close();
    const auto context = TlsContext::load(m_dir.filePath(certificate).toStdString(), m_dir.filePath(key).toStdString());
    QVERIFY(!context.has_value());
    QCOMPARE(context.error().code, std::string("invalid_certificate"));
    const QString message = QString::fromStdString(context.error().message);
    QVERIFY2(message.contains(m_dir.filePath(blames)) && message.endsWith(u'.'), qPrintable(message));
}

QTEST_GUILESS_MAIN(TestTls)
#include "TestTls.moc"
