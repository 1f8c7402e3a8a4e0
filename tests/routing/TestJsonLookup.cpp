// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/JsonLookup.h"

#include <QTest>

#include <string>

using namespace weir::routing;

class TestJsonLookup : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void cutOffBodies();
    void deepAndLong();
};

void TestJsonLookup::values_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("value"); // null: none
    const auto row = [](const char* text, const char* path, const char* value) {
        QTest::addRow("%s of %s", path, text) << QByteArray(text) << QByteArray(path) << QByteArray(value);
    };
    row("{\"a\":1}", "a", "1");
    row(" {\n\"a\" :\t-12 , \"b\":2}", "a", "-12");
    row("{\"a\":1,\"a\":2}", "a", "1");
    row("{\"b\":{\"a\":1},\"a\":2}", "a", "2");
    row("{\"b\":\"}]\\\"a\\\":3\",\"a\":2}", "a", "2");
    row("{\"a\":{\"b\":[10,{\"c\":\"x\"}]}}", "a.b.1.c", "x");
    row("{\"a\":{\"b\":[10,{\"c\":\"x\"}]}}", "a.b.0", "10");
    row("{\"a\":{\"b\":[10,{\"c\":\"x\"}]}}", "a.b.2", nullptr);
    row("{\"a\":{\"b\":[10,{\"c\":\"x\"}]}}", "a.b.x", nullptr);
    row("{\"a\":{\"b\":[10,{\"c\":\"x\"}]}}", "a.b", "[10,{\"c\":\"x\"}]");
    row("{\"a\":{\"0\":5}}", "a.0", "5");
    row("[[1,2],[3]]", "1.0", "3");
    row("[]", "0", nullptr);
    row("{\"a.b\":7,\"a\":{\"b\":8}}", "a\\.b", "7");
    row("{\"a.b\":7,\"a\":{\"b\":8}}", "a.b", "8");
    row("{\"\":{\"\":4}}", ".", "4");
    row("{\"\\u0061\":9}", "a", "9");
    row("{\"a\":true}", "a", "true");
    row("{\"a\":false}", "a", "false");
    row("{\"a\":null}", "a", "");
    row("{\"a\":\"\"}", "a", "");
    row("{\"a\":1.50}", "a", "1.5");
    row("{\"a\":1e3}", "a", "1000");
    row("{\"a\":-0.25e1}", "a", "-2.5");
    row("{\"a\":12345678901234567890123}", "a", "12345678901234567890123");
    row("{\"a\":1e999}", "a", nullptr);
    row("{\"a\":-inf}", "a", nullptr);
    row("{\"a\":tru}", "a", nullptr);
    row("{\"a\":\"x\\n\\\"\\/\\u00e4\\ud83d\\ude00\"}", "a", "x\n\"/\xC3\xA4\xF0\x9F\x98\x80");
    row("{\"a\":\"\\ud83d\"}", "a", "\xEF\xBF\xBD");
    row("{\"a\":\"\\x\"}", "a", nullptr);
    row("{\"a\" 1}", "a", nullptr);
    row("{a:1}", "a", nullptr);
    row("\xEF\xBB\xBF{\"a\":1}", "a", "1");
    row("not json", "a", nullptr);
    row("", "a", nullptr);
    row("\"a\"", "a", nullptr);
    row("5", "", nullptr);
}

void TestJsonLookup::values()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, value);
    Scratch scratch;
    const std::string body = text.toStdString();
    const auto found = jsonValueAt(body, path.toStdString(), scratch);
    QCOMPARE(found.has_value(), !value.isNull());
    if (found) {
        QCOMPARE(QByteArray::fromStdString(std::string(*found)), value);
    }
}

void TestJsonLookup::cutOffBodies()
{
    const std::string whole = "{\"code\":50007,\"text\":\"a\",\"list\":[1,2]}";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        Scratch scratch;
        const std::string_view body = std::string_view(whole).substr(0, length);
        const auto code = jsonValueAt(body, "code", scratch);
        // A number at the very end may have had more digits.
        QCOMPARE(code.has_value(), length > whole.find(','));
        QVERIFY(!code || *code == "50007");
        QVERIFY(!jsonValueAt(body, "list", scratch) || length + 1 == whole.size());
    }
}

void TestJsonLookup::deepAndLong()
{
    Scratch scratch;
    const std::string deep = "{\"x\":" + std::string(30000, '[') + std::string(30000, ']') + ",\"a\":1}";
    QCOMPARE(std::string(jsonValueAt(deep, "a", scratch).value_or("")), std::string("1"));
    QVERIFY(!jsonValueAt(std::string(60000, '['), std::string(60000, '.'), scratch));
    const std::string longText = "{\"a\":\"\\n" + std::string(5000, 'y') + "\"}";
    QCOMPARE(jsonValueAt(longText, "a", scratch).value_or("").size(), std::size_t{5001});
}

QTEST_GUILESS_MAIN(TestJsonLookup)
#include "TestJsonLookup.moc"
