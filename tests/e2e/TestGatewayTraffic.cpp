// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that people use, through the real server: curl, wrk, WebSocket; and bodies that fit in no memory.
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"
#include "tests/support/ServerProcess.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <unistd.h>

using weir::gateway::test::headerOf;
using weir::gateway::test::NodeSocket;
using weir::gateway::test::ScriptedNode;
using weir::http::test::RawClient;
using weir::test::ServerProcess;

class TestGatewayTraffic : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void curl();
    void aGibibyteUploadInChunks();
    void aGibibyteDownload();
    void webSocket();
    void nodesByHttps();
    void wrk();
    void endsInTime();

private:
    void start(const QByteArray& nodes);
    [[nodiscard]] quint16 port() const { return static_cast<quint16>(m_server->gatewayUrl().section(QLatin1Char(':'), -1).toUShort()); }
    [[nodiscard]] long residentKilobytes() const;

    std::unique_ptr<ServerProcess> m_server;
};

namespace {

QByteArray nodeEntry(const QByteArray& id, const std::string& url, int capacity = 1)
{
    // Judged by its own answers alone once it is in: the first probe counts, the next one is minutes away.
    return "{\"node\": \"" + id + "\", \"role\": \"worker\", \"url\": \"" + QByteArray::fromStdString(url) + "\", \"capacity\": " + QByteArray::number(capacity) + "}";
}

// Answers probes, echoes bodies, and says in headers what it was asked.
void echo(NodeSocket& socket)
{
    for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
        if (headerOf(head, "Expect") == "100-continue") {
            socket.send("HTTP/1.1 100 Continue\r\n\r\n");
        }
        std::string body;
        if (headerOf(head, "Transfer-Encoding") == "chunked") {
            for (std::string size = socket.readTo("\r\n"); size != "0\r\n" && !size.empty(); size = socket.readTo("\r\n")) {
                body += socket.read(std::stoul(size, nullptr, 16));
                socket.read(2);
            }
            socket.readTo("\r\n");
        } else {
            body = socket.readBody(head);
        }
        const bool isHead = head.starts_with("HEAD ");
        socket.send("HTTP/1.1 200 OK\r\nX-Method: " + head.substr(0, head.find(' ')) + "\r\nX-Expect: " + headerOf(head, "Expect") + "\r\nContent-Length: " + std::to_string(body.size())
            + "\r\n\r\n" + (isHead ? std::string() : body));
    }
}

QByteArray run(const QString& program, const QStringList& arguments, int* code = nullptr)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(60000)) {
        return "did not end";
    }
    if (code != nullptr) {
        *code = process.exitCode();
    }
    return process.readAllStandardOutput();
}

} // namespace

void TestGatewayTraffic::init()
{
    m_server.reset();
}

void TestGatewayTraffic::cleanup()
{
    m_server.reset();
}

void TestGatewayTraffic::start(const QByteArray& nodes)
{
    m_server = std::make_unique<ServerProcess>("{\"nodes\": [" + nodes + "], \"health_check\": {\"interval_seconds\": 600, \"timeout_seconds\": 5}}");
    QVERIFY2(m_server->start(), m_server->err().constData());
    QTRY_COMPARE_WITH_TIMEOUT(m_server->traffic().get("/gateway-health").text("status"), QStringLiteral("ok"), 20000);
}

