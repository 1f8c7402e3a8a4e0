// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/fleet/Impact.h"
#include "core/plane/Command.h"
#include "core/plane/StoreThread.h"
#include "core/plane/StoredBook.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::plane {

/// `POST /admin/mmx-nodes`; ids are checked already.
struct NewNode {
    NodeId id;
    Role role = Role::Worker;
    std::optional<UserId> owner;
    std::optional<std::string> pool; ///< unset: the owner's pool, with no owner `default`
    std::string url;
    std::string healthUrl;
    std::string healthPath;
    std::vector<int> expectedStatuses;
    std::string webrtcBaseUrl;
    std::string publishUrl;
    std::int64_t capacity = 1;
    int weight = 10;
    std::string region;
    std::string version;
};

struct NodeCreated {
    std::string nodeId;
    std::string poolId;
    std::string nodeSecret; ///< shown this once; empty for a static node
};

/// `PATCH /admin/mmx-nodes/{id}`: what is set is changed.
struct NodePatch {
    std::optional<std::string> url;
    std::optional<std::string> healthUrl;
    std::optional<std::string> healthPath;
    std::optional<std::vector<int>> expectedStatuses;
    std::optional<std::string> webrtcBaseUrl;
    std::optional<std::string> publishUrl;
    std::optional<std::int64_t> capacity;
    std::optional<int> weight;
    std::optional<std::string> region;
    std::optional<std::string> version;
};

struct MoveRequest {
    struct One {
        std::string nodeId;
        std::string poolId;
        std::optional<std::string> expectedFrom;
    };
    std::vector<One> moves;
    std::optional<std::uint64_t> impactToken;
    std::string reason;
};

/// Why a move was refused, beyond its error: the nodes that somebody moved meanwhile, similar pool names, the impact as it is now.
struct MoveRefusal {
    /// Where a node is now, and who moved it there when.
    struct Meanwhile {
        std::string nodeId;
        std::string poolId;
        std::string by;
        WallTime at{};
    };

    Error error;
    std::vector<Meanwhile> movedMeanwhile;
    std::vector<std::string> suggestions;
    std::optional<fleet::Impact> impact;
};

struct MoveAnswer {
    struct One {
        std::string nodeId;
        std::string from;
        std::string to;
        bool changed = false;
    };
    std::vector<One> moves;
    fleet::Impact impact;
};

/// Changes of nodes. Every call answers on the store thread once the change is durable and visible, or refused.
/// Errors: `unknown_node`, `unknown_pool`, `unknown_owner`, `duplicate_id`, `moved_meanwhile`, `impact_changed`, `in_use`,
/// `invalid_url`, `url_not_canonical`, `store_failed`.
class NodeCommands {
public:
    /// Told when a node's health address is new, changed or gone, on the store thread.
    struct ProbeHooks {
        std::function<void(NodeHandle)> targetChanged;
        std::function<void(NodeHandle)> targetGone;
        std::function<void(NodeHandle)> probeNow;
    };

    /// Checks a health address as the prober will ask it, from base and path; gives the address.
    using AddressCheck = std::function<Result<std::string>(std::string_view base, std::string_view path)>;

    NodeCommands(StoreThread& store, live::LiveFleet& fleet, StoredBook& book, ProbeHooks hooks, AddressCheck check);

    void create(NewNode node, Actor actor, Done<NodeCreated> done);
    void change(const std::string& nodeId, NodePatch patch, Actor actor, Done<void> done);
    void remove(const std::string& nodeId, Actor actor, Done<void> done);
    void setDraining(const std::string& nodeId, bool draining, std::string reason, Actor actor, Done<void> done);
    /// Ends a quarantine and probes at once; `reason` must not be empty (`missing_field`).
    void revive(const std::string& nodeId, std::string reason, Actor actor, Done<void> done);
    /// All or none.
    void move(MoveRequest request, Actor actor, std::function<void(tl::expected<MoveAnswer, MoveRefusal>)> done);

    /// What a move would do; quiet. Any thread.
    [[nodiscard]] tl::expected<MoveAnswer, MoveRefusal> previewMove(const MoveRequest& request) const;

private:
    Result<Plan> planCreate(const NewNode& node, const Actor& actor, const fleet::Fleet& fleet, const CommandTime& time, NodeCreated& created);
    Result<Plan> planMove(const MoveRequest& request, const Actor& actor, const fleet::Fleet& fleet, const CommandTime& time, MoveAnswer& answer,
        MoveRefusal& refusal);
    Result<void> checkAddresses(const fleet::Fleet& fleet, const store::NodeRecord& node) const;

    StoreThread& m_store;
    live::LiveFleet& m_fleet;
    StoredBook& m_book;
    ProbeHooks m_hooks;
    AddressCheck m_checkAddress;
};

/// The live form of a stored node. Under the fleet's lock; pool and owner must exist.
[[nodiscard]] fleet::NodeSpec specOf(const fleet::Fleet& fleet, const store::NodeRecord& record);

/// Up to three of `names` that look like `wanted`, nearest first.
[[nodiscard]] std::vector<std::string> similarNames(std::string_view wanted, const std::vector<std::string>& names);

} // namespace weir::plane
