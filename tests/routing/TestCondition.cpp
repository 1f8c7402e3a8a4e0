// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Condition.h"
#include "core/routing/condition/Primitives.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::routing;

namespace {

// "code line:column" of each fault, in order.
QStringList faultsOf(std::string_view text)
{
    QStringList faults;
    if (const auto compiled = Condition::compile(text); !compiled) {
        for (const ConditionIssue& issue : compiled.error()) {
            faults.append(QStringLiteral("%1 %2:%3").arg(QString::fromStdString(issue.code)).arg(issue.place.line).arg(issue.place.column));
        }
    }
    return faults;
}

std::string messageOf(std::string_view text)
{
    const auto compiled = Condition::compile(text);
    return compiled ? std::string() : compiled.error().front().message;
}

} // namespace

class TestCondition : public QObject {
    Q_OBJECT

private slots:
    void faults_data();
    void faults();
    void messages_data();
    void messages();
    void answers_data();
    void answers();
    void withoutARequest();
    void mixturesShowBothReadings();
    void importedMixturesWarn();
    void limits();
    void oddBytes();
    void everyPrimitiveIsSorted();
    void everyPrimitiveIsFalseWithoutAnExchange();
    void traceSkipsWhatWasDecided();
    void manyAlternatives();
};

void TestCondition::faults_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char* text, const QStringList& expected) { QTest::newRow(text) << QByteArray(text) << expected; };
    const auto one = [&row](const char* text, const char* expected) { row(text, {QString::fromLatin1(expected)}); };

    row("default_t()", {});
    row("\xEF\xBB\xBF"
        "default_t()",
        {});
    one("\xEF\xBB\xBF"
        "x",
        "unresolved_variable 1:1");
    one("req_host_in(\"\xC3\xA4\") x", "syntax 1:18");
    one("default_t() &&\n\n  nonsense()", "unknown_primitive 3:3");
    row("a() && b() && c",
        {QStringLiteral("unknown_primitive 1:1"), QStringLiteral("unknown_primitive 1:8"), QStringLiteral("unresolved_variable 1:15")});
    row("req_host_in(true) && req_path_in(\"/\") && (x || y())",
        {QStringLiteral("arg_type 1:1"), QStringLiteral("arity 1:22"), QStringLiteral("unresolved_variable 1:43"),
            QStringLiteral("unknown_primitive 1:48")});
    row("req_cip_range(\"1.1.1\", \"x\")", {QStringLiteral("ip 1:15"), QStringLiteral("ip 1:24")});
    row("default_t( && req_host_regmatch(`[`)", {QStringLiteral("syntax 1:12"), QStringLiteral("regex 1:33")});
    row("(default_t() && x() && (y()",
        {QStringLiteral("unknown_primitive 1:17"), QStringLiteral("unknown_primitive 1:25"), QStringLiteral("syntax 1:28"),
            QStringLiteral("syntax 1:28")});
    row("default_t() $ @ && x()", {QStringLiteral("token 1:13"), QStringLiteral("token 1:15"), QStringLiteral("unknown_primitive 1:20")});
    row("default_t()) && x()", {QStringLiteral("syntax 1:12"), QStringLiteral("unknown_primitive 1:17")});
    one("default_t() && ", "syntax 1:16");
    one("default_t() && && default_t()", "syntax 1:16");
    one("()", "syntax 1:2");
    one("!", "syntax 1:2");
    one("default_t() // to the end", "");
    one("/", "token 1:1");
    one("req_host_in(\"a\\", "unterminated 1:13");
    one("req_host_in(\"a\\\"", "unterminated 1:13");
    one("req_host_in(`a\nb", "unterminated 1:13");
    row("req_host_in(\"\\xg0\\u12\")", {QStringLiteral("escape 1:14"), QStringLiteral("escape 1:18")});
    one("req_host_in(\"\\U00110000\")", "escape 1:14");
    one("bfe_time_range(\"20190230000000Z\", \"20190301000000Z\")", "time 1:16");
    one("bfe_time_range(\"20190301000000Z\", \"20190201000000Z\")", "range_order 1:16");
    one("bfe_periodic_time_range(\"240000Z\", \"000000Z\", \"\")", "time 1:25");
    one("res_json_in(\"code\")", "arity 1:1");
}

void TestCondition::faults()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, expected);
    expected.removeAll(QString());
    QCOMPARE(faultsOf(text.toStdString()), expected);
}

void TestCondition::messages_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* text, const char* part) { QTest::newRow(text) << QByteArray(text) << QByteArray(part); };
    row("req_host_inn(\"a\")", "did you mean req_host_in?");
    row("DEFAULT_T()", "did you mean default_t?");
    row("default_t", "its arguments in parentheses are missing");
    row("whatever", "there are no variables");
    row("req_path_in(\"/a\", TRUE)", "lower case");
    row("req_path_in(\"/a\")", "req_path_in(values, ignore case) takes 2 arguments, not 1");
    row("req_path_in(\"/a\", 1)", "argument 2 of req_path_in(values, ignore case) is true or false, not \"1\"");
    row("default_t() & default_t()", "write &&");
    row("select()", "reserved word");
    row("req_host_regmatch(\"\\d\")", "backquotes");
}

