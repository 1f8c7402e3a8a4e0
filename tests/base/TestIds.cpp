// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Ids.h"

#include "core/base/Handles.h" // after Ids.h: moc 6.4 stumbles over a file that begins with <compare>

#include <QTest>

#include <set>
#include <type_traits>
#include <unordered_set>

using namespace weir;

namespace {

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

// Ids that are refused whatever they name.
const std::vector<std::pair<const char*, QByteArray>>& badEverywhere()
{
    static const std::vector<std::pair<const char*, QByteArray>> kTable{
        {"empty", ""},
        {"64 characters", QByteArray(64, 'a')},
        {"very long", QByteArray(100'000, 'a')},
        {"leading dot", ".a"},
        {"leading dash", "-a"},
        {"leading underscore", "_a"},
        {"a mark alone", "-"},
        {"leading space", " a"},
        {"trailing space", "a "},
        {"inner space", "a b"},
        {"trailing newline", "a\n"},
        {"tab", "a\tb"},
        {"NUL inside", QByteArray("a\0b", 3)},
        {"NUL at the end", QByteArray("a\0", 2)},
        {"control 0x01", "a\x01"},
        {"DEL", "a\x7F"},
        {"slash", "a/b"},
        {"colon", "a:b"},
        {"percent", "a%41"},
        {"plus", "a+b"},
        {"quote", "a'b"},
        {"zero width space",
            "a\xE2\x80\x8B"
            "b"},
        {"zero width joiner",
            "a\xE2\x80\x8D"
            "b"},
        {"byte order mark",
            "\xEF\xBB\xBF"
            "a"},
        {"soft hyphen",
            "a\xC2\xAD"
            "b"},
        {"right-to-left override",
            "a\xE2\x80\xAE"
            "b"},
        {"no-break space",
            "a\xC2\xA0"
            "b"},
        {"Cyrillic a", "\xD0\xB0"},
        {"full-width digit", "\xEF\xBC\x91"},
        {"accent", "caf\xC3\xA9"},
        {"stray high byte", "a\xFF"},
    };
    return kTable;
}

} // namespace

class TestIds : public QObject {
    Q_OBJECT

private slots:
    void anyCaseIds_data();
    void anyCaseIds();
    void poolIds_data();
    void poolIds();
    void namedPools_data();
    void namedPools();
    void streams_data();
    void streams();
    void theErrorNamesFieldRuleAndPlace_data();
    void theErrorNamesFieldRuleAndPlace();
    void everyByteAsFirstAndAsSecond();
    void userPools();
    void order();
    void foldingIsAsciiOnly();
    void handles();
};

void TestIds::anyCaseIds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");

    QTest::newRow("one letter") << QByteArray("a") << true;
    QTest::newRow("one digit") << QByteArray("7") << true;
    QTest::newRow("upper case") << QByteArray("GPU-1") << true;
    QTest::newRow("all marks") << QByteArray("a.b_c-d") << true;
    QTest::newRow("marks in a row") << QByteArray("a..--__") << true;
    QTest::newRow("reserved word") << QByteArray("default") << true;
    QTest::newRow("pool prefix") << QByteArray("pool-7") << true;
    QTest::newRow("62 characters") << QByteArray(62, 'Z') << true;
    QTest::newRow("63 characters") << QByteArray(63, 'a') << true;
    for (const auto& [name, text] : badEverywhere()) {
        QTest::newRow(name) << text << false;
    }
}

void TestIds::anyCaseIds()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);

    const auto node = NodeId::parse(view(text), "nodeId");
    const auto user = UserId::parse(view(text), "owner");
    const auto app = AppId::parse(view(text), "appId");
    QCOMPARE(node.has_value(), good);
    QCOMPARE(user.has_value(), good);
    QCOMPARE(app.has_value(), good);
    if (good) {
        QCOMPARE(node->text(), text.toStdString());
        QCOMPARE(user->text(), text.toStdString());
        QCOMPARE(app->text(), text.toStdString());
        QVERIFY(!node->isEmpty());
    } else {
        QCOMPARE(node.error().code, std::string("invalid_id"));
        QCOMPARE(node.error().field, std::string("nodeId"));
        QCOMPARE(user.error().field, std::string("owner"));
        QCOMPARE(app.error().field, std::string("appId"));
    }
}

