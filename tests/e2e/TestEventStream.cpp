// SPDX-License-Identifier: GPL-3.0-or-later
// GET /admin/stream over real sockets.
#include "tests/support/EventReader.h"
#include "tests/support/ServerProcess.h"

#include <QElapsedTimer>
#include <QtTest>

#include <memory>
#include <set>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace weir::test;

namespace {

const QByteArray kConfig = "{\"pools\": [{\"pool\": \"canary\"}], \"nodes\": [{\"node\": \"gpu-1\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:9\", \"owner\": \"7\"}], \"users\": [\"7\"]}";

qint64 seqOf(const QByteArray& id)
{
    return id.mid(id.lastIndexOf('-') + 1).toLongLong();
}

QByteArray epochOf(const QByteArray& id)
{
    return id.left(id.lastIndexOf('-'));
}

// Moves gpu-1 into the other pool; the new pool's id, or empty when it failed.
QByteArray move(const HttpClient& client, int turn)
{
    const QByteArray pool = turn % 2 == 0 ? "canary" : "default";
    return client.put("/admin/mmx-nodes/gpu-1/pool", "{\"poolId\": \"" + pool + "\"}").status == 200 ? pool : QByteArray();
}

// Asks for the stream and takes nothing of it. A plain socket, whose receive buffer is small before it connects: otherwise the
// kernel would take tens of megabytes in its place.
class StuckReader {
public:
    StuckReader(const QString& url, const QByteArray& token)
        : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        const int small = 4096;
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        sockaddr_in peer{};
        peer.sin_family = AF_INET;
        peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        peer.sin_port = htons(static_cast<quint16>(QUrl(url).port()));
        const QByteArray request = "GET /admin/stream HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer " + token + "\r\n\r\n";
        m_isConnected = ::connect(m_socket, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0 && ::send(m_socket, request.constData(), static_cast<std::size_t>(request.size()), 0) == request.size();
    }
    ~StuckReader() { ::close(m_socket); }
    StuckReader(const StuckReader&) = delete;
    StuckReader& operator=(const StuckReader&) = delete;

    bool isConnected() const { return m_isConnected; }
    // Bytes that came until the stream ended; -1 when it did not in time.
    qint64 readToTheEnd(int deadlineMs) const
    {
        QElapsedTimer timer;
        timer.start();
        QByteArray buffer(1 << 16, '\0');
        qint64 taken = 0;
        while (timer.elapsed() < deadlineMs) {
            pollfd ready{m_socket, POLLIN, 0};
            if (::poll(&ready, 1, 200) != 1) {
                continue;
            }
            const ssize_t count = ::recv(m_socket, buffer.data(), static_cast<std::size_t>(buffer.size()), 0);
            if (count <= 0) {
                return taken;
            }
            taken += count;
        }
        return -1;
    }

private:
    int m_socket;
    bool m_isConnected = false;
};

bool isMoved(const StreamMessage& message)
{
    return message.event == "node_moved";
}

} // namespace

class TestEventStream : public QObject {
    Q_OBJECT

private slots:
    void tellsEventsAndRows();
    void resumesAfterAReconnect();
    void resumesOverARestart();
    void asksForAResync_data();
    void asksForAResync();
    void endsAtOnceAtShutdown();
    void refusesStrangers();
    void dropsAReaderThatDoesNotRead();
};

void TestEventStream::tellsEventsAndRows()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    EventReader reader(server.adminUrl(), server.token());
    QVERIFY(reader.waitFor("hello"));
    QVERIFY(reader.head().startsWith("HTTP/1.1 200 OK"));
    QVERIFY(reader.head().contains("text/event-stream"));
    const QJsonObject hello = reader.last().data;
    QCOMPARE(hello.value(QStringLiteral("resumed")).toBool(), false);
    QVERIFY(!hello.value(QStringLiteral("epoch")).toString().isEmpty());
    QCOMPARE(move(server.client(), 0), QByteArray("canary"));
    QVERIFY(reader.waitFor(isMoved));
    const QJsonObject moved = reader.last().data;
    QCOMPARE(moved.value(QStringLiteral("nodeId")).toString(), QStringLiteral("gpu-1"));
    QCOMPARE(moved.value(QStringLiteral("seq")).toInteger(), seqOf(reader.lastId()));
    QVERIFY(reader.waitFor([](const StreamMessage& message) {
        const QJsonObject node = message.data.value(QStringLiteral("nodes")).toArray().at(0).toObject();
        return message.event == "rows" && node.value(QStringLiteral("poolId")).toString() == QStringLiteral("canary") && !node.value(QStringLiteral("url")).toString().isEmpty();
    }));
}

