// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/JsonBody.h"

#include <QtTest>

using namespace weir::http;
using weir::Error;

namespace {

JsonBody bodyOf(std::string text)
{
    Request request;
    request.body = std::move(text);
    return JsonBody::parse(request).value();
}

Error errorOf(const JsonBody& body)
{
    const auto finished = body.finish();
    return finished ? Error{} : finished.error();
}

} // namespace

class TestJsonBody : public QObject {
    Q_OBJECT

private slots:
    void takesWhatFits();
    void refusesText_data();
    void refusesText();
    void checksTheContentType_data();
    void checksTheContentType();
    void anEmptyBodyMayStandForAnEmptyObject();
    void checksTypes_data();
    void checksTypes();
    void checksRanges();
    void patchTellsNullFromAbsent();
    void unknownFieldsAreNamed_data();
    void unknownFieldsAreNamed();
    void theFirstErrorStays();
    void namesPlacesInArrays();
    void unknownMayBeAllowed();
    void boundsItems();
};

void TestJsonBody::takesWhatFits()
{
    JsonBody body = bodyOf(R"({"s": "tëxt", "b": true, "i": -3, "whole": 4.0, "n": 2.5, "o": {"x": 1}, "list": [{"id": "a"}, {"id": "b"}],
        "numbers": [1, 2], "names": ["p", "q"], "free": null})");
    QCOMPARE(body.requireString("s"), std::string("t\xC3\xABxt"));
    QCOMPARE(body.requireBool("b"), true);
    QCOMPARE(body.requireInteger("i"), std::int64_t(-3));
    QCOMPARE(body.optionalInteger("whole"), std::optional<std::int64_t>(4));
    QCOMPARE(body.requireNumber("n"), 2.5);
    QCOMPARE(body.requireObject("o").requireInteger("x"), std::int64_t(1));
    auto list = body.requireObjects("list");
    QCOMPARE(list.size(), std::size_t(2));
    QCOMPARE(list[0].requireString("id"), std::string("a"));
    QCOMPARE(list[1].requireString("id"), std::string("b"));
    QCOMPARE(body.requireIntegers("numbers"), (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(body.requireStrings("names"), (std::vector<std::string>{"p", "q"}));
    QVERIFY(body.raw("free") && body.raw("free")->is_null());
    QVERIFY(!body.optionalString("absent") && !body.optionalBool("absent2") && !body.optionalNumber("absent3")
        && !body.optionalObjects("absent4"));
    QVERIFY(!body.has("absent") && body.has("free"));
    QVERIFY2(body.finish().has_value(), errorOf(body).message.c_str());
}

void TestJsonBody::refusesText_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("inMessage");
    const auto row = [](const char* name, const QByteArray& text, const char* code, const char* inMessage) {
        QTest::newRow(name) << text << QByteArray(code) << QByteArray(inMessage);
    };
    row("empty", "", "malformed_json", "empty");
    row("array", "[]", "malformed_json", "an array");
    row("null", "null", "malformed_json", "null");
    row("cut short", "{\"a\": 1", "malformed_json", "line 1, column 8");
    row("position", "{\n  \"a\": tru3\n}", "malformed_json", "line 2");
    row("trailing comma", "{\"a\": 1,}", "malformed_json", "line 1, column 9");
    row("comment", "{/* no */}", "malformed_json", "column 2");
    row("something after", "{} {}", "malformed_json", "column 4");
    row("single quotes", "{'a': 1}", "malformed_json", "column 2");
    row("not UTF-8", "{\"a\": \"\xFF\"}", "malformed_json", "column");
    row("NaN", "{\"a\": NaN}", "malformed_json", "column 7");
    row("too deep", "{\"a\":" + QByteArray(40, '[') + QByteArray(40, ']') + "}", "malformed_json", "column");
    row("a key twice", R"({"a": 1, "b": 2, "a": 3})", "duplicate_key", "'a'");
    row("a key twice within", R"({"a": [{"x": {"k": 1, "k": 1}}]})", "duplicate_key", "'k'");
    row("a key twice, escaped", R"({"key": 1, "k\u0065y": 3})", "duplicate_key", "'key'");
}

void TestJsonBody::refusesText()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, inMessage);
    Request request;
    request.body = text.toStdString();
    const auto body = JsonBody::parse(request);
    QVERIFY(!body.has_value());
    QCOMPARE(QByteArray::fromStdString(body.error().code), code);
    QVERIFY2(body.error().message.find(inMessage.toStdString()) != std::string::npos, body.error().message.c_str());
}

