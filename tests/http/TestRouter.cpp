// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Router.h"

#include "core/http/Target.h"

#include <QtTest>

using namespace weir::http;

class TestRouter : public QObject {
    Q_OBJECT

private slots:
    void finds_data();
    void finds();
    void saysWhichMethodsAPathTakes_data();
    void saysWhichMethodsAPathTakes();
    void answersOptions();
    void registeredOptionsWin();
    void listsRoutesInOrder();
    void refusesBrokenParameters();
    void splitsTargets_data();
    void splitsTargets();
    void refusesTargets_data();
    void refusesTargets();

private:
    static Router makeRouter(std::string& seen);
    static Response dispatch(const Router& router, std::string method, std::string path);
};

// Every handler writes "pattern{name=value}" to `seen`.
Router TestRouter::makeRouter(std::string& seen)
{
    Router router;
    const std::vector<std::pair<std::string, std::string>> routes{
        {"GET", "/admin/mmx-nodes"},
        {"POST", "/admin/mmx-nodes"},
        {"POST", "/admin/mmx-nodes:move"},
        {"GET", "/admin/mmx-nodes/{id}"},
        {"DELETE", "/admin/mmx-nodes/{nodeId}"},
        {"POST", "/admin/mmx-nodes/{id}:revive"},
        {"POST", "/admin/mmx-nodes/{id}:rotate-secret"},
        {"PUT", "/admin/mmx-nodes/{id}/pool"},
        {"GET", "/admin/mmx-nodes/special"},
        {"GET", "/v1/streams/{appId}/{stream}/origin"},
        {"GET", "/"},
    };
    for (const auto& [method, pattern] : routes) {
        router.add(method, pattern, [&seen, label = method + " " + pattern](const Request& request, const Reply& reply) {
            seen = label;
            for (const auto& [name, value] : request.params) {
                seen += " " + name + "=" + value;
            }
            reply(Response{});
        });
    }
    return router;
}

Response TestRouter::dispatch(const Router& router, std::string method, std::string path)
{
    Request request;
    request.method = std::move(method);
    request.path = std::move(path);
    Response answer;
    int count = 0;
    router.dispatch(std::move(request), [&](Response response) {
        answer = std::move(response);
        ++count;
    });
    return count == 1 ? answer : Response{0, "", "", {}};
}

void TestRouter::finds_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("expected"); // empty: 404
    const auto row = [](const char* method, const char* path, const char* expected) {
        QTest::addRow("%s %s", method, path) << QByteArray(method) << QByteArray(path) << QByteArray(expected);
    };
    row("GET", "/", "GET /");
    row("GET", "/admin/mmx-nodes", "GET /admin/mmx-nodes");
    row("HEAD", "/admin/mmx-nodes", "GET /admin/mmx-nodes");
    row("POST", "/admin/mmx-nodes", "POST /admin/mmx-nodes");
    row("POST", "/admin/mmx-nodes:move", "POST /admin/mmx-nodes:move");
    row("GET", "/admin/mmx-nodes/n1", "GET /admin/mmx-nodes/{id} id=n1");
    row("DELETE", "/admin/mmx-nodes/n1", "DELETE /admin/mmx-nodes/{nodeId} nodeId=n1");
    row("GET", "/admin/mmx-nodes/special", "GET /admin/mmx-nodes/special");
    row("POST", "/admin/mmx-nodes/n1:revive", "POST /admin/mmx-nodes/{id}:revive id=n1");
    row("POST", "/admin/mmx-nodes/n1:rotate-secret", "POST /admin/mmx-nodes/{id}:rotate-secret id=n1");
    row("PUT", "/admin/mmx-nodes/n1/pool", "PUT /admin/mmx-nodes/{id}/pool id=n1");
    row("GET", "/admin/mmx-nodes/a%2Fb", "GET /admin/mmx-nodes/{id} id=a/b");
    row("GET", "/admin/mmx-nodes/n1%3Arevive", "GET /admin/mmx-nodes/{id} id=n1:revive");
    row("GET", "/admin/mmx-nodes/n1:unknown", "GET /admin/mmx-nodes/{id} id=n1:unknown");
    row("GET", "/v1/streams/app%201/caf%C3%A9/origin", "GET /v1/streams/{appId}/{stream}/origin appId=app 1 stream=caf\xC3\xA9");
    row("GET", "/admin/mmx-nodes/a+b", "GET /admin/mmx-nodes/{id} id=a+b");
    row("GET", "/admin/mmx-nodes/", "");
    row("GET", "/admin/mmx-nodes/:revive", "GET /admin/mmx-nodes/{id} id=:revive");
    row("GET", "/admin//mmx-nodes", "");
    row("GET", "/admin", "");
    row("GET", "/admin/MMX-nodes", "");
    row("GET", "/admin/mmx-nodes/n1/pool/more", "");
    row("GET", "/v1/streams/app//origin", "");
    row("GET", "", "");
}

void TestRouter::finds()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, expected);
    std::string seen;
    const Router router = makeRouter(seen);
    const Response response = dispatch(router, method.toStdString(), path.toStdString());
    QCOMPARE(QByteArray::fromStdString(seen), expected);
    QCOMPARE(response.status, expected.isEmpty() ? 404U : 200U);
    if (expected.isEmpty()) {
        QVERIFY(response.body.find("\"not_found\"") != std::string::npos);
    }
}

