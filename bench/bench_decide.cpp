// SPDX-License-Identifier: GPL-3.0-or-later
// One decision with its reservation and a release, beside the ways that are usually written: nodes in a registry by id, of which a
// scan goes over the list of one pool, or a filter over all of them; and beside the same two over packed arrays, the best that can
// be had without an index. All resolve the app by its text, take a lock, and keep a hundred placements under way, so that they do
// not ask the same node for ever.
#include "core/fleet/Fleet.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

using namespace weir;
using namespace weir::fleet;

namespace {

constexpr std::size_t kUnderWay = 100;

struct Scale {
    std::size_t nodes;
    std::size_t pools;
    [[nodiscard]] std::string text() const { return std::to_string(nodes) + "/" + std::to_string(pools); }
};

/// What all three are filled from.
struct Data {
    struct Entry {
        std::string id;
        std::size_t pool;
        std::int64_t capacity;
        std::int64_t used;
    };
    std::vector<Entry> nodes;
    std::vector<std::string> apps;
    std::vector<std::string> pools;

    explicit Data(const Scale& scale)
    {
        std::mt19937_64 random(scale.nodes * 31 + scale.pools);
        for (std::size_t pool = 0; pool < scale.pools; ++pool) {
            pools.push_back("team-" + std::to_string(pool));
            apps.push_back("app-of-team-" + std::to_string(pool));
        }
        std::vector<std::size_t> order(scale.nodes);
        for (std::size_t i = 0; i < scale.nodes; ++i) {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order) {
            const auto capacity = static_cast<std::int64_t>(50 + random() % 100);
            nodes.push_back({"node-" + std::to_string(1'000'000 + i), i % scale.pools, capacity, static_cast<std::int64_t>(random() % 40)});
        }
    }
};

class NoSink final : public ChangeSink {
public:
    void changed(const FleetChange&) noexcept override {}
};

/// The index under test.
class Indexed {
public:
    explicit Indexed(const Data& data)
        : m_fleet(m_sink, {}, {})
    {
        for (std::size_t i = 0; i < data.pools.size(); ++i) {
            m_pools.push_back(m_fleet.addPool(PoolSpec{PoolId::trusted(data.pools[i]), "", false, 0, 10}).value());
            m_fleet.bind(m_fleet.addApp(AppId::trusted(data.apps[i]), UserHandle()).value(), Binding{m_pools.back(), false});
        }
        for (const Data::Entry& entry : data.nodes) {
            NodeSpec spec;
            spec.id = NodeId::trusted(entry.id);
            spec.role = Role::Worker;
            spec.pool = m_pools[entry.pool];
            spec.isStatic = false;
            spec.url = "http://127.0.0.1:9000/a/base/path";
            const NodeHandle node = m_fleet.addNode(std::move(spec), m_now).value();
            m_fleet.heartbeat(node, Heartbeat{"boot", 1, entry.capacity, entry.used, {}}, m_now);
            m_fleet.probeEnded(ProbeVerdict{node, m_fleet.node(node).generation, m_now, true, {}, {}}, m_now);
            m_nodes.push_back(node);
        }
        Fleet::Dirty dirty;
        m_fleet.takeDirty(dirty, data.nodes.size());
    }

    std::uint64_t decide(const std::string& app)
    {
        const std::scoped_lock lock(m_mutex);
        m_now += std::chrono::microseconds(1);
        return m_fleet.decide(Request{Role::Worker, app}, m_now).placement;
    }
    void release(std::uint64_t placement)
    {
        const std::scoped_lock lock(m_mutex);
        m_fleet.release(placement, m_now);
    }
    void heartbeat(std::uint64_t random)
    {
        const std::scoped_lock lock(m_mutex);
        const NodeHandle node = m_nodes[random % m_nodes.size()];
        m_fleet.heartbeat(node, Heartbeat{"boot", ++m_seq, m_fleet.core(node).capacity, static_cast<std::int64_t>(random >> 32U) % 40, {}}, m_now);
    }
    void move(std::uint64_t random)
    {
        const std::scoped_lock lock(m_mutex);
        m_fleet.moveNode(m_nodes[random % m_nodes.size()], m_pools[(random >> 32U) % m_pools.size()], WallTime{}, "bench", m_now);
    }

private:
    std::mutex m_mutex;
    NoSink m_sink;
    Fleet m_fleet;
    Instant m_now{};
    std::uint64_t m_seq = 1;
    std::vector<PoolHandle> m_pools;
    std::vector<NodeHandle> m_nodes;
};

/// A node as such code has it: one record with all that is known of it, what a filter reads standing together.
struct PlainNode {
    std::uint32_t pool = 0; ///< for the packed arrays; the registry compares `poolId`
    Role role = Role::Worker;
    bool draining = false;
    bool connected = true;
    bool healthy = true;
    std::int64_t free = 0;
    std::string poolId;
    std::string id;
    std::string url;
    std::string healthUrl;
    std::string region;
    std::string lastError;
    std::int64_t capacity = 0;
    std::int64_t lastHeartbeat = 0;

