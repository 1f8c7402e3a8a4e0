// SPDX-License-Identifier: GPL-3.0-or-later
// What /metrics says of the modules: kinds add up, and nothing falls when the modules change.
#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "core/gateway/modules/ModuleTotals.h"

#include <QTest>

#include <atomic>
#include <thread>

namespace weir::gateway {

class TestModuleTotals : public QObject {
    Q_OBJECT

private slots:
    void modulesOfAKindAddUp();
    void nothingFallsWhenModulesChange();
    void chainsInUseCountOn();
    void readWhileItChanges();
};

namespace {

std::shared_ptr<ModuleChain> chainOf(QByteArray list)
{
    const std::string text = list.replace('\'', '"').toStdString();
    config::IssueCollector issues(text);
    const auto tree = config::JsonReader(text).read();
    std::shared_ptr<ModuleChain> chain = tree ? ModuleChain::read(issues, *tree, "modules") : nullptr;
    return issues.hasErrors() ? nullptr : chain;
}

// One request of this path through the point where modules block.
void ask(ModuleChain& chain, std::string_view path)
{
    Turn turn;
    turn.request.method = "GET";
    turn.request.target = path;
    turn.request.path = path;
    (void)chain.run(Point::FoundProduct, turn);
}

std::uint64_t blocked(const ModuleTotals& totals)
{
    const ModuleTotals::Figures figures = totals.figures();
    const auto found = figures.find({"block", "blocked_requests"});
    return found == figures.end() ? ~std::uint64_t{0} : found->second;
}

const QByteArray kBlocksA = "[{'module': 'block', 'rules': [{'name': 'a', 'when': 'req_path_in(\\'/a\\', false)'}]}]";
const QByteArray kBlocksAAndB =
    "[{'module': 'block', 'rules': [{'name': 'a', 'when': 'req_path_in(\\'/a\\', false)'}]},"
    " {'module': 'block', 'rules': [{'name': 'b', 'when': 'req_path_in(\\'/b\\', false)'}]}, {'module': 'request_id'}]";

} // namespace

void TestModuleTotals::modulesOfAKindAddUp()
{
    const auto chain = chainOf(kBlocksAAndB);
    QVERIFY(chain);
    ModuleTotals totals;
    QVERIFY(totals.figures().empty());
    totals.add(chain);
    QCOMPARE(blocked(totals), 0U); // there before anything happens
    ask(*chain, "/a");
    ask(*chain, "/b");
    ask(*chain, "/b");
    ask(*chain, "/c");
    QCOMPARE(blocked(totals), 3U);
    const ModuleTotals::Figures figures = totals.figures();
    QCOMPARE(figures.size(), std::size_t(4)); // of two kinds, two figures each
    QVERIFY(figures.contains({"request_id", "ids_made"}));
}

void TestModuleTotals::nothingFallsWhenModulesChange()
{
    ModuleTotals totals;
    auto chain = chainOf(kBlocksA);
    totals.add(chain);
    ask(*chain, "/a");
    chain = chainOf(kBlocksAAndB);
    totals.add(chain);
    QCOMPARE(blocked(totals), 1U);
    ask(*chain, "/b");
    QCOMPARE(blocked(totals), 2U);
    chain.reset(); // no modules any more
    totals.add(nullptr);
    QCOMPARE(blocked(totals), 2U);
    QCOMPARE(blocked(totals), 2U); // counted once, however often it is asked
}

void TestModuleTotals::chainsInUseCountOn()
{
    ModuleTotals totals;
    const auto old = chainOf(kBlocksA); // a request under way holds it
    totals.add(old);
    const auto next = chainOf(kBlocksA);
    totals.add(next);
    ask(*old, "/a");
    ask(*next, "/a");
    QCOMPARE(blocked(totals), 2U);
    ask(*old, "/a");
    QCOMPARE(blocked(totals), 3U);
}

void TestModuleTotals::readWhileItChanges()
{
    constexpr int kChains = 200;
    ModuleTotals totals;
    std::atomic<bool> isOver = false;
    std::atomic<bool> fell = false;
    std::thread reader([&] {
        std::uint64_t last = 0;
        while (!isOver) {
            const ModuleTotals::Figures figures = totals.figures();
            const auto found = figures.find({"block", "blocked_requests"});
            const std::uint64_t now = found == figures.end() ? last : found->second;
            fell = fell || now < last;
            last = now;
        }
    });
    for (int i = 0; i < kChains; ++i) {
        const auto chain = chainOf(kBlocksA);
        totals.add(chain);
        ask(*chain, "/a");
        ask(*chain, "/a");
    }
    isOver = true;
    reader.join();
    QVERIFY(!fell);
    QCOMPARE(blocked(totals), std::uint64_t(2 * kChains));
}

} // namespace weir::gateway

QTEST_APPLESS_MAIN(weir::gateway::TestModuleTotals)
#include "TestModuleTotals.moc"