void TestEventStream::resumesAfterAReconnect()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    auto reader = std::make_unique<EventReader>(server.adminUrl(), server.token());
    QVERIFY(reader->waitFor("hello"));
    std::vector<qint64> seen;
    constexpr int kMoves = 40;
    for (int turn = 0; turn < kMoves; ++turn) {
        QVERIFY(!move(client, turn).isEmpty());
        if (turn % 4 == 3) { // gone in the middle of it, and back with the last id that was read
            QVERIFY(reader->waitFor(isMoved));
            seen.push_back(seqOf(reader->lastId()));
            const QByteArray last = reader->lastId();
            reader->close();
            reader = std::make_unique<EventReader>(server.adminUrl(), server.token(), last);
            QVERIFY(reader->waitFor("hello"));
            QCOMPARE(reader->last().data.value(QStringLiteral("resumed")).toBool(), true);
        }
    }
    while (seen.size() < kMoves) { // the rest, each once and in order
        QVERIFY(reader->waitFor([&](const StreamMessage& message) { return isMoved(message) && seqOf(message.id) > (seen.empty() ? 0 : seen.back()); }));
        seen.push_back(seqOf(reader->lastId()));
    }
    const std::set<qint64> distinct(seen.begin(), seen.end());
    QCOMPARE(distinct.size(), std::size_t(kMoves));
}

void TestEventStream::resumesOverARestart()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    EventReader reader(server.adminUrl(), server.token());
    QVERIFY(reader.waitFor("hello"));
    QVERIFY(!move(server.client(), 0).isEmpty());
    QVERIFY(reader.waitFor(isMoved));
    const QByteArray last = reader.lastId();
    QVERIFY(!move(server.client(), 1).isEmpty());
    QCOMPARE(server.terminate(), 0);
    QVERIFY2(server.start(), server.err().constData());
    EventReader again(server.adminUrl(), server.token(), last);
    QVERIFY(again.waitFor("hello"));
    QCOMPARE(epochOf(again.lastId()), epochOf(last));
    QCOMPARE(again.last().data.value(QStringLiteral("resumed")).toBool(), true);
    QCOMPARE(again.last().data.value(QStringLiteral("rowsMissed")).toBool(), true);
    QVERIFY(again.waitFor([](const StreamMessage& message) { return message.event != "hello" && message.event != "rows"; }));
    QCOMPARE(seqOf(again.lastId()), seqOf(last) + 1);
    qint64 before = seqOf(last);
    QVERIFY(!move(server.client(), 2).isEmpty());
    QVERIFY(again.waitFor([&](const StreamMessage& message) { return isMoved(message) && message.data.value(QStringLiteral("poolId")).toString() == QStringLiteral("canary"); }));
    for (const StreamMessage& message : again.messages()) {
        if (message.event != "rows" && message.event != "hello") {
            QCOMPARE(seqOf(message.id), before + 1);
            before = seqOf(message.id);
        }
    }
}

void TestEventStream::asksForAResync_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QString>("reason");
    QTest::newRow("another epoch") << QByteArray("0123456789ab-1") << QStringLiteral("other_epoch");
    QTest::newRow("no id at all") << QByteArray("what") << QStringLiteral("other_epoch");
    QTest::newRow("from the future") << QByteArray("EPOCH-999999") << QStringLiteral("unknown_id");
}

