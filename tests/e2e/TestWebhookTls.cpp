// SPDX-License-Identifier: GPL-3.0-or-later
// Webhooks to a receiver with TLS: who it is is verified, and whoever reads why it failed knows what to do.
#include "tests/support/FakeWorker.h"
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir::test;

namespace {

constexpr int kSoon = 8000;
constexpr const char* kTrust = "SSL_CERT_FILE";

// A receiver in a process of its own, and what it took.
class TlsReceiver {
public:
    bool start(const QString& certificate, const QString& key)
    {
        m_process.start(QStringLiteral("python3"), {QStringLiteral(WEIR_SOURCE_DIR "/tests/e2e/tls_receiver.py"), certificate, key});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(kSoon)) {
        }
        m_port = m_process.readLine().trimmed().toInt();
        return m_port > 0;
    }
    ~TlsReceiver()
    {
        m_process.kill();
        m_process.waitForFinished(kSoon);
    }
    [[nodiscard]] QByteArray url() const { return "https://127.0.0.1:" + QByteArray::number(m_port) + "/hook"; }
    [[nodiscard]] QByteArray taken()
    {
        m_taken += m_process.readAllStandardOutput();
        return m_taken;
    }

private:
    QProcess m_process;
    int m_port = 0;
    QByteArray m_taken;
};

} // namespace

class TestWebhookTls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup() { qunsetenv(kTrust); }
    void anUnknownAuthorityIsRefused();
    void aTrustedAuthorityWorks();
    void anotherNameIsRefused();

private:
    [[nodiscard]] QString file(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    [[nodiscard]] QByteArray config(const TlsReceiver& receiver) const
    {
        return "{\"health_check\": {\"interval_seconds\": 0.3, \"timeout_seconds\": 0.3}, \"apps\": [{\"app\": \"demo\"}], \"nodes\": "
               "[{\"node\": \"w1\", \"role\": \"worker\", \"url\": \""
            + m_worker.url().toUtf8() + "\"}], \"webhooks\": [{\"name\": \"ops\", \"url\": \"" + receiver.url() + "\"}]}";
    }

    QTemporaryDir m_dir;
    FakeWorker m_worker;
};

// An authority, a certificate of its for this address, and one for another name.
void TestWebhookTls::initTestCase()
{
    qunsetenv(kTrust); // the machine's own, if there is one
    const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
    if (openssl.isEmpty() || QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty()) {
        QSKIP("openssl and python3 are needed for a receiver");
    }
    const auto run = [&](const QString& arguments) {
        QProcess process;
        process.setWorkingDirectory(m_dir.path());
        process.start(openssl, arguments.split(QLatin1Char(' ')));
        return process.waitForFinished(kSoon) && process.exitCode() == 0;
    };
    const QString key = QStringLiteral("-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 ");
    QVERIFY(run(QStringLiteral("req -x509 ") + key + QStringLiteral("-keyout ca.key -out ca.pem -subj /CN=authority")));
    const QString signedBy = QStringLiteral("req -x509 ") + key
        + QStringLiteral("-CA ca.pem -CAkey ca.key -subj /CN=receiver -addext basicConstraints=critical,CA:FALSE ");
    QVERIFY(run(signedBy + QStringLiteral("-keyout good.key -out good.pem -addext subjectAltName=IP:127.0.0.1")));
    QVERIFY(run(signedBy + QStringLiteral("-keyout other.key -out other.pem -addext subjectAltName=DNS:hooks.example.test")));
}

void TestWebhookTls::anUnknownAuthorityIsRefused()
{
    TlsReceiver receiver;
    QVERIFY(receiver.start(file("good.pem"), file("good.key")));
    ServerProcess server(config(receiver));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    const HttpAnswer refused = client.send("POST", "/admin/webhooks/ops:test");
    QCOMPARE(refused.verdict(), QByteArray("502 webhook_failed"));
    QVERIFY2(refused.text("detail").contains(QStringLiteral("its certificate is refused"))
            && refused.text("detail").contains(QStringLiteral("the system's authorities")),
        refused.body.constData());
    // A real notice fails for the same reason, which is an event.
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/readyz").status, 200, kSoon);
    m_worker.answer(503);
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/admin/events?kind=webhook_failed").items().size(), qsizetype(1), kSoon);
    const QString said = client.get("/admin/events?kind=webhook_failed").text("items.0.sentence");
    QVERIFY2(said.contains(QStringLiteral("its certificate is refused")), qPrintable(said));
    m_worker.answer(200, "{\"status\":\"ok\"}");
    QCOMPARE(receiver.taken(), QByteArray());
}

void TestWebhookTls::aTrustedAuthorityWorks()
{
    TlsReceiver receiver;
    QVERIFY(receiver.start(file("good.pem"), file("good.key")));
    qputenv(kTrust, file("ca.pem").toLocal8Bit());
    ServerProcess server(config(receiver));
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    const HttpAnswer tested = client.send("POST", "/admin/webhooks/ops:test");
    QVERIFY2(tested.status == 200, tested.body.constData());
    QTRY_VERIFY_WITH_TIMEOUT(receiver.taken().contains("weir_test"), kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(client.get("/readyz").status, 200, kSoon);
    m_worker.answer(503);
    QTRY_VERIFY_WITH_TIMEOUT(receiver.taken().contains("pool_down"), kSoon);
    m_worker.answer(200, "{\"status\":\"ok\"}");
    QCOMPARE(client.get("/admin/events?kind=webhook_failed").items().size(), qsizetype(0));
}

void TestWebhookTls::anotherNameIsRefused()
{
    TlsReceiver receiver;
    QVERIFY(receiver.start(file("other.pem"), file("other.key")));
    qputenv(kTrust, file("ca.pem").toLocal8Bit());
    ServerProcess server(config(receiver));
    QVERIFY2(server.start(), server.err().constData());
    const HttpAnswer refused = server.client().send("POST", "/admin/webhooks/ops:test");
    QCOMPARE(refused.verdict(), QByteArray("502 webhook_failed"));
    QVERIFY2(refused.text("detail").contains(QStringLiteral("host name")) && refused.text("detail").contains(file("ca.pem")),
        refused.body.constData());
    QCOMPARE(receiver.taken(), QByteArray());
}

QTEST_GUILESS_MAIN(TestWebhookTls)
#include "TestWebhookTls.moc"
