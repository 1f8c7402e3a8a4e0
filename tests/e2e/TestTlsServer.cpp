// SPDX-License-Identifier: GPL-3.0-or-later
// A control listener with a certificate: what is refused at the start, and a renewed certificate without a restart.
#include "tests/support/Certificate.h"
#include "tests/support/ServerProcess.h"
#include "tests/support/TlsClient.h"

#include <QTemporaryDir>
#include <QUrl>
#include <QtTest>

#include <csignal>

using namespace weir::test;

namespace {

constexpr int kSoon = 10000;

std::uint16_t portOf(const QString& url)
{
    return static_cast<std::uint16_t>(QUrl(url).port());
}

} // namespace

class TestTlsServer : public QObject {
    Q_OBJECT

private slots:
    void theControlListenerSpeaksTls();
    void aNetworkAddressNeedsTls();
    void aBadCertificateIsRefused();

private:
    [[nodiscard]] std::string file(const char* name) const { return m_dir.filePath(QString::fromLatin1(name)).toStdString(); }
    [[nodiscard]] QByteArray tls(const char* certificate = "cert.pem") const
    {
        return QByteArray::fromStdString("\"tls\": {\"certificate\": \"" + file(certificate) + "\", \"key\": \"" + file("key.pem") + "\"}");
    }

    QTemporaryDir m_dir;
};

void TestTlsServer::theControlListenerSpeaksTls()
{
    QVERIFY(writeCertificate(file("cert.pem"), file("key.pem"), "first"));
    ServerProcess server("{\"admin\": {" + tls() + "}}");
    QVERIFY2(server.start(), server.err().constData());
    QVERIFY2(server.adminUrl().startsWith(QStringLiteral("https://127.0.0.1:")), qPrintable(server.adminUrl()));
    TlsClient admin(portOf(server.adminUrl()));
    QVERIFY(admin.isOpen());
    QVERIFY(admin.send("GET /admin/config HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + server.token().toStdString() + "\r\n\r\n"));
    QVERIFY(admin.readUntil("\"versions\"").starts_with("HTTP/1.1 200 "));
    // A renewed certificate holds from the reload on.
    QVERIFY(writeCertificate(file("cert.pem"), file("key.pem"), "second"));
    server.signal(SIGHUP);
    QTRY_COMPARE_WITH_TIMEOUT(TlsClient(portOf(server.adminUrl())).subject(), std::string("/CN=second"), kSoon);
    // One that does not fit its key is refused, and the old one goes on.
    QVERIFY(writeCertificate(file("other.pem"), file("other.key"), "third"));
    server.writeConfig("{\"admin\": {" + tls("other.pem") + "}}");
    server.signal(SIGHUP);
    QVERIFY2(server.waitForLog("config_rejected"), server.err().constData());
    QCOMPARE(TlsClient(portOf(server.adminUrl())).subject(), std::string("/CN=second"));
    QCOMPARE(server.terminate(), 0);
}

void TestTlsServer::aNetworkAddressNeedsTls()
{
    QVERIFY(writeCertificate(file("cert.pem"), file("key.pem"), "first"));
    const QStringList everywhere{QStringLiteral("--admin-listen"), QStringLiteral("0.0.0.0:0"), QStringLiteral("--gateway-listen"), QStringLiteral("127.0.0.1:0")};
    ServerProcess bare;
    QCOMPARE(bare.run(QStringList{QStringLiteral("--data-dir"), bare.dataDir()} + everywhere), 2);
    QVERIFY2(bare.err().contains("admin.tls"), bare.err().constData());
    ServerProcess secured("{\"admin\": {" + tls() + "}}");
    QVERIFY2(secured.startWith(QStringList{QStringLiteral("--data-dir"), secured.dataDir(), QStringLiteral("--config"), secured.configFile()} + everywhere), secured.err().constData());
    QVERIFY(secured.adminUrl().startsWith(QStringLiteral("https://")));
}

void TestTlsServer::aBadCertificateIsRefused()
{
    ServerProcess server("{\"admin\": {\"tls\": {\"certificate\": \"/nowhere/cert.pem\", \"key\": \"/nowhere/key.pem\"}}}");
    QVERIFY(!server.start());
    QCOMPARE(server.waitForEnd(kSoon), 2);
    QVERIFY2(server.err().contains("/nowhere/cert.pem"), server.err().constData());
    ServerProcess check;
    QCOMPARE(check.run({QStringLiteral("check-config"), server.configFile()}), 2);
    QVERIFY2(check.out().contains("/nowhere/cert.pem"), check.out().constData());
}

QTEST_GUILESS_MAIN(TestTlsServer)
#include "TestTlsServer.moc"
