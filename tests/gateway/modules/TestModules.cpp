// SPDX-License-Identifier: GPL-3.0-or-later
// What each module does to a request, and what its section refuses.
#include "core/gateway/modules/Credentials.h"
#include "tests/gateway/modules/ModuleWorld.h"

#include <QTest>

using namespace weir;
using namespace weir::gateway;
using weir::test::ModuleWorld;

class TestModules : public QObject {
    Q_OBJECT

private slots:
    void sections_data();
    void sections();
    void theFirstVerdictEndsARound();
    void block();
    void requestId();
    void trustClientIp_data();
    void trustClientIp();
    void rateLimit();
    void headerLines();
    void headerRulesEnd();
    void rewrite_data();
    void rewrite();
    void redirect();
    void corsAnswers();
    void corsPreflights();
    void basicAuth();
    void guessingIsSlow();
    void errorsAreReplaced();
};

void TestModules::sections_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* list, const QStringList& expected) { QTest::newRow(list) << QByteArray(list) << expected; };
    const auto one = [&row](const char* list, const char* expected) { row(list, {QString::fromLatin1(expected)}); };
    row("[]", {});
    one("{}", "modules wrong_type");
    one("[7]", "modules[0] wrong_type");
    one("[{}]", "modules[0] missing_key");
    one("[{'module':'blok'}]", "modules[0].module unknown_module");
    one("[{'module':1}]", "modules[0].module wrong_type");
    one("[{'module':'block','adresses':[]}]", "modules[0].adresses unknown_key");
    row("[{'module':'block','addresses':['10.0.0.0/8','::1','10.0.0.1/33','x']}]",
        {QStringLiteral("modules[0].addresses[2] invalid_value"), QStringLiteral("modules[0].addresses[3] invalid_value")});
    row("[{'module':'block','rules':[{'status':200},{'when':'nope()'}]}]",
        {QStringLiteral("modules[0].rules[0].when missing_key"), QStringLiteral("modules[0].rules[0].status out_of_range"),
            QStringLiteral("modules[0].rules[1].when unknown_primitive")});
    one("[{'module':'request_id','header':'X Id'}]", "modules[0].header invalid_value");
    one("[{'module':'trust_client_ip'}]", "modules[0].networks missing_key");
    one("[{'module':'rate_limit'}]", "modules[0].rules missing_key");
    row("[{'module':'rate_limit','rules':[{'key':'cookie'},{'per_second':0}]}]",
        {QStringLiteral("modules[0].rules[0].per_second missing_key"), QStringLiteral("modules[0].rules[0].key invalid_value"),
            QStringLiteral("modules[0].rules[1].per_second out_of_range")});
    one("[{'module':'header','rules':[{'request':{'set':{'Host':'x'}}}]}]", "modules[0].rules[0].request.set invalid_value");
    one("[{'module':'header','rules':[{'request':{'set':{'X-A':'${nobody}'}}}]}]", "modules[0].rules[0].request.set invalid_value");
    one("[{'module':'header','rules':[{'request':{'set':{'X-A':'a\\nb'}}}]}]", "modules[0].rules[0].request.set.X-A invalid_value");
    one("[{'module':'header','rules':[{'response':{'remove':['Content-Length']}}]}]", "modules[0].rules[0].response.remove invalid_value");
    one("[{'module':'rewrite','rules':[{'strip_prefix':'/a/'}]}]", "modules[0].rules[0].strip_prefix invalid_value");
    one("[{'module':'rewrite','rules':[{'regex':'a'}]}]", "modules[0].rules[0].regex missing_key");
    one("[{'module':'rewrite','rules':[{'regex':'(','replace':''}]}]", "modules[0].rules[0].regex invalid_value");
    one("[{'module':'rewrite','rules':[{'regex':'a','replace':'\\\\1'}]}]", "modules[0].rules[0].replace invalid_value");
    one("[{'module':'redirect','rules':[{'status':302}]}]", "modules[0].rules[0].to missing_key");
    one("[{'module':'redirect','rules':[{'to':'/','status':304}]}]", "modules[0].rules[0].status invalid_value");
    one("[{'module':'cors','rules':[{'origins':['*'],'credentials':true}]}]", "modules[0].rules[0].origins invalid_value");
    one("[{'module':'cors','rules':[{'origins':['app.example.test']}]}]", "modules[0].rules[0].origins invalid_value");
    one("[{'module':'basic_auth','rules':[{'users':{'a':'secret'}}]}]", "modules[0].rules[0].users invalid_value");
    one("[{'module':'errors','rules':[{'when':'res_code_in(`502`)'}]}]", "modules[0].rules[0].body missing_key");
    one("[{'module':'compress','rules':[{'encodings':['zstd']}]}]", "modules[0].rules[0].encodings invalid_value");
}

