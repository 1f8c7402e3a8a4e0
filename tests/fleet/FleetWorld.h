// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Fleet.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace weir::fleet {

/// Keeps every fact that the fleet reports.
class RecordingSink final : public ChangeSink {
public:
    void changed(const FleetChange& change) noexcept override { changes.push_back(change); }

    [[nodiscard]] std::size_t count(ChangeKind kind) const
    {
        return static_cast<std::size_t>(std::count_if(changes.begin(), changes.end(), [kind](const FleetChange& change) { return change.kind == kind; }));
    }
    [[nodiscard]] std::size_t count(ChangeKind kind, NodeHandle node) const
    {
        return static_cast<std::size_t>(
            std::count_if(changes.begin(), changes.end(), [&](const FleetChange& change) { return change.kind == kind && change.node == node; }));
    }
    [[nodiscard]] const FleetChange* last(ChangeKind kind) const
    {
        const auto at = std::find_if(changes.rbegin(), changes.rend(), [kind](const FleetChange& change) { return change.kind == kind; });
        return at == changes.rend() ? nullptr : &*at;
    }

    std::vector<FleetChange> changes;
};

/// How a test describes a node; everything it leaves out is as usual.
struct NodeIn {
    std::int64_t capacity = 10;
    Role role = Role::Origin;
    bool isStatic = true;
    std::string owner{};
    bool probed = true; ///< a first good probe (and, for a registered node, a first heartbeat) has come in
    std::string webrtc{};
    std::string publish{};
    std::string url = "http://127.0.0.1:9000";
};

/// A fleet on simulated time with short names for what tests do all the time. Ids are text throughout.
class FleetWorld {
public:
    explicit FleetWorld(health::HealthSettings health = {}, FleetSettings settings = {})
        : fleet(sink, std::move(health), settings)
    {
    }

    [[nodiscard]] Instant now() const { return m_now; }
    /// Goes to `seconds` since the start, which is never before the present.
    Instant at(double seconds)
    {
        m_now = std::max(m_now, Instant(std::chrono::round<Duration>(std::chrono::duration<double>(seconds))));
        fleet.advance(m_now);
        return m_now;
    }

    PoolHandle pool(const std::string& id, bool canary = false)
    {
        if (const auto known = fleet.findPool(id)) {
            return *known;
        }
        if (id.starts_with(kUserPoolPrefix)) {
            return fleet.user(user(id.substr(kUserPoolPrefix.size()))).pool;
        }
        return fleet.addPool(PoolSpec{PoolId::trusted(id), "", canary, 0, 10}).value();
    }
    UserHandle user(const std::string& id)
    {
        const auto known = fleet.findUser(id);
        return known ? *known : fleet.addUser(UserId::trusted(id), "").value();
    }
    AppHandle app(const std::string& id, const std::string& owner = {})
    {
        return fleet.addApp(AppId::trusted(id), owner.empty() ? UserHandle() : user(owner)).value();
    }
    AppHandle boundApp(const std::string& id, const std::string& poolId, bool fallback = false)
    {
        const AppHandle handle = app(id);
        fleet.bind(handle, Binding{pool(poolId), fallback});
        return handle;
    }
    NodeHandle node(const std::string& id, const std::string& poolId, const NodeIn& in = {})
    {
        NodeSpec spec;
        spec.id = NodeId::trusted(id);
        spec.role = in.role;
        spec.pool = pool(poolId);
        spec.owner = in.owner.empty() ? UserHandle() : user(in.owner);
        spec.isStatic = in.isStatic;
        spec.url = in.url;
        spec.webrtcBaseUrl = in.webrtc;
        spec.publishUrl = in.publish;
        spec.capacity = in.capacity;
        const NodeHandle handle = fleet.addNode(std::move(spec), m_now).value();
        if (in.probed) {
            if (!in.isStatic) {
                beat(id, "boot-1", 1, in.capacity);
            }
            good(id);
        }
        return handle;
    }

    [[nodiscard]] NodeHandle handle(const std::string& id) const { return fleet.findNode(id).value(); }
    [[nodiscard]] const Node& nodeAt(const std::string& id) const { return fleet.node(handle(id)); }
    [[nodiscard]] const NodeCore& coreAt(const std::string& id) const { return fleet.core(handle(id)); }
    [[nodiscard]] bool online(const std::string& id) const { return nodeAt(id).health.inRotation(); }