long TestGatewayTraffic::residentKilobytes() const
{
    QFile file(QStringLiteral("/proc/%1/statm").arg(m_server->pid()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLong() * (::sysconf(_SC_PAGESIZE) / 1024) : 0;
}

void TestGatewayTraffic::curl()
{
    const QString curl = QStandardPaths::findExecutable(QStringLiteral("curl"));
    if (curl.isEmpty()) {
        QSKIP("curl is not installed");
    }
    ScriptedNode node(echo);
    start(nodeEntry("w1", node.url()));
    const QString url = m_server->gatewayUrl() + QStringLiteral("/v1/x");
    int code = -1;
    QCOMPARE(run(curl, {QStringLiteral("-sS"), QStringLiteral("-d"), QStringLiteral("hello"), url}, &code), QByteArray("hello"));
    QCOMPARE(code, 0);
    const QByteArray head = run(curl, {QStringLiteral("-sS"), QStringLiteral("-I"), url}, &code);
    QVERIFY2(head.startsWith("HTTP/1.1 200 OK\r\n") && head.contains("X-Method: HEAD"), head.constData());
    const QByteArray expect = run(curl, {QStringLiteral("-sS"), QStringLiteral("-i"), QStringLiteral("-H"), QStringLiteral("Expect: 100-continue"), QStringLiteral("-d"), QStringLiteral("hello"), url}, &code);
    QVERIFY2(expect.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n") && expect.contains("X-Expect: 100-continue") && expect.endsWith("hello"), expect.constData());
    const QByteArray chunked = run(curl, {QStringLiteral("-sS"), QStringLiteral("-H"), QStringLiteral("Transfer-Encoding: chunked"), QStringLiteral("-d"), QStringLiteral("in chunks"), url}, &code);
    QCOMPARE(chunked, QByteArray("in chunks"));
    QCOMPARE(run(curl, {QStringLiteral("-sS"), QStringLiteral("-0"), QStringLiteral("-d"), QStringLiteral("old"), url}, &code), QByteArray("old"));
    QCOMPARE(code, 0);
}

void TestGatewayTraffic::aGibibyteUploadInChunks()
{
    constexpr std::size_t kTotal = std::size_t{1} << 30U;
    std::atomic<std::size_t> received = 0;
    ScriptedNode node([&](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            if (headerOf(head, "Transfer-Encoding") == "chunked") {
                for (std::string size = socket.readTo("\r\n"); size != "0\r\n" && !size.empty(); size = socket.readTo("\r\n")) {
                    const std::size_t count = std::stoul(size, nullptr, 16);
                    received += socket.read(count).size();
                    socket.read(2);
                }
                socket.readTo("\r\n");
            }
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    });
    start(nodeEntry("w1", node.url()));
    RawClient client(port());
    QVERIFY(client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    const std::string piece = "40000\r\n" + std::string(0x40000, 'x') + "\r\n";
    const long before = residentKilobytes();
    long most = 0;
    for (std::size_t sent = 0; sent < kTotal; sent += 0x40000) {
        QVERIFY(client.send(piece));
        most = std::max(most, sent % (64U << 20U) == 0 ? residentKilobytes() : 0);
    }
    QVERIFY(client.send("0\r\n\r\n"));
    const auto answer = client.read();
    QVERIFY2(answer.status == 200 && answer.body == "ok",
        qPrintable(QStringLiteral("status %1, %2 bytes received: %3").arg(answer.status).arg(received.load()).arg(QString::fromStdString(answer.body))));
    QCOMPARE(received.load(), kTotal);
    QVERIFY2(most - before < 4096, qPrintable(QStringLiteral("%1 kB before, %2 kB at most").arg(before).arg(most)));
}

void TestGatewayTraffic::aGibibyteDownload()
{
    constexpr std::size_t kTotal = std::size_t{1} << 30U;
    ScriptedNode node([](NodeSocket& socket) {
        const std::string piece(1U << 20U, 'x');
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            if (head.starts_with("GET /health")) {
                socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                continue;
            }
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kTotal) + "\r\n\r\n");
            for (std::size_t sent = 0; sent < kTotal && socket.send(piece); sent += piece.size()) {
            }
        }
    });
    start(nodeEntry("w1", node.url()));
    const long before = residentKilobytes();
    QProcess curl;
    curl.start(QStringLiteral("curl"), {QStringLiteral("-sS"), QStringLiteral("-o"), QStringLiteral("/dev/null"), QStringLiteral("-w"), QStringLiteral("%{size_download}"), m_server->gatewayUrl() + QStringLiteral("/big")});
    long most = 0;
    while (!curl.waitForFinished(50) && curl.state() != QProcess::NotRunning) {
        most = std::max(most, residentKilobytes());
    }
    QCOMPARE(curl.readAllStandardOutput(), QByteArray::number(static_cast<qulonglong>(kTotal)));
    QVERIFY2(most - before < 4096, qPrintable(QStringLiteral("%1 kB before, %2 kB at most").arg(before).arg(most)));
}

void TestGatewayTraffic::webSocket()
{
    const QString python = QStringLiteral("/usr/bin/python3");
    const QString script = QStringLiteral(WEIR_SOURCE_DIR "/tests/e2e/websocket_check.py");
    if (QProcess::execute(python, {QStringLiteral("-c"), QStringLiteral("import websockets")}) != 0) {
        QSKIP("python3-websockets is not installed");
    }
    QProcess node;
    node.start(python, {script, QStringLiteral("node")});
    QVERIFY(node.waitForReadyRead(20000));
    const QByteArray port = node.readLine().trimmed();
    // Its probes go elsewhere: a WebSocket server answers them with 426.
    ScriptedNode health(echo);
    start("{\"node\": \"w1\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:" + port + "\", \"health_url\": \"" + QByteArray::fromStdString(health.url()) + "\"}");
    QString url = m_server->gatewayUrl() + QStringLiteral("/ws");
    url.replace(QStringLiteral("http://"), QStringLiteral("ws://"));
    for (int i = 0; i < 2; ++i) { // twice: the first one's end freed the node
        QCOMPARE(run(python, {script, QStringLiteral("client"), url}), QByteArray("ok\n"));
    }
    QCOMPARE(m_server->traffic().get("/gateway-health").text("status"), QStringLiteral("ok"));
    node.kill();
    node.waitForFinished();
}

void TestGatewayTraffic::nodesByHttps()
{
    const QString nginx = QStandardPaths::findExecutable(QStringLiteral("nginx"), {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin")});
    const QString openssl = QStandardPaths::findExecutable(QStringLiteral("openssl"));
    if (nginx.isEmpty() || openssl.isEmpty()) {
        QSKIP("nginx or openssl is not installed");
    }
    QTemporaryDir folder;
    // nginx, started by root, reads its files as nobody.
    QFile::setPermissions(folder.path(), QFile::permissions(folder.path()) | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther);
    const QString certificate = folder.filePath(QStringLiteral("cert.pem"));
    const QString key = folder.filePath(QStringLiteral("key.pem"));
    QCOMPARE(QProcess::execute(openssl, {QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-newkey"), QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                 QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes"), QStringLiteral("-days"), QStringLiteral("2"), QStringLiteral("-subj"), QStringLiteral("/CN=localhost"),
                 QStringLiteral("-addext"), QStringLiteral("subjectAltName=DNS:localhost"), QStringLiteral("-keyout"), key, QStringLiteral("-out"), certificate}),
        0);
    const QByteArray at = folder.path().toUtf8();
    const QByteArray port = QByteArray::number(weir::gateway::test::unusedPort());
    QByteArray config = "daemon off; pid " + at + "/pid; error_log " + at + "/error.log; events {} http { access_log off;";
    for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
        config += " " + QByteArray(kind) + "_temp_path " + at + "/" + kind + ";";
    }
    config += " server { listen 127.0.0.1:" + port + " ssl; root " + at + "; ssl_certificate " + certificate.toUtf8() + "; ssl_certificate_key " + key.toUtf8()
        + "; location = /small { return 200 small; } } }";
    QFile file(folder.filePath(QStringLiteral("nginx.conf")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(config) == config.size());
    file.close();
    QFile large(folder.filePath(QStringLiteral("large")));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.write(QByteArray(5000000, 'x')) == 5000000);
    large.close();
    QProcess node;
    node.start(nginx, {QStringLiteral("-c"), file.fileName()});
    QVERIFY(node.waitForStarted());
    ScriptedNode health(echo);
    const auto entry = [&](const QByteArray& host) {
        return "{\"node\": \"w1\", \"role\": \"worker\", \"url\": \"https://" + host + ":" + port + "\", \"health_url\": \"" + QByteArray::fromStdString(health.url()) + "\"}";
    };
    qputenv("SSL_CERT_FILE", certificate.toUtf8());
    start(entry("localhost"));
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(m_server->traffic().get("/small").body, QByteArray("small"));
        QCOMPARE(m_server->traffic().get("/large").body.size(), 5000000);
    }
    start(entry("127.0.0.1")); // not a name of the certificate
    QCOMPARE(m_server->traffic().get("/small").verdict(), QByteArray("502 connect_failed"));
    qunsetenv("SSL_CERT_FILE"); // nobody vouches for it
    start(entry("localhost"));
    QCOMPARE(m_server->traffic().get("/small").verdict(), QByteArray("502 connect_failed"));
    node.terminate();
    node.waitForFinished();
}

