// SPDX-License-Identifier: GPL-3.0-or-later
#include "RawClient.h"
#include "RunningServer.h"
#include "core/http/ResponseStream.h"

#include <QtTest>

#include <thread>

using namespace std::chrono_literals;

namespace weir::http::test {
namespace {

ResponseStream::Bytes bytesOf(std::string text)
{
    return std::make_shared<const std::string>(std::move(text));
}

} // namespace

class TestResponseStream : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void writesChunks();
    void writesNoChunksToOldClients();
    void saysNothingToHead();
    void takesWhatWasWrittenBefore();
    void sharesBytes();
    void dropsAReaderThatIsTooFarBehind();
    void noticesThatTheClientHasGone();
    void endsAtShutdown();
    void outlivesItsConnection();

private:
    std::string request(std::string_view method = "GET", std::string_view version = "1.1") const
    {
        return std::string(method) + " / HTTP/" + std::string(version) + "\r\nHost: x\r\n\r\n";
    }

    std::shared_ptr<ResponseStream> m_stream;
    std::unique_ptr<RunningServer> m_server;
};

void TestResponseStream::init()
{
    m_stream = std::make_shared<ResponseStream>(1 << 20);
    m_server = std::make_unique<RunningServer>([this](const Request&, const Reply& reply) {
        Response response;
        response.contentType = "text/event-stream";
        response.stream = m_stream;
        reply(std::move(response));
    });
    QVERIFY(m_server->listened());
}

void TestResponseStream::cleanup()
{
    m_server.reset();
    m_stream.reset();
}

void TestResponseStream::writesChunks()
{
    RawClient client(m_server->port());
    QVERIFY(client.send(request()));
    QTRY_VERIFY(m_stream.use_count() > 1);
    QVERIFY(m_stream->write(bytesOf("one\n")));
    QVERIFY(m_stream->write(bytesOf("")));
    QVERIFY(m_stream->write(bytesOf("0123456789abcdef")));
    m_stream->end();
    QVERIFY(!m_stream->write(bytesOf("late")));
    const std::string answer = client.readAll();
    QVERIFY(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    QVERIFY(answer.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos);
    QVERIFY(answer.find("\r\nConnection: close\r\n") != std::string::npos);
    QVERIFY(answer.find("Content-Length") == std::string::npos);
    QVERIFY(answer.ends_with("\r\n\r\n4\r\none\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n"));
    QTRY_COMPARE(m_stream.use_count(), 1L);
}

void TestResponseStream::writesNoChunksToOldClients()
{
    RawClient client(m_server->port());
    QVERIFY(client.send(request("GET", "1.0")));
    m_stream->write(bytesOf("one\n"));
    m_stream->write(bytesOf("two\n"));
    m_stream->end();
    const std::string answer = client.readAll();
    QVERIFY(answer.find("chunked") == std::string::npos);
    QVERIFY(answer.ends_with("\r\n\r\none\ntwo\n"));
}

void TestResponseStream::saysNothingToHead()
{
    RawClient client(m_server->port());
    QVERIFY(client.send(request("HEAD")));
    m_stream->write(bytesOf("one\n"));
    const std::string answer = client.readAll();
    QVERIFY(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    QVERIFY(answer.ends_with("\r\n\r\n"));
    QTRY_COMPARE(m_stream.use_count(), 1L);
}

void TestResponseStream::takesWhatWasWrittenBefore()
{
    m_stream->write(bytesOf("early"));
    m_stream->end();
    RawClient client(m_server->port());
    QVERIFY(client.send(request()));
    QVERIFY(client.readAll().ends_with("\r\n\r\n5\r\nearly\r\n0\r\n\r\n"));
}

void TestResponseStream::sharesBytes()
{
    ResponseStream other(100);
    const auto bytes = bytesOf("shared");
    m_stream->write(bytes);
    other.write(bytes);
    QCOMPARE(bytes.use_count(), 3L);
}

void TestResponseStream::dropsAReaderThatIsTooFarBehind()
{
    RawClient client(m_server->port()); // reads nothing
    QVERIFY(client.send(request()));
    QTRY_VERIFY(m_stream.use_count() > 1);
    const auto piece = bytesOf(std::string(64 << 10, 'x'));
    bool isTaken = true;
    for (int i = 0; i < 10000 && isTaken; ++i) {
        isTaken = m_stream->write(piece);
    }
    QVERIFY(!isTaken);
    QTRY_COMPARE(m_stream.use_count(), 1L);
    QTRY_COMPARE(piece.use_count(), 1L); // nothing is kept for it
    QVERIFY(!client.readAll().ends_with("\r\n0\r\n\r\n"));
}

void TestResponseStream::noticesThatTheClientHasGone()
{
    auto client = std::make_unique<RawClient>(m_server->port());
    QVERIFY(client->send(request()));
    QTRY_VERIFY(m_stream.use_count() > 1);
    client.reset();
    QTRY_COMPARE(m_stream.use_count(), 1L);
}

void TestResponseStream::endsAtShutdown()
{
    RawClient client(m_server->port());
    QVERIFY(client.send(request()));
    m_stream->write(bytesOf("one"));
    QTRY_VERIFY(m_stream.use_count() > 1);
    QCOMPARE(m_server->close(30s).wait_for(1s), std::future_status::ready);
    QVERIFY(client.readAll().ends_with("3\r\none\r\n0\r\n\r\n"));
}

void TestResponseStream::outlivesItsConnection()
{
    RawClient client(m_server->port());
    QVERIFY(client.send(request()));
    QTRY_VERIFY(m_stream.use_count() > 1);
    std::atomic<bool> ends = false;
    std::thread writer([&] {
        while (!ends) {
            m_stream->write(bytesOf("x"));
        }
    });
    m_server->destroyServer();
    m_stream->write(bytesOf("after"));
    ends = true;
    writer.join();
    QCOMPARE(m_stream.use_count(), 1L);
}

} // namespace weir::http::test

QTEST_GUILESS_MAIN(weir::http::test::TestResponseStream)
#include "TestResponseStream.moc"
