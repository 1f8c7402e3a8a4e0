// SPDX-License-Identifier: GPL-3.0-or-later
// Moves: check, preview and plan of NodeCommands (fleet.md "Moves").
#include "core/plane/NodeCommands.h"

#include "core/base/Sentence.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <memory>
#include <set>

namespace weir::plane {
namespace {

// The move with handles for names; everything that is wrong with it lands in the refusal.
tl::expected<std::vector<fleet::Move>, MoveRefusal> resolveMoves(const MoveRequest& request, const fleet::Fleet& fleet)
{
    std::vector<fleet::Move> moves;
    MoveRefusal refusal;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < request.moves.size(); ++i) {
        const MoveRequest::One& one = request.moves[i];
        const std::string at = "moves[" + std::to_string(i) + "].";
        const auto node = fleet.findNode(one.nodeId);
        if (!node) {
            return tl::unexpected(MoveRefusal{{"unknown_node", "There is no node '" + one.nodeId + "'.", at + "nodeId"}, {}, {}, {}});
        }
        if (!seen.insert(one.nodeId).second) {
            return tl::unexpected(MoveRefusal{{"duplicate_id", "Node '" + one.nodeId + "' stands twice in the move.", at + "nodeId"}, {}, {}, {}});
        }
        const auto pool = fleet.findPool(one.poolId);
        if (!pool) {
            std::vector<std::string> names;
            for (const PoolHandle known : fleet.poolsInOrder()) {
                names.push_back(fleet.pool(known).spec.id.text());
            }
            MoveRefusal unknown{{"unknown_pool", "There is no pool '" + one.poolId + "'.", at + "poolId"}, {}, similarNames(one.poolId, names), {}};
            return tl::unexpected(std::move(unknown));
        }
        const std::string& now = fleet.pool(fleet.core(*node).pool).spec.id.text();
        if (one.expectedFrom && *one.expectedFrom != now) {
            const fleet::NodeSpec& spec = fleet.node(*node).spec;
            refusal.movedMeanwhile.push_back({one.nodeId, now, spec.movedBy, spec.poolSince});
        }
        moves.push_back({*node, *pool, std::nullopt});
    }
    if (!refusal.movedMeanwhile.empty()) {
        const MoveRefusal::Meanwhile& first = refusal.movedMeanwhile.front();
        const std::size_t others = refusal.movedMeanwhile.size() - 1;
        refusal.error = {"moved_meanwhile",
            sentence("%1 is in %2 now%3; nothing was moved.", {first.nodeId, first.poolId, others > 0 ? ", and " + counted(others, "other node") + " moved too" : ""}), "expectedFrom"};
        return tl::unexpected(std::move(refusal));
    }
    return moves;
}

// What the person was told, for the audit: tier, pools, and who would starve.
boost::json::object shownImpact(const fleet::Impact& impact)
{
    boost::json::array failClosed;
    for (const std::string& app : impact.failClosed) {
        failClosed.emplace_back(app);
    }
    boost::json::array pools;
    for (const fleet::PoolImpact& pool : impact.pools) {
        pools.emplace_back(boost::json::object{{"poolId", pool.pool}, {"role", toText(pool.role)}, {"before", pool.candidatesBefore}, {"after", pool.candidatesAfter}});
    }
    return {{"tier", static_cast<int>(impact.tier)}, {"pools", std::move(pools)}, {"failClosed", std::move(failClosed)}, {"failClosedCount", impact.failClosedCount},
        {"stranded", impact.strandedCount}};
}

MoveAnswer answerOf(const MoveRequest& request, const std::vector<fleet::Move>& moves, const fleet::Fleet& fleet, Instant now)
{
    MoveAnswer answer;
    answer.impact = fleet.previewMoves(moves, now);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const std::string& from = fleet.pool(fleet.core(moves[i].node).pool).spec.id.text();
        answer.moves.push_back({request.moves[i].nodeId, from, request.moves[i].poolId, from != request.moves[i].poolId});
    }
    return answer;
}

} // namespace

tl::expected<MoveAnswer, MoveRefusal> NodeCommands::previewMove(const MoveRequest& request) const
{
    return m_fleet.read([&](const fleet::Fleet& fleet, Instant now) -> tl::expected<MoveAnswer, MoveRefusal> {
        auto moves = resolveMoves(request, fleet);
        if (!moves) {
            return tl::unexpected(std::move(moves.error()));
        }
        return answerOf(request, *moves, fleet, now);
    });
}

Result<Plan> NodeCommands::planMove(const MoveRequest& request, const Actor& actor, const fleet::Fleet& fleet, const CommandTime& time, MoveAnswer& answer,
    MoveRefusal& refusal)
{
    auto moves = resolveMoves(request, fleet);
    if (!moves) {
        refusal = std::move(moves.error());
        return tl::unexpected(refusal.error);
    }
    answer = answerOf(request, *moves, fleet, time.now);
    if (request.impactToken && !answer.impact.isCoveredBy(*request.impactToken)) {
        refusal.error = {"impact_changed", "What the move would do has changed since it was previewed; nothing was moved.", "impact"};
        refusal.impact = answer.impact;
        return tl::unexpected(refusal.error);
    }
    const boost::json::object shown = shownImpact(answer.impact);
    Plan plan;
    for (std::size_t i = 0; i < moves->size(); ++i) {
        const MoveAnswer::One& one = answer.moves[i];
        if (!one.changed) {
            continue;
        }
        store::NodeRecord record = m_book.nodes.at(one.nodeId);
        record.pool = one.to;
        record.poolSince = time.wall;
        record.movedBy = actor.name;
        if (std::find(record.adminFields.begin(), record.adminFields.end(), "pool") == record.adminFields.end()) {
            record.adminFields.emplace_back("pool");
        }
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, move = (*moves)[i]](fleet::Fleet& live, Instant now) {
            m_book.nodes[record.id] = record;
            live.moveNode(move.node, move.to, record.poolSince, record.movedBy, now);
        });
        plan.audit.push_back(auditRow(actor, time, "node.move", one.nodeId, {{"poolId", one.from}}, {{"poolId", one.to}, {"impact", shown}}, request.reason));
        journal::Event event = eventBy(actor, time, journal::EventKind::NodeMoved, sentence("%1 was moved from %2 to %3 by %4.", {one.nodeId, one.from, one.to, actor.name}));
        event.nodeId = one.nodeId;
        event.poolId = one.to;
        event.role = record.role;
        event.detail = boost::json::serialize(boost::json::object{{"from", one.from}, {"to", one.to}, {"reason", request.reason}});
        plan.events.push_back(std::move(event));
    }
    return plan;
}

void NodeCommands::move(MoveRequest request, Actor actor, std::function<void(tl::expected<MoveAnswer, MoveRefusal>)> done)
{
    struct Shared {
        MoveAnswer answer;
        MoveRefusal refusal;
    };
    auto shared = std::make_shared<Shared>();
    Command command;
    for (const MoveRequest::One& one : request.moves) {
        command.touches.push_back({"node:" + foldCase(one.nodeId), true});
        command.touches.push_back({"pool:" + one.poolId, false});
    }
    command.plan = [this, request = std::move(request), actor = std::move(actor), shared](const fleet::Fleet& fleet, const CommandTime& time) {
        return planMove(request, actor, fleet, time, shared->answer, shared->refusal);
    };
    command.done = [shared, done = std::move(done)](Result<void> result) {
        if (result) {
            done(std::move(shared->answer));
            return;
        }
        shared->refusal.error = result.error();
        done(tl::unexpected(std::move(shared->refusal)));
    };
    m_store.submit(std::move(command));
}

} // namespace weir::plane