void TestGatewayTraffic::wrk()
{
    const QString wrk = QStandardPaths::findExecutable(QStringLiteral("wrk"));
    if (wrk.isEmpty()) {
        QSKIP("wrk is not installed");
    }
    ScriptedNode first(echo);
    ScriptedNode second(echo);
    start(nodeEntry("w1", first.url(), 4) + "," + nodeEntry("w2", second.url(), 4));
    const QByteArray out = run(wrk, {QStringLiteral("-t1"), QStringLiteral("-c64"), QStringLiteral("-d2s"), m_server->gatewayUrl() + QStringLiteral("/")});
    QVERIFY2(out.contains("Requests/sec") && !out.contains("Non-2xx") && !out.contains("Socket errors"), out.constData());
    QVERIFY(first.connections() <= 12 && second.connections() <= 12); // kept from request to request; the rest are probes
    QCOMPARE(m_server->traffic().get("/gateway-health").text("status"), QStringLiteral("ok"));
}

void TestGatewayTraffic::endsInTime()
{
    ScriptedNode node([](NodeSocket& socket) {
        for (std::string head = socket.readHead(); !head.empty(); head = socket.readHead()) {
            if (head.starts_with("GET /slow")) {
                std::this_thread::sleep_for(std::chrono::milliseconds(500)); // the work of a request, not a wait of the test
            }
            socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    });
    start(nodeEntry("w1", node.url()));
    RawClient idle(port());
    RawClient busy(port());
    idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QCOMPARE(idle.read().status, 200);
    busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    QTRY_VERIFY(m_server->traffic().get("/gateway-health").flag("workers.0.busy"));
    m_server->signal(SIGTERM);
    const auto answer = busy.read(); // under way: it gets its answer
    QCOMPARE(answer.body, std::string("ok"));
    QCOMPARE(answer.header("connection"), std::string("close"));
    QCOMPARE(m_server->waitForEnd(10000), 0);
}

QTEST_GUILESS_MAIN(TestGatewayTraffic)
#include "TestGatewayTraffic.moc"