void TestModules::sections()
{
    QFETCH(QByteArray, list);
    QFETCH(QStringList, expected);
    QStringList found = ModuleWorld(list).faults;
    found.sort();
    expected.sort();
    QCOMPARE(found, expected);
}

void TestModules::theFirstVerdictEndsARound()
{
    ModuleWorld world("[{'module':'redirect','rules':[{'to':'/first'}]},{'module':'redirect','rules':[{'to':'/second'}]}]");
    QCOMPARE(world.faults, QStringList());
    const Verdict verdict = world.run(Point::FoundProduct);
    QCOMPARE(verdict.kind, Verdict::Kind::Redirect);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Location"), std::string("/first"));
    QCOMPARE(world.count("redirected", 0), 1U);
    QCOMPARE(world.count("redirected", 1), 0U);
    QCOMPARE(world.run(Point::Finish).kind, Verdict::Kind::GoOn);
}

void TestModules::block()
{
    ModuleWorld world("[{'module':'block','addresses':['10.0.0.0/29','192.0.2.1'],'rules':["
                      "{'name':'admin','when':'req_path_prefix_in(`/admin`, false)','status':404},"
                      "{'name':'bots','when':'req_ua_regmatch(`bot`)','action':'close'}]}]");
    QCOMPARE(world.faults, QStringList());
    QCOMPARE(world.run(Point::Accept).kind, Verdict::Kind::GoOn);
    Verdict verdict = world.run(Point::FoundProduct);
    QCOMPARE(verdict.kind, Verdict::Kind::Respond);
    QCOMPARE(verdict.reply.status, 403U);
    QCOMPARE(ModuleWorld::header(verdict.reply, "X-Weir-Error"), std::string("blocked"));
    world.begin("/admin/x").request.client = IpAddress::v4(10, 0, 0, 8);
    QCOMPARE(world.run(Point::FoundProduct).reply.status, 404U);
    world.begin("/", {{"User-Agent", "a bot"}}).request.client.reset();
    QCOMPARE(world.run(Point::FoundProduct).kind, Verdict::Kind::Close);
    world.begin().request.client.reset();
    QCOMPARE(world.run(Point::FoundProduct).kind, Verdict::Kind::GoOn);
    world.turn.request.peer = IpAddress::v4(192, 0, 2, 1);
    QCOMPARE(world.run(Point::Accept).kind, Verdict::Kind::Close);
    QCOMPARE(world.count("blocked_addresses"), 2U);
    QCOMPARE(world.count("blocked_requests"), 2U);
}

void TestModules::requestId()
{
    ModuleWorld world("[{'module':'request_id'}]");
    world.begin("/", {{"X-Request-Id", "given"}});
    world.run(Point::BeforeLocation);
    const std::string made = ModuleWorld::added(world.turn.requestEdits, "X-Request-Id");
    QCOMPARE(made.size(), std::size_t{32});
    world.answer(200);
    world.run(Point::ReadResponse);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "x-request-id"), made);
    world.begin("/", {{"X-Request-Id", "given"}}).request.isTrusted = true;
    world.run(Point::BeforeLocation);
    QVERIFY(world.turn.context.value("request_id") == std::string_view("given"));
    world.begin("/", {{"X-Request-Id", std::string(200, 'x')}}).request.isTrusted = true;
    world.run(Point::BeforeLocation);
    QCOMPARE(world.turn.context.value("request_id")->size(), std::size_t{32});
    QVERIFY(*world.turn.context.value("request_id") != made);
    QCOMPARE(world.count("ids_made"), 2U);
    QCOMPARE(world.count("ids_kept"), 1U);
}