void TestEventStream::asksForAResync()
{
    QFETCH(QByteArray, id);
    QFETCH(QString, reason);
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    EventReader first(server.adminUrl(), server.token());
    QVERIFY(first.waitFor("hello"));
    EventReader reader(server.adminUrl(), server.token(), QByteArray(id).replace("EPOCH", epochOf(first.lastId())));
    QVERIFY(reader.waitFor("resync_required"));
    QCOMPARE(reader.messages().front().event, QByteArray("resync_required"));
    QCOMPARE(reader.last().data.value(QStringLiteral("reason")).toString(), reason);
    QVERIFY(!move(server.client(), 0).isEmpty()); // and it goes on from there
    QVERIFY(reader.waitFor(isMoved));
}

void TestEventStream::endsAtOnceAtShutdown()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    EventReader reader(server.adminUrl(), server.token());
    QVERIFY(reader.waitFor("hello"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(server.terminate(), 0);
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(reader.waitForEnd(5000));
    QVERIFY(reader.endedWhole());
}

void TestEventStream::refusesStrangers()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    QCOMPARE(HttpClient(server.adminUrl()).get("/admin/stream").status, 401);
    QCOMPARE(HttpClient(server.adminUrl(), "weir_wrong").get("/admin/stream").status, 401);
    QCOMPARE(server.client().get("/admin/stream?from=1").verdict(), QByteArray("422 unknown_field"));
}

// A stuck reader is dropped when it is 8 MiB behind, and meanwhile the others hear of everything and commands are answered.
void TestEventStream::dropsAReaderThatDoesNotRead()
{
    ServerProcess server(kConfig);
    QVERIFY2(server.start(), server.err().constData());
    const HttpClient client = server.client();
    StuckReader stuck(server.adminUrl(), server.token());
    QVERIFY(stuck.isConnected());
    EventReader reader(server.adminUrl(), server.token());
    QVERIFY(reader.waitFor("hello"));
    // Long addresses make long rows; all of them move together again and again.
    QByteArray moves[2];
    constexpr int kNodes = 150;
    constexpr qint64 kEnough = 24 << 20;
    for (int i = 0; i < kNodes; ++i) {
        const QByteArray id = "big-" + QByteArray::number(i);
        const QByteArray health = "http://127.0.0.1:9/" + QByteArray(1900, 'h');
        QCOMPARE(client.post("/admin/mmx-nodes", "{\"nodeId\": \"" + id + "\", \"role\": \"worker\", \"url\": \"http://127.0.0.1:9/" + QByteArray(1900, 'u') + "\", \"healthUrl\": \"" + health + "\"}").status, 201);
        moves[0] += (i == 0 ? "" : ",") + QByteArray("{\"nodeId\": \"" + id + "\", \"poolId\": \"canary\"}");
        moves[1] += (i == 0 ? "" : ",") + QByteArray("{\"nodeId\": \"" + id + "\", \"poolId\": \"unassigned\"}");
    }
    int slowest = 0;
    for (int turn = 0; reader.received() < kEnough; ++turn) {
        QElapsedTimer one;
        one.start();
        QCOMPARE(client.post("/admin/mmx-nodes:move", "{\"moves\": [" + moves[turn % 2] + "]}").status, 200);
        slowest = std::max(slowest, static_cast<int>(one.elapsed()));
        const QString pool = turn % 2 == 0 ? QStringLiteral("canary") : QStringLiteral("unassigned");
        QVERIFY(reader.waitFor([&](const StreamMessage& message) { return isMoved(message) && message.data.value(QStringLiteral("poolId")).toString() == pool; }));
        QVERIFY2(turn < 200, "rows are smaller than this test thinks");
    }
    QVERIFY2(slowest < 2000, qPrintable(QString::number(slowest)));
    const qint64 taken = stuck.readToTheEnd(20000);
    QVERIFY2(taken >= 0, "the stream did not end");
    QVERIFY2(taken < reader.received(), qPrintable(QString::number(taken)));
    QVERIFY(!move(client, 0).isEmpty());
    QVERIFY(reader.waitFor([](const StreamMessage& message) { return isMoved(message) && message.data.value(QStringLiteral("nodeId")).toString() == QStringLiteral("gpu-1"); }));
}

QTEST_GUILESS_MAIN(TestEventStream)
#include "TestEventStream.moc"
