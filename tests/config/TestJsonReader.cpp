// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/JsonReader.h"
#include "core/config/Position.h"

#include <QTest>

#include <cmath>

using namespace weir::config;

namespace {

QString shown(const JsonNode& node)
{
    switch (node.kind) {
    case JsonKind::Null: return QStringLiteral("null");
    case JsonKind::Boolean: return node.boolean ? QStringLiteral("true") : QStringLiteral("false");
    case JsonKind::Number: return QString::number(node.number, 'g', 17);
    case JsonKind::String: return QLatin1Char('\'') + QString::fromStdString(node.text) + QLatin1Char('\'');
    case JsonKind::Array: {
        QStringList items;
        for (const JsonNode& item : node.items) {
            items << shown(item);
        }
        return QLatin1Char('[') + items.join(QLatin1Char(' ')) + QLatin1Char(']');
    }
    case JsonKind::Object: {
        QStringList members;
        for (const JsonMember& member : node.members) {
            members << QString::fromStdString(member.name) + QLatin1Char('=') + shown(member.value);
        }
        return QLatin1Char('{') + members.join(QLatin1Char(' ')) + QLatin1Char('}');
    }
    }
    return {};
}

std::string repeated(const char* part, int times)
{
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += part;
    }
    return text;
}

} // namespace