void TestIds::poolIds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");

    QTest::newRow("default") << QByteArray("default") << true;
    QTest::newRow("unassigned") << QByteArray("unassigned") << true;
    QTest::newRow("named") << QByteArray("canary-2.eu_west") << true;
    QTest::newRow("63 characters") << QByteArray(63, 'a') << true;
    QTest::newRow("upper case in a named pool") << QByteArray("Canary") << false;
    QTest::newRow("upper case at the end") << QByteArray("canarY") << false;
    QTest::newRow("user pool") << QByteArray("pool-7") << true;
    QTest::newRow("user pool with upper case") << QByteArray("pool-Alice.B") << true;
    QTest::newRow("user pool of the longest user id") << "pool-" + QByteArray(63, 'u') << true;
    QTest::newRow("user pool of too long a user id") << "pool-" + QByteArray(64, 'u') << false;
    QTest::newRow("user pool of nobody") << QByteArray("pool-") << false;
    QTest::newRow("user pool of a mark") << QByteArray("pool--7") << false;
    QTest::newRow("user pool with a zero width space") << QByteArray("pool-7\xE2\x80\x8B") << false;
    QTest::newRow("prefix in upper case") << QByteArray("Pool-7") << false;
    for (const auto& [name, text] : badEverywhere()) {
        QTest::newRow(name) << text << false;
    }
}

void TestIds::poolIds()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);

    const auto pool = PoolId::parse(view(text), "poolId");
    QCOMPARE(pool.has_value(), good);
    if (good) {
        QCOMPARE(pool->text(), text.toStdString());
    } else {
        QCOMPARE(pool.error().code, std::string("invalid_id"));
        QCOMPARE(pool.error().field, std::string("poolId"));
    }
}

void TestIds::namedPools_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");

    QTest::newRow("plain") << QByteArray("canary") << QByteArray();
    QTest::newRow("the word pool") << QByteArray("pool") << QByteArray();
    QTest::newRow("pool with another mark") << QByteArray("pool.7") << QByteArray();
    QTest::newRow("begins like default") << QByteArray("default2") << QByteArray();
    QTest::newRow("63 characters") << QByteArray(63, 'a') << QByteArray();
    QTest::newRow("default") << QByteArray("default") << QByteArray("builtin_pool");
    QTest::newRow("unassigned") << QByteArray("unassigned") << QByteArray("builtin_pool");
    QTest::newRow("user pool") << QByteArray("pool-7") << QByteArray("builtin_pool");
    QTest::newRow("user pool prefix alone") << QByteArray("pool-") << QByteArray("builtin_pool");
    QTest::newRow("default in upper case") << QByteArray("DEFAULT") << QByteArray("invalid_id");
    for (const auto& [name, text] : badEverywhere()) {
        QTest::newRow(name) << text << QByteArray("invalid_id");
    }
}

void TestIds::namedPools()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, code);

    const auto pool = parseNamedPool(view(text), "poolId");
    QCOMPARE(pool.has_value(), code.isEmpty());
    if (pool) {
        QCOMPARE(pool->text(), text.toStdString());
        QVERIFY(!isBuiltInPool(pool->text()));
    } else {
        QCOMPARE(pool.error().code, code.toStdString());
        QCOMPARE(pool.error().field, std::string("poolId"));
    }
}

