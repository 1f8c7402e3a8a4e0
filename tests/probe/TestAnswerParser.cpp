// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/AnswerParser.h"
#include "core/probe/ProbeUrl.h"

#include <QTest>

namespace weir::probe::test {
namespace {

using State = AnswerParser::State;

std::string repeated(std::string_view text, std::size_t times)
{
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

struct Outcome {
    State state = State::Head;
    int status = 0;
    std::string body;
};

Outcome parse(std::string_view bytes, std::size_t piece, bool ends)
{
    AnswerParser parser;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        parser.feed(bytes.substr(at, piece));
    }
    if (ends) {
        parser.end();
    }
    return {parser.state(), parser.status(), parser.takeBody()};
}

} // namespace

class TestAnswerParser : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void boundsTheHead();
    void boundsTheBody();
    void boundsTheChunks();
    void startsAfresh();
    void splitsUrls_data();
    void splitsUrls();

private:
    static void row(const char* name, const QByteArray& bytes, State state, int status, const QByteArray& body = {}, bool ends = false)
    {
        QTest::newRow(name) << bytes << static_cast<int>(state) << status << body << ends;
    }
};

void TestAnswerParser::reads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("ends");
    const QByteArray ok = "HTTP/1.1 200 OK\r\n";
    row("by length", ok + "Content-Length: 2\r\n\r\nok", State::Done, 200, "ok");
    row("by length, more follows", ok + "Content-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n", State::Done, 200, "ok");
    row("the length twice, the same", ok + "Content-Length: 2\r\ncontent-length:2 \r\n\r\nok", State::Done, 200, "ok");
    row("the length twice, differing", ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nok", State::Malformed, 0);
    row("two lengths in one field", ok + "Content-Length: 2, 2\r\n\r\nok", State::Malformed, 0);
    row("a length with a sign", ok + "Content-Length: +2\r\n\r\nok", State::Malformed, 0);
    row("a length beyond 64 bits", ok + "Content-Length: 99999999999999999999\r\n\r\n", State::Malformed, 0);
    row("length zero", ok + "Content-Length: 0\r\n\r\n", State::Done, 200);
    row("a body that is not whole", ok + "Content-Length: 5\r\n\r\nok", State::Body, 200, "ok", true);
    row("until the end", "HTTP/1.0 200 OK\r\n\r\nold", State::Done, 200, "old", true);
    row("until the end, which has not come", "HTTP/1.0 200 OK\r\n\r\nold", State::Body, 200, "old");
    row("no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", State::Done, 200);
    row("bare line feeds", "HTTP/1.1 503 No\nContent-Length: 1\n\nx", State::Done, 503, "x");
    row("no content", "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", State::Done, 204);
    row("not modified", "HTTP/1.1 304 Not Modified\r\n\r\n", State::Done, 304);
    row("interim answers", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", State::Done, 200, "x");
    row("only an interim answer", "HTTP/1.1 100 Continue\r\n\r\n", State::Head, 0, "", true);
    row("another protocol that nobody asked for", "HTTP/1.1 101 Switching Protocols\r\n\r\n", State::Malformed, 0);
    row("chunks", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", State::Done, 200, "abc");
    row("chunks and a trailer", ok + "Transfer-Encoding: gzip, Chunked\r\n\r\nA \r\n0123456789\r\n0\r\nX: y\r\n\r\n", State::Done, 200, "0123456789");
    row("chunks win over a length", ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", State::Done, 200, "ab");
    row("chunks cut off", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab", State::Body, 200, "ab", true);
    row("the last chunk is missing", ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", State::Body, 200, "ab", true);
    row("the empty line is missing", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n", State::Body, 200, "", true);
    row("a chunk longer than it says", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", State::Malformed, 200, "a");
    row("a chunk size that is none", ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", State::Malformed, 200);
    row("a chunk without a size", ok + "Transfer-Encoding: chunked\r\n\r\n\r\n", State::Malformed, 200);
    row("a chunk size beyond 60 bits", ok + "Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\n", State::Malformed, 200);
    row("folded field", ok + "X: a\r\n b\r\nContent-Length: 1\r\n\r\nx", State::Done, 200, "x");
    row("folded length", ok + "Content-Length: 1\r\n 0\r\n\r\nx", State::Malformed, 0);
    row("no colon", ok + "what\r\n\r\n", State::Malformed, 0);
    row("no name", ok + ": x\r\n\r\n", State::Malformed, 0);
    row("ssh", "SSH-2.0-x\r\n", State::Malformed, 0);
    row("one byte of something else", "\x15", State::Malformed, 0);
    row("begins like HTTP", "HTT", State::Head, 0, "", true);
    row("another version", "HTTP/2.0 200 OK\r\n\r\n", State::Malformed, 0);
    row("status of letters", "HTTP/1.1 abc OK\r\n\r\n", State::Malformed, 0);
    row("status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", State::Malformed, 0);
    row("status under 100", "HTTP/1.1 099 OK\r\n\r\n", State::Malformed, 0);
    row("an empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n", State::Malformed, 0);
    row("nothing", "", State::Head, 0, "", true);
}

void TestAnswerParser::reads()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, state);
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(bool, ends);
    for (const std::size_t piece : {std::size_t(1), std::size_t(2), std::size_t(7), std::size_t(100000)}) {
        const Outcome outcome = parse({bytes.constData(), static_cast<std::size_t>(bytes.size())}, piece, ends);
        QCOMPARE(static_cast<int>(outcome.state), state);
        QCOMPARE(outcome.status, status);
        QCOMPARE(QByteArray::fromStdString(outcome.body), body);
    }
}

void TestAnswerParser::boundsTheHead()
{
    for (const std::string& filling : {std::string(100000, 'x'), repeated("X: y\r\n", 20000)}) {
        for (const std::size_t piece : {std::size_t(100), std::size_t(100000)}) {
            QCOMPARE(parse("HTTP/1.1 200 OK\r\n" + filling, piece, false).state, State::Malformed);
        }
    }
    QCOMPARE(parse(repeated("HTTP/1.1 100 Continue\r\n\r\n", 2000), 1000, false).state, State::Malformed);
    QCOMPARE(parse("HTTP/1.1 200 OK\r\nX: " + std::string(20000, 'x') + "\r\nContent-Length: 0\r\n\r\n", 1000, false).state, State::Done);
}

void TestAnswerParser::boundsTheBody()
{
    const std::string big(kMaxBodyBytes + 10, 'x');
    for (const std::string head : {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n"}) {
        const Outcome outcome = parse(head + big, 1000, false);
        QCOMPARE(outcome.state, State::Done);
        QCOMPARE(outcome.body.size(), kMaxBodyBytes);
    }
    QCOMPARE(parse("HTTP/1.0 200 OK\r\n\r\n" + big.substr(0, kMaxBodyBytes - 1), 1000, false).state, State::Body);
}

void TestAnswerParser::boundsTheChunks()
{
    const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    QCOMPARE(parse(head + "1;" + std::string(5000, 'x') + "\r\n", 100, false).state, State::Malformed);
    QCOMPARE(parse(head + repeated("1\r\nx\r\n", 60000) + "0\r\n\r\n", 1000, false).body.size(), std::size_t(60000));
    QCOMPARE(parse(head + "0\r\n" + repeated("X: y\r\n", 100000), 1000, false).state, State::Malformed);
}

void TestAnswerParser::startsAfresh()
{
    AnswerParser parser;
    parser.feed("HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nab");
    parser.reset();
    QCOMPARE(parser.status(), 0);
    parser.feed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
    QCOMPARE(parser.state(), State::Done);
    QCOMPARE(parser.takeBody(), std::string("x"));
}

void TestAnswerParser::splitsUrls_data()
{
    QTest::addColumn<QByteArray>("url");
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QByteArray>("authority");
    QTest::addColumn<QByteArray>("target");
    QTest::newRow("plain") << QByteArray("http://10.0.0.7:9000/health?x=%2f") << QByteArray("10.0.0.7") << 9000 << QByteArray("10.0.0.7:9000") << QByteArray("/health?x=%2f");
    QTest::newRow("port left out") << QByteArray("HTTP://Worker.Test/a/health") << QByteArray("worker.test") << 80 << QByteArray("worker.test") << QByteArray("/a/health");
    QTest::newRow("https") << QByteArray("https://w/health") << QByteArray("w") << 443 << QByteArray("w") << QByteArray("/health");
    QTest::newRow("IPv6") << QByteArray("http://[::1]:81/h") << QByteArray("::1") << 81 << QByteArray("[::1]:81") << QByteArray("/h");
    QTest::newRow("IPv6 without a port") << QByteArray("http://[::1]/h") << QByteArray("::1") << 80 << QByteArray("[::1]") << QByteArray("/h");
    QTest::newRow("colons in the query") << QByteArray("http://w/h?a:b]c") << QByteArray("w") << 80 << QByteArray("w") << QByteArray("/h?a:b]c");
    for (const char* bad : {"ftp://w/h", "w/h", "http://w", "http:///h", "http://w:0/h", "http://w:99999/h", "http://w:1x/h", "http://::1]/h"}) {
        QTest::newRow(bad) << QByteArray(bad) << QByteArray() << 0 << QByteArray() << QByteArray();
    }
}

void TestAnswerParser::splitsUrls()
{
    QFETCH(QByteArray, url);
    QFETCH(QByteArray, host);
    QFETCH(int, port);
    QFETCH(QByteArray, authority);
    QFETCH(QByteArray, target);
    const std::string text = url.toStdString();
    const std::optional<ProbeUrl> parts = splitProbeUrl(text);
    QCOMPARE(parts.has_value(), !host.isEmpty());
    if (parts) {
        QCOMPARE(QByteArray::fromStdString(parts->host), host);
        QCOMPARE(static_cast<int>(parts->port), port);
        QCOMPARE(QByteArray::fromStdString(parts->authority), authority);
        QCOMPARE(QByteArray::fromStdString(std::string(parts->target)), target);
        QCOMPARE(parts->isSecure, text.starts_with("https"));
    }
}

} // namespace weir::probe::test

QTEST_APPLESS_MAIN(weir::probe::test::TestAnswerParser)
#include "TestAnswerParser.moc"
