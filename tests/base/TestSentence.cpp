// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Sentence.h"

#include <QTest>

#include <vector>

using namespace weir;

class TestSentence : public QObject {
    Q_OBJECT

private slots:
    void placesAreFilled();
    void argumentsAreNotPatterns();
    void wrongPatternsAreSeen();
    void counts_data();
    void counts();
    void lists();
    void secondsRoundUp_data();
    void secondsRoundUp();
};

void TestSentence::placesAreFilled()
{
    QCOMPARE(sentence("%1 of %2 usable", {"3", "5"}), std::string("3 of 5 usable"));
    QCOMPARE(sentence("%2 before %1", {"a", "b"}), std::string("b before a"));
    QCOMPARE(sentence("%1%1", {"x"}), std::string("xx"));
    QCOMPARE(sentence("%9", {"1", "2", "3", "4", "5", "6", "7", "8", "nine"}), std::string("nine"));
    QCOMPARE(sentence("%10", {"a"}), std::string("a0"));
    QCOMPARE(sentence("failing %1 %%", {"40"}), std::string("failing 40 %"));
    QCOMPARE(sentence("", {}), std::string());
}

void TestSentence::argumentsAreNotPatterns()
{
    QCOMPARE(sentence("%1 and %2", {"%2", "%1"}), std::string("%2 and %1"));
    QCOMPARE(sentence("%1", {"50%%"}), std::string("50%%"));
}

void TestSentence::wrongPatternsAreSeen()
{
    QCOMPARE(sentence("%1 of %2", {"3"}), std::string("3 of %2"));
    QCOMPARE(sentence("%0 %x", {"3"}), std::string("%0 %x"));
    QCOMPARE(sentence("100%", {"3"}), std::string("100%"));
    QCOMPARE(sentence("%%1", {"3"}), std::string("%1"));
}

void TestSentence::counts_data()
{
    QTest::addColumn<quint64>("count");
    QTest::addColumn<QByteArray>("plural");
    QTest::addColumn<QByteArray>("text");

    QTest::newRow("none") << quint64(0) << QByteArray() << QByteArray("0 nodes");
    QTest::newRow("one") << quint64(1) << QByteArray() << QByteArray("1 node");
    QTest::newRow("two") << quint64(2) << QByteArray() << QByteArray("2 nodes");
    QTest::newRow("one, own plural") << quint64(1) << QByteArray("nodes away") << QByteArray("1 node");
    QTest::newRow("many, own plural") << quint64(12) << QByteArray("nodes away") << QByteArray("12 nodes away");
}

void TestSentence::counts()
{
    QFETCH(quint64, count);
    QFETCH(QByteArray, plural);
    QFETCH(QByteArray, text);
    QCOMPARE(counted(count, "node", plural.toStdString()), text.toStdString());
}

void TestSentence::lists()
{
    const std::vector<std::string> names{"a", "b", "c", "d"};
    QCOMPARE(listed({}), std::string());
    QCOMPARE(listed(std::span(names).first(1)), std::string("a"));
    QCOMPARE(listed(names), std::string("a, b, c, d"));
    QCOMPARE(listed(names, 4), std::string("a, b, c, d"));
    QCOMPARE(listed(names, 2), std::string("a, b and 2 more"));

    const std::vector<std::string> many(25, "n");
    QVERIFY(listed(many).ends_with("n and 5 more"));
}

void TestSentence::secondsRoundUp_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<int>("whole");

    QTest::newRow("over") << -3.0 << 0;
    QTest::newRow("zero") << 0.0 << 0;
    QTest::newRow("a moment left") << 0.001 << 1;
    QTest::newRow("exact") << 42.0 << 42;
    QTest::newRow("a little more") << 42.01 << 43;
    QTest::newRow("exact but for rounding") << 0.1 * 3 * 10 << 3;
}

void TestSentence::secondsRoundUp()
{
    QFETCH(double, seconds);
    QFETCH(int, whole);
    QCOMPARE(wholeSecondsUp(seconds), long{whole});
}

QTEST_GUILESS_MAIN(TestSentence)
#include "TestSentence.moc"
