// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/Exchange.h"

#include <QTest>

#include <array>
#include <vector>

using namespace weir::routing;

class TestExchange : public QObject {
    Q_OBJECT

private slots:
    void targets_data();
    void targets();
    void headersOfBothKinds();
    void contextAndTags();
};

void TestExchange::targets_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("authority");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("query");

    const auto row = [](const char* target, const char* authority, const char* path, const char* query) {
        QTest::newRow(target) << QByteArray(target) << QByteArray(authority) << QByteArray(path) << QByteArray(query);
    };
    row("/", "", "/", "");
    row("/a?x=1?y", "", "/a", "x=1?y");
    row("/a%20b%2Fc?x=%20", "", "/a b/c", "x=%20");
    row("/a%zz%4", "", "/a%zz%4", "");
    row("*", "", "*", "");
    row("http://example.org", "example.org", "", "");
    row("http://example.org?a=b", "example.org", "", "a=b");
    row("http://example.org:81/a/../b", "example.org:81", "/a/../b", "");
    row("/x?u=http://other/", "", "/x", "u=http://other/");
    row("//other/x", "", "//other/x", "");
}

void TestExchange::targets()
{
    QFETCH(QByteArray, target);
    std::string scratch;
    const std::string text = target.toStdString();
    const TargetParts parts = splitTarget(text, scratch);
    QTEST(QByteArray(parts.authority.data(), static_cast<qsizetype>(parts.authority.size())), "authority");
    QTEST(QByteArray(parts.path.data(), static_cast<qsizetype>(parts.path.size())), "path");
    QTEST(QByteArray(parts.query.data(), static_cast<qsizetype>(parts.query.size())), "query");
    QVERIFY(target.contains('%') || scratch.empty());
}

void TestExchange::headersOfBothKinds()
{
    const std::vector<std::pair<std::string, std::string>> pairs{{"X-A", "1"}, {"x-a", "2"}};
    const std::array<HeaderField, 1> views{HeaderField{"X-B", "3"}};
    QCOMPARE(HeaderFields(pairs).first("x-A"), std::string_view("1"));
    QCOMPARE(HeaderFields(pairs).at(1).value, std::string_view("2"));
    QCOMPARE(HeaderFields(views).first("x-b"), std::string_view("3"));
    QCOMPARE(HeaderFields(views).first("x-a"), std::string_view());
    QCOMPARE(HeaderFields().size(), std::size_t{0});
}

void TestExchange::contextAndTags()
{
    Context context;
    QVERIFY(!context.value("a"));
    context.set("a", "1");
    context.set("a", "2");
    QVERIFY(context.value("a") == std::string_view("2"));
    context.addTag("t", "b:90");
    QVERIFY(context.hasTag("t", "b"));
    QVERIFY(!context.hasTag("t", "b:90"));
    QVERIFY(!context.hasTag("u", "b"));
}

QTEST_GUILESS_MAIN(TestExchange)
#include "TestExchange.moc"