void TestCondition::messages()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, part);
    const std::string message = messageOf(text.toStdString());
    QVERIFY2(QByteArray::fromStdString(message).contains(part), message.c_str());
}

void TestCondition::answers_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* text, bool expected) { QTest::newRow(text) << QByteArray(text) << expected; };
    row("res_code_in(\"200|400\") && res_json_in(\"code\", \"50007|50013\")", true);
    row("res_json_in(\"code\", \"50008\")", false);
    row("res_json_in(\"data.items.1.name\", \"b\")", true);
    row("res_json_in(\"nowhere\", \"\")", true);
    row("res_header_value_in(\"X-Kind\", \"DISK\", true)", true);
    row("res_header_value_in(\"X-Kind\", \"DISK\", false)", false);
    row("res_header_key_in(\"x-kind|x-none\")", true);
    row("req_header_key_in(\"Host\")", false);
    row("req_header_value_in(\"host\", \"\", false)", true);
    row("req_host_in(\"api.example.test\")", true);
    row("req_host_in(\"api.example.test.\")", false);
    row("req_port_in(\"8443\")", true);
    row("req_path_contain(\"\xC3\x84\", true)", true);
    row("req_path_contain(\"\xC3\x84\", false)", false);
    row("req_query_value_in(\"name\", \"a b\", false)", true);
    row("req_query_value_in(\"long\", \"x\", false)", false);
    row("req_cookie_value_in(\"b\", \"2\", false)", true);
    row("req_cookie_key_in(\"c\")", true);
    row("req_cip_range(\"10.0.0.0\", \"10.0.0.255\") && !req_cip_trusted()", true);
    row("ses_sip_range(\"127.0.0.1\", \"127.0.0.1\")", true);
    row("req_vip_in(\"1.1.1.1\")", false);
    row("req_context_value_in(\"plan\", \"GOLD\", true)", true);
    row("req_tag_match(\"t\", \"x\")", true);
    row("req_ua_regmatch(`^curl/\\d`)", true);
    row("bfe_periodic_time_range(\"080000H\", \"080000H\", \"\")", true); // midnight in Greenwich
    row("!(req_method_in(\"post\") || default_t())", false);
}

void TestCondition::answers()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, expected);
    const std::string longValue(1000, 'y');
    const std::string query = "name=a+b&long=%41" + longValue;
    Context context;
    context.set("plan", "gold");
    context.addTag("t", "x:60");
    const std::array headers{HeaderField{"Host", "api.example.test:8443"}, HeaderField{"User-Agent", "curl/8"},
        HeaderField{"Cookie", "a=1; b=2"}, HeaderField{"cookie", "c"}};
    const std::array responseHeaders{HeaderField{"X-Kind", "disk"}};
    RequestView request;
    request.method = "POST";
    request.path = "/\xC3\xA4/b";
    request.query = query;
    request.host = "api.example.test:8443";
    request.headers = HeaderFields(headers);
    request.client = IpAddress::v4(10, 0, 0, 7);
    request.peer = IpAddress::v4(127, 0, 0, 1);
    request.context = &context;
    ResponseView response;
    response.status = 200;
    response.headers = HeaderFields(responseHeaders);
    response.body = "{\"code\": 50007, \"data\": {\"items\": [1, {\"name\": \"b\"}]}}";

    const auto compiled = Condition::compile(text.toStdString());
    QVERIFY2(compiled, compiled ? "" : toText(compiled.error()).c_str());
    QCOMPARE(compiled->matches({&request, &response}), expected);
}

void TestCondition::withoutARequest()
{
    ResponseView response;
    response.status = 503;
    const auto compiled = Condition::compile("res_code_in(\"503\") && !req_method_in(\"GET\")");
    QVERIFY(compiled->matches({nullptr, &response}));
}

void TestCondition::mixturesShowBothReadings()
{
    const std::string text = "default_t() || default_t() && !default_t()";
    QCOMPARE(faultsOf(text), QStringList{QStringLiteral("precedence 1:28")});
    const QByteArray message = QByteArray::fromStdString(messageOf(text));
    QVERIFY(message.contains("default_t() || (default_t() && !default_t())"));
    QVERIFY(message.contains("(default_t() || default_t()) && !default_t()"));
    QVERIFY(Condition::compile("default_t() || (default_t() && default_t())"));
    QVERIFY(Condition::compile("(default_t() || default_t()) && (default_t() || default_t())"));
}

void TestCondition::importedMixturesWarn()
{
    ConditionIssues warnings;
    QVERIFY(Condition::compile("default_t() || default_t() && !default_t()", Dialect::Imported, &warnings));
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY(QByteArray::fromStdString(warnings.front().message).contains("(default_t() || default_t()) && !default_t()"));
}

