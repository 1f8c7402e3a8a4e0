// SPDX-License-Identifier: GPL-3.0-or-later
// Modules and the access log at work in a gateway, over real sockets.
#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "tests/gateway/GatewayWorld.h"
#include "tests/gateway/ScriptedNode.h"
#include "tests/http/RawClient.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <zlib.h>

namespace weir::gateway::test {

using http::test::Answer;
using http::test::RawClient;

namespace {

GatewayOptions optionsWith(QByteArray list)
{
    const std::string text = list.replace('\'', '"').toStdString();
    config::IssueCollector issues(text);
    const auto tree = config::JsonReader(text).read();
    GatewayOptions options;
    options.modules = ModuleChain::read(issues, *tree, "gateway.modules");
    return issues.hasErrors() ? GatewayOptions() : options;
}

// Answers each request with `response` and keeps its head.
struct Node {
    std::mutex mutex;
    std::string head;
    ScriptedNode node;

    explicit Node(std::string response)
        : node([this, response = std::move(response)](NodeSocket& socket) {
            for (std::string text = socket.readHead(); !text.empty(); text = socket.readHead()) {
                socket.readBody(text);
                {
                    const std::scoped_lock lock(mutex);
                    head = text;
                }
                if (!socket.send(response)) {
                    return;
                }
            }
        })
    {
    }
    std::string lastHead()
    {
        const std::scoped_lock lock(mutex);
        return head;
    }
};

std::string answerOf(const std::string& body, const std::string& headers = {}, const std::string& status = "200 OK")
{
    return "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\n" + headers + "Content-Length: " + std::to_string(body.size())
        + "\r\n\r\n" + body;
}

// The body of a chunked answer; empty when it is not whole.
std::string unchunked(std::string_view chunks)
{
    std::string body;
    while (true) {
        const std::size_t end = chunks.find("\r\n");
        std::size_t size = 0;
        const auto [digits, error] = std::from_chars(chunks.data(), chunks.data() + std::min(end, chunks.size()), size, 16);
        if (end == std::string_view::npos || error != std::errc{} || chunks.size() < end + 2 + size + 2) {
            return {};
        }
        if (size == 0) {
            return chunks == "0\r\n\r\n" ? body : std::string();
        }
        body += chunks.substr(end + 2, size);
        chunks.remove_prefix(end + 2 + size + 2);
    }
}

std::string unpacked(std::string packed, std::size_t room)
{
    z_stream stream{};
    inflateInit2(&stream, 15 + 16);
    std::string out(room + 1, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    inflateEnd(&stream);
    return result == Z_STREAM_END ? out : std::string();
}

} // namespace

class TestGatewayModules : public QObject {
    Q_OBJECT

private slots:
    void requestsAreChanged();
    void answersAreChanged();
    void modulesAnswerThemselves();
    void blockedAddressesGetNothing();
    void errorsAreReplaced();
    void bodiesArePacked();
    void otherModulesFromNowOn();
    void theAccessLog();
};

void TestGatewayModules::requestsAreChanged()
{
    GatewayWorld world(optionsWith("[{'module':'request_id'},{'module':'rewrite','rules':[{'strip_prefix':'/api','add_query':'k=v'}]},"
                                   "{'module':'header','rules':[{'request':{'set':{'X-App':'${app}'},'remove':['X-Secret']}}]}]"));
    Node node(answerOf("ok"));
    world.addNode("w1", node.node.url());
    RawClient client(world.port());
    client.send("GET /api/x?a=1 HTTP/1.1\r\nHost: a.test\r\nX-Secret: s\r\nX-App: forged\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 200);
    const std::string head = node.lastHead();
    QVERIFY2(head.starts_with("GET /x?a=1&k=v HTTP/1.1\r\n"), head.c_str());
    QCOMPARE(headerOf(head, "X-App"), std::string("default"));
    QCOMPARE(headerOf(head, "X-Secret"), std::string());
    QCOMPARE(headerOf(head, "X-Request-Id").size(), std::size_t{32});
    QCOMPARE(answer.header("x-request-id"), headerOf(head, "X-Request-Id"));
}

void TestGatewayModules::answersAreChanged()
{
    GatewayWorld world(optionsWith("[{'module':'header','rules':[{'response':{'set':{'X-By':'weir'},'remove':['Server']}}]},"
                                   "{'module':'cors','rules':[{'origins':['https://a.test']}]}]"));
    Node node(answerOf("ok", "Server: x\r\nX-By: node\r\n"));
    world.addNode("w1", node.node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\nOrigin: https://a.test\r\n\r\n");
    Answer answer = client.read();
    QCOMPARE(answer.header("x-by"), std::string("weir"));
    QCOMPARE(answer.header("server"), std::string());
    QCOMPARE(answer.header("access-control-allow-origin"), std::string("https://a.test"));
    QCOMPARE(answer.body, std::string("ok"));
    // An answer of the gateway's own passes them too.
    world.probe(NodeHandle(0), false);
    world.probe(NodeHandle(0), false);
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\nOrigin: https://a.test\r\n\r\n");
    answer = client.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.header("x-by"), std::string("weir"));
    QCOMPARE(answer.header("access-control-allow-origin"), std::string("https://a.test"));
}

void TestGatewayModules::modulesAnswerThemselves()
{
    GatewayWorld world(
        optionsWith("[{'module':'block','rules':[{'name':'no','when':'req_path_in(`/no`, false)'},"
                    "{'name':'gone','when':'req_path_in(`/gone`, false)','action':'close'}]},"
                    "{'module':'redirect','rules':[{'when':'req_path_in(`/old`, false)','to':'/new?${query}'}]},"
                    "{'module':'rate_limit','rules':[{'name':'few','when':'req_path_in(`/few`, false)','per_second':0.001,'burst':1}]}]"));
    Node node(answerOf("ok"));
    world.addNode("w1", node.node.url());
    RawClient client(world.port());
    const auto ask = [&client](const std::string& target) {
        client.send("GET " + target + " HTTP/1.1\r\nHost: a.test\r\n\r\n");
        return client.read();
    };
    Answer answer = ask("/no");
    QCOMPARE(answer.status, 403);
    QCOMPARE(answer.header("x-weir-error"), std::string("blocked"));
    answer = ask("/old?a=b");
    QCOMPARE(answer.status, 302);
    QCOMPARE(answer.header("location"), std::string("/new?a=b"));
    QCOMPARE(ask("/few").status, 200);
    answer = ask("/few");
    QCOMPARE(answer.status, 429);
    QVERIFY(!answer.header("retry-after").empty());
    QCOMPARE(ask("/yes").status, 200); // the connection is still there
    QCOMPARE(ask("/gone").status, 0);
    QCOMPARE(node.node.connections(), 1);
}

void TestGatewayModules::blockedAddressesGetNothing()
{
    GatewayWorld world(optionsWith("[{'module':'block','addresses':['127.0.0.0/8']}]"));
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    QCOMPARE(client.read().status, 0);
}

void TestGatewayModules::errorsAreReplaced()
{
    GatewayWorld world(
        optionsWith("[{'module':'errors','rules':[{'when':'res_code_in(`404`)','content_type':'text/plain','body':'nothing here'},"
                    "{'when':'res_code_in(`503`)','body':'later'}]}]"));
    Node node(answerOf(std::string(100000, 'x'), {}, "404 Not Found"));
    const NodeHandle handle = world.addNode("w1", node.node.url());
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    Answer answer = client.read();
    QCOMPARE(answer.status, 404);
    QCOMPARE(answer.body, std::string("nothing here"));
    QVERIFY(world.inRotation(handle));
    QVERIFY(GatewayWorld::eventually([&] { return world.inFlight(handle) == 0; }));
    world.probe(handle, false);
    world.probe(handle, false);
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    answer = client.read();
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.body, std::string("later"));
    QCOMPARE(answer.header("x-weir-error"), std::string("no_candidate"));
}

void TestGatewayModules::bodiesArePacked()
{
    GatewayWorld world(optionsWith("[{'module':'compress','rules':[{'encodings':['gzip']}]}]"));
    std::string body;
    for (int i = 0; i < 50000; ++i) {
        body += "line " + std::to_string(i) + "\n";
    }
    Node node(answerOf(body));
    world.addNode("w1", node.node.url());
    for (int round = 0; round < 2; ++round) { // the node's connection can be used again
        RawClient packing(world.port());
        packing.send("GET / HTTP/1.1\r\nHost: a.test\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
        const std::string text = packing.readAll();
        const std::size_t end = text.find("\r\n\r\n") + 4;
        const std::string head = text.substr(0, end);
        QVERIFY2(head.starts_with("HTTP/1.1 200 OK\r\n"), head.c_str());
        QCOMPARE(headerOf(head, "Content-Encoding"), std::string("gzip"));
        QCOMPARE(headerOf(head, "Transfer-Encoding"), std::string("chunked"));
        QCOMPARE(headerOf(head, "Content-Length"), std::string());
        QCOMPARE(headerOf(head, "Vary"), std::string("Accept-Encoding"));
        const std::string packed = unchunked(text.substr(end));
        QVERIFY(!packed.empty() && packed.size() < body.size() / 2);
        QVERIFY(unpacked(packed, body.size()) == body);
    }
    RawClient client(world.port());
    client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
    const Answer plain = client.read();
    QCOMPARE(plain.header("content-encoding"), std::string());
    QVERIFY(plain.body == body);
    QCOMPARE(node.node.connections(), 1);
}

void TestGatewayModules::otherModulesFromNowOn()
{
    GatewayWorld world;
    Node node(answerOf("ok"));
    world.addNode("w1", node.node.url());
    RawClient client(world.port());
    const auto status = [&client] {
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        return client.read().status;
    };
    QCOMPARE(status(), 200);
    world.gateway().setModules(optionsWith("[{'module':'block','rules':[{'when':'default_t()','status':451}]}]").modules);
    QVERIFY(GatewayWorld::eventually([&] { return status() == 451; }));
    world.gateway().setModules(nullptr);
    QVERIFY(GatewayWorld::eventually([&] { return status() == 200; }));
}

void TestGatewayModules::theAccessLog()
{
    const QTemporaryDir dir;
    GatewayOptions options = optionsWith("[{'module':'request_id'}]");
    AccessLog::Options log;
    log.path = dir.filePath(QStringLiteral("access.log")).toStdString();
    options.accessLog = std::move(*AccessLog::open(log));
    const std::shared_ptr<AccessLog> kept = options.accessLog;
    GatewayWorld world(std::move(options));
    Node node(answerOf("ok"));
    world.addNode("w1", node.node.url());
    RawClient client(world.port());
    client.send("GET /v1/x?token=secret HTTP/1.1\r\nHost: a.test\r\n\r\n");
    const Answer answer = client.read();
    QCOMPARE(answer.status, 200);
    QVERIFY(GatewayWorld::eventually([&] { return kept->written() == 1; }));
    QFile file(dir.filePath(QStringLiteral("access.log")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray line = file.readAll();
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    QCOMPARE(json.value(QLatin1String("path")).toString(), QStringLiteral("/v1/x"));
    QVERIFY(!line.contains("secret"));
    QCOMPARE(json.value(QLatin1String("node")).toString(), QStringLiteral("w1"));
    QCOMPARE(json.value(QLatin1String("pool")).toString(), QStringLiteral("default"));
    QCOMPARE(json.value(QLatin1String("app")).toString(), QStringLiteral("default"));
    QCOMPARE(json.value(QLatin1String("client")).toString(), QStringLiteral("127.0.0.1"));
    QCOMPARE(json.value(QLatin1String("status")).toInt(), 200);
    QCOMPARE(json.value(QLatin1String("outcome")).toString(), QStringLiteral("ok"));
    QCOMPARE(json.value(QLatin1String("request_id")).toString().toStdString(), answer.header("x-request-id"));
    QCOMPARE(json.value(QLatin1String("tries")).toArray().size(), 1);
    QVERIFY(json.value(QLatin1String("us")).toObject().contains(QLatin1String("header")));
}

} // namespace weir::gateway::test

QTEST_GUILESS_MAIN(weir::gateway::test::TestGatewayModules)
#include "TestGatewayModules.moc"
