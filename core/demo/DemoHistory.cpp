// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoHistory.h"

#include "core/base/Ids.h"
#include "core/demo/DemoCast.h"
#include "core/store/DataDirectory.h"
#include "core/store/Store.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace weir::demo {
namespace {

using journal::EventKind;
using journal::Severity;

constexpr auto kLength = std::chrono::minutes(30);

// One mishap of the generated half hour: a node that is out from one second to another.
struct Outage {
    std::string_view node;
    int fromSecond;
    int toSecond;
};

constexpr std::array kOutages{
    Outage{"edge-12", 190, 262},
    Outage{"gpu-02", 420, 700},
    Outage{"edge-04", 1130, 1204},
    Outage{"edge-12", 1480, 1545},
};
constexpr int kMoveSecond = 335;
constexpr int kDrainSecond = 1010;

journal::Event eventAt(WallTime at, EventKind kind, Severity severity, const DemoNode& node, std::string sentence)
{
    journal::Event event;
    event.at = at;
    event.kind = kind;
    event.severity = severity;
    event.nodeId = node.id;
    event.poolId = node.pool;
    event.role = node.role;
    event.sentence = std::move(sentence);
    return event;
}

std::vector<journal::Event> eventsFrom(const DemoCast& cast, WallTime start)
{
    std::vector<journal::Event> events;
    const auto add = [&](int second, EventKind kind, Severity severity, std::string_view id, const char* what, const char* actor = "") {
        if (const DemoNode* node = cast.node(id)) {
            events.push_back(eventAt(start + std::chrono::seconds(second), kind, severity, *node, std::string(id) + what));
            events.back().actor = actor;
        }
    };
    for (const Outage& outage : kOutages) {
        add(outage.fromSecond, EventKind::NodeOffline, Severity::Warning, outage.node, " is out of rotation (generated).");
        add(outage.toSecond, EventKind::NodeOnline, Severity::Info, outage.node, " is in rotation (generated).");
    }
    add(kMoveSecond, EventKind::NodeMoved, Severity::Info, "edge-34", " was moved to pool-3 (generated).", "token:ops");
    add(kDrainSecond, EventKind::NodeUndrained, Severity::Info, "origin-71", " is not draining any more (generated).", "token:ops");
    std::sort(events.begin(), events.end(), [](const journal::Event& a, const journal::Event& b) { return a.at < b.at; });
    return events;
}

// Change points of the whole fleet and of each pool, from the same outages.
std::vector<journal::SeriesChange> seriesFrom(const DemoCast& cast, WallTime start, WallTime end)
{
    std::vector<journal::SeriesChange> series;
    const auto add = [&](const journal::SeriesKey& key, auto belongs) {
        int total = 0;
        for (const DemoNode& node : cast.nodes) {
            total += belongs(node) ? 1 : 0;
        }
        std::vector<std::pair<int, int>> steps{{0, 0}};
        for (const Outage& outage : kOutages) {
            const DemoNode* node = cast.node(outage.node);
            if (node != nullptr && belongs(*node)) {
                steps.emplace_back(outage.fromSecond, -1);
                steps.emplace_back(outage.toSecond, 1);
            }
        }
        std::sort(steps.begin(), steps.end());
        int healthy = total;
        for (const auto& [second, step] : steps) {
            healthy += step;
            series.push_back({key, {start + std::chrono::seconds(second), healthy, total, true}});
        }
        series.push_back({key, {end, healthy, total, true}});
    };
    add({}, [](const DemoNode& node) { return node.pool != kUnassignedPool; });
    std::vector<std::pair<std::string_view, std::string_view>> groups;
    for (const DemoNode& node : cast.nodes) {
        if (std::find(groups.begin(), groups.end(), std::pair(node.pool, node.role)) == groups.end()) {
            groups.emplace_back(node.pool, node.role);
        }
    }
    for (const auto& [pool, role] : groups) {
        add({std::string(pool), std::string(role)}, [pool = pool, role = role](const DemoNode& node) { return node.pool == pool && node.role == role; });
    }
    return series;
}

} // namespace

Result<void> writeHistory(const std::filesystem::path& dataDir, const DemoCast& cast, WallTime now)
{
    const auto directory = store::DataDirectory::open(dataDir);
    if (!directory) {
        return tl::unexpected(directory.error());
    }
    const auto store = store::Store::open(*directory);
    if (!store) {
        return tl::unexpected(store.error());
    }
    const WallTime start = now - kLength;
    std::vector<journal::Event> events = eventsFrom(cast, start);
    const std::vector<journal::SeriesChange> series = seriesFrom(cast, start, now);
    return (*store)->inTransaction([&](store::Writer& writer) -> Result<void> {
        if (auto done = writer.appendEvents(events); !done) {
            return done;
        }
        if (auto done = writer.appendSeries(series); !done) {
            return done;
        }
        return writer.markAlive(now);
    });
}

} // namespace weir::demo
