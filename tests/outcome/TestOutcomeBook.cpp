// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/outcome/NodeOutcomes.h"
#include "core/outcome/OutcomeBook.h"

#include <QTest>

#include <string>

using namespace weir;
using namespace weir::outcome;

namespace {

OutcomeSettings settingsWith(std::vector<RuleSettings> rules)
{
    OutcomeSettings settings;
    settings.rules = std::move(rules);
    return settings;
}

const RuleSettings kDiskFull{"disk-full", "res_code_in(\"200|400\") && res_json_in(\"code\", \"50007|50013\")", 3};

Judged judgedOf(const OutcomeBook& book, int status, std::string_view body)
{
    routing::ResponseView response;
    response.status = status;
    response.body = body;
    return book.judge({nullptr, &response}, {});
}

Instant at(int seconds)
{
    return Instant(std::chrono::seconds(seconds));
}

} // namespace

class TestOutcomeBook : public QObject {
    Q_OBJECT

private slots:
    void statuses();
    void faults_data();
    void faults();
    void faultsInAConditionHavePlaces();
    void theBuiltInRuleComesFirst();
    void threeInARowAreAPassiveFailure();
    void whatEndsARow();
    void twoRulesCountForThemselves();
    void trafficOfFiveMinutes();
};

void TestOutcomeBook::statuses()
{
    for (const char* text : {"401", "5xx", "300", "599"}) {
        QCOMPARE(QByteArray::fromStdString(passiveStatusText(*parsePassiveStatus(text))), QByteArray(text));
    }
    for (const char* text : {"", "2xx", "200", "600", "5XX", "50x", "0401", "500-599"}) {
        QVERIFY2(!parsePassiveStatus(text), text);
    }
}

void TestOutcomeBook::faults_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("when");
    QTest::addColumn<int>("after");
    QTest::addColumn<QByteArray>("expected"); // member and code
    const auto row = [](const char* name, const char* when, int after, const char* expected) {
        QTest::addRow("%s %s %d", name, when, after) << QByteArray(name) << QByteArray(when) << after << QByteArray(expected);
    };
    row("a", "default_t()", 1, "");
    row("a", "default_t()", 1000, "");
    row("", "default_t()", 3, "name invalid_id");
    row("a b", "default_t()", 3, "name invalid_id");
    row("built_in", "default_t()", 3, "name invalid_value");
    row("a", "default_t()", 0, "after out_of_range");
    row("a", "default_t()", 1001, "after out_of_range");
    row("a", "", 3, "when syntax");
    row("a", "res_json_in(\"code\")", 3, "when arity");
}

void TestOutcomeBook::faults()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, when);
    QFETCH(int, after);
    QFETCH(QByteArray, expected);
    const auto book = OutcomeBook::compile(settingsWith({{name.toStdString(), when.toStdString(), after}}));
    QCOMPARE(book.has_value(), expected.isEmpty());
    if (!book) {
        QCOMPARE(QByteArray::fromStdString(book.error().front().member + ' ' + book.error().front().code), expected);
    }
}

void TestOutcomeBook::faultsInAConditionHavePlaces()
{
    const auto book =
        OutcomeBook::compile(settingsWith({kDiskFull, {"x", "default_t() &&\n  (res_code(\"200\") || y)", 3}, {"x", "default_t()", 3}}));
    QVERIFY(!book);
    QCOMPARE(book.error().size(), std::size_t{3});
    QCOMPARE(book.error()[0].rule, std::size_t{1});
    QVERIFY(book.error()[0].place == (routing::Place{2, 4}));
    QVERIFY(book.error()[1].place == (routing::Place{2, 23}));
    QCOMPARE(book.error()[2].code, std::string("duplicate"));

    const std::vector<RuleSettings> many(kMaxRules + 1, kDiskFull);
    QCOMPARE(OutcomeBook::compile(settingsWith(many)).error().front().code, std::string("too_many"));
}