void TestRouter::saysWhichMethodsAPathTakes_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("allow");
    QTest::newRow("list") << QByteArray("DELETE") << QByteArray("/admin/mmx-nodes") << QByteArray("GET, HEAD, OPTIONS, POST");
    QTest::newRow("item") << QByteArray("POST") << QByteArray("/admin/mmx-nodes/n1") << QByteArray("DELETE, GET, HEAD, OPTIONS");
    QTest::newRow("action") << QByteArray("GET") << QByteArray("/admin/mmx-nodes/n1:revive") << QByteArray("OPTIONS, POST");
    QTest::newRow("HEAD without GET") << QByteArray("HEAD") << QByteArray("/admin/mmx-nodes/n1/pool") << QByteArray("OPTIONS, PUT");
    QTest::newRow("methods mind case") << QByteArray("get") << QByteArray("/") << QByteArray("GET, HEAD, OPTIONS");
}

void TestRouter::saysWhichMethodsAPathTakes()
{
    QFETCH(QByteArray, method);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, allow);
    std::string seen;
    const Response response = dispatch(makeRouter(seen), method.toStdString(), path.toStdString());
    QCOMPARE(response.status, 405U);
    QCOMPARE(response.headers.size(), std::size_t(1));
    QCOMPARE(response.headers.front().first, std::string("Allow"));
    QCOMPARE(QByteArray::fromStdString(response.headers.front().second), allow);
    QVERIFY(seen.empty());
}

void TestRouter::answersOptions()
{
    std::string seen;
    const Router router = makeRouter(seen);
    const Response item = dispatch(router, "OPTIONS", "/admin/mmx-nodes/n1");
    QCOMPARE(item.status, 204U);
    QCOMPARE(item.headers.front().second, std::string("DELETE, GET, HEAD, OPTIONS"));
    const Response server = dispatch(router, "OPTIONS", "*");
    QCOMPARE(server.status, 204U);
    QCOMPARE(server.headers.front().second, std::string("DELETE, GET, HEAD, OPTIONS, POST, PUT"));
    QCOMPARE(dispatch(router, "OPTIONS", "/nowhere").status, 404U);
}

void TestRouter::registeredOptionsWin()
{
    Router router;
    router.add("OPTIONS", "/x", [](const Request&, const Reply& reply) { reply(Response{202, "", "", {}}); });
    QCOMPARE(dispatch(router, "OPTIONS", "/x").status, 202U);
}

void TestRouter::listsRoutesInOrder()
{
    std::string seen;
    const auto routes = makeRouter(seen).routes();
    QCOMPARE(routes.size(), std::size_t(11));
    QCOMPARE(routes[2], (std::pair<std::string, std::string>("POST", "/admin/mmx-nodes:move")));
    QCOMPARE(routes[4], (std::pair<std::string, std::string>("DELETE", "/admin/mmx-nodes/{nodeId}")));
}

void TestRouter::refusesBrokenParameters()
{
    std::string seen;
    const Router router = makeRouter(seen);
    for (const std::string path :
        {"/admin/mmx-nodes/%", "/admin/mmx-nodes/%2", "/admin/mmx-nodes/%zz", "/admin/mmx-nodes/a%00b", "/admin/mmx-nodes/%ff"}) {
        const Response response = dispatch(router, "GET", path);
        QCOMPARE(response.status, 400U);
        QVERIFY(response.body.find("\"malformed_target\"") != std::string::npos);
    }
    QVERIFY(seen.empty());
}

void TestRouter::splitsTargets_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("query");
    QTest::addColumn<QByteArray>("authority");
    QTest::newRow("plain") << QByteArray("/a/b") << QByteArray("/a/b") << QByteArray() << QByteArray();
    QTest::newRow("query") << QByteArray("/a?x=1&y=a%20b+c&&z&w=") << QByteArray("/a") << QByteArray("x=1;y=a b c;z=;w=;") << QByteArray();
    QTest::newRow("equals in a value") << QByteArray("/a?after=x=y") << QByteArray("/a") << QByteArray("after=x=y;") << QByteArray();
    QTest::newRow("path stays encoded") << QByteArray("/a%2Fb?c=%2F%3f") << QByteArray("/a%2Fb") << QByteArray("c=/?;") << QByteArray();
    QTest::newRow("second mark") << QByteArray("/a?b=?") << QByteArray("/a") << QByteArray("b=?;") << QByteArray();
    QTest::newRow("absolute") << QByteArray("http://h:81/a?b=c") << QByteArray("/a") << QByteArray("b=c;") << QByteArray("h:81");
    QTest::newRow("absolute without path") << QByteArray("HTTP://h?b=c") << QByteArray("/") << QByteArray("b=c;") << QByteArray("h");
}

void TestRouter::splitsTargets()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, query);
    QFETCH(QByteArray, authority);
    const auto target = parseTarget(text.toStdString(), "GET");
    QVERIFY(target.has_value());
    std::string joined;
    for (const auto& [name, value] : target->query) {
        joined += name + "=" + value + ";";
    }
    QCOMPARE(QByteArray::fromStdString(target->path), path);
    QCOMPARE(QByteArray::fromStdString(joined), query);
    QCOMPARE(QByteArray::fromStdString(target->authority), authority);
}

void TestRouter::refusesTargets_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "a", "*", "/a#b", "/%", "/%4", "/%g1", "/%00", "/%c3%28", "/a?b=%", "/a?%zz", "/a?b=%00", "/a?b=%ed%a0%80",
             "http://", "http:///a", "ftp://h/a", "http://u@h/a", "h:80"}) {
        QTest::addRow("'%s'", text) << QByteArray(text);
    }
}

void TestRouter::refusesTargets()
{
    QFETCH(QByteArray, text);
    const auto target = parseTarget(text.toStdString(), "GET");
    QVERIFY(!target.has_value());
    QCOMPARE(target.error().code, std::string("malformed_target"));
}

QTEST_GUILESS_MAIN(TestRouter)
#include "TestRouter.moc"