    [[nodiscard]] bool isCandidate() const { return role == Role::Worker && !draining && connected && healthy && free >= 1; }
    [[nodiscard]] bool beats(const PlainNode& other) const { return free != other.free ? free > other.free : id < other.id; }
};

enum class Way { PoolScan, GlobalFilter, PackedScan, PackedFilter };

/// The peers.
class Plain {
public:
    Plain(const Data& data, Way way)
        : m_way(way)
        , m_poolIds(data.pools)
        , m_lists(data.pools.size())
        , m_packed(way == Way::PackedScan ? data.pools.size() : 1)
    {
        for (std::size_t i = 0; i < data.apps.size(); ++i) {
            m_poolOfApp.emplace(data.apps[i], static_cast<std::uint32_t>(i));
        }
        for (const Data::Entry& entry : data.nodes) {
            PlainNode node;
            node.pool = static_cast<std::uint32_t>(entry.pool);
            node.free = entry.capacity - entry.used;
            node.id = entry.id;
            node.url = "http://10.0.0.1:9000/" + entry.id;
            node.region = "eu-1";
            node.capacity = entry.capacity;
            node.poolId = data.pools[entry.pool];
            if (way == Way::PackedScan || way == Way::PackedFilter) {
                m_packed[way == Way::PackedScan ? entry.pool : 0].push_back(std::move(node));
            } else {
                PlainNode& kept = m_registry.emplace(entry.id, std::move(node)).first->second;
                m_lists[entry.pool].push_back(&kept);
            }
        }
    }

    PlainNode* decide(const std::string& app)
    {
        const std::scoped_lock lock(m_mutex);
        const std::uint32_t pool = m_poolOfApp.find(app)->second;
        PlainNode* best = nullptr;
        const auto consider = [&best](PlainNode& node) {
            if (node.isCandidate() && (best == nullptr || node.beats(*best))) {
                best = &node;
            }
        };
        switch (m_way) {
        case Way::PoolScan:
            for (PlainNode* node : m_lists[pool]) {
                consider(*node);
            }
            break;
        case Way::GlobalFilter:
            for (auto& [id, node] : m_registry) {
                if (node.poolId == m_poolIds[pool]) {
                    consider(node);
                }
            }
            break;
        case Way::PackedScan:
            for (PlainNode& node : m_packed[pool]) {
                consider(node);
            }
            break;
        case Way::PackedFilter:
            for (PlainNode& node : m_packed.front()) {
                if (node.pool == pool) {
                    consider(node);
                }
            }
            break;
        }
        if (best != nullptr) {
            --best->free;
        }
        return best;
    }
    void release(PlainNode* node)
    {
        const std::scoped_lock lock(m_mutex);
        if (node != nullptr) {
            ++node->free;
        }
    }

private:
    std::mutex m_mutex;
    Way m_way;
    std::unordered_map<std::string, std::uint32_t> m_poolOfApp;
    std::vector<std::string> m_poolIds;
    std::unordered_map<std::string, PlainNode> m_registry;
    std::vector<std::vector<PlainNode*>> m_lists;
    std::vector<std::vector<PlainNode>> m_packed;
};

/// Decides for a random app and releases the placement made a hundred decisions ago.
template <typename Scheduler>
void decideAndRelease(benchmark::State& state, Scheduler& scheduler, const Data& data)
{
    std::mt19937_64 random(1);
    std::deque<decltype(scheduler.decide(std::string()))> underWay;
    const auto step = [&] {
        underWay.push_back(scheduler.decide(data.apps[random() % data.apps.size()]));
        if (underWay.size() > kUnderWay) {
            scheduler.release(underWay.front());
            underWay.pop_front();
        }
    };
    for (std::size_t i = 0; i < kUnderWay; ++i) {
        step();
    }
    for (auto _ : state) {
        step();
    }
    for (const auto& placement : underWay) {
        scheduler.release(placement);
    }
}

/// Keeps each figure for the ratios at the end: CPU time, since all run on one thread and others may use the machine.
class Collector final : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override
    {
        for (const Run& run : runs) {
            figures[run.benchmark_name()] = run.GetAdjustedCPUTime();
        }
        ConsoleReporter::ReportRuns(runs);
    }
    [[nodiscard]] double figure(const std::string& name) const
    {
        const auto at = figures.find(name);
        return at == figures.end() ? 0 : at->second;
    }