    health::Transition probe(const std::string& id, bool success, const std::string& reason = {})
    {
        const NodeHandle node = handle(id);
        return fleet.probeEnded(ProbeVerdict{node, fleet.node(node).generation, m_now, success, reason, {}}, m_now);
    }
    health::Transition good(const std::string& id) { return probe(id, true); }
    health::Transition bad(const std::string& id, const std::string& reason = "status:503") { return probe(id, false, reason); }
    OutcomeEffect eject(const std::string& id, const std::string& outcome = "status:502") { return fleet.passiveFailure(handle(id), outcome, m_now); }
    bool beat(const std::string& id, const std::string& boot, std::uint64_t seq, std::int64_t capacity, std::int64_t used = 0,
        std::optional<std::uint64_t> seen = {})
    {
        return fleet.heartbeat(handle(id), Heartbeat{boot, seq, capacity, used, seen}, m_now);
    }
    void drain(const std::string& id, bool on = true) { fleet.setDraining(handle(id), on, "disk swap", "token ops", m_now); }
    void move(const std::string& id, const std::string& poolId) { fleet.moveNode(handle(id), pool(poolId), WallTime{}, "token ops", m_now); }

    Decision decide(const std::string& app, Role role = Role::Origin, std::uint32_t need = 1, Endpoint endpoint = Endpoint::Any)
    {
        return fleet.decide(Request{role, app, need, endpoint}, m_now);
    }
    /// Id of the node that a real decision chose, or the code of the refusal.
    std::string choose(const std::string& app, Role role = Role::Origin, std::uint32_t need = 1, Endpoint endpoint = Endpoint::Any)
    {
        return name(decide(app, role, need, endpoint));
    }
    [[nodiscard]] std::string preview(const std::string& app, Role role = Role::Origin, std::uint32_t need = 1, Endpoint endpoint = Endpoint::Any) const
    {
        return name(fleet.preview(Request{role, app, need, endpoint}, m_now));
    }
    [[nodiscard]] Explanation explain(const std::string& app, Role role = Role::Origin, std::uint32_t need = 1, Endpoint endpoint = Endpoint::Any) const
    {
        return fleet.explain(Request{role, app, need, endpoint}, m_now, WallTime{});
    }
    [[nodiscard]] std::string name(const Decision& decision) const
    {
        return decision.code == Code::Ok ? fleet.node(decision.node).spec.id.text() : std::string(toText(decision.code));
    }
    [[nodiscard]] const Group& group(const std::string& poolId, Role role = Role::Origin) const
    {
        return fleet.pool(fleet.findPool(poolId).value()).groups[weir::indexOf(role)];
    }
    [[nodiscard]] std::int64_t free(const std::string& id) const { return coreAt(id).free; }

    RecordingSink sink;
    Fleet fleet;

private:
    Instant m_now{};
};

/// What an explanation says of one node, or nullptr.
inline const ExplainedNode* rowOf(const Explanation& record, std::string_view id)
{
    for (const auto* rows : {&record.nodes, &record.ranking}) {
        for (const ExplainedNode& row : *rows) {
            if (row.id == id) {
                return &row;
            }
        }
    }
    return nullptr;
}

/// Empty when the figures of an explanation add up, else what does not.
inline std::string whatDoesNotAddUp(const Explanation& record)
{
    std::size_t excludedRows = 0;
    for (const ExplainedStage& stage : record.stages) {
        std::size_t excluded = 0;
        for (const auto& [reason, count] : stage.excluded) {
            excluded += count;
            const auto rows = std::count_if(record.nodes.begin(), record.nodes.end(),
                [&, wanted = reason](const ExplainedNode& row) { return row.pool == stage.pool && row.reason == wanted; });
            if (static_cast<std::size_t>(rows) != count) {
                return stage.pool + ": " + std::to_string(rows) + " rows for " + std::to_string(count) + " " + std::string(toText(reason));
            }
        }
        if (stage.considered != stage.candidates + excluded) {
            return stage.pool + ": considered " + std::to_string(stage.considered) + ", candidates " + std::to_string(stage.candidates) + ", excluded "
                + std::to_string(excluded);
        }
        excludedRows += excluded;
    }
    return excludedRows == record.nodes.size() ? std::string() : "rows of nodes outside the stages";
}

} // namespace weir::fleet

#define COMPARE_TEXT(actual, expected) QCOMPARE(QString::fromStdString(std::string(actual)), QString::fromStdString(std::string(expected)))