void TestIds::streams_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("good");

    QTest::newRow("one byte") << QByteArray("a") << true;
    QTest::newRow("spaces and marks") << QByteArray(" live show (1) ?#%..\\") << true;
    QTest::newRow("dots alone") << QByteArray("..") << true;
    QTest::newRow("200 bytes") << QByteArray(200, 's') << true;
    QTest::newRow("200 bytes of CJK and ASCII") << QByteArray("\xE4\xB8\xAD").repeated(66) + "ab" << true;
    QTest::newRow("first two-byte character that is no control, U+00A0") << QByteArray("\xC2\xA0") << true;
    QTest::newRow("last two-byte, U+07FF") << QByteArray("\xDF\xBF") << true;
    QTest::newRow("first three-byte, U+0800") << QByteArray("\xE0\xA0\x80") << true;
    QTest::newRow("below the surrogates, U+D7FF") << QByteArray("\xED\x9F\xBF") << true;
    QTest::newRow("above the surrogates, U+E000") << QByteArray("\xEE\x80\x80") << true;
    QTest::newRow("last three-byte, U+FFFF") << QByteArray("\xEF\xBF\xBF") << true;
    QTest::newRow("first four-byte, U+10000") << QByteArray("\xF0\x90\x80\x80") << true;
    QTest::newRow("last, U+10FFFF") << QByteArray("\xF4\x8F\xBF\xBF") << true;
    QTest::newRow("emoji joined with a zero width joiner") << QByteArray("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB") << true;

    QTest::newRow("empty") << QByteArray("") << false;
    QTest::newRow("201 bytes") << QByteArray(201, 's') << false;
    QTest::newRow("67 characters, 201 bytes") << QByteArray("\xE4\xB8\xAD").repeated(67) << false;
    QTest::newRow("slash") << QByteArray("a/b") << false;
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
    QTest::newRow("newline") << QByteArray("a\n") << false;
    QTest::newRow("unit separator 0x1F") << QByteArray("\x1F") << false;
    QTest::newRow("DEL") << QByteArray("a\x7F") << false;
    QTest::newRow("C1 control U+0080") << QByteArray("a\xC2\x80") << false;
    QTest::newRow("C1 control U+009F") << QByteArray("a\xC2\x9F") << false;
    QTest::newRow("overlong slash, two bytes") << QByteArray("a\xC0\xAF") << false;
    QTest::newRow("overlong slash, three bytes") << QByteArray("a\xE0\x80\xAF") << false;
    QTest::newRow("overlong slash, four bytes") << QByteArray("a\xF0\x80\x80\xAF") << false;
    QTest::newRow("overlong NUL") << QByteArray("\xC0\x80") << false;
    QTest::newRow("overlong U+007F") << QByteArray("\xC1\xBF") << false;
    QTest::newRow("overlong U+07FF") << QByteArray("\xE0\x9F\xBF") << false;
    QTest::newRow("overlong U+FFFF") << QByteArray("\xF0\x8F\xBF\xBF") << false;
    QTest::newRow("first surrogate U+D800") << QByteArray("\xED\xA0\x80") << false;
    QTest::newRow("last surrogate U+DFFF") << QByteArray("\xED\xBF\xBF") << false;
    QTest::newRow("beyond Unicode, U+110000") << QByteArray("\xF4\x90\x80\x80") << false;
    QTest::newRow("five-byte form") << QByteArray("\xF8\x88\x80\x80\x80") << false;
    QTest::newRow("0xFE") << QByteArray("\xFE") << false;
    QTest::newRow("continuation alone") << QByteArray("a\x80") << false;
    QTest::newRow("two bytes cut off") << QByteArray("a\xC3") << false;
    QTest::newRow("three bytes cut off") << QByteArray("a\xE4\xB8") << false;
    QTest::newRow("four bytes cut off") << QByteArray("a\xF0\x9F\x91") << false;
    QTest::newRow("a head instead of a continuation") << QByteArray("\xE4\xC3\xA9") << false;
}

void TestIds::streams()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, good);

    const auto stream = parseStream(view(text), "stream");
    QCOMPARE(stream.has_value(), good);
    if (good) {
        QCOMPARE(*stream, text.toStdString());
    } else {
        QCOMPARE(stream.error().code, std::string("invalid_id"));
        QCOMPARE(stream.error().field, std::string("stream"));
    }
}

void TestIds::theErrorNamesFieldRuleAndPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");

    QTest::newRow("empty") << QByteArray("") << QByteArray("nodeId is empty");
    QTest::newRow("space") << QByteArray("a b") << QByteArray("nodeId has 0x20 at position 2");
    QTest::newRow("printable") << QByteArray("ab/c") << QByteArray("nodeId has '/' at position 3");
    QTest::newRow("leading mark") << QByteArray("-a") << QByteArray("nodeId has '-' at position 1");
    QTest::newRow("zero width space") << QByteArray("gpu\xE2\x80\x8B") << QByteArray("nodeId has 0xE2 at position 4");
    QTest::newRow("NUL") << QByteArray("a\0", 2) << QByteArray("nodeId has 0x00 at position 2");
    QTest::newRow("long") << QByteArray(64, 'a') << QByteArray("nodeId has 64 characters");
}

void TestIds::theErrorNamesFieldRuleAndPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);

    const auto node = NodeId::parse(view(text), "nodeId");
    QVERIFY(!node.has_value());
    const QByteArray message = QByteArray::fromStdString(node.error().message);
    QVERIFY2(message.startsWith(says), message.constData());
    QVERIFY2(message.contains("at most 63 characters"), message.constData());
    // What was sent never comes back raw: the message goes to logs and screens.
    for (const char c : message) {
        QVERIFY2(c >= 0x20 && c < 0x7F, message.constData());
    }
}

void TestIds::everyByteAsFirstAndAsSecond()
{
    const auto isLower = [](int c) { return c >= 'a' && c <= 'z'; };
    const auto isUpper = [](int c) { return c >= 'A' && c <= 'Z'; };
    const auto isDigit = [](int c) { return c >= '0' && c <= '9'; };
    const auto isMark = [](int c) { return c == '.' || c == '_' || c == '-'; };
    for (int c = 0; c < 256; ++c) {
        const std::string first(1, static_cast<char>(c));
        const std::string second = "a" + first;
        const bool letterOrDigit = isLower(c) || isUpper(c) || isDigit(c);
        QCOMPARE(NodeId::parse(first, "f").has_value(), letterOrDigit);
        QCOMPARE(NodeId::parse(second, "f").has_value(), letterOrDigit || isMark(c));
        QCOMPARE(PoolId::parse(first, "f").has_value(), letterOrDigit && !isUpper(c));
        QCOMPARE(PoolId::parse(second, "f").has_value(), (letterOrDigit && !isUpper(c)) || isMark(c));
        QCOMPARE(parseStream(second, "f").has_value(), c >= 0x20 && c < 0x7F && c != '/');
    }
}

void TestIds::userPools()
{
    const UserId user = UserId::trusted("Alice");
    const PoolId pool = userPoolOf(user);
    QCOMPARE(pool.text(), std::string("pool-Alice"));
    QVERIFY(PoolId::parse(pool.text(), "poolId").has_value());
    QVERIFY(isBuiltInPool(pool.text()));
    QVERIFY(isBuiltInPool("default"));
    QVERIFY(isBuiltInPool("unassigned"));
    QVERIFY(!isBuiltInPool("canary"));
    QVERIFY(!isBuiltInPool(""));
    QVERIFY(!isBuiltInPool("Default"));
}

void TestIds::order()
{
    const std::set<NodeId> ids{NodeId::trusted("w2"), NodeId::trusted("w10"), NodeId::trusted("W3"), NodeId::trusted("w")};
    std::vector<std::string> texts;
    for (const NodeId& id : ids) {
        texts.push_back(id.text());
    }
    QCOMPARE(texts, (std::vector<std::string>{"W3", "w", "w10", "w2"}));

    const std::unordered_set<NodeId> hashed{NodeId::trusted("a"), NodeId::trusted("a"), NodeId::trusted("A")};
    QCOMPARE(hashed.size(), std::size_t{2});
    QVERIFY(NodeId().isEmpty());
}

void TestIds::foldingIsAsciiOnly()
{
    QCOMPARE(foldCase("GPU-1_Z.a"), std::string("gpu-1_z.a"));
    QCOMPARE(foldCase("@[`{"), std::string("@[`{"));
    QCOMPARE(foldCase("\xC3\x84"), std::string("\xC3\x84"));
    QCOMPARE(foldCase(""), std::string());
}

void TestIds::handles()
{
    static_assert(!std::is_convertible_v<NodeHandle, PoolHandle>, "a node is no pool");
    static_assert(!std::is_convertible_v<std::uint32_t, NodeHandle>, "a number is no node");
    QVERIFY(!NodeHandle().isValid());
    QVERIFY(NodeHandle(0).isValid());
    QVERIFY(NodeHandle(1) < NodeHandle(2));
    QCOMPARE(NodeHandle(7).value(), 7U);
    const std::unordered_set<NodeHandle> hashed{NodeHandle(1), NodeHandle(1), NodeHandle(2)};
    QCOMPARE(hashed.size(), std::size_t{2});
}

QTEST_GUILESS_MAIN(TestIds)
#include "TestIds.moc"