    std::map<std::string, double> figures;
};

const std::vector<std::pair<std::string, Way>> kPeers{
    {"pool_scan", Way::PoolScan}, {"global_filter", Way::GlobalFilter}, {"packed_scan", Way::PackedScan}, {"packed_filter", Way::PackedFilter}};

void registerAll(const std::vector<Scale>& scales)
{
    for (const Scale& scale : scales) {
        const auto data = std::make_shared<Data>(scale);
        const auto indexed = std::make_shared<Indexed>(*data);
        const std::string suffix = "/" + scale.text();
        benchmark::RegisterBenchmark(("decide" + suffix).c_str(), [=](benchmark::State& state) { decideAndRelease(state, *indexed, *data); });
        for (const auto& [name, way] : kPeers) {
            const auto peer = std::make_shared<std::optional<Plain>>(); // made when its turn comes
            benchmark::RegisterBenchmark((name + suffix).c_str(), [peer, data, way = way](benchmark::State& state) {
                if (!*peer) {
                    peer->emplace(*data, way);
                }
                decideAndRelease(state, **peer, *data);
            });
        }
        benchmark::RegisterBenchmark(("heartbeat" + suffix).c_str(), [=](benchmark::State& state) {
            std::mt19937_64 random(2);
            for (auto _ : state) {
                indexed->heartbeat(random());
            }
        });
        if (scale.pools > 1) {
            benchmark::RegisterBenchmark(("move" + suffix).c_str(), [=](benchmark::State& state) {
                std::mt19937_64 random(3);
                for (auto _ : state) {
                    indexed->move(random());
                }
            });
        }
    }
}

/// p50 and p99 of single decisions; the clock's own reading (some 25 ns) is in them.
void printPercentiles(const Scale& scale)
{
    const Data data(scale);
    Indexed indexed(data);
    std::mt19937_64 random(4);
    std::vector<std::int64_t> nanoseconds;
    std::deque<std::uint64_t> underWay;
    for (int i = 0; i < 300'000; ++i) {
        const std::string& app = data.apps[random() % data.apps.size()];
        const auto before = std::chrono::steady_clock::now();
        const std::uint64_t placement = indexed.decide(app);
        const auto after = std::chrono::steady_clock::now();
        nanoseconds.push_back((after - before).count());
        underWay.push_back(placement);
        if (underWay.size() > kUnderWay) {
            indexed.release(underWay.front());
            underWay.pop_front();
        }
    }
    std::sort(nanoseconds.begin(), nanoseconds.end());
    std::printf("decide alone, %s: p50 %lld ns, p99 %lld ns, p99.9 %lld ns\n", scale.text().c_str(), static_cast<long long>(nanoseconds[nanoseconds.size() / 2]),
        static_cast<long long>(nanoseconds[nanoseconds.size() * 99 / 100]), static_cast<long long>(nanoseconds[nanoseconds.size() * 999 / 1000]));
}

void printRatios(const Collector& collector, const std::vector<Scale>& scales)
{
    std::printf("\n");
    for (const Scale& scale : scales) {
        const std::string suffix = "/" + scale.text();
        const double decide = collector.figure("decide" + suffix);
        if (decide > 0 && collector.figure("pool_scan" + suffix) > 0) {
            std::printf("%s: %.1f x the scan of the pool, %.0f x the filter over all nodes (packed: %.1f x, %.0f x)\n", scale.text().c_str(),
                collector.figure("pool_scan" + suffix) / decide, collector.figure("global_filter" + suffix) / decide,
                collector.figure("packed_scan" + suffix) / decide, collector.figure("packed_filter" + suffix) / decide);
        }
    }
    for (const char* pools : {"/1", "/100"}) {
        const double small = collector.figure(std::string("decide/1000") + pools);
        const double large = collector.figure(std::string("decide/100000") + pools);
        if (small > 0 && large > 0) {
            std::printf("from 1,000 to 100,000 nodes, pools %s: x %.2f\n", pools + 1, large / small);
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    const std::vector<Scale> scales{{1'000, 1}, {1'000, 100}, {10'000, 1}, {10'000, 100}, {100'000, 1}, {100'000, 100}};
    registerAll(scales);
    Collector collector;
    benchmark::RunSpecifiedBenchmarks(&collector);
    printRatios(collector, scales);
    printPercentiles({1'000, 100});
    printPercentiles({100'000, 100});
    return 0;
}
