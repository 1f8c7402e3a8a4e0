// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/RequestParser.h"

#include <QtTest>

using namespace weir::http;
using Step = RequestParser::Step;

class TestRequestParser : public QObject {
    Q_OBJECT

private slots:
    void cutsAStreamWhereverItIsSplit();
    void readsHeads();
    void keepAliveFollowsVersionAndHeader_data();
    void keepAliveFollowsVersionAndHeader();
    void boundsTheHead();
    void boundsChunkOverhead();
    void boundsChunkedBodies();
    void saysBodyFollowsOnce();

private:
    // Feeds `stream` in pieces of `size` as a connection does; "!" and the code end the list after a failure.
    static QByteArrayList readAll(const std::string& stream, std::size_t size);
};

QByteArrayList TestRequestParser::readAll(const std::string& stream, std::size_t size)
{
    RequestParser parser(1000, 1000);
    QByteArrayList seen;
    std::string kept;
    for (std::size_t at = 0; at < stream.size(); at += size) {
        kept += stream.substr(at, size);
        std::string_view input = kept;
        while (!input.empty()) {
            const Step step = parser.feed(input);
            if (step == Step::Failed) {
                return seen << "!" + QByteArray::fromStdString(parser.error().code);
            }
            if (step == Step::NeedMore) {
                break;
            }
            if (step == Step::Complete) {
                const Request request = parser.take();
                seen << QByteArray::fromStdString(request.method + " " + request.target + " " + request.body);
            }
        }
        kept = std::string(input);
    }
    return seen;
}

void TestRequestParser::cutsAStreamWhereverItIsSplit()
{
    const std::string stream =
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        "\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
        "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nworld\r\n00b\r\n, and again\r\n0\r\nTrailer: x\r\n\r\n"
        "PUT /4 HTTP/1.0\r\nContent-Length: 0\r\n\r\n"
        "GET /5 HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n";
    const QByteArrayList expected{"GET /1 ", "POST /2 hello", "POST /3 world, and again", "PUT /4 ", "!malformed_request"};
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        QCOMPARE(readAll(stream, size), expected);
    }
}

void TestRequestParser::readsHeads()
{
    RequestParser parser(1000, 1000);
    std::string_view input = "GET /a%2Fb?x=1&y=%41 HTTP/1.1\r\nhOsT:a:80\r\nX-Empty:\r\nX-Spaced: \t two words \t\r\n\r\nrest";
    QCOMPARE(parser.feed(input), Step::Complete);
    QCOMPARE(input, std::string_view("rest"));
    const Request request = parser.take();
    QCOMPARE(request.target, std::string("/a%2Fb?x=1&y=%41"));
    QCOMPARE(request.path, std::string("/a%2Fb"));
    QCOMPARE(request.query, (NamedValues{{"x", "1"}, {"y", "A"}}));
    QCOMPARE(request.headers, (NamedValues{{"hOsT", "a:80"}, {"X-Empty", ""}, {"X-Spaced", "two words"}}));
    QCOMPARE(request.header("x-spaced"), std::string_view("two words"));
    QCOMPARE(request.header("absent"), std::string_view());
    QVERIFY(request.queryValue("y") == std::string_view("A"));
    QVERIFY(!request.queryValue("Y"));

    input = "GET http://other:81/p HTTP/1.1\r\nHost: a\r\n\r\n";
    QCOMPARE(parser.feed(input), Step::Complete);
    const Request absolute = parser.take();
    QCOMPARE(absolute.path, std::string("/p"));
    QCOMPARE(absolute.header("Host"), std::string_view("other:81"));
}

