// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/CaseTables.h"
#include "core/routing/condition/Utf8Text.h"

#include <QChar>
#include <QTest>

#include <string>

using namespace weir::routing;

class TestUtf8Text : public QObject {
    Q_OBJECT

private slots:
    void everyCharacterComesBack();
    void caseIsWhatQtSays();
    void texts_data();
    void texts();
    void brokenBytes();
};

void TestUtf8Text::everyCharacterComesBack()
{
    for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
        if (point >= 0xD800 && point < 0xE000) {
            continue;
        }
        char bytes[4];
        const std::size_t length = writeUtf8(point, bytes);
        const CodePoint read = codePointAt({bytes, length}, 0);
        if (read.value != point || read.text.size() != length) {
            QFAIL(qPrintable(QString::number(point, 16)));
        }
    }
}

// Qt 6.4 has the tables of Unicode 14 too.
void TestUtf8Text::caseIsWhatQtSays()
{
    for (std::uint32_t point = 0x80; point <= 0x10FFFF; ++point) {
        if (point >= 0xD800 && point < 0xE000) {
            continue;
        }
        // Where the full mapping has several characters Qt leaves the simple one out; the database has both.
        const char32_t one = point;
        const QString text = QString::fromUcs4(&one, 1);
        if (text.toUpper().toUcs4().size() != 1 || text.toLower().toUcs4().size() != 1) {
            continue;
        }
        if (simpleUpper(point) != QChar::toUpper(point) || simpleLower(point) != QChar::toLower(point)) {
            QFAIL(qPrintable(
                QStringLiteral("U+%1: %2 and %3").arg(point, 4, 16).arg(simpleUpper(point), 4, 16).arg(simpleLower(point), 4, 16)));
        }
        char before[4];
        char after[8];
        const std::size_t length = writeUtf8(point, before);
        QVERIFY(toUpper({before, length}, after) <= casedRoom(length));
        QVERIFY(toLower({before, length}, after) <= casedRoom(length));
    }
}

void TestUtf8Text::texts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("upper");
    QTest::addColumn<QString>("lower");
    const auto row = [](const char* text, const char* upper, const char* lower) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(upper) << QString::fromUtf8(lower);
    };
    row("aZ09-_", "AZ09-_", "az09-_");
    row("straße", "STRAßE", "straße"); // simple casing: one character each
    row("ǅ", "Ǆ", "ǆ");
    row("中文", "中文", "中文");
    row("ɐ", "Ɐ", "ɐ");
}

void TestUtf8Text::texts()
{
    QFETCH(QString, text);
    QFETCH(QString, upper);
    QFETCH(QString, lower);
    const std::string utf8 = text.toStdString();
    std::string out(casedRoom(utf8.size()), '\0');
    QCOMPARE(QString::fromUtf8(out.data(), static_cast<qsizetype>(toUpper(utf8, out.data()))), upper);
    QCOMPARE(QString::fromUtf8(out.data(), static_cast<qsizetype>(toLower(utf8, out.data()))), lower);
}

void TestUtf8Text::brokenBytes()
{
    for (const std::string_view bytes :
        {std::string_view("\xFF"), std::string_view("\xC3"), std::string_view("\xC0\x80"), std::string_view("\xED\xA0\x80"),
            std::string_view("\xF4\x90\x80\x80"), std::string_view("\xE2\x82"), std::string_view("\x80")}) {
        QVERIFY(codePointAt(bytes, 0).text.empty());
        std::string out(casedRoom(bytes.size()), '\0');
        QCOMPARE(toUpper(bytes, out.data()), bytes.size());
        QCOMPARE(std::string_view(out).substr(0, bytes.size()), bytes);
    }
}

QTEST_GUILESS_MAIN(TestUtf8Text)
#include "TestUtf8Text.moc"
