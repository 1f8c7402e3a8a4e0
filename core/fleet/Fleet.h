// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"
#include "core/base/TimerQueue.h"
#include "core/fleet/Decision.h"
#include "core/fleet/Entities.h"
#include "core/fleet/Explanation.h"
#include "core/fleet/FleetChange.h"
#include "core/fleet/Impact.h"
#include "core/fleet/OrderIndex.h"
#include "core/fleet/Reachability.h"
#include "core/fleet/Reservations.h"
#include "core/fleet/Streams.h"
#include "core/health/HealthSettings.h"

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace weir::fleet {

/// `scheduler` and `registration` of the configuration, as far as decisions need them.
struct FleetSettings {
    bool reservations = true;
    double reservationSettleSeconds = 2;
    double reservationTtlSeconds = 30;
    bool admitUnknownApps = true;
    double heartbeatTimeoutSeconds = 30;
    /// Placement numbers begin here, so that one given out before a restart never means another one after it.
    std::uint64_t firstPlacement = 1;

    friend bool operator==(const FleetSettings&, const FleetSettings&) = default;
};

/// A heartbeat's figures (fleet.md "Capacity between heartbeats").
struct Heartbeat {
    std::string_view bootId;
    std::uint64_t seq = 0;
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    std::optional<std::uint64_t> seenPlacement;
    const std::vector<StreamName>* streams = nullptr; ///< all that the node carries; null: it says nothing of streams
};

/// How a probe ended, as far as the fleet cares.
struct ProbeVerdict {
    NodeHandle node;
    std::uint64_t generation = 0;
    Instant started{};
    bool success = false;
    std::string_view reason;     ///< "timeout", "status:503"; empty when it succeeded
    std::string_view bodyReason; ///< "degraded: dep_down:comfyui", where the body said one
};

enum class OutcomeEffect : std::uint8_t { Ejected, AlreadyOut, Capped };

/// Nodes, pools, users, apps and bindings, and the scheduling over them: the rules of fleet.md, with each node's health inside.
///
/// One owner, no locks, no I/O; time is an argument and must not go backwards. `decide` is O(log n) in the nodes of the pool and
/// does not allocate when it succeeds; a refusal is O(1). Facts are reported to the sink.
///
/// Callers check what they ask with the text lookups first; the handles they pass must be alive.
class Fleet {
public:
    Fleet(ChangeSink& sink, health::HealthSettings health, FleetSettings settings);
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;

    // --- facts that administrators change --------------------------------------------------------------------------
    // Errors: `duplicate_id` (also when only case differs), `unknown_…`, `in_use`, `builtin_pool`, `sentinel_pool`.

    [[nodiscard]] Result<UserHandle> addUser(const UserId& id, std::string name);
    void renameUser(UserHandle user, std::string name);
    /// Refused with `in_use` while the user has nodes or apps, or their pool holds nodes or bindings.
    [[nodiscard]] Result<void> canRemoveUser(UserHandle user) const;
    void removeUser(UserHandle user);

    [[nodiscard]] Result<PoolHandle> addPool(PoolSpec spec);
    void changePool(PoolHandle pool, PoolSpec spec);
    /// Refused with `builtin_pool`, or `in_use` naming the nodes or apps that hold it.
    [[nodiscard]] Result<void> canRemovePool(PoolHandle pool) const;
    void removePool(PoolHandle pool);

    [[nodiscard]] Result<NodeHandle> addNode(NodeSpec spec, Instant now);
    /// Takes everything over but id, role, pool and owner. A changed health address starts the health afresh.
    void changeNode(NodeHandle node, NodeSpec spec, Instant now);
    /// `in_use` unless the node is draining or in `unassigned`.
    [[nodiscard]] Result<void> canRemoveNode(NodeHandle node) const;
    void removeNode(NodeHandle node, Instant now);
    void setDraining(NodeHandle node, bool draining, std::string reason, std::string by, Instant now);
    /// Puts the node into another pool, its health and quarantine as they are.
    void moveNode(NodeHandle node, PoolHandle to, WallTime at, std::string by, Instant now);

    [[nodiscard]] Result<AppHandle> addApp(const AppId& id, UserHandle owner);
    void setAppOwner(AppHandle app, UserHandle owner);
    void removeApp(AppHandle app);
    /// Refused with `sentinel_pool` for `unassigned`.
    [[nodiscard]] Result<void> canBind(PoolHandle pool) const;
    void bind(AppHandle app, Binding binding);
    void unbind(AppHandle app);

    void setHealthSettings(const health::HealthSettings& settings, Instant now);
    void setSettings(const FleetSettings& settings);

    // --- what happens to nodes -------------------------------------------------------------------------------------

    /// Lets everything happen that was due by `now`: quarantines that ran out, reservations and heartbeats that lapsed. Every
    /// call below that takes a time does this first.
    void advance(Instant now);
    /// When advance() has something to do next.
    [[nodiscard]] std::optional<Instant> nextDeadline() const;

    /// A probe of an older generation or of a node that is gone is dropped.
    health::Transition probeEnded(const ProbeVerdict& verdict, Instant now);
    /// `outcome` is the reason in the words of the outcome rules ("status:500", "refused").
    /// `app`: whose request it was; empty where that is not known.
    OutcomeEffect passiveFailure(NodeHandle node, std::string_view outcome, Instant now, std::string_view app = {});
    void cleanOutcome(NodeHandle node);
    /// Ends a running quarantine; the caller probes at once.
    void revive(NodeHandle node, Instant now);
    /// False when the heartbeat is old, repeated, or of a boot that was replaced: then nothing changed.
    bool heartbeat(NodeHandle node, const Heartbeat& beat, Instant now);
    void disconnect(NodeHandle node, Instant now);
    /// Requests under way to a node behind the embedded gateway, which alone knows the number; it has no time to live.
    void setInFlight(NodeHandle node, std::int64_t inFlight, Instant now);

    // --- decisions -------------------------------------------------------------------------------------------------

    [[nodiscard]] Decision decide(const Request& request, Instant now);
    /// The quiet form: the same filter and choice, no reservation, no record, no counter. advance() first.
    [[nodiscard]] Decision preview(const Request& request, Instant now) const;
    /// The first `limit` candidates of the pool that preview() would choose from, best first; quiet.
    [[nodiscard]] std::vector<NodeHandle> ranking(const Request& request, std::size_t limit, Instant now) const;
    // The four selectors, and the read that the last of them takes its head from.

    /// A decision for WHIP that remembers stream → node. `too_many_streams` when there is no room for another stream.
    [[nodiscard]] Decision selectOriginForPublish(std::string_view app, std::string_view stream, std::uint32_t need, Instant now);
    /// The same for SRT.
    [[nodiscard]] Decision selectOriginForSrtPublish(std::string_view app, std::string_view stream, std::uint32_t need, Instant now);
    /// The node that already carries the stream, while it is connected and its pool is one that the app may use now (`placement` 0:
    /// nothing is reserved); otherwise a new decision that rebinds the stream.
    [[nodiscard]] Decision selectOriginForStream(std::string_view app, std::string_view stream, Instant now);
    /// The whole ranking of edges, at most `limit`; quiet. advance() first.
    [[nodiscard]] std::vector<NodeHandle> findEdgesForStream(std::string_view app, std::string_view stream, std::size_t limit, Instant now) const;
    [[nodiscard]] Decision selectEdgeForStream(std::string_view app, std::string_view stream, Instant now);
    /// False when there was no such stream.
    bool endStream(std::string_view app, std::string_view stream);
    [[nodiscard]] const Streams& streams() const { return m_streams; }

    /// Says PlacedAgain with the next placement of (role, app) in its primary pool, as after a refusal. For an alarm that a restart
    /// carried over.
    void watchPlacement(Role role, std::string_view app);
    /// Gives a placement back early; false when it was gone already.
    bool release(std::uint64_t placement, Instant now);
    /// The whole record, quiet. O(nodes of the pools that are tried).
    [[nodiscard]] Explanation explain(const Request& request, Instant now, WallTime at) const;
    /// The sentence of a refusal from counters alone, O(1); names the app's own pools only.
    [[nodiscard]] std::string refusalSentence(const Decision& decision) const;

    // --- quiet reads -----------------------------------------------------------------------------------------------

    [[nodiscard]] Reachability reachability() const;
    [[nodiscard]] Impact previewMoves(std::span<const Move> moves, Instant now) const;
    [[nodiscard]] Standing standing(const App& app, Role role) const;

    [[nodiscard]] std::optional<NodeHandle> findNode(std::string_view id) const { return m_order.find(id); }
    [[nodiscard]] std::optional<PoolHandle> findPool(std::string_view id) const;
    [[nodiscard]] std::optional<UserHandle> findUser(std::string_view id) const;
    [[nodiscard]] std::optional<AppHandle> findApp(std::string_view id) const;
    /// The live one whose id differs from `id` in nothing but case, if any: ids must be unique when case is ignored.
    [[nodiscard]] std::optional<NodeHandle> findNodeIgnoringCase(std::string_view id) const;
    [[nodiscard]] std::optional<UserHandle> findUserIgnoringCase(std::string_view id) const;
    [[nodiscard]] std::optional<AppHandle> findAppIgnoringCase(std::string_view id) const;
    [[nodiscard]] const Node& node(NodeHandle handle) const { return m_nodes[handle.value()]; }
    [[nodiscard]] const NodeCore& core(NodeHandle handle) const { return m_cores[handle.value()]; }
    [[nodiscard]] const Pool& pool(PoolHandle handle) const { return m_pools[handle.value()]; }
    [[nodiscard]] const User& user(UserHandle handle) const { return m_users[handle.value()]; }
    [[nodiscard]] const App& app(AppHandle handle) const { return m_apps[handle.value()]; }
    [[nodiscard]] bool isAlive(NodeHandle handle) const { return handle.value() < m_cores.size() && m_cores[handle.value()].alive; }
    [[nodiscard]] PoolHandle defaultPool() const { return PoolHandle(0); }
    [[nodiscard]] PoolHandle unassignedPool() const { return PoolHandle(1); }
    /// Display order: `default`, then by id, `unassigned` last.
    [[nodiscard]] std::vector<PoolHandle> poolsInOrder() const;
    [[nodiscard]] std::vector<NodeHandle> nodesInOrder() const;
    [[nodiscard]] std::vector<AppHandle> appsInOrder() const;
    [[nodiscard]] std::vector<UserHandle> usersInOrder() const;
    [[nodiscard]] std::size_t nodeCount() const { return m_order.size(); }
    /// Whether any pool has a node of a scheduled role.
    [[nodiscard]] bool hasNodes(Role role) const { return m_nodesOfRole[weir::indexOf(role)] > 0; }
    [[nodiscard]] std::uint64_t revision() const { return m_revision; }
    /// Grows when a node, a pool or an app comes or goes.
    [[nodiscard]] std::uint64_t identities() const { return m_identities; }
    [[nodiscard]] const health::HealthSettings& healthSettings() const { return m_health; }
    [[nodiscard]] const FleetSettings& settings() const { return m_settings; }
    [[nodiscard]] std::uint64_t lastPlacement() const { return m_reservations.lastNumber(); }
    /// Base URL that probes go to; empty for a node that is judged by heartbeats alone.
    [[nodiscard]] std::string healthAddress(NodeHandle node) const;

    /// Handles of what changed since the last call, longest waiting first; at most `limit` of each are taken, the rest waits.
    /// A removed node is among them, and its handle is given to no other node before the call after that one.
    struct Dirty {
        std::vector<NodeHandle> nodes;
        std::vector<PoolHandle> pools;
        std::vector<AppHandle> apps;
    };
    void takeDirty(Dirty& into, std::size_t limit);

    /// Decisions by role: chosen, fallback, refused.
    struct Counters {
        std::array<std::uint64_t, kScheduledRoleCount> chosen{};
        std::array<std::uint64_t, kScheduledRoleCount> fallback{};
        std::array<std::uint64_t, kScheduledRoleCount> refused{};
        std::uint64_t reservationsExpired = 0;
    };
    [[nodiscard]] const Counters& counters() const { return m_counters; }

    /// The last decisions, oldest first (at most 1,000).
    [[nodiscard]] std::vector<Decision> recentDecisions() const;

private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    using Index = std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>>;

    struct Resolved {
        PoolHandle pool;
        bool allowFallback = false;
        AppHandle app;
        bool known = true;
    };

    static constexpr std::size_t kRecentDecisions = 1000;
    static constexpr std::size_t kMostRefusedApps = 20'000; ///< of one role; callers invent names

    // FleetNodes.cpp
    void attach(NodeHandle node);
    void detach(NodeHandle node);
    void refresh(NodeHandle node, Instant now);
    void setFree(NodeHandle node);
    Reason reasonOf(NodeHandle node, Endpoint endpoint, Instant now) const;
    std::vector<Reason> allReasonsOf(NodeHandle node, const Request& request, Instant now) const;
    void setReason(NodeHandle node, Group& group, std::size_t endpoint, Reason reason);
    void touch(NodeHandle node);
    void touch(PoolHandle pool);
    void touch(AppHandle app);
    void applyOffers(NodeHandle node);
    void relabel(NodeHandle node, std::uint64_t label);
    Group& groupOf(const NodeCore& core) { return m_pools[core.pool.value()].groups[weir::indexOf(core.role)]; }
    const Group& groupOf(const NodeCore& core) const { return m_pools[core.pool.value()].groups[weir::indexOf(core.role)]; }

    // FleetHealth.cpp
    void say(ChangeKind kind, NodeHandle node, Instant now, health::Cause cause, std::string_view text, double figure, std::string_view app = {});
    bool wouldPassCap(NodeHandle node, double& wouldBe) const;
    void rotationChanged(NodeHandle node, health::Transition transition, Instant now, std::string_view text, std::string_view app = {});
    void dropReservations(NodeHandle node, const Heartbeat& beat, bool newBoot, Instant now);
    void endReservation(std::uint64_t placement);
    void markConnected(NodeHandle node, bool connected, Instant now);
    void lapseHeartbeats(Instant now);
    void expireReservations(Instant now);
    void rearmHeartbeats();
    void judgeByHeartbeat(NodeHandle node, Instant now);

    // FleetApps.cpp
    PoolHandle makePool(PoolSpec spec, PoolKind kind, UserHandle owner);
    void resolve(AppHandle app);
    void resolveAppsOf(UserHandle user);
    Resolved resolveText(std::string_view app) const;

    // FleetDecide.cpp
    Decision choose(const Request& request, const Resolved& resolved, Instant now) const;
    const CandidateHeap::Entry* best(PoolHandle pool, const Request& request) const;
    void place(Decision& decision, Instant now);
    void remember(const Decision& decision);
    void placedAgain(const Decision& decision, Instant now);

    // FleetStreams.cpp
    Decision decideForStream(const Request& request, std::string_view stream, Instant now);
    std::optional<Decision> carrierOf(std::string_view app, std::string_view stream, Instant now) const;
    void takeStreams(NodeHandle node, const std::vector<StreamName>& streams, Instant now);

    // FleetReachability.cpp
    std::string strandedSentence(const Reachability& result, const std::vector<std::array<std::size_t, kScheduledRoleCount>>& starvedIn) const;

    // FleetExplain.cpp
    void explainPool(Explanation& record, PoolHandle pool, const Request& request, Instant now) const;
    ExplainedNode explainNode(NodeHandle node, const Request& request, Instant now) const;
    void addElsewhere(Explanation& record, const Request& request, const Resolved& resolved) const;
    void addNextSteps(Explanation& record, const Request& request, const Resolved& resolved) const;
    std::string poolSentence(PoolHandle pool, const Request& request) const;

    ChangeSink& m_sink;
    health::HealthSettings m_health;
    FleetSettings m_settings;

    std::vector<Node> m_nodes;
    std::vector<NodeCore> m_cores;
    /// Where each node stands in the heap of its group. Apart from the cores: a sift writes the places of nodes that it has no other
    /// business with, and these arrays are small enough to stay in the cache.
    std::array<std::vector<std::uint32_t>, kEndpointCount> m_places;
    std::vector<std::uint32_t> m_freeNodes;
    std::vector<std::uint32_t> m_retiredNodes; ///< removal was told by the last takeDirty(); free with the next one
    OrderIndex m_order;
    Index m_foldedNodes;
    std::vector<Pool> m_pools;
    Index m_poolIndex;
    std::vector<User> m_users;
    Index m_userIndex;
    Index m_foldedUsers;
    std::vector<App> m_apps;
    Index m_appIndex;
    Index m_foldedApps;
    Reservations m_reservations;
    Streams m_streams;

    struct QuarantineEnd {
        NodeHandle node;
        std::uint64_t generation;
    };
    struct HeartbeatEnd {
        NodeHandle node;
        std::uint64_t birth;
    };
    TimerQueue<QuarantineEnd> m_quarantineEnds;
    TimerQueue<HeartbeatEnd> m_heartbeatEnds;

    std::vector<NodeHandle> m_dirtyNodes;
    std::vector<PoolHandle> m_dirtyPools;
    std::vector<AppHandle> m_dirtyApps;
    std::array<std::unordered_set<std::string, TextHash, std::equal_to<>>, kScheduledRoleCount> m_refusedApps; ///< refused and not placed since
    std::array<Decision, kRecentDecisions> m_recent{};
    std::size_t m_recentCount = 0;
    std::uint64_t m_revision = 0;
    std::uint64_t m_identities = 0;
    std::uint64_t m_lastGeneration = 0;
    std::array<std::uint32_t, kScheduledRoleCount> m_nodesOfRole{};
    Counters m_counters;
};

} // namespace weir::fleet
