// SPDX-License-Identifier: GPL-3.0-or-later
#include "TransportBehaviour.h"

#include "weir_version.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace weir::probe::test {
namespace {

using namespace std::chrono_literals;

QByteArray answerBytes(const char* statusLine, const QByteArray& body, const char* headers = "")
{
    return QByteArray("HTTP/1.1 ") + statusLine + "\r\n" + headers + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

const QByteArray kDegraded = R"({"status":"degraded","reason":"dep_down:comfyui","deps":{"comfyui":false}})";

/// Sends one byte after the other, twenty a second.
void drip(QTcpSocket& socket, const QByteArray& first)
{
    socket.write(first);
    auto* timer = new QTimer(&socket);
    QObject::connect(timer, &QTimer::timeout, &socket, [&socket] { socket.write("x"); });
    timer->start(50);
}

/// Sends 100 MB, never more than 256 KiB ahead of the reader.
void flood(QTcpSocket& socket, const QByteArray& head)
{
    socket.write(head);
    auto left = std::make_shared<qint64>(100 * 1000 * 1000);
    const auto more = [&socket, left] {
        while (*left > 0 && socket.bytesToWrite() < 256 * 1024) {
            *left -= socket.write(QByteArray(64 * 1024, 'x'));
        }
    };
    QObject::connect(&socket, &QTcpSocket::bytesWritten, &socket, more);
    more();
}

std::map<std::string, ScriptedServer::Script> scripts()
{
    const auto answer = [](QByteArray bytes) { return ScriptedServer::answer(std::move(bytes)); };
    return {
        {"/health", answer(answerBytes("200 OK", "OK"))},
        {"/chunked", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")},
        {"/until-close", answer("HTTP/1.0 200 OK\r\n\r\nold")},
        {"/continue", answer("HTTP/1.1 100 Continue\r\n\r\n" + answerBytes("200 OK", "late"))},
        {"/204", answer("HTTP/1.1 204 No Content\r\n\r\n")},
        {"/302", answer(answerBytes("302 Found", "", "Location: /health\r\n"))},
        {"/400", answer(answerBytes("400 Bad Request", "bad"))},
        {"/401", answer(answerBytes("401 Unauthorized", "who", "WWW-Authenticate: Basic realm=\"x\"\r\n"))},
        {"/404", answer(answerBytes("404 Not Found", QByteArray(40'000, 'n')))},
        {"/407", answer(answerBytes("407 Proxy Authentication Required", "", "Proxy-Authenticate: Basic realm=\"x\"\r\n"))},
        {"/418", answer(answerBytes("418 I'm a teapot", ""))},
        {"/500", answer(answerBytes("500 Internal Server Error", ""))},
        {"/503", answer(answerBytes("503 Service Unavailable", kDegraded))},
        {"/cookie", answer(answerBytes("200 OK", "", "Set-Cookie: a=b; Path=/\r\n"))},
        {"/reset", ScriptedServer::reset()},
        {"/close", answer("")},
        {"/garbage", answer("\x01\x02 this is no answer\r\n\r\n")},
        {"/ssh", answer("SSH-2.0-OpenSSH_9.2p1\r\n")},
        {"/bad-status", answer("HTTP/1.1 abc OK\r\n\r\n")},
        {"/cut-head", answer("HTTP/1.1 200 OK\r\nContent-Le")},
        {"/cut-body", answer("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")},
        {"/cut-chunk", answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf")},
        {"/drip-status", [](QTcpSocket& socket, const QByteArray&) { drip(socket, "HTTP/1.1 "); }},
        {"/drip-head", [](QTcpSocket& socket, const QByteArray&) { drip(socket, "HTTP/1.1 200 OK\r\nX: "); }},
        {"/drip-body", [](QTcpSocket& socket, const QByteArray&) { drip(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"); }},
        {"/flood", [](QTcpSocket& socket, const QByteArray&) { flood(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"); }},
        {"/flood-until-close", [](QTcpSocket& socket, const QByteArray&) { flood(socket, "HTTP/1.0 200 OK\r\n\r\n"); }},
        {"/flood-503", [](QTcpSocket& socket, const QByteArray&) { flood(socket, "HTTP/1.1 503 No\r\nContent-Length: 100000000\r\n\r\n"); }},
        {"/limit", answer(answerBytes("200 OK", QByteArray(64 * 1024, 'x')))},
        {"/limit-open",
            [](QTcpSocket& socket, const QByteArray&) { socket.write("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n" + QByteArray(64 * 1024, 'x')); }},
    };
}

qsizetype openDescriptors()
{
    return QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size();
}

double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toDouble() * 4096 / 1e6 : 0;
}

/// For the message of a failed check; lives until the next call.
const char* shown(double value)
{
    static QByteArray text;
    text = QByteArray::number(value);
    return text.constData();
}

} // namespace

ProbeAnswer TransportBehaviour::ask(const std::string& url, std::chrono::milliseconds timeout)
{
    std::optional<ProbeAnswer> answer;
    int callbacks = 0;
    m_transport->start(url, timeout, [&](ProbeAnswer&& got) {
        answer = std::move(got);
        ++callbacks;
    });
    const bool inside = answer.has_value();
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, static_cast<int>(timeout.count()) + 3000) || inside || callbacks != 1) {
        ProbeAnswer none;
        none.failure = "no callback, a second one, or one from inside start()";
        return none;
    }
    return *answer;
}

void TransportBehaviour::initTestCase()
{
    m_server = std::make_unique<ScriptedServer>(scripts());
    QVERIFY(m_server->port() != 0);
}

void TransportBehaviour::init()
{
    m_transport = makeTransport(m_clock);
}

void TransportBehaviour::cleanup()
{
    m_transport.reset();
}

void TransportBehaviour::answers_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("health") << 200 << QByteArray("OK");
    QTest::newRow("chunked") << 200 << QByteArray("abc");
    QTest::newRow("until-close") << 200 << QByteArray("old");
    QTest::newRow("continue") << 200 << QByteArray("late");
    QTest::newRow("204") << 204 << QByteArray();
    QTest::newRow("302") << 302 << QByteArray();
    QTest::newRow("400") << 400 << QByteArray("bad");
    QTest::newRow("401") << 401 << QByteArray("who");
    QTest::newRow("404") << 404 << QByteArray(40'000, 'n');
    QTest::newRow("407") << 407 << QByteArray();
    QTest::newRow("418") << 418 << QByteArray();
    QTest::newRow("500") << 500 << QByteArray();
    QTest::newRow("503") << 503 << kDegraded;
    QTest::newRow("limit") << 200 << QByteArray(64 * 1024, 'x');
}

void TransportBehaviour::answers()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    const std::size_t before = m_server->heads().size();
    const ProbeAnswer answer = ask(m_server->url(std::string("/") + QTest::currentDataTag()));
    QCOMPARE(answer.failure, std::string());
    QCOMPARE(answer.status, status);
    QCOMPARE(QByteArray::fromStdString(answer.body), body);
    QVERIFY(!answer.localError);
    QVERIFY(answer.started <= answer.ended);
    QVERIFY2(answer.ended - answer.started < 2s, "an answer must not wait for the deadline");
    const bool once = QByteArray(QTest::currentDataTag()) != "until-close" || !mayRepeatUntilClose();
    QVERIFY(!once || m_server->heads().size() - before == 1); // no redirect followed, nothing repeated
    QCOMPARE(m_transport->underWay(), std::size_t(0));
}

void TransportBehaviour::failures_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("failure");
    QTest::addColumn<int>("status");
    const auto row = [this](const char* path, const char* failure, int status = 0) {
        QTest::newRow(path) << QByteArray::fromStdString(m_server->url(path)) << QByteArray(failure) << status;
    };
    row("/reset", "reset");
    row("/close", "reset");
    row("/garbage", "malformed");
    row("/ssh", "malformed");
    row("/bad-status", "malformed");
    row("/cut-head", "reset");
    row("/cut-body", "reset", 200);
    row("/cut-chunk", "reset", 200);
    QTest::newRow("refused") << "http://127.0.0.1:" + QByteArray::number(ScriptedServer::unusedPort()) + "/health" << QByteArray("refused") << 0;
    QTest::newRow("dns") << QByteArray("http://no-such-host.invalid/health") << QByteArray("dns") << 0;
}

void TransportBehaviour::failures()
{
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, failure);
    QFETCH(int, status);
    const ProbeAnswer answer = ask(url.toStdString());
    if (QByteArray(QTest::currentDataTag()) == "/cut-chunk" && !noticesCutChunks() && answer.failure.empty()) {
        return;
    }
    QCOMPARE(QByteArray::fromStdString(answer.failure), failure);
    QCOMPARE(answer.status, status);
    QVERIFY(!answer.localError);
}

void TransportBehaviour::countsTheFirstFailure()
{
    auto first = std::make_shared<std::atomic<bool>>(true);
    ScriptedServer server({{"/health", [first](QTcpSocket& socket, const QByteArray& head) {
                                const bool fail = first->exchange(false);
                                (fail ? ScriptedServer::reset() : ScriptedServer::answer(answerBytes("200 OK", "")))(socket, head);
                            }}});
    const ProbeAnswer answer = ask(server.url("/health"));
    QCOMPARE(answer.failure, std::string("reset"));
    QCOMPARE(ask(server.url("/health")).failure, std::string());
}

void TransportBehaviour::sendsTheTargetByteForByte_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::newRow("query") << QByteArray("/health?deep=1&x=a%2Fb");
    QTest::newRow("escapes") << QByteArray("/health/%20%25%3F%23/x?y=%26%2B+z");
    QTest::newRow("delimiters") << QByteArray("/health;a=b,c/@:!$'()*+?q=/?:@");
    QTest::newRow("slashes") << QByteArray("/health//x/");
    QTest::newRow("empty query") << QByteArray("/health?");
}

void TransportBehaviour::sendsTheTargetByteForByte()
{
    QFETCH(QByteArray, target);
    const std::size_t before = m_server->heads().size();
    (void)ask(m_server->url(target.toStdString()), 300ms);
    QCOMPARE(m_server->heads().size(), before + 1);
    QVERIFY2(m_server->heads().back().startsWith("GET " + target + " HTTP/1.1\r\n"), m_server->heads().back().constData());
}

void TransportBehaviour::sendsNothingButThePlainRequest()
{
    QCOMPARE(ask(m_server->url("/health")).status, 200);
    QList<QByteArray> lines;
    for (const QByteArray& line : m_server->heads().back().trimmed().split('\n').mid(1)) {
        lines << line.trimmed();
    }
    std::sort(lines.begin(), lines.end());
    const QList<QByteArray> expected{"Accept-Encoding: identity", "Accept-Language: *", "Accept: */*", "Connection: close",
        "Host: 127.0.0.1:" + QByteArray::number(m_server->port()), "User-Agent: weir-prober/" WEIR_VERSION};
    QCOMPARE(lines, expected);
}

void TransportBehaviour::keepsNoCookies()
{
    QCOMPARE(ask(m_server->url("/cookie")).status, 200);
    QCOMPARE(ask(m_server->url("/cookie")).status, 200);
    QVERIFY(!m_server->heads().back().toLower().contains("cookie:"));
}

void TransportBehaviour::opensAFreshConnectionEachTime()
{
    ScriptedServer server({{"/health", [](QTcpSocket& socket, const QByteArray&) { socket.write(answerBytes("200 OK", "stays open")); }}});
    for (int i = 1; i <= 3; ++i) {
        QCOMPARE(ask(server.url("/health")).status, 200);
        QCOMPARE(server.connections(), i);
    }
    QCOMPARE(server.heads().size(), std::size_t(3));
    QTRY_COMPARE(server.open(), 0); // and we close ours
}

void TransportBehaviour::failsAtTheDeadline_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("silent") << 0;
    QTest::newRow("drip-status") << 0;
    QTest::newRow("drip-head") << 0;
    QTest::newRow("drip-body") << 200;
}

void TransportBehaviour::failsAtTheDeadline()
{
    QFETCH(int, status);
    QElapsedTimer real;
    real.start();
    const ProbeAnswer answer = ask(m_server->url(std::string("/") + QTest::currentDataTag()), 600ms);
    const qint64 took = real.elapsed();
    QCOMPARE(answer.failure, std::string("timeout"));
    QCOMPARE(answer.status, status);
    QVERIFY2(answer.ended - answer.started >= 600ms && answer.ended - answer.started <= 850ms, shown(toSeconds(answer.ended - answer.started)));
    QVERIFY2(took <= 850, shown(static_cast<double>(took)));
    QTRY_COMPARE(m_server->open(), 0);
}

void TransportBehaviour::cutsAHugeBodyOff_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("flood") << 200;
    QTest::newRow("flood-until-close") << 200;
    QTest::newRow("flood-503") << 503;
    QTest::newRow("limit-open") << 200;
}

void TransportBehaviour::cutsAHugeBodyOff()
{
    QFETCH(int, status);
    const double before = residentMegabytes();
    for (int i = 0; i < 3; ++i) {
        const ProbeAnswer answer = ask(m_server->url(std::string("/") + QTest::currentDataTag()));
        QCOMPARE(answer.failure, std::string());
        QCOMPARE(answer.status, status);
        QCOMPARE(answer.body.size(), kMaxBodyBytes);
        QVERIFY2(answer.ended - answer.started < 1s, "the rest of the body must not be waited for");
    }
    QVERIFY2(residentMegabytes() - before < 5, shown(residentMegabytes() - before));
    QTRY_COMPARE(m_server->open(), 0);
}

void TransportBehaviour::survivesAnEndlessHead()
{
    // A server of its own, so that what it still sends ends with the test.
    ScriptedServer server({{"/health", [](QTcpSocket& socket, const QByteArray&) { flood(socket, "HTTP/1.1 200 OK\r\nX: "); }}});
    const double before = residentMegabytes();
    const ProbeAnswer answer = ask(server.url("/health"), 1s);
    QVERIFY2(answer.failure == "timeout" || answer.failure == "malformed" || answer.failure == "reset", answer.failure.c_str());
    QVERIFY(answer.ended - answer.started <= 1250ms);
    QVERIFY2(residentMegabytes() - before < 32, shown(residentMegabytes() - before));
}

void TransportBehaviour::reachesIpv6()
{
    ScriptedServer server(scripts(), QHostAddress(QHostAddress::LocalHostIPv6));
    if (server.port() == 0) {
        QSKIP("no IPv6 loopback on this machine");
    }
    QCOMPARE(ask(server.url("/health")).status, 200);
    QVERIFY(server.heads().back().contains("Host: [::1]:" + QByteArray::number(server.port()) + "\r\n"));
}

void TransportBehaviour::cancelsWithoutACallback()
{
    bool called = false;
    const std::uint64_t id = m_transport->start(m_server->url("/silent"), 300ms, [&](ProbeAnswer&&) { called = true; });
    QTRY_COMPARE(m_server->open(), 1);
    m_transport->cancel(id);
    m_transport->cancel(id);
    m_transport->cancel(id + 77);
    QCOMPARE(m_transport->underWay(), std::size_t(0));
    QTRY_COMPARE(m_server->open(), 0);
    QVERIFY(!QTest::qWaitFor([&] { return called; }, 500));
}

void TransportBehaviour::asksManyOfOneAddressAtOnce()
{
    ScriptedServer server;
    std::vector<ProbeAnswer> answers;
    for (int i = 0; i < 100; ++i) {
        m_transport->start(server.url("/n" + std::to_string(i)), 1500ms, [&](ProbeAnswer&& answer) { answers.push_back(std::move(answer)); });
    }
    QTRY_COMPARE_WITH_TIMEOUT(server.heads().size(), std::size_t(100), 1400); // all have asked while all hang
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), std::size_t(100), 2500);
    for (const ProbeAnswer& answer : answers) {
        QCOMPARE(answer.failure, std::string("timeout"));
        QVERIFY(answer.ended - answer.started <= 1750ms);
    }
}

void TransportBehaviour::diesWithProbesUnderWay()
{
    ScriptedServer server;
    int called = 0;
    for (int i = 0; i < 50; ++i) {
        m_transport->start(server.url("/silent"), 30s, [&](ProbeAnswer&&) { ++called; });
    }
    QTRY_COMPARE(server.open(), 50);
    QElapsedTimer real;
    real.start();
    m_transport.reset();
    QVERIFY2(real.elapsed() < 2000, shown(static_cast<double>(real.elapsed())));
    QTRY_COMPARE(server.open(), 0);
    QCOMPARE(called, 0);
}

void TransportBehaviour::holdsDescriptorsAndMemoryOverRefusals()
{
    int ended = 0;
    int refused = 0;
    const auto round = [&](int first, int count) {
        const int before = ended;
        for (int i = first; i < first + count; ++i) {
            const std::string host = "127.7." + std::to_string(i / 250) + "." + std::to_string(1 + i % 250);
            m_transport->start("http://" + host + ":1/health", 5s, [&](ProbeAnswer&& answer) {
                ++ended;
                refused += answer.failure == "refused" ? 1 : 0;
            });
        }
        return QTest::qWaitFor([&] { return ended == before + count; }, 20'000);
    };
    for (int i = 0; i < 10; ++i) { // warm: caches and arenas have their size after this
        QVERIFY(round(i * 100, 100));
    }
    const qsizetype descriptors = openDescriptors();
    const double megabytes = residentMegabytes();
    for (int i = 10; i < 50; ++i) {
        QVERIFY(round(i * 100, 100)); // ever new addresses: churn
    }
    QCOMPARE(refused, 5000);
    QTRY_VERIFY(openDescriptors() <= descriptors + 8);
    QVERIFY2(residentMegabytes() - megabytes < 16, shown(residentMegabytes() - megabytes)); // 4,000 × 11 kB would be 44
    qInfo("refusals: %.1f MB grown, %lld descriptors", residentMegabytes() - megabytes, static_cast<long long>(openDescriptors()));
}

} // namespace weir::probe::test