void TestJsonBody::checksTheContentType_data()
{
    QTest::addColumn<bool>("isTaken");
    QTest::newRow("") << true;
    QTest::newRow("application/json") << true;
    QTest::newRow("Application/JSON; charset=UTF-8") << true;
    QTest::newRow("application/json ;charset=\"utf-8\"; x=y") << true;
    QTest::newRow("application/json; charset=latin1") << false;
    QTest::newRow("application/jsonp") << false;
    QTest::newRow("text/plain") << false;
    QTest::newRow("application/x-www-form-urlencoded") << false;
}

void TestJsonBody::checksTheContentType()
{
    QFETCH(bool, isTaken);
    Request request;
    request.body = "{}";
    request.headers.emplace_back("content-type", QTest::currentDataTag());
    const auto body = JsonBody::parse(request);
    QCOMPARE(body.has_value(), isTaken);
    if (!isTaken) {
        QCOMPARE(body.error().code, std::string("unsupported_media_type"));
    }
}

void TestJsonBody::anEmptyBodyMayStandForAnEmptyObject()
{
    Request request;
    auto body = JsonBody::parseOrEmpty(request);
    QVERIFY(body.has_value());
    QVERIFY(!body->optionalString("reason"));
    QVERIFY(body->finish().has_value());
    request.body = "[";
    QVERIFY(!JsonBody::parseOrEmpty(request).has_value());
}

void TestJsonBody::checksTypes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const char* text, const char* code, const char* field) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(code) << QByteArray(field);
    };
    // Read as {s: string, b?: bool, i?: integer, n?: number, o?: object, l?: objects, a?: integers}.
    row(R"({})", "missing_field", "s");
    row(R"({"s": null})", "wrong_type", "s");
    row(R"({"s": 1})", "wrong_type", "s");
    row(R"({"s": "", "b": "true"})", "wrong_type", "b");
    row(R"({"s": "", "b": null})", "wrong_type", "b");
    row(R"({"s": "", "b": 0})", "wrong_type", "b");
    row(R"({"s": "", "i": "1"})", "wrong_type", "i");
    row(R"({"s": "", "i": 1.5})", "wrong_type", "i");
    row(R"({"s": "", "i": 1e300})", "out_of_range", "i");
    row(R"({"s": "", "i": 18446744073709551615})", "out_of_range", "i");
    row(R"({"s": "", "i": 99999999999999999999999999})", "out_of_range", "i");
    row(R"({"s": "", "i": true})", "wrong_type", "i");
    row(R"({"s": "", "n": "1"})", "wrong_type", "n");
    row(R"({"s": "", "o": []})", "wrong_type", "o");
    row(R"({"s": "", "l": {}})", "wrong_type", "l");
    row(R"({"s": "", "l": [{}, 1]})", "wrong_type", "l[1]");
    row(R"({"s": "", "a": [1, 2, null]})", "wrong_type", "a[2]");
    row(R"({"s": "", "a": [1, -1]})", "out_of_range", "a[1]");
}

void TestJsonBody::checksTypes()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, field);
    JsonBody body = bodyOf(text.toStdString());
    body.requireString("s");
    body.optionalBool("b");
    body.optionalInteger("i");
    body.optionalNumber("n");
    body.optionalObject("o");
    body.optionalObjects("l");
    body.optionalIntegers("a", 0, 100);
    const Error error = errorOf(body);
    QCOMPARE(QByteArray::fromStdString(error.code), code);
    QCOMPARE(QByteArray::fromStdString(error.field), field);
    QVERIFY2(error.message.find("'" + error.field + "'") != std::string::npos, error.message.c_str());
}

void TestJsonBody::checksRanges()
{
    JsonBody low = bodyOf(R"({"port": 0})");
    QCOMPARE(low.requireInteger("port", 1, 65535), std::int64_t(0));
    QCOMPARE(errorOf(low).message, std::string("'port' must be between 1 and 65535."));
    JsonBody edge = bodyOf(R"({"port": 65535, "weight": 0.5})");
    QCOMPARE(edge.requireInteger("port", 1, 65535), std::int64_t(65535));
    QCOMPARE(edge.requireNumber("weight", 0.5, 1), 0.5);
    QVERIFY(edge.finish().has_value());
    JsonBody negative = bodyOf(R"({"need": -1})");
    negative.optionalInteger("need", 0);
    QCOMPARE(errorOf(negative).message, std::string("'need' must be at least 0."));
    JsonBody number = bodyOf(R"({"weight": 1.5})");
    number.optionalNumber("weight", 0.25, 1);
    QCOMPARE(errorOf(number).message, std::string("'weight' must be between 0.25 and 1."));
    JsonBody huge = bodyOf(R"({"weight": 1e999})");
    huge.optionalNumber("weight");
    QCOMPARE(errorOf(huge).code, std::string("out_of_range"));
}

