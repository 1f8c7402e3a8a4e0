// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/SampleFleet.h"
#include "ui/live/NodeFilter.h"

#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestNodeFilter : public QObject {
    Q_OBJECT

private slots:
    void texts_data();
    void texts();
    void unknownKeyKeepsTheResult();
    void switchesAndFacets();
};

void TestNodeFilter::texts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("matches");
    QTest::newRow("nothing") << QString() << 37;
    QTest::newRow("word") << QStringLiteral("gpu") << 2;
    QTest::newRow("word, other case and width") << QStringLiteral("ＧＰＵ") << 2;
    QTest::newRow("and") << QStringLiteral("gpu pool-4") << 1;
    QTest::newRow("key") << QStringLiteral("pool:pool-3") << 12;
    QTest::newRow("or") << QStringLiteral("pool:pool-4|pool-9") << 2;
    QTest::newRow("not") << QStringLiteral("pool:pool-3 -role:recorder") << 10;
    QTest::newRow("state") << QStringLiteral("state:quarantined") << 2;
    QTest::newRow("is") << QStringLiteral("is:disagree") << 2;
    QTest::newRow("negated is") << QStringLiteral("-is:problem role:worker") << 0;
}

void TestNodeFilter::texts()
{
    QFETCH(QString, text);
    QFETCH(int, matches);
    NodeFilter filter;
    QCOMPARE(filter.setText(text), QString());
    int count = 0;
    const QList<NodeRow> rows = test::sampleNodes(1'000'000, 1'000'000);
    for (const NodeRow& row : rows) {
        count += filter.accepts(row, 1'000'000) ? 1 : 0;
    }
    QCOMPARE(count, matches);
}

void TestNodeFilter::unknownKeyKeepsTheResult()
{
    NodeFilter filter;
    QCOMPARE(filter.setText(QStringLiteral("pool:pool-4")), QString());
    const QString error = filter.setText(QStringLiteral("poool:x"));
    QVERIFY2(error.contains(QStringLiteral("poool")) && error.contains(QStringLiteral("did you mean pool?")), qPrintable(error));
    QCOMPARE(filter.text(), QStringLiteral("pool:pool-4"));
    QVERIFY(!filter.accepts(test::healthyNode(QStringLiteral("a"), Role::Edge, QStringLiteral("default"), 0, 0), 0));
}

void TestNodeFilter::switchesAndFacets()
{
    NodeFilter filter;
    const QList<NodeRow> rows = test::sampleNodes(1'000'000, 1'000'000);
    const auto count = [&] { return std::count_if(rows.begin(), rows.end(), [&](const NodeRow& row) { return filter.accepts(row, 1'000'000); }); };
    filter.problemsOnly = true;
    QCOMPARE(count(), 8);
    filter.disagreementOnly = true;
    QCOMPARE(count(), 2);
    filter = {};
    filter.states = {QStringLiteral("draining"), QStringLiteral("no-data")};
    QCOMPARE(count(), 2);
    filter.roles = {QStringLiteral("origin")};
    QCOMPARE(count(), 1);
}

QTEST_MAIN(TestNodeFilter)
#include "TestNodeFilter.moc"
