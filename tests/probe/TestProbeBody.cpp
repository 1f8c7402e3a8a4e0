// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/ProbeBody.h"

#include <QString>
#include <QTest>

using weir::probe::ProbeBody;
using weir::probe::readProbeBody;

class TestProbeBody : public QObject {
    Q_OBJECT
private slots:
    void keepsTheFieldsOfAnObject();
    void dropsFieldsOfAnotherType();
    void boundsWhatItKeeps();
    void keepsTheRestAsText_data();
    void keepsTheRestAsText();
    void cutsTextBetweenCharacters();
    void keepsBinaryReadable();
};

void TestProbeBody::keepsTheFieldsOfAnObject()
{
    const ProbeBody body = readProbeBody(
        R"({"status":"degraded","reason":"dep_down:comfyui","disk_free_gb":3.1,"deps":{"comfyui":false,"change_hair":true},"more":[1,{}]})");
    QCOMPARE(body.status, std::string("degraded"));
    QCOMPARE(body.reason, std::string("dep_down:comfyui"));
    QCOMPARE(body.diskFreeGb.value_or(-1), 3.1);
    const std::vector<std::pair<std::string, bool>> deps{{"comfyui", false}, {"change_hair", true}};
    QCOMPARE(body.deps, deps);
    QVERIFY(body.text.empty());
    QCOMPARE(readProbeBody(R"( {"disk_free_gb":7} )").diskFreeGb.value_or(-1), 7.0);
    QVERIFY(readProbeBody("{}").text.empty());
}

void TestProbeBody::dropsFieldsOfAnotherType()
{
    const ProbeBody body = readProbeBody(R"({"status":5,"reason":null,"disk_free_gb":"3","deps":{"a":1,"b":true,"c":"x"}})");
    QVERIFY(body.status.empty());
    QVERIFY(body.reason.empty());
    QVERIFY(!body.diskFreeGb.has_value());
    const std::vector<std::pair<std::string, bool>> deps{{"b", true}};
    QCOMPARE(body.deps, deps);
    QVERIFY(readProbeBody(R"({"deps":[true]})").deps.empty());
    QVERIFY(!readProbeBody(R"({"disk_free_gb":1e999})").diskFreeGb.has_value());
}

void TestProbeBody::boundsWhatItKeeps()
{
    std::string deps;
    for (int i = 0; i < 500; ++i) {
        deps += (i == 0 ? "\"d" : ",\"d") + std::to_string(i) + "\":true";
    }
    const ProbeBody body = readProbeBody(R"({"reason":")" + std::string(60'000, 'x') + R"(","status":"a\u0000\nb\u001b[2J","deps":{)" + deps + "}}");
    QCOMPARE(body.reason.size(), std::size_t(1024));
    QCOMPARE(body.deps.size(), std::size_t(64));
    QCOMPARE(body.status, std::string("a\xEF\xBF\xBD b\xEF\xBF\xBD[2J"));
}

void TestProbeBody::keepsTheRestAsText_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("plain") << QByteArray("OK") << QByteArray("OK");
    QTest::newRow("lines") << QByteArray("a\r\nb\tc") << QByteArray("a  b c");
    QTest::newRow("array") << QByteArray("[1,2]") << QByteArray("[1,2]");
    QTest::newRow("number") << QByteArray("200") << QByteArray("200");
    QTest::newRow("object cut off") << QByteArray("{\"status\":\"o") << QByteArray("{\"status\":\"o");
    QTest::newRow("object and more") << QByteArray("{} x") << QByteArray("{} x");
    QTest::newRow("escape sequence") << QByteArray("\x1B[31m") << QByteArray("\xEF\xBF\xBD[31m");
    QTest::newRow("C1 control") << QByteArray("a\xC2\x9B" "b") << QByteArray("a\xEF\xBF\xBD" "b");
    QTest::newRow("Chinese") << QByteArray("\xE5\x81\xA5\xE5\xBA\xB7") << QByteArray("\xE5\x81\xA5\xE5\xBA\xB7");
    QTest::newRow("emoji") << QByteArray("\xF0\x9F\x98\x80") << QByteArray("\xF0\x9F\x98\x80");
    QTest::newRow("overlong") << QByteArray("\xC0\x80") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

void TestProbeBody::keepsTheRestAsText()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    const ProbeBody body = readProbeBody(bytes.toStdString());
    QCOMPARE(QByteArray::fromStdString(body.text), text);
    QVERIFY(body.status.empty() && body.reason.empty() && body.deps.empty() && !body.diskFreeGb);
}

void TestProbeBody::cutsTextBetweenCharacters()
{
    std::string bytes = "x";
    for (int i = 0; i < 20'000; ++i) {
        bytes += "\xE5\x81\xA5";
    }
    const ProbeBody body = readProbeBody(bytes);
    QCOMPARE(body.text, bytes.substr(0, 4096)); // 1 + 3 × 1365
    QCOMPARE(readProbeBody(bytes.substr(1)).text, bytes.substr(1, 4095));
}

void TestProbeBody::keepsBinaryReadable()
{
    std::string bytes;
    for (int i = 0; i < 64 * 1024; ++i) {
        bytes += static_cast<char>((i * 7919) >> 3);
    }
    const ProbeBody binary = readProbeBody(bytes);
    QVERIFY(!binary.text.empty() && binary.text.size() <= 4096);
    for (const char c : binary.text) {
        QVERIFY(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    }
    QCOMPARE(QString::fromStdString(binary.text).toStdString(), binary.text); // well-formed UTF-8

    const std::string deep = "{\"a\":" + std::string(30'000, '[') + std::string(30'000, ']') + "}";
    QCOMPARE(readProbeBody(deep).text, deep.substr(0, 4096));
}

QTEST_GUILESS_MAIN(TestProbeBody)
#include "TestProbeBody.moc"
