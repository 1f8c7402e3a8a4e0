// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Handles.h"
#include "core/base/NodeTls.h"
#include "core/gateway/NodeAddress.h"
#include "core/live/LiveFleet.h"
#include "core/live/OutcomeJudge.h"
#include "core/outcome/OutcomeRules.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::gateway {

class NodeLink;

/// What the gateway keeps about a node it has sent requests to. Io thread only.
struct GatewayNode {
    NodeHandle handle;
    std::uint64_t birth = 0; ///< tells it from a later node with the same handle
    std::string id;
    std::string url;
    NodeTls tls;
    unsigned addresses = 0; ///< how often url or tls was another
    Result<NodeAddress> address = fail("invalid_url", "This node has no address for traffic.", "url");
    std::int64_t inFlight = 0;
    std::vector<std::shared_ptr<NodeLink>> idle; ///< the one used last at the end
};

/// A node with one request's worth of its capacity taken.
struct Pick {
    std::shared_ptr<GatewayNode> node;
    PoolHandle pool;
    std::string poolId;
    bool fallback = false;
};

enum class PickResult : unsigned char {
    Picked,
    Busy,       ///< at least one node is left out by `no_capacity` alone: waiting makes sense
    NoCandidate ///< nobody will come free
};

/// The gateway's side of the live fleet: picks, requests in flight, outcomes. Each call takes the fleet's lock once. Io thread only.
class FleetGate {
public:
    using Classify = std::function<outcome::Classification(const outcome::Outcome&)>;

    /// `judge` null: `classify` alone says what a status or an error means.
    FleetGate(live::LiveFleet& fleet, Classify classify, live::OutcomeJudge* judge)
        : m_fleet(fleet)
        , m_classify(std::move(classify))
        , m_judge(judge)
    {
    }

    ~FleetGate();
    FleetGate(const FleetGate&) = delete;
    FleetGate& operator=(const FleetGate&) = delete;

    /// Quiet when it does not pick. A node among `avoided` is taken only when no other is there.
    [[nodiscard]] PickResult pick(Role role, std::string_view app, const std::vector<NodeHandle>& avoided, Pick& into);
    /// The same question without an effect.
    [[nodiscard]] PickResult look(Role role, std::string_view app);
    /// The final refusal: alarm and record as of any decision that found nobody.
    void refuse(Role role, std::string_view app);

    struct Judgement {
        bool isFailure = false; ///< a passive failure
        bool isClean = false;
        std::string text; ///< of what counts: "status:500", "refused", "rule:disk-full"
    };
    /// Judges how a try ended while its request is still in flight: what ejects is visible to the next pick. `error` of the transport, or
    /// a response in `exchange`.
    Judgement judge(const GatewayNode& node, const routing::Exchange& exchange, std::string_view error, std::string_view app);
    /// Whether a status alone is a passive failure, so that it can be judged before the body is there.
    [[nodiscard]] bool isPassive(int status) const;
    [[nodiscard]] bool hasRules() const { return m_judge != nullptr && m_judge->book()->size() > 0; }
    /// Whether rules look at bodies of answers.
    [[nodiscard]] bool needsBody() const { return m_judge != nullptr && m_judge->book()->needsBody(); }
    /// The request is over; `clean` also says that the node did its work.
    void release(GatewayNode& node, bool clean);

    /// Nodes that were used and are still there; forgets the others and drops their kept connections.
    void forgetGone();
    [[nodiscard]] const std::vector<std::shared_ptr<GatewayNode>>& nodes() const { return m_nodes; }

private:
    const std::shared_ptr<GatewayNode>& entryOf(const fleet::Fleet& fleet, NodeHandle handle);

    live::LiveFleet& m_fleet;
    Classify m_classify;
    live::OutcomeJudge* m_judge;
    std::vector<std::shared_ptr<GatewayNode>> m_nodes; ///< by handle; null where never used
};

} // namespace weir::gateway