class TestJsonReader : public QObject {
    Q_OBJECT

private slots:
    void reads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("tree");
        const auto row = [](const char* text, const char* tree) { QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(tree); };
        row("{}", "{}");
        row(" [ ] ", "[]");
        row("null", "null");
        row("[true,false,null]", "[true false null]");
        row("[0,-0,1.5,-2.25e2,1E+2,10e-1]", "[0 0 1.5 -225 100 1]");
        row("[\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"]", "['a\"\\/\b\f\n\r\tz']");
        row("[\"\\u00e4\\u4e16\\uD83D\\uDE00\"]", "['ä世😀']");
        row("[\"ä世😀\"]", "['ä世😀']");
        row("{\"a\":1,\"b\":{\"c\":[2]},\"a\":3}", "{a=1 b={c=[2]} a=3}");
        row("\xEF\xBB\xBF{}", "{}");
        row("// one\n/* two\n * three **/[1/**/,/*x*/2//y\n]// end", "[1 2]");
        row("[\"// no comment\", \"/* nor this */\"]", "['// no comment' '/* nor this */']");
        row("[1,\r\n2,\r3]", "[1 2 3]");
    }

    void reads()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, tree);
        const std::string input = text.toStdString();
        const auto read = JsonReader(input).read();
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(shown(*read), tree);
    }

    void knowsWhereValuesStand()
    {
        const std::string text = "{ \"key\" : [ 12 , \"ab\" ] }";
        const auto read = JsonReader(text).read();
        QVERIFY(read.has_value());
        const auto slice = [&](const JsonNode& node) { return text.substr(node.begin, node.end - node.begin); };
        QCOMPARE(read->members.at(0).nameBegin, std::size_t{2});
        QCOMPARE(slice(read->members.at(0).value), std::string("[ 12 , \"ab\" ]"));
        QCOMPARE(slice(read->members.at(0).value.items.at(0)), std::string("12"));
        QCOMPARE(slice(read->members.at(0).value.items.at(1)), std::string("\"ab\""));
        QCOMPARE(slice(*read), text);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("offset");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* text, int offset, const char* path = "", const char* code = "syntax_error") {
            QTest::newRow(text) << QByteArray(text) << offset << QString::fromLatin1(path) << QString::fromLatin1(code);
        };
        row("", 0);
        row("  ", 2);
        row("// nothing", 10);
        row("/* open", 0);
        row("/", 0);
        row("[1 / 2]", 3);
        row("{", 1);
        row("[", 1, "[0]");
        row("{}}", 2);
        row("{} x", 3);
        row("{\"a\" 1}", 5);
        row("{\"a\":}", 5, "a");
        row("{a:1}", 1);
        row("{'a':1}", 1);
        row("{\"a\":'b'}", 5, "a");
        row("{\"a\":1 \"b\":2}", 7);
        row("{\"a\":1,}", 6);
        row("{\"a\":[1,]}", 7, "a");
        row("[1 2]", 3);
        row("[,1]", 1, "[0]");
        row("[1,,2]", 3, "[1]");
        row("{\"a\":[{\"b\":tru}]}", 11, "a[0].b");
        row("[True]", 1, "[0]");
        row("[NaN]", 1, "[0]");
        row("[Infinity]", 1, "[0]");
        row("[undefined]", 1, "[0]");
        row("[01]", 1, "[0]");
        row("[1.]", 1, "[0]");
        row("[.5]", 1, "[0]");
        row("[+1]", 1, "[0]");
        row("[-]", 1, "[0]");
        row("[1e]", 1, "[0]");
        row("[1e+]", 1, "[0]");
        row("[0x10]", 1, "[0]");
        row("[1_000]", 1, "[0]");
        row("[--1]", 1, "[0]");
        row("[\"open]", 1, "[0]");
        row("[\"two\nlines\"]", 1, "[0]");
        row("[\"tab\there\"]", 5, "[0]");
        row("[\"\\x\"]", 2, "[0]");
        row("[\"\\u12G4\"]", 2, "[0]");
        row("[\"\\u12", 2, "[0]");
        row("[\"\\", 2, "[0]");
        row("[\"\\uD83D\"]", 2, "[0]");
        row("[\"\\uDE00\"]", 2, "[0]");
        row("[\"\\uD83D\\u0041\"]", 2, "[0]");
        row("{\"odd key.\":[}", 13, "[\"odd key.\"][0]");
        row("[\"\xC0\xAF\"]", 2, "", "invalid_utf8");
        row("[\"\xED\xA0\x80\"]", 2, "", "invalid_utf8");
        row("[\"\xF4\x90\x80\x80\"]", 2, "", "invalid_utf8");
        row("[\"\xC3\"]", 2, "", "invalid_utf8");
        row("// \x80\n{}", 3, "", "invalid_utf8");
        row("\xFF\xFE{", 0, "", "invalid_utf8");
        QTest::newRow("NUL") << QByteArray("[1,\0]", 5) << 3 << QStringLiteral("[1]") << QStringLiteral("syntax_error");
        QTest::newRow("NUL in a string") << QByteArray("[\"\0\"]", 5) << 2 << QStringLiteral("[0]") << QStringLiteral("syntax_error");
        QTest::newRow("NUL behind a backslash") << QByteArray("[\"\\\0\"]", 6) << 2 << QStringLiteral("[0]") << QStringLiteral("syntax_error");
    }

    void refuses()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, offset);
        QFETCH(QString, path);
        QFETCH(QString, code);
        const std::string input = text.toStdString();
        const auto read = JsonReader(input).read();
        QVERIFY(!read.has_value());
        QCOMPARE(int(read.error().offset), offset);
        QCOMPARE(QString::fromStdString(read.error().path), path);
        QCOMPARE(QString::fromStdString(read.error().code), code);
        QVERIFY(!read.error().message.empty());
    }

    void boundsDepth()
    {
        QVERIFY(JsonReader(repeated("[", 64) + repeated("]", 64)).read().has_value());
        const std::string deeper = repeated("[", 65) + repeated("]", 65);
        const auto refused = JsonReader(deeper).read();
        QCOMPARE(refused.error().code, std::string("too_deep"));
        QCOMPARE(refused.error().offset, std::size_t{64});
        const std::string bottomless = repeated("{\"a\":", 1000000);
        QCOMPARE(JsonReader(bottomless).read().error().code, std::string("too_deep"));
    }

    void boundsSize()
    {
        std::string text = "{}";
        text.resize(JsonReader::kMaxBytes, ' ');
        QVERIFY(JsonReader(text).read().has_value());
        text += ' ';
        QCOMPARE(JsonReader(text).read().error().code, std::string("too_large"));
        const std::string many = "[0" + repeated(",0", 1000000) + "]";
        QCOMPARE(JsonReader(many).read().error().code, std::string("too_large"));
    }

    void numbersThatNoDoubleHolds()
    {
        QVERIFY(std::isnan(parseJsonNumber("1e400").value()));
        QVERIFY(std::isnan(parseJsonNumber("-1e999999999999999999999").value()));
        QVERIFY(std::isnan(parseJsonNumber("1e-400").value()));
        QCOMPARE(parseJsonNumber("1" + repeated("0", 300)).value(), 1e300);
        QVERIFY(!parseJsonNumber("").has_value());
        QVERIFY(!parseJsonNumber("1 ").has_value());
        QVERIFY(!parseJsonNumber("nan").has_value());
    }

    void positionsCountCharactersAndEveryKindOfLineEnd()
    {
        const std::string text = "\xEF\xBB\xBF" "aä世b\nc\r\nd\re";
        const PositionIndex index(text);
        const auto at = [&](char c) { return index.at(text.find(c)); };
        QCOMPARE(index.at(0), (Position{1, 1}));
        QCOMPARE(at('a'), (Position{1, 1}));
        QCOMPARE(at('b'), (Position{1, 4}));
        QCOMPARE(at('c'), (Position{2, 1}));
        QCOMPARE(at('d'), (Position{3, 1}));
        QCOMPARE(at('e'), (Position{4, 1}));
        QCOMPARE(index.at(text.size()), (Position{4, 2}));
        QCOMPARE(index.at(text.size() + 100), (Position{4, 2}));
    }

    void positionsAcrossBlocksAgreeWithCountingFromTheStart()
    {
        std::string text;
        for (int i = 0; i < 900; ++i) {
            text += i % 7 == 0 ? "ä\r\n" : i % 11 == 0 ? "世\r" : i % 5 == 0 ? "\n" : "word ";
        }
        const PositionIndex index(text);
        Position expected{1, 1};
        for (std::size_t i = 0; i < text.size(); ++i) {
            QCOMPARE(index.at(i), expected);
            const bool crBeforeLf = text[i] == '\r' && text[i + 1] == '\n';
            const bool lastByteOfCharacter = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
            if (text[i] == '\n' || (text[i] == '\r' && !crBeforeLf)) {
                expected = Position{expected.line + 1, 1};
            } else if (lastByteOfCharacter) {
                ++expected.column;
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestJsonReader)
#include "TestJsonReader.moc"