void TestModules::trustClientIp_data()
{
    QTest::addColumn<QByteArray>("peer");
    QTest::addColumn<QByteArray>("forwarded");
    QTest::addColumn<QByteArray>("client");
    const auto row = [](const char* peer, const char* forwarded, const char* client) {
        QTest::addRow("%s %s", peer, forwarded) << QByteArray(peer) << QByteArray(forwarded) << QByteArray(client);
    };
    row("192.0.2.9", "1.2.3.4", "10.0.0.7"); // not trusted: as it was
    row("127.0.0.1", "1.2.3.4", "1.2.3.4");
    row("127.0.0.1", "6.6.6.6, 1.2.3.4, 127.0.0.2", "1.2.3.4"); // what stands left of a stranger is anybody's word
    row("127.0.0.1", "127.0.0.3 ,127.0.0.2", "127.0.0.3");
    row("127.0.0.1", "1.2.3.4, unknown", "10.0.0.7");
    row("127.0.0.1", "1.2.3.4, unknown, 127.0.0.2", "127.0.0.2");
    row("127.0.0.1", "", "10.0.0.7");
    row("127.0.0.1", "2001:db8::1", "2001:db8::1");
}

void TestModules::trustClientIp()
{
    QFETCH(QByteArray, peer);
    QFETCH(QByteArray, forwarded);
    QFETCH(QByteArray, client);
    ModuleWorld world("[{'module':'trust_client_ip','networks':['127.0.0.0/8']}]");
    world.begin("/", {{"X-Forwarded-For", forwarded.toStdString()}}).request.peer = IpAddress::parse(peer.toStdString());
    QCOMPARE(world.run(Point::BeforeLocation).kind, Verdict::Kind::GoOn);
    QCOMPARE(QByteArray::fromStdString(world.turn.request.client->text()), client);
    QCOMPARE(world.turn.request.isTrusted, peer.startsWith("127."));
}

void TestModules::rateLimit()
{
    ModuleWorld world(
        "[{'module':'rate_limit','rules':[{'name':'post','when':'req_method_in(`POST`)','key':'client','per_second':2,'burst':2},"
        "{'name':'key','key':'header:X-Key','per_second':1,'burst':1,'lock_seconds':10,'status':503}]}]");
    QCOMPARE(world.faults, QStringList());
    const auto ask = [&](const char* method, std::string key, double second) {
        world.begin("/", {{"X-Key", std::move(key)}}, method).now = Instant(fromSeconds(second));
        return world.run(Point::FoundProduct);
    };
    QCOMPARE(ask("POST", "a", 1).kind, Verdict::Kind::GoOn);
    QCOMPARE(ask("POST", "b", 1).kind, Verdict::Kind::GoOn);
    Verdict verdict = ask("POST", "c", 1);
    QCOMPARE(verdict.reply.status, 429U);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Retry-After"), std::string("1"));
    QCOMPARE(ask("POST", "c", 1.6).kind, Verdict::Kind::GoOn);
    verdict = ask("GET", "a", 1.7); // a second for the key is not over
    QCOMPARE(verdict.reply.status, 503U);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Retry-After"), std::string("10"));
    QCOMPARE(ask("GET", "a", 11.6).reply.status, 503U); // locked up
    QCOMPARE(ask("GET", "a", 11.8).kind, Verdict::Kind::GoOn);
    QCOMPARE(world.count("limited"), 3U);
}

void TestModules::headerLines()
{
    ModuleWorld world(
        "[{'module':'header','rules':[{'request':{'set':{'X-App':'${app}','X-From':'${client}'},'add':{'X-Via':'$$ ${header:X-Odd}'},"
        "'remove':['X-Secret']},'response':{'set':{'X-Status-Of':'${method} ${path}?${query}'},'remove':['Server']}}]}]");
    QCOMPARE(world.faults, QStringList());
    world.begin("/a%20b?c=d", {{"X-Odd", "one\ttwo"}});
    world.run(Point::AfterLocation);
    QCOMPARE(ModuleWorld::added(world.turn.requestEdits, "X-App"), std::string("demo"));
    QCOMPARE(ModuleWorld::added(world.turn.requestEdits, "X-From"), std::string("10.0.0.7"));
    QCOMPARE(ModuleWorld::added(world.turn.requestEdits, "X-Via"), std::string("$ onetwo"));
    QVERIFY((world.turn.requestEdits.removed == std::vector<std::string>{"X-Secret", "X-App", "X-From"}));
    QVERIFY(world.turn.responseEdits.added.empty());
    world.answer(200);
    world.run(Point::ReadResponse);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "X-Status-Of"), std::string("GET /a%20b?c=d"));
    QCOMPARE(world.turn.responseEdits.removed.front(), std::string("Server"));
    QCOMPARE(world.count("changed_requests"), 1U);
    QCOMPARE(world.count("changed_answers"), 1U);
}

