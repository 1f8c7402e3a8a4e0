// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/PoolCommands.h"

#include "core/base/Sentence.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
namespace {

store::PoolRecord recordOf(const fleet::PoolSpec& spec)
{
    store::PoolRecord record;
    record.id = spec.id.text();
    record.name = spec.name;
    record.canary = spec.canary;
    record.minAvailable = spec.minAvailable;
    record.capacityAlarmPercent = spec.capacityAlarmPercent;
    return record;
}

json::object toJson(const fleet::PoolSpec& spec)
{
    return {{"name", spec.name}, {"canary", spec.canary}, {"minAvailable", spec.minAvailable}, {"capacityAlarmPercent", spec.capacityAlarmPercent}};
}

journal::Event poolEvent(const Actor& actor, const CommandTime& time, EventKind kind, const std::string& pool, std::string text)
{
    journal::Event event = eventBy(actor, time, kind, std::move(text));
    event.poolId = pool;
    return event;
}

Error unknownPool(const std::string& id)
{
    return {"unknown_pool", "There is no pool '" + id + "'.", "poolId"};
}

} // namespace

void PoolCommands::create(fleet::PoolSpec spec, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {{"pool:" + spec.id.text(), true}};
    command.plan = [spec = std::move(spec), actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const std::string& id = spec.id.text();
        if (isBuiltInPool(id)) {
            return fail("builtin_pool", "'" + id + "' is a built-in pool or the pool of a user; those are not made by hand.", "poolId");
        }
        if (fleet.findPool(id)) {
            return fail("duplicate_id", "A pool '" + id + "' exists already.", "poolId");
        }
        Plan plan;
        plan.writes.push_back([record = recordOf(spec)](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([spec](fleet::Fleet& live, Instant) { static_cast<void>(live.addPool(spec)); });
        plan.audit.push_back(auditRow(actor, time, "pool.create", id, nullptr, toJson(spec)));
        plan.events.push_back(poolEvent(actor, time, EventKind::PoolCreated, id, sentence("Pool %1 was created by %2.", {id, actor.name})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void PoolCommands::change(const std::string& poolId, PoolPatch patch, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {{"pool:" + poolId, true}};
    command.plan = [poolId, patch = std::move(patch), actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findPool(poolId);
        if (!handle) {
            return tl::unexpected(unknownPool(poolId));
        }
        const fleet::Pool& pool = fleet.pool(*handle);
        if (pool.kind != fleet::PoolKind::Named) {
            return fail("builtin_pool", "'" + poolId + "' is a built-in pool or the pool of a user; it has nothing that can be changed.", "poolId");
        }
        fleet::PoolSpec spec = pool.spec;
        spec.name = patch.name.value_or(spec.name);
        spec.canary = patch.canary.value_or(spec.canary);
        spec.minAvailable = patch.minAvailable.value_or(spec.minAvailable);
        spec.capacityAlarmPercent = patch.capacityAlarmPercent.value_or(spec.capacityAlarmPercent);
        Plan plan;
        if (spec == pool.spec) {
            return plan;
        }
        plan.writes.push_back([record = recordOf(spec)](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([spec, pool = *handle](fleet::Fleet& live, Instant) { live.changePool(pool, spec); });
        plan.audit.push_back(auditRow(actor, time, "pool.change", poolId, toJson(pool.spec), toJson(spec)));
        plan.events.push_back(poolEvent(actor, time, EventKind::SettingsChanged, poolId, sentence("Pool %1 was changed by %2.", {poolId, actor.name})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void PoolCommands::remove(const std::string& poolId, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {{"pool:" + poolId, true}};
    command.plan = [poolId, actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findPool(poolId);
        if (!handle) {
            return tl::unexpected(unknownPool(poolId));
        }
        if (auto allowed = fleet.canRemovePool(*handle); !allowed) {
            return tl::unexpected(allowed.error());
        }
        Plan plan;
        plan.writes.push_back([poolId](store::Writer& writer) { return writer.removePool(poolId); });
        plan.applies.push_back([pool = *handle](fleet::Fleet& live, Instant) { live.removePool(pool); });
        plan.audit.push_back(auditRow(actor, time, "pool.remove", poolId, toJson(fleet.pool(*handle).spec), nullptr));
        plan.events.push_back(poolEvent(actor, time, EventKind::PoolRemoved, poolId, sentence("Pool %1 was removed by %2.", {poolId, actor.name})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

} // namespace weir::plane