void TestRequestParser::keepAliveFollowsVersionAndHeader_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<bool>("keepAlive");
    QTest::newRow("1.1") << QByteArray("HTTP/1.1\r\nHost: a\r\n") << true;
    QTest::newRow("1.1 close") << QByteArray("HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n") << false;
    QTest::newRow("1.1 list") << QByteArray("HTTP/1.1\r\nHost: a\r\nConnection: x, close ,y\r\n") << false;
    QTest::newRow("close wins") << QByteArray("HTTP/1.1\r\nHost: a\r\nConnection: close\r\nConnection: keep-alive\r\n") << false;
    QTest::newRow("1.0") << QByteArray("HTTP/1.0\r\n") << false;
    QTest::newRow("1.0 keep-alive") << QByteArray("HTTP/1.0\r\nConnection: keep-alive\r\n") << true;
    QTest::newRow("1.0 both") << QByteArray("HTTP/1.0\r\nConnection: close, keep-alive\r\n") << false;
}

void TestRequestParser::keepAliveFollowsVersionAndHeader()
{
    QFETCH(QByteArray, head);
    QFETCH(bool, keepAlive);
    const auto parsed = parseRequestHead("GET / " + head.toStdString());
    QVERIFY(parsed.has_value());
    QCOMPARE(parsed->keepAlive, keepAlive);
}

void TestRequestParser::boundsTheHead()
{
    const auto feed = [](const std::string& text) {
        RequestParser parser(1000, 200);
        std::string_view input = text;
        return parser.feed(input) == Step::Failed ? parser.error().code : std::string("fine");
    };
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: "; // and four bytes after the value
    const std::size_t room = 200 - start.size() - 4;
    QCOMPARE(feed(start + std::string(room + 1, 'x') + "\r\n\r\n"), std::string("headers_too_large"));
    QCOMPARE(feed(start + std::string(room, 'x') + "\r\n\r\n"), std::string("fine"));
    QCOMPARE(feed("GET /" + std::string(300, 'x')), std::string("headers_too_large"));
    std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
    for (int i = 0; i < 100; ++i) {
        many += "a:b\r\n";
    }
    RequestParser wide(1000, 10'000);
    const std::string whole = many + "\r\n";
    std::string_view input = whole;
    QCOMPARE(wide.feed(input), Step::Failed);
    QCOMPARE(wide.error().code, std::string("headers_too_large"));
}

void TestRequestParser::boundsChunkOverhead()
{
    ChunkedBody chunked(1000, 50);
    std::string body;
    std::string_view once = "1\r\nx\r\n";
    int chunks = 0;
    while (chunked.feed(once, body) == ChunkedBody::Status::NeedMore) {
        QVERIFY(++chunks < 100);
        once = "1\r\nx\r\n";
    }
    QCOMPARE(chunks, 10); // five bytes of each are not data
    QVERIFY(body.size() <= 11);
}

void TestRequestParser::boundsChunkedBodies()
{
    std::string body;
    std::string_view fits = "a\r\n0123456789\r\n0\r\n\r\nnext";
    QVERIFY(ChunkedBody(10, 100).feed(fits, body) == ChunkedBody::Status::Done);
    QCOMPARE(body, std::string("0123456789"));
    QCOMPARE(fits, std::string_view("next"));
    body.clear();
    std::string_view second = "9\r\n012345678\r\n2\r\n";
    QVERIFY(ChunkedBody(10, 100).feed(second, body) == ChunkedBody::Status::TooLarge);
    std::string_view largest = "ffffffff\r\n";
    QVERIFY(ChunkedBody(10, 100).feed(largest, body) == ChunkedBody::Status::TooLarge);
}

void TestRequestParser::saysBodyFollowsOnce()
{
    RequestParser parser(10, 1000);
    std::string_view input = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n";
    QCOMPARE(parser.feed(input), Step::BodyFollows);
    QVERIFY(parser.head()->expectation == RequestHead::Expectation::Continue);
    input = "a";
    QCOMPARE(parser.feed(input), Step::NeedMore);
    input = "bc";
    QCOMPARE(parser.feed(input), Step::Complete);
    QCOMPARE(parser.take().body, std::string("ab"));
    QCOMPARE(input, std::string_view("c"));
    input = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n";
    QCOMPARE(parser.feed(input), Step::Failed);
    QCOMPARE(parser.error().code, std::string("body_too_large"));
}

QTEST_GUILESS_MAIN(TestRequestParser)
#include "TestRequestParser.moc"
