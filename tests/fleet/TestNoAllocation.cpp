// SPDX-License-Identifier: GPL-3.0-or-later
// The hot paths take no memory: every operator new of this program is counted.
#include "core/fleet/Fleet.h"

#include <QTest>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {

std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

} // namespace

void* operator new(std::size_t size)
{
    return counted(size);
}
void* operator new[](std::size_t size)
{
    return counted(size);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace weir;
using namespace weir::fleet;

namespace {

class CountingSink final : public ChangeSink {
public:
    void changed(const FleetChange& change) noexcept override { refusals += change.kind == ChangeKind::PoolExhausted ? 1 : 0; }
    std::size_t refusals = 0;
};

} // namespace

class TestNoAllocation : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void counterCounts();
    void decisionsAndReleases();
    void refusals();
    void fallbacks();
    void heartbeats();
    void quietDecisions();

private:
    static constexpr int kRounds = 100'000;
    static constexpr std::uint32_t kNodes = 1'000;

    template <typename Step>
    std::size_t allocationsOf(Step&& step)
    {
        for (int i = 0; i < 5'000; ++i) { // warm up: the rings reach their working size
            step(i);
        }
        const std::size_t before = allocations.load();
        for (int i = 0; i < kRounds; ++i) {
            step(i);
        }
        return allocations.load() - before;
    }

    CountingSink m_sink;
    std::unique_ptr<Fleet> m_fleet;
    std::vector<NodeHandle> m_nodes;
    Instant m_now{};
};

void TestNoAllocation::init()
{
    m_sink.refusals = 0;
    m_fleet = std::make_unique<Fleet>(m_sink, health::HealthSettings{}, FleetSettings{});
    const PoolHandle full = m_fleet->addPool(PoolSpec{PoolId::trusted("a-pool-with-a-name-longer-than-a-small-string"), "", false, 0, 10}).value();
    const PoolHandle empty = m_fleet->addPool(PoolSpec{PoolId::trusted("empty"), "", false, 0, 10}).value();
    const auto app = [this](const char* id, Binding binding) { m_fleet->bind(m_fleet->addApp(AppId::trusted(id), UserHandle()).value(), binding); };
    app("an-app-with-a-name-longer-than-a-small-string", Binding{full, false});
    app("closed", Binding{empty, false});
    app("open", Binding{empty, true});
    m_nodes.clear();
    for (std::uint32_t i = 0; i < kNodes; ++i) {
        NodeSpec spec;
        spec.id = NodeId::trusted("node-with-a-name-longer-than-a-small-string-" + std::to_string(i));
        spec.pool = i % 2 == 0 ? full : m_fleet->defaultPool();
        spec.isStatic = false;
        spec.url = "http://node.with.a.long.name.example.test:9000/";
        const NodeHandle node = m_fleet->addNode(std::move(spec), m_now).value();
        m_fleet->heartbeat(node, Heartbeat{"boot", 1, 1'000, 0, {}}, m_now);
        m_fleet->probeEnded(ProbeVerdict{node, m_fleet->node(node).generation, m_now, true, {}, {}}, m_now);
        m_nodes.push_back(node);
    }
}

void TestNoAllocation::cleanup()
{
    m_fleet.reset();
}

// Else all the others could not fail.
void TestNoAllocation::counterCounts()
{
    const std::size_t before = allocations.load();
    const auto number = std::make_unique<int>(7);
    QCOMPARE(*number, 7);
    QVERIFY(allocations.load() > before);
}

void TestNoAllocation::decisionsAndReleases()
{
    std::array<std::uint64_t, 512> underWay{};
    std::size_t chosen = 0;
    const std::size_t count = allocationsOf([&](int i) {
        m_now += std::chrono::microseconds(10);
        const Decision decision = m_fleet->decide(Request{Role::Worker, "an-app-with-a-name-longer-than-a-small-string"}, m_now);
        chosen += decision.code == Code::Ok ? 1 : 0;
        auto& slot = underWay[static_cast<std::size_t>(i) % underWay.size()];
        m_fleet->release(slot, m_now);
        slot = decision.placement;
    });
    QCOMPARE(count, std::size_t{0});
    QCOMPARE(chosen, static_cast<std::size_t>(kRounds + 5'000));
}

void TestNoAllocation::refusals()
{
    const std::size_t count = allocationsOf([&](int) {
        const Decision decision = m_fleet->decide(Request{Role::Worker, "closed"}, m_now);
        QCOMPARE(decision.code, Code::NoCandidate);
    });
    QCOMPARE(count, std::size_t{0});
    QCOMPARE(m_sink.refusals, static_cast<std::size_t>(kRounds + 5'000));
}

void TestNoAllocation::fallbacks()
{
    const std::size_t count = allocationsOf([&](int) {
        const Decision decision = m_fleet->decide(Request{Role::Worker, "open"}, m_now);
        QVERIFY(decision.fallback);
        m_fleet->release(decision.placement, m_now);
    });
    QCOMPARE(count, std::size_t{0});
}

// Those of a known boot; a new boot id is stored, once.
void TestNoAllocation::heartbeats()
{
    std::uint64_t seq = 1;
    const std::size_t count = allocationsOf([&](int i) {
        const NodeHandle node = m_nodes[static_cast<std::size_t>(i) % m_nodes.size()];
        QVERIFY(m_fleet->heartbeat(node, Heartbeat{"boot", ++seq, 1'000, i % 50, {}}, m_now));
    });
    QCOMPARE(count, std::size_t{0});
}

void TestNoAllocation::quietDecisions()
{
    const std::size_t count = allocationsOf([&](int) { QVERIFY(m_fleet->preview(Request{Role::Worker, "open"}, m_now).fallback); });
    QCOMPARE(count, std::size_t{0});
}

QTEST_GUILESS_MAIN(TestNoAllocation)
#include "TestNoAllocation.moc"