void TestCondition::limits()
{
    QVERIFY(Condition::compile(std::string(64, '(') + "default_t()" + std::string(64, ')')));
    QCOMPARE(faultsOf(std::string(65, '(') + "default_t()" + std::string(65, ')')), QStringList{QStringLiteral("limit 1:66")});
    QCOMPARE(faultsOf(std::string(60000, '!') + "default_t()").size(), 1);
    QCOMPARE(faultsOf(std::string(70000, ' ') + "default_t()"), QStringList{QStringLiteral("limit 1:1")});

    std::string wide = "default_t()";
    while (wide.size() < kMaxConditionBytes - 20) {
        wide += "&&default_t()";
    }
    const auto compiled = Condition::compile(wide);
    QVERIFY(compiled);
    QVERIFY(compiled->matches({}));

    std::string faulty = "x";
    for (int i = 0; i < 5000; ++i) {
        faulty += "&&x";
    }
    QVERIFY(faultsOf(faulty).size() >= 50);
    QVERIFY(faultsOf(faulty).size() <= 51);
    QVERIFY(faultsOf(std::string(5000, '$')).size() <= 51);
}

void TestCondition::oddBytes()
{
    QCOMPARE(faultsOf(std::string_view("default_t()\0", 12)), QStringList{QStringLiteral("encoding 1:12")});
    QCOMPARE(faultsOf("a\n\xFF"), QStringList{QStringLiteral("encoding 2:1")});
    // Values of requests may be anything.
    RequestView request;
    request.path = "/\xFF\xC3";
    const auto compiled = Condition::compile("req_path_in(\"/x\", true) || req_path_regmatch(`^/x`) || req_path_suffix_in(\"/x\", true)");
    QVERIFY(!compiled->matches({&request, nullptr}));
}

void TestCondition::everyPrimitiveIsSorted()
{
    const auto all = primitives();
    QVERIFY(std::is_sorted(all.begin(), all.end(), [](const Primitive& a, const Primitive& b) { return a.name < b.name; }));
    QCOMPARE(all.size(), std::size_t{59}); // the reference's 58 and res_json_in
}

void TestCondition::everyPrimitiveIsFalseWithoutAnExchange()
{
    for (const Primitive& primitive : primitives()) {
        std::string text = std::string(primitive.name) + '(';
        for (std::size_t i = 0; i < primitive.parameters.size(); ++i) {
            text += i > 0 ? "," : "";
            switch (primitive.parameters[i]) {
            case 'b':
                text += "true";
                break;
            case 'h':
                text += "\"0-9999\"";
                break;
            case 'a':
            case 'v':
                text += "\"1.1.1.1\"";
                break;
            case 'd':
                text += "\"20200101000000Z\"";
                break;
            case 'c':
                text += "\"000000Z\"";
                break;
            default:
                text += "\"\"";
            }
        }
        text += ')';
        const auto compiled = Condition::compile(text);
        QVERIFY2(compiled, compiled ? "" : (text + toText(compiled.error())).c_str());
        QVERIFY2(compiled->matches({}) == (primitive.name == "default_t"), text.c_str());
        const RequestView request;
        const ResponseView response;
        const bool value = compiled->matches({&request, &response});
        QCOMPARE(compiled->trace({&request, &response}).value == ConditionTrace::Value::True, value);
    }
}

void TestCondition::traceSkipsWhatWasDecided()
{
    using Value = ConditionTrace::Value;
    RequestView request;
    request.host = "a.test:81";
    const auto compiled = Condition::compile("req_host_in(\"b.test\") && (default_t() || req_port_in(\"81\"))");
    const ConditionTrace trace = compiled->trace({&request, nullptr});
    QCOMPARE(trace.value, Value::False);
    QCOMPARE(trace.text, std::string("&&"));
    QCOMPARE(trace.parts.size(), std::size_t{2});
    QCOMPARE(trace.parts[0].text, std::string("req_host_in(\"b.test\")"));
    QCOMPARE(trace.parts[0].fetched.value_or("?"), std::string("a.test"));
    QCOMPARE(trace.parts[1].value, Value::Skipped);
    QCOMPARE(trace.parts[1].parts[1].value, Value::Skipped);
}

void TestCondition::manyAlternatives()
{
    std::string hosts;
    for (int i = 0; i < 1000; ++i) {
        hosts += "h" + std::to_string(i) + ".test|";
    }
    const auto compiled = Condition::compile("req_host_in(\"" + hosts + "\")");
    RequestView request;
    for (const char* host : {"h0.test", "H999.TEST", ""}) {
        request.host = host;
        QVERIFY2(compiled->matches({&request, nullptr}), host);
    }
    request.host = "h1000.test";
    QVERIFY(!compiled->matches({&request, nullptr}));
}

QTEST_GUILESS_MAIN(TestCondition)
#include "TestCondition.moc"
