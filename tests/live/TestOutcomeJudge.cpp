// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/OutcomeJudge.h"

#include <QTest>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace weir;
using live::OutcomeVerdict;

namespace {

struct World {
    ManualClock clock;
    live::LiveFleet fleet{clock, {}, {}};
    live::OutcomeJudge judge{fleet};
    NodeHandle node = add("a");
    std::uint64_t birth = birthOf(node);

    NodeHandle add(const char* id)
    {
        return fleet.with([&](fleet::Fleet& live, Instant now) {
            fleet::NodeSpec spec;
            spec.id = NodeId::trusted(id);
            spec.role = Role::Worker;
            spec.pool = live.defaultPool();
            spec.url = "http://127.0.0.1:1";
            const NodeHandle added = *live.addNode(spec, now);
            live.probeEnded({added, live.node(added).generation, now, true, {}, {}}, now);
            return added;
        });
    }
    std::uint64_t birthOf(NodeHandle handle)
    {
        return fleet.read([&](const fleet::Fleet& live, Instant) { return live.node(handle).birth; });
    }
    void setRules(std::vector<outcome::RuleSettings> rules)
    {
        outcome::OutcomeSettings settings;
        settings.rules = std::move(rules);
        judge.setBook(std::make_shared<const outcome::OutcomeBook>(*outcome::OutcomeBook::compile(settings)));
    }
    OutcomeVerdict answer(int status, std::string_view body = {})
    {
        routing::ResponseView response;
        response.status = status;
        response.body = body;
        return judge.judge(node, birth, {nullptr, &response}, {});
    }
};

const outcome::RuleSettings kDiskFull{"disk-full", "res_json_in(\"code\", \"50007\")", 3};
constexpr std::string_view kFull = "{\"code\":50007}";

} // namespace

class TestOutcomeJudge : public QObject {
    Q_OBJECT

private slots:
    void verdicts();
    void aRuleEjectsTheThirdTime();
    void otherRulesBeginAnew();
    void aNodeThatIsGone();
    void rowsAreMadeAgain();
    void threads();
};

void TestOutcomeJudge::verdicts()
{
    World world;
    OutcomeVerdict verdict = world.answer(200);
    QVERIFY(verdict.word == OutcomeVerdict::Word::Ok && verdict.isClean && verdict.inRotation);
    verdict = world.answer(404);
    QVERIFY(verdict.word == OutcomeVerdict::Word::Ok && !verdict.isClean);
    verdict = world.judge.judge(world.node, world.birth, {}, "refused");
    QCOMPARE(verdict.word, OutcomeVerdict::Word::Ejected);
    QCOMPARE(verdict.rule, std::string("built_in"));
    QCOMPARE(verdict.text, std::string("refused"));
    QCOMPARE(verdict.bucket, outcome::Bucket::Transport);
    QVERIFY(!verdict.inRotation);
    QCOMPARE(verdict.quarantineRemaining, Duration(std::chrono::seconds(60)));
    verdict = world.answer(401);
    QCOMPARE(verdict.word, OutcomeVerdict::Word::Ignored);
    QCOMPARE(verdict.text, std::string("status:401"));
    QVERIFY(world.judge.counts(world.node) == (outcome::TrafficCounts{2, 1, 1, 0}));
    QCOMPARE(live::toText(verdict.word), std::string_view("ignored"));
}

void TestOutcomeJudge::aRuleEjectsTheThirdTime()
{
    World world;
    world.setRules({kDiskFull});
    for (int i = 0; i < 2; ++i) {
        const OutcomeVerdict verdict = world.answer(200, kFull);
        QCOMPARE(verdict.word, OutcomeVerdict::Word::Counted);
        QCOMPARE(verdict.rule, std::string("disk-full"));
        QVERIFY(verdict.inRotation && !verdict.isClean);
    }
    const OutcomeVerdict verdict = world.answer(200, kFull);
    QCOMPARE(verdict.word, OutcomeVerdict::Word::Ejected);
    QCOMPARE(verdict.bucket, outcome::Bucket::Semantic);
    const std::string cause =
        world.fleet.read([&](const fleet::Fleet& live, Instant) { return live.node(world.node).trouble.passiveOutcome; });
    QCOMPARE(cause, std::string("rule:disk-full"));
}

void TestOutcomeJudge::otherRulesBeginAnew()
{
    World world;
    world.setRules({kDiskFull});
    world.answer(200, kFull);
    world.answer(200, kFull);
    world.setRules({kDiskFull});
    QCOMPARE(world.answer(200, kFull).word, OutcomeVerdict::Word::Counted);
    QCOMPARE(world.judge.counts(world.node).semantic, 3U);
    world.setRules({});
    QCOMPARE(world.answer(200, kFull).word, OutcomeVerdict::Word::Ok);
}

void TestOutcomeJudge::aNodeThatIsGone()
{
    World world;
    world.answer(200);
    QCOMPARE(world.judge.judge(world.node, world.birth + 1, {}, "refused").word, OutcomeVerdict::Word::Ignored);
    QCOMPARE(world.judge.judge(NodeHandle(77), 1, {}, "refused").word, OutcomeVerdict::Word::Ignored);
    QCOMPARE(world.judge.counts(NodeHandle(77)).total(), 0U);
    world.fleet.with([&](fleet::Fleet& live, Instant now) { live.removeNode(world.node, now); });
    QCOMPARE(world.answer(500).word, OutcomeVerdict::Word::Ignored);
    QCOMPARE(world.judge.counts(world.node).total(), 1U);
    world.judge.forget(world.node);
    QCOMPARE(world.judge.counts(world.node).total(), 0U);
}

void TestOutcomeJudge::rowsAreMadeAgain()
{
    World world;
    const auto changedNodes = [&] {
        std::vector<NodeHandle> nodes;
        world.judge.takeChanged(nodes);
        return nodes.size();
    };
    QCOMPARE(changedNodes(), std::size_t{0});
    world.answer(200);
    world.answer(200);
    QCOMPARE(changedNodes(), std::size_t{1});
    QCOMPARE(changedNodes(), std::size_t{0});
    world.clock.advance(std::chrono::minutes(6));
    QCOMPARE(changedNodes(), std::size_t{1}); // two answers no longer count
    QCOMPARE(world.judge.counts(world.node).total(), 0U);
    world.clock.advance(std::chrono::minutes(6));
    QCOMPARE(changedNodes(), std::size_t{0});
}

void TestOutcomeJudge::threads()
{
    World world;
    world.setRules({{"never", "res_json_in(\"code\", \"1\")", 3}});
    std::atomic<bool> stop = false;
    std::thread swapper([&] {
        while (!stop) {
            world.setRules({{"never", "res_json_in(\"code\", \"1\")", 3}, {"other", "res_code_in(\"201\")", 1000}});
            std::vector<NodeHandle> changed;
            world.judge.takeChanged(changed);
        }
    });
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 500; ++i) {
                world.answer(i % 2 == 0 ? 200 : 404, "{\"code\":2}");
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    stop = true;
    swapper.join();
    QCOMPARE(world.judge.counts(world.node).ok, 1500U);
}

QTEST_GUILESS_MAIN(TestOutcomeJudge)
#include "TestOutcomeJudge.moc"