void TestModules::headerRulesEnd()
{
    ModuleWorld world("[{'module':'header','rules':[{'when':'res_code_in(`404`)','response':{'set':{'X-N':'1'}}},"
                      "{'response':{'set':{'X-N':'2'}},'last':true},{'response':{'set':{'X-N':'3'}}}]}]");
    world.answer(404);
    world.run(Point::ReadResponse);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "X-N"), std::string("2")); // set replaces
    QCOMPARE(world.turn.responseEdits.added.size(), std::size_t{1});
}

void TestModules::rewrite_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("expected"); // empty: as it came
    const auto row = [](const char* rule, const char* target, const char* expected) {
        QTest::addRow("%s %s", rule, target) << QByteArray(rule) << QByteArray(target) << QByteArray(expected);
    };
    row("'strip_prefix':'/api'", "/api/x?a=1", "/x?a=1");
    row("'strip_prefix':'/api'", "/api", "/");
    row("'strip_prefix':'/api'", "/apix", "/apix");
    row("'add_prefix':'/v2'", "/x", "/v2/x");
    row("'strip_prefix':'/api','add_prefix':'/v2'", "/api/x%20y", "/v2/x%20y");
    row("'regex':'^/user/(\\\\d+)$','replace':'/u/\\\\1'", "/user/42?b", "/u/42?b");
    row("'regex':'^/','replace':''", "/x", ""); // what comes out is no path
    row("'remove_query':['token','a']", "/x?a=1&b=2&token=3&aa=4", "/x?b=2&aa=4");
    row("'add_query':'k=v'", "/x", "/x?k=v");
    row("'add_query':'k=v'", "/x?a", "/x?a&k=v");
    row("'add_prefix':'/v2'", "http://api.example.test/x?y", "/v2/x?y");
    row("'when':'req_method_in(`PUT`)','add_prefix':'/v2'", "/x", "");
}

void TestModules::rewrite()
{
    QFETCH(QByteArray, rule);
    QFETCH(QByteArray, target);
    QFETCH(QByteArray, expected);
    ModuleWorld world("[{'module':'rewrite','rules':[{" + rule + "}]}]");
    QCOMPARE(world.faults, QStringList());
    world.begin(target.toStdString());
    QCOMPARE(world.run(Point::AfterLocation).kind, Verdict::Kind::GoOn);
    QCOMPARE(QByteArray::fromStdString(world.turn.target), expected);
}

void TestModules::redirect()
{
    ModuleWorld world("[{'module':'redirect','rules':[{'when':'!req_proto_secure()','to':'https://${host}${target}','status':308}]}]");
    const Verdict verdict = world.run(Point::FoundProduct);
    QCOMPARE(verdict.reply.status, 308U);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Location"), std::string("https://api.example.test/v1/images?size=1"));
    world.begin().request.tls.isSecure = true;
    QCOMPARE(world.run(Point::FoundProduct).kind, Verdict::Kind::GoOn);
}

void TestModules::corsAnswers()
{
    ModuleWorld world("[{'module':'cors','rules':[{'origins':['https://app.example.test'],'credentials':true,'expose':['X-Id']}]}]");
    QCOMPARE(world.faults, QStringList());
    world.begin("/", {{"Origin", "https://app.example.test"}});
    world.answer(200);
    world.run(Point::ReadResponse);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Access-Control-Allow-Origin"), std::string("https://app.example.test"));
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Access-Control-Allow-Credentials"), std::string("true"));
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Access-Control-Expose-Headers"), std::string("X-Id"));
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Vary"), std::string("Origin"));
    world.begin("/", {{"Origin", "https://other.example.test"}});
    world.answer(200);
    world.run(Point::ReadResponse);
    QCOMPARE(ModuleWorld::added(world.turn.responseEdits, "Access-Control-Allow-Origin"), std::string());
    QCOMPARE(world.turn.responseEdits.removed.size(), std::size_t{3}); // the node's own word does not count
    world.begin("/");
    world.answer(200);
    world.run(Point::ReadResponse);
    QVERIFY(world.turn.responseEdits.removed.empty());
}