void TestOutcomeBook::theBuiltInRuleComesFirst()
{
    const auto book = OutcomeBook::compile(settingsWith({{"all", "default_t()", 1}}));
    QCOMPARE(judgedOf(*book, 500, {}).bucket, Bucket::Status);
    QCOMPARE(judgedOf(*book, 500, {}).matched, 0U);
    QCOMPARE(judgedOf(*book, 200, {}).bucket, Bucket::Semantic);
    QCOMPARE(book->judge({}, "refused").bucket, Bucket::Transport);
    QCOMPARE(book->judge({}, {}).bucket, Bucket::Transport); // no answer and no word why
    QVERIFY(!book->needsBody());
    QVERIFY(OutcomeBook::compile(settingsWith({kDiskFull}))->needsBody());
    // A cluster's own statuses.
    routing::ResponseView response;
    response.status = 401;
    const OutcomeRules onlyServerErrors({{500, 599}});
    const OutcomeBook plain;
    QCOMPARE(plain.judge({nullptr, &response}, {}).bucket, Bucket::Status);
    QCOMPARE(plain.judge({nullptr, &response}, {}, &onlyServerErrors).bucket, Bucket::None);
}

void TestOutcomeBook::threeInARowAreAPassiveFailure()
{
    const auto book = OutcomeBook::compile(settingsWith({kDiskFull}));
    NodeOutcomes node;
    const Judged full = judgedOf(*book, 200, "{\"code\": 50007}");
    QCOMPARE(full.bucket, Bucket::Semantic);
    for (const bool last : {false, false, true, false, false, true}) {
        const NodeOutcomes::Step step = node.add(full, *book, at(1));
        QCOMPARE(step.isPassiveFailure, last);
        QVERIFY(step.rule == std::size_t{0});
    }
}

void TestOutcomeBook::whatEndsARow()
{
    const auto book = OutcomeBook::compile(settingsWith({kDiskFull}));
    const Judged full = judgedOf(*book, 400, "{\"code\": 50013}");
    const Judged clean = judgedOf(*book, 200, "{\"code\": 0}");
    const Judged client = judgedOf(*book, 404, "{}");
    const auto thirdEjects = [&](const Judged& between) {
        NodeOutcomes node;
        node.add(full, *book, at(1));
        node.add(full, *book, at(1));
        node.add(between, *book, at(1));
        return node.add(full, *book, at(1)).isPassiveFailure;
    };
    QVERIFY(!thirdEjects(clean));
    QVERIFY(thirdEjects(client)); // says nothing about the node
    NodeOutcomes node;
    node.add(full, *book, at(1));
    node.add(full, *book, at(1));
    node.forgetRuns();
    QVERIFY(!node.add(full, *book, at(1)).isPassiveFailure);
}

void TestOutcomeBook::twoRulesCountForThemselves()
{
    const auto book =
        OutcomeBook::compile(settingsWith({{"wide", "res_code_in(\"200\")", 10}, {"narrow", "res_json_in(\"code\", \"7\")", 2}}));
    NodeOutcomes node;
    const Judged both = judgedOf(*book, 200, "{\"code\": 7}");
    QCOMPARE(both.matched, 3U);
    const NodeOutcomes::Step first = node.add(both, *book, at(1));
    QVERIFY(!first.isPassiveFailure && first.rule == std::size_t{0});
    const NodeOutcomes::Step second = node.add(both, *book, at(1));
    QVERIFY(second.isPassiveFailure && second.rule == std::size_t{1});
}

void TestOutcomeBook::trafficOfFiveMinutes()
{
    const auto book = OutcomeBook::compile(settingsWith({kDiskFull}));
    NodeOutcomes node;
    QCOMPARE(node.counts(at(0)).total(), 0U);
    node.add(judgedOf(*book, 200, "{\"code\": 50007}"), *book, at(10));
    node.add(judgedOf(*book, 200, {}), *book, at(20));
    node.add(judgedOf(*book, 404, {}), *book, at(100));
    node.add(judgedOf(*book, 502, {}), *book, at(200));
    node.add(book->judge({}, "timeout"), *book, at(299));
    QVERIFY(node.counts(at(299)) == (TrafficCounts{2, 1, 1, 1}));
    QVERIFY(node.counts(at(330)) == (TrafficCounts{1, 1, 1, 0}));
    QVERIFY(node.counts(at(10000)) == TrafficCounts{});
    node.add(judgedOf(*book, 200, {}), *book, at(310)); // the slot of the first ones is used again
    QVERIFY(node.counts(at(310)) == (TrafficCounts{2, 1, 1, 0}));
}

QTEST_GUILESS_MAIN(TestOutcomeBook)
#include "TestOutcomeBook.moc"
