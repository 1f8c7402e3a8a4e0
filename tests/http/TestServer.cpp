// SPDX-License-Identifier: GPL-3.0-or-later
#include "RawClient.h"
#include "RunningServer.h"
#include "core/http/Router.h"

#include <QtTest>
#include <atomic>
#include <set>
#include <stdexcept>

using namespace weir::http;
using namespace weir::http::test;
using namespace std::chrono_literals;

namespace {

const std::string kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

std::string get(const std::string& path, const std::string& headers = {})
{
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
}

std::string post(const std::string& path, const std::string& body, const std::string& headers = {})
{
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

} // namespace

class TestServer : public QObject {
    Q_OBJECT

private slots:
    void keepsTheConnectionAlive();
    void closesWhenAsked();
    void speaksHttp10();
    void answersHeadWithoutBody();
    void leavesBodyAndLengthOut();
    void answersThroughTheRouter();
    void takesBodiesHoweverTheyCome();
    void answersPipelinedRequestsInOrder();
    void meetsExpectations();
    void namesRequests();
    void tellsThePeer();
    void cleansResponseHeaders();
    void sendsLargeAnswers();
    void answersFromAnotherThread();
    void survivesALateAnswer();
    void survivesAClientThatLeft();
    void answersOnceOnly();
    void givesUpForgottenRequests();
    void catchesWhatHandlersThrow();
    void refusesImpossibleStatuses();
    void servesManyAtOnce();
    void saysWhenThePortIsTaken();
    void refusesBadHosts();
};

void TestServer::keepsTheConnectionAlive()
{
    RunningServer server(echo);
    QVERIFY(server.listened().has_value());
    QCOMPARE(server.url(), "http://127.0.0.1:" + std::to_string(server.port()));
    RawClient client(server.port());
    for (int i = 0; i < 20; ++i) {
        QVERIFY(client.send(get("/" + std::to_string(i) + "?q=1")));
        const Answer answer = client.read();
        QCOMPARE(answer.status, 200);
        QCOMPARE(answer.body, "GET /" + std::to_string(i) + "?q=1 ");
        QCOMPARE(answer.header("content-type"), std::string("text/plain"));
        QCOMPARE(answer.header("content-length"), std::to_string(answer.body.size()));
        QCOMPARE(answer.header("connection"), std::string());
    }
}

void TestServer::closesWhenAsked()
{
    RunningServer server(echo);
    RawClient client(server.port());
    // What follows a request that ends the connection is not answered.
    QVERIFY(client.send(get("/last", "Connection: close\r\n") + kGet));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(client.endsWithin(5000ms));
}

void TestServer::speaksHttp10()
{
    RunningServer server(echo);
    RawClient once(server.port());
    QVERIFY(once.send("GET /x HTTP/1.0\r\n\r\n"));
    const Answer answer = once.read();
    QCOMPARE(answer.status, 200);
    QCOMPARE(answer.header("connection"), std::string("close"));
    QVERIFY(once.endsWithin(5000ms));

    RawClient kept(server.port());
    for (int i = 0; i < 2; ++i) {
        QVERIFY(kept.send("GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
        const Answer again = kept.read();
        QCOMPARE(again.status, 200);
        QCOMPARE(again.header("connection"), std::string("keep-alive"));
    }
}

void TestServer::answersHeadWithoutBody()
{
    Router router;
    router.add("GET", "/x", [](const Request&, const Reply& reply) { reply(text("0123456789")); });
    RunningServer server([&](Request request, Reply reply) { router.dispatch(std::move(request), std::move(reply)); });
    RawClient client(server.port());
    QVERIFY(client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n" + kGet));
    const Answer head = client.read(true);
    QCOMPARE(head.status, 200);
    QCOMPARE(head.header("content-length"), std::string("10"));
    QCOMPARE(client.read().body, std::string("0123456789")); // nothing of a body came between
}

void TestServer::leavesBodyAndLengthOut()
{
    RunningServer server([](const Request& request, const Reply& reply) {
        Response response = text("must not be seen");
        response.status = request.path == "/204" ? 204 : 304;
        reply(std::move(response));
    });
    RawClient client(server.port());
    QVERIFY(client.send(get("/204") + get("/304")));
    for (const int status : {204, 304}) {
        const Answer answer = client.read();
        QCOMPARE(answer.status, status);
        QVERIFY(!answer.headers.contains("content-length"));
        QVERIFY(answer.headers.contains("x-request-id"));
    }
}

void TestServer::answersThroughTheRouter()
{
    Router router;
    router.add("GET", "/nodes/{id}", [](const Request& request, const Reply& reply) { reply(text(request.params.at("id"))); });
    RunningServer server([&](Request request, Reply reply) { router.dispatch(std::move(request), std::move(reply)); });
    RawClient client(server.port());
    QVERIFY(client.send(get("/nodes/a%2Fb") + post("/nodes/a", "{}") + get("/nowhere") + "OPTIONS /nodes/a HTTP/1.1\r\nHost: a\r\n\r\n"));
    QCOMPARE(client.read().body, std::string("a/b"));
    const Answer wrongMethod = client.read();
    QCOMPARE(wrongMethod.status, 405);
    QCOMPARE(wrongMethod.header("allow"), std::string("GET, HEAD, OPTIONS"));
    QCOMPARE(wrongMethod.header("content-type"), std::string("application/problem+json"));
    QCOMPARE(client.read().status, 404);
    const Answer options = client.read();
    QCOMPARE(options.status, 204);
    QCOMPARE(options.header("allow"), std::string("GET, HEAD, OPTIONS"));
}

void TestServer::takesBodiesHoweverTheyCome()
{
    RunningServer server(echo);
    RawClient client(server.port());
    const std::string large(900'000, 'z');
    QVERIFY(client.send(post("/x", large)));
    QCOMPARE(client.read().body, "POST /x " + large);
    QVERIFY(client.send("POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n"));
    QVERIFY(client.send("4;e=1\r\ndefg\r\n0\r\nT: x\r\n\r\n"));
    QCOMPARE(client.read().body, std::string("POST /c abcdefg"));
    for (const char c : post("/slow", "bytes")) {
        QVERIFY(client.send(std::string_view(&c, 1)));
    }
    QCOMPARE(client.read().body, std::string("POST /slow bytes"));
}

void TestServer::answersPipelinedRequestsInOrder()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    RawClient client(server.port());
    QVERIFY(client.send(get("/1") + post("/2", "body") + get("/3")));
    // One at a time: the next is handed over when the one before is answered.
    for (const std::string path : {"/1", "/2", "/3"}) {
        auto item = inbox.take();
        QVERIFY(item.has_value());
        QCOMPARE(item->request.path, path);
        QCOMPARE(inbox.waiting(), std::size_t(0));
        item->reply(text("answer to " + path));
        QCOMPARE(client.read().body, "answer to " + path);
    }
    // And with answers given at once, many deep.
    RunningServer quick(echo);
    RawClient deep(quick.port());
    std::string all;
    for (int i = 0; i < 3000; ++i) {
        all += get("/" + std::to_string(i));
    }
    std::thread sender([&] { deep.send(all); });
    bool inOrder = true;
    for (int i = 0; i < 3000 && inOrder; ++i) {
        inOrder = deep.read().body == "GET /" + std::to_string(i) + " ";
    }
    sender.join();
    QVERIFY(inOrder);
}

void TestServer::meetsExpectations()
{
    std::atomic<int> handled = 0;
    ServerOptions options;
    options.maxBody = 100;
    RunningServer server(
        [&](Request request, const Reply& reply) {
            ++handled;
            echo(std::move(request), reply);
        },
        options);
    RawClient client(server.port());
    QVERIFY(client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"));
    QCOMPARE(client.read().status, 100);
    QCOMPARE(handled.load(), 0);
    QVERIFY(client.send("body"));
    QCOMPARE(client.read().body, std::string("POST /x body"));
    // The body is there already: no 100 in between.
    QVERIFY(client.send(post("/x", "here", "Expect: 100-continue\r\n")));
    QCOMPARE(client.read().status, 200);
    // Not acceptable: the final answer instead of 100.
    QVERIFY(client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n"));
    QCOMPARE(client.read().status, 413);
    QVERIFY(client.endsWithin(5000ms));

    RawClient other(server.port());
    QVERIFY(other.send(post("/x", "body", "Expect: miracles\r\n")));
    const Answer answer = other.read();
    QCOMPARE(answer.status, 417);
    QVERIFY(answer.body.find("\"expectation_failed\"") != std::string::npos);
    QCOMPARE(handled.load(), 2);
}

void TestServer::namesRequests()
{
    RunningServer server([](const Request& request, const Reply& reply) { reply(text(request.requestId)); });
    RawClient client(server.port());
    const QRegularExpression made(QStringLiteral("^[0-9a-f]{16}$"));
    const std::string longest(64, 'a');
    QVERIFY(client.send(get("/", "X-Request-ID: Ab.9_-\r\n") + get("/", "X-Request-Id: " + longest + "\r\n")));
    const Answer given = client.read();
    QCOMPARE(given.header("x-request-id"), std::string("Ab.9_-"));
    QCOMPARE(given.body, std::string("Ab.9_-"));
    QCOMPARE(client.read().header("x-request-id"), longest);
    std::set<std::string> seen;
    for (const std::string header : {"", "X-Request-Id: has space\r\n", "X-Request-Id: <script>\r\n", "X-Request-Id:\r\n"}) {
        QVERIFY(client.send(get("/", header)));
        const Answer answer = client.read();
        QVERIFY(made.match(QString::fromStdString(answer.header("x-request-id"))).hasMatch());
        QCOMPARE(answer.body, answer.header("x-request-id"));
        seen.insert(answer.body);
    }
    QVERIFY(client.send(get("/", "X-Request-Id: a" + longest + "\r\n")));
    seen.insert(client.read().body);
    QCOMPARE(seen.size(), std::size_t(5));
}

void TestServer::tellsThePeer()
{
    RunningServer server([](const Request& request, const Reply& reply) { reply(text(request.peer)); });
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    QCOMPARE(client.read().body, std::string("127.0.0.1"));
}

void TestServer::cleansResponseHeaders()
{
    RunningServer server([](const Request&, const Reply& reply) {
        Response response = text("x");
        response.headers = {{"X-Note", "a\r\nSet-Cookie: b"}, {"Bad Name", "x"}, {"Content-Length", "99"}, {"Retry-After", "3"}};
        reply(std::move(response));
    });
    RawClient client(server.port());
    QVERIFY(client.send(kGet));
    const Answer answer = client.read();
    QCOMPARE(answer.body, std::string("x"));
    QCOMPARE(answer.header("x-note"), std::string("a  Set-Cookie: b"));
    QCOMPARE(answer.header("retry-after"), std::string("3"));
    QVERIFY(!answer.headers.contains("set-cookie") && !answer.headers.contains("bad name"));
}

void TestServer::sendsLargeAnswers()
{
    std::string large;
    for (std::size_t i = 0; large.size() < (16U << 20U); ++i) {
        large += std::to_string(i) + ",";
    }
    RunningServer server([&](const Request&, const Reply& reply) { reply(text(large)); });
    RawClient client(server.port());
    QVERIFY(client.send(kGet + kGet + get("/", "Connection: close\r\n")));
    for (int i = 0; i < 3; ++i) {
        QVERIFY(client.read().body == large);
    }
    QVERIFY(client.endsWithin(5000ms));
}

void TestServer::answersFromAnotherThread()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    std::thread worker([&] {
        while (auto item = inbox.take()) {
            const bool isLast = item->request.path == "/last";
            item->reply(text("late " + item->request.path));
            if (isLast) {
                return;
            }
        }
    });
    RawClient client(server.port());
    bool fine = true;
    for (int i = 0; i < 500; ++i) {
        fine = fine && client.send(get("/" + std::to_string(i))) && client.read().body == "late /" + std::to_string(i);
    }
    client.send(get("/last"));
    fine = fine && client.read().body == "late /last";
    worker.join();
    QVERIFY(fine);
}

void TestServer::survivesALateAnswer()
{
    Inbox inbox;
    std::optional<Inbox::Item> item;
    {
        RunningServer server(inbox.handler());
        RawClient client(server.port());
        QVERIFY(client.send(kGet));
        item = inbox.take();
        QVERIFY(item.has_value());
        server.destroyServer();
        item->reply(text("the server is gone"));
        QVERIFY(client.endsWithin(5000ms));
    }
    item->reply(text("so is its thread"));
    item.reset();
}

void TestServer::survivesAClientThatLeft()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    for (int i = 0; i < 20; ++i) {
        RawClient client(server.port());
        QVERIFY(client.send(kGet + kGet));
        auto item = inbox.take();
        QVERIFY(item.has_value());
        client.abort();
        // From the io thread and from here, to a socket that was reset.
        if (i % 2 == 0) {
            server.onIoThread([&] { item->reply(text(std::string(100'000, 'x'))); });
        } else {
            item->reply(text("x"));
        }
    }
    server.onIoThread([] {});
    while (inbox.waiting() > 0) {
        QVERIFY(inbox.take().has_value()); // second requests of some clients; dropped unanswered
    }
    RawClient client(server.port());
    QVERIFY(client.send(get("/still-here")));
    auto item = inbox.take();
    while (item && item->request.path != "/still-here") {
        item = inbox.take();
    }
    QVERIFY(item.has_value());
    item->reply(text("yes"));
    QCOMPARE(client.read().body, std::string("yes"));
}

void TestServer::answersOnceOnly()
{
    RunningServer server([](const Request& request, const Reply& reply) {
        reply(text("first " + request.path));
        reply(text("second"));
    });
    RawClient client(server.port());
    QVERIFY(client.send(get("/1") + get("/2")));
    QCOMPARE(client.read().body, std::string("first /1"));
    QCOMPARE(client.read().body, std::string("first /2"));
}

void TestServer::givesUpForgottenRequests()
{
    RunningServer server([](const Request&, const Reply&) {});
    RawClient client(server.port());
    QVERIFY(client.send(kGet + kGet));
    for (int i = 0; i < 2; ++i) {
        const Answer answer = client.read();
        QCOMPARE(answer.status, 500);
        QVERIFY(answer.body.find("\"internal\"") != std::string::npos);
    }
}

void TestServer::catchesWhatHandlersThrow()
{
    RecordingLog log;
    ServerOptions options;
    options.log = &log;
    RunningServer server(
        [](const Request& request, const Reply& reply) {
            if (request.path == "/int") {
                throw 42;
            }
            if (request.path == "/after") {
                reply(text("answered before"));
            }
            throw std::runtime_error("secret detail");
        },
        options);
    RawClient client(server.port());
    QVERIFY(client.send(get("/", "X-Request-Id: abc\r\n") + get("/int") + get("/after")));
    const Answer answer = client.read();
    QCOMPARE(answer.status, 500);
    QVERIFY(answer.body.find("\"internal\"") != std::string::npos);
    QVERIFY(answer.body.find("secret") == std::string::npos);
    QCOMPARE(client.read().status, 500);
    QCOMPARE(client.read().body, std::string("answered before"));
    QVERIFY(log.text().starts_with("handler_threw request=abc what=secret detail"));
}

void TestServer::refusesImpossibleStatuses()
{
    RunningServer server([](const Request& request, const Reply& reply) {
        Response response = text("x");
        response.status = request.path == "/0" ? 0 : request.path == "/101" ? 101 : 1000;
        reply(std::move(response));
    });
    RawClient client(server.port());
    QVERIFY(client.send(get("/0") + get("/101") + get("/1000")));
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(client.read().status, 500);
    }
}

void TestServer::servesManyAtOnce()
{
    Inbox inbox;
    RunningServer server(inbox.handler());
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < 200; ++i) {
        clients.push_back(std::make_unique<RawClient>(server.port()));
        QVERIFY(clients.back()->send(post("/" + std::to_string(i), "b" + std::to_string(i))));
    }
    // All are under way together before the first is answered, the last come first.
    std::vector<Inbox::Item> items;
    for (int i = 0; i < 200; ++i) {
        auto item = inbox.take();
        QVERIFY(item.has_value());
        items.push_back(std::move(*item));
    }
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
        item->reply(text(item->request.path + item->request.body));
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
        QCOMPARE(clients[i]->read().body, "/" + std::to_string(i) + "b" + std::to_string(i));
    }
}

void TestServer::saysWhenThePortIsTaken()
{
    RunningServer first(echo);
    ServerOptions options;
    options.port = first.port();
    RunningServer second(echo, options);
    QVERIFY(!second.listened().has_value());
    QCOMPARE(second.listened().error().code, std::string("address_in_use"));
    QVERIFY(second.listened().error().message.find(std::to_string(first.port())) != std::string::npos);
    RawClient client(first.port());
    QVERIFY(client.send(kGet));
    QCOMPARE(client.read().status, 200);
}

void TestServer::refusesBadHosts()
{
    ServerOptions options;
    options.host = "not an address";
    RunningServer server(echo, options);
    QVERIFY(!server.listened().has_value());
    QCOMPARE(server.listened().error().code, std::string("invalid_value"));
    QCOMPARE(server.listened().error().field, std::string("host"));
}

QTEST_GUILESS_MAIN(TestServer)
#include "TestServer.moc"