void TestModules::corsPreflights()
{
    ModuleWorld world("[{'module':'cors','rules':[{'origins':['*'],'methods':['GET','PUT']}]}]");
    const ModuleWorld::Headers headers{
        {"Origin", "https://a.test"}, {"Access-Control-Request-Method", "PUT"}, {"Access-Control-Request-Headers", "X-A"}};
    world.begin("/", headers, "OPTIONS");
    const Verdict verdict = world.run(Point::FoundProduct);
    QCOMPARE(verdict.kind, Verdict::Kind::Respond);
    QCOMPARE(verdict.reply.status, 204U);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Access-Control-Allow-Origin"), std::string("*"));
    QCOMPARE(ModuleWorld::header(verdict.reply, "Access-Control-Allow-Methods"), std::string("GET, PUT"));
    QCOMPARE(ModuleWorld::header(verdict.reply, "Access-Control-Allow-Headers"), std::string("X-A"));
    QCOMPARE(ModuleWorld::header(verdict.reply, "Access-Control-Max-Age"), std::string("600"));
    world.begin("/", {{"Origin", "https://a.test"}}, "OPTIONS"); // an ordinary OPTIONS goes on
    QCOMPARE(world.run(Point::FoundProduct).kind, Verdict::Kind::GoOn);
}

void TestModules::basicAuth()
{
    const QByteArray stored = QByteArray::fromStdString(Credentials::stored("open: sesame", Credentials::kLeastIterations));
    ModuleWorld world("[{'module':'basic_auth','rules':[{'realm':'lab','users':{'ali':'" + stored + "'}}]}]");
    QCOMPARE(world.faults, QStringList());
    const auto ask = [&](const QByteArray& credentials) {
        world.begin("/", {{"Authorization", "Basic " + credentials.toBase64().toStdString()}});
        return world.run(Point::FoundProduct);
    };
    for (int i = 0; i < 2; ++i) { // worked out, then remembered
        QCOMPARE(ask("ali:open: sesame").kind, Verdict::Kind::GoOn);
        QVERIFY(world.turn.context.value("user") == std::string_view("ali"));
        QCOMPARE(world.turn.requestEdits.removed.front(), std::string("Authorization"));
    }
    for (const char* wrong : {"ali:open sesame", "bob:open: sesame", "ali", ""}) {
        const Verdict verdict = ask(wrong);
        QCOMPARE(verdict.reply.status, 401U);
        QCOMPARE(ModuleWorld::header(verdict.reply, "WWW-Authenticate"), std::string("Basic realm=\"lab\", charset=\"UTF-8\""));
    }
    world.begin();
    QCOMPARE(world.run(Point::FoundProduct).reply.status, 401U);
    world.begin("/", {{"Authorization", "Bearer x"}});
    QCOMPARE(world.run(Point::FoundProduct).reply.status, 401U);
    QCOMPARE(world.count("accepted"), 2U);
    QCOMPARE(world.count("refused"), 6U);
}

void TestModules::guessingIsSlow()
{
    Credentials users;
    QVERIFY(users.add("a", Credentials::stored("right", Credentials::kLeastIterations)));
    const std::string right = "Basic " + QByteArray("a:right").toBase64().toStdString();
    for (int i = 0; i < Credentials::kMostChecks; ++i) {
        QVERIFY(!users.check("Basic " + QByteArray("a:" + QByteArray::number(i)).toBase64().toStdString(), 5));
    }
    QVERIFY(!users.check(right, 5)); // not looked at any more in this second
    QVERIFY(users.check(right, 6));
}

void TestModules::errorsAreReplaced()
{
    ModuleWorld world("[{'module':'errors','rules':[{'when':'res_code_in(`502|504`)','body':'<h1>later</h1>'},"
                      "{'when':'res_code_in(`404`)','status':200,'content_type':'text/plain','body':'nothing'},"
                      "{'when':'res_code_in(`403`)','redirect_to':'/login?from=${path}'}]}]");
    QCOMPARE(world.faults, QStringList());
    world.answer(502, {{"X-Weir-Error", "connect_failed"}});
    Verdict verdict = world.run(Point::ReadResponse);
    QCOMPARE(verdict.reply.status, 502U);
    QCOMPARE(verdict.reply.body, std::string("<h1>later</h1>"));
    QCOMPARE(ModuleWorld::header(verdict.reply, "X-Weir-Error"), std::string("connect_failed"));
    world.answer(404);
    QCOMPARE(world.run(Point::ReadResponse).reply.status, 200U);
    world.answer(403);
    verdict = world.run(Point::ReadResponse);
    QCOMPARE(verdict.kind, Verdict::Kind::Redirect);
    QCOMPARE(ModuleWorld::header(verdict.reply, "Location"), std::string("/login?from=/v1/images"));
    world.answer(200);
    QCOMPARE(world.run(Point::ReadResponse).kind, Verdict::Kind::GoOn);
}

QTEST_GUILESS_MAIN(TestModules)
#include "TestModules.moc"