void TestJsonBody::patchTellsNullFromAbsent()
{
    JsonBody body = bodyOf(R"({"name": null, "canary": true, "minAvailable": 3, "weight": "x"})");
    const auto name = body.patchedString("name");
    QVERIFY(name.isGiven && !name.value);
    const auto canary = body.patchedBool("canary");
    QVERIFY(canary.isGiven && canary.value == true);
    const auto available = body.patchedInteger("minAvailable", 0);
    QVERIFY(available.isGiven && available.value == 3);
    QVERIFY(!body.patchedString("absent").isGiven);
    QVERIFY(body.finish().has_value() == false); // weight is not known yet
    body.patchedNumber("weight");
    QCOMPARE(errorOf(body).code, std::string("wrong_type"));
}

void TestJsonBody::unknownFieldsAreNamed_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("suggestion");
    const auto row = [](const char* key, const char* suggestion) { QTest::newRow(key) << QByteArray(key) << QByteArray(suggestion); };
    row("pool_id", "poolId");
    row("PoolID", "poolId");
    row("polId", "poolId");
    row("reasno", "reason");
    row("expectedform", "expectedFrom");
    row("colour", "");
    row("x", "");
}

void TestJsonBody::unknownFieldsAreNamed()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, suggestion);
    JsonBody body = bodyOf("{\"poolId\": \"p\", \"" + key.toStdString() + "\": 1}");
    body.requireString("poolId");
    body.optionalString("expectedFrom");
    body.optionalString("reason");
    const Error error = errorOf(body);
    QCOMPARE(error.code, std::string("unknown_field"));
    QCOMPARE(QByteArray::fromStdString(error.field), key);
    QCOMPARE(error.message.find("did you mean") != std::string::npos, !suggestion.isEmpty());
    QVERIFY2(
        error.message.find("'" + suggestion.toStdString() + (suggestion.isEmpty() ? "" : "'")) != std::string::npos, error.message.c_str());
}

void TestJsonBody::theFirstErrorStays()
{
    JsonBody body = bodyOf(R"({"a": 1, "b": 2, "zzz": 3})");
    body.requireString("a");
    body.requireString("b");
    body.refuse("b", "invalid_value", "Own rule.");
    QCOMPARE(errorOf(body).field, std::string("a"));
    JsonBody own = bodyOf(R"({"a": 1})");
    own.requireInteger("a");
    own.refuse("a", "invalid_value", "Own rule.");
    QCOMPARE(errorOf(own), (Error{"invalid_value", "Own rule.", "a"}));
}

void TestJsonBody::namesPlacesInArrays()
{
    JsonBody body = bodyOf(R"({"moves": [{"nodeId": "a", "poolId": "p"}, {"nodeId": "b", "pool": "p"}]})");
    for (JsonBody& move : body.requireObjects("moves")) {
        move.requireString("nodeId");
        move.optionalString("poolId");
    }
    const Error unknown = errorOf(body);
    QCOMPARE(unknown.code, std::string("unknown_field"));
    QCOMPARE(unknown.field, std::string("moves[1].pool"));

    JsonBody missing = bodyOf(R"({"moves": [{"nodeId": "a"}, {}]})");
    for (JsonBody& move : missing.requireObjects("moves")) {
        move.requireString("nodeId");
    }
    QCOMPARE(errorOf(missing).field, std::string("moves[1].nodeId"));
}

void TestJsonBody::unknownMayBeAllowed()
{
    JsonBody body = bodyOf(R"({"nodeType": "edge", "pool_id": "p", "anything": {}})");
    body.requireString("nodeType");
    body.allowUnknown();
    QVERIFY(body.finish().has_value());
    QVERIFY(body.has("pool_id"));
}

void TestJsonBody::boundsItems()
{
    JsonBody body = bodyOf(R"({"moves": [{}, {}, {}]})");
    QVERIFY(body.requireObjects("moves", 2).empty());
    QCOMPARE(errorOf(body).code, std::string("out_of_range"));
}

QTEST_GUILESS_MAIN(TestJsonBody)
#include "TestJsonBody.moc"
