// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/AppCommands.h"

#include "core/base/Sentence.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <memory>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
namespace {

journal::Event appEvent(const Actor& actor, const CommandTime& time, EventKind kind, const std::string& app, const std::string& pool, std::string text)
{
    journal::Event event = eventBy(actor, time, kind, std::move(text));
    event.appId = app;
    event.poolId = pool;
    return event;
}

std::string ownerOf(const fleet::Fleet& fleet, const fleet::App& app)
{
    return app.owner.isValid() ? fleet.user(app.owner).id.text() : std::string();
}

Touch changesApp(const std::string& id)
{
    return {"app:" + foldCase(id), true};
}

// Hands a command in whose answer is whether it made something new.
void submitPut(StoreThread& store, Command command, std::shared_ptr<bool> isNew, Done<bool> done)
{
    command.done = [isNew = std::move(isNew), done = std::move(done)](Result<void> result) { done(result.map([&] { return *isNew; })); };
    store.submit(std::move(command));
}

} // namespace

void AppCommands::putUser(const UserId& id, std::optional<std::string> name, Actor actor, Done<bool> done)
{
    auto isNew = std::make_shared<bool>(false);
    Command command;
    command.touches = {{"user:" + foldCase(id.text()), true}, {"pool:" + userPoolOf(id).text(), true}};
    command.plan = [id, name = std::move(name), actor = std::move(actor), isNew](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto known = fleet.findUser(id.text());
        Plan plan;
        if (!known) {
            if (const auto taken = fleet.findUserIgnoringCase(id.text())) {
                return fail("duplicate_id", "A user '" + fleet.user(*taken).id.text() + "' exists already (ids must differ in more than case).", "userId");
            }
            *isNew = true;
        }
        const std::string before = known ? fleet.user(*known).name : std::string();
        const std::string now = name.value_or(before);
        if (known && now == before) {
            return plan;
        }
        plan.writes.push_back([record = store::UserRecord{id.text(), now}](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([id, now, known](fleet::Fleet& live, Instant) {
            if (known) {
                live.renameUser(*known, now);
            } else {
                static_cast<void>(live.addUser(id, now));
            }
        });
        plan.audit.push_back(auditRow(actor, time, known ? "user.change" : "user.create", id.text(), known ? json::value({{"name", before}}) : json::value(), {{"name", now}}));
        if (!known) {
            journal::Event event = eventBy(actor, time, EventKind::PoolCreated, sentence("User %1 and the pool %2 were created by %3.", {id.text(), userPoolOf(id).text(), actor.name}));
            event.poolId = userPoolOf(id).text();
            plan.events.push_back(std::move(event));
        }
        return plan;
    };
    submitPut(m_store, std::move(command), isNew, std::move(done));
}

void AppCommands::removeUser(const std::string& id, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {{"user:" + foldCase(id), true}, {"pool:" + std::string(kUserPoolPrefix) + id, true}};
    command.plan = [id, actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findUser(id);
        if (!handle) {
            return fail("unknown_user", "There is no user '" + id + "'.", "userId");
        }
        if (auto allowed = fleet.canRemoveUser(*handle); !allowed) {
            return tl::unexpected(allowed.error());
        }
        Plan plan;
        plan.writes.push_back([id](store::Writer& writer) { return writer.removeUser(id); });
        plan.applies.push_back([user = *handle](fleet::Fleet& live, Instant) { live.removeUser(user); });
        plan.audit.push_back(auditRow(actor, time, "user.remove", id, {{"name", fleet.user(*handle).name}}, nullptr));
        journal::Event event = eventBy(actor, time, EventKind::PoolRemoved, sentence("User %1 and the pool %2 were removed by %3.", {id, std::string(kUserPoolPrefix) + id, actor.name}));
        event.poolId = std::string(kUserPoolPrefix) + id;
        plan.events.push_back(std::move(event));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void AppCommands::putApp(const AppId& id, std::optional<std::string> owner, Actor actor, Done<bool> done)
{
    auto isNew = std::make_shared<bool>(false);
    Command command;
    command.touches = {changesApp(id.text())};
    if (owner && !owner->empty()) {
        command.touches.push_back({"user:" + foldCase(*owner), false});
    }
    command.plan = [this, id, owner = std::move(owner), actor = std::move(actor), isNew](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        if (id.text() == kDefaultApp) {
            return fail("reserved_id", "The app id 'default' is reserved: it always resolves to the pool default.", "appId");
        }
        const auto known = fleet.findApp(id.text());
        if (const auto taken = fleet.findAppIgnoringCase(id.text()); !known && taken) {
            return fail("duplicate_id", "An app '" + fleet.app(*taken).id.text() + "' exists already (ids must differ in more than case).", "appId");
        }
        const std::string before = known ? ownerOf(fleet, fleet.app(*known)) : std::string();
        const std::string now = owner.value_or(before);
        std::optional<UserHandle> user;
        if (!now.empty()) {
            user = fleet.findUser(now);
            if (!user) {
                return fail("unknown_owner", "There is no user '" + now + "'.", "owner");
            }
        }
        Plan plan;
        *isNew = !known;
        if (known && now == before) {
            return plan;
        }
        store::AppRecord record;
        if (const auto stored = m_book.apps.find(id.text()); stored != m_book.apps.end()) {
            record = stored->second;
        }
        record.id = id.text();
        record.owner = now;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, id, known, user](fleet::Fleet& live, Instant) {
            m_book.apps[record.id] = record;
            if (known) {
                live.setAppOwner(*known, user.value_or(UserHandle()));
            } else {
                static_cast<void>(live.addApp(id, user.value_or(UserHandle())));
            }
        });
        plan.audit.push_back(auditRow(actor, time, known ? "app.change" : "app.create", id.text(), known ? json::value({{"owner", before}}) : json::value(), {{"owner", now}}));
        plan.events.push_back(appEvent(actor, time, EventKind::AppChanged, id.text(), {},
            now.empty() ? sentence("App %1 has no owner, by %2.", {id.text(), actor.name}) : sentence("App %1 belongs to user %2, by %3.", {id.text(), now, actor.name})));
        return plan;
    };
    submitPut(m_store, std::move(command), isNew, std::move(done));
}

void AppCommands::removeApp(const std::string& id, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {changesApp(id)};
    command.plan = [this, id, actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findApp(id);
        if (!handle) {
            return fail("unknown_app", "There is no app '" + id + "'.", "appId");
        }
        Plan plan;
        plan.writes.push_back([id](store::Writer& writer) -> Result<void> {
            if (auto unbound = writer.removeBinding(id); !unbound) {
                return unbound;
            }
            return writer.removeApp(id);
        });
        plan.applies.push_back([this, id, app = *handle](fleet::Fleet& live, Instant) {
            m_book.apps.erase(id);
            m_book.bindings.erase(id);
            live.removeApp(app);
        });
        plan.audit.push_back(auditRow(actor, time, "app.remove", id, {{"owner", ownerOf(fleet, fleet.app(*handle))}}, nullptr));
        plan.events.push_back(appEvent(actor, time, EventKind::AppChanged, id, {}, sentence("App %1 was removed by %2.", {id, actor.name})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void AppCommands::putBinding(const std::string& appId, const std::string& poolId, bool allowFallback, Actor actor, Done<bool> done)
{
    auto isNew = std::make_shared<bool>(false);
    Command command;
    command.touches = {changesApp(appId), {"pool:" + poolId, false}};
    command.plan = [this, appId, poolId, allowFallback, actor = std::move(actor), isNew](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        if (poolId == kUnassignedPool) {
            return tl::unexpected(fleet.canBind(fleet.unassignedPool()).error());
        }
        const auto app = fleet.findApp(appId);
        if (!app) {
            return fail("unknown_app", "There is no app '" + appId + "'.", "appId");
        }
        const auto pool = fleet.findPool(poolId);
        if (!pool) {
            return fail("unknown_pool", "There is no pool '" + poolId + "'.", "poolId");
        }
        const std::optional<fleet::Binding>& before = fleet.app(*app).binding;
        const fleet::Binding binding{*pool, allowFallback};
        *isNew = !before.has_value();
        Plan plan;
        if (before == binding) {
            return plan;
        }
        const auto toJson = [&](const fleet::Binding& of) { return json::object{{"poolId", fleet.pool(of.pool).spec.id.text()}, {"allowFallbackToDefault", of.allowFallback}}; };
        store::BindingRecord record;
        if (const auto stored = m_book.bindings.find(appId); stored != m_book.bindings.end()) {
            record = stored->second;
        }
        record.app = appId;
        record.pool = poolId;
        record.allowFallback = allowFallback;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, app = *app, binding](fleet::Fleet& live, Instant) {
            m_book.bindings[record.app] = record;
            live.bind(app, binding);
        });
        plan.audit.push_back(auditRow(actor, time, "app.bind", appId, before ? json::value(toJson(*before)) : json::value(), toJson(binding)));
        plan.events.push_back(appEvent(actor, time, EventKind::AppBound, appId, poolId,
            sentence("App %1 is bound to %2 by %3, fallback to default %4.", {appId, poolId, actor.name, allowFallback ? "allowed" : "off"})));
        return plan;
    };
    submitPut(m_store, std::move(command), isNew, std::move(done));
}

void AppCommands::removeBinding(const std::string& appId, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {changesApp(appId)};
    command.plan = [this, appId, actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto app = fleet.findApp(appId);
        if (!app || !fleet.app(*app).binding) {
            return fail("unknown_binding", "App '" + appId + "' has no binding.", "appId");
        }
        const std::string pool = fleet.pool(fleet.app(*app).binding->pool).spec.id.text();
        Plan plan;
        plan.writes.push_back([appId](store::Writer& writer) { return writer.removeBinding(appId); });
        plan.applies.push_back([this, appId, app = *app](fleet::Fleet& live, Instant) {
            m_book.bindings.erase(appId);
            live.unbind(app);
        });
        plan.audit.push_back(auditRow(actor, time, "app.unbind", appId, {{"poolId", pool}}, nullptr));
        plan.events.push_back(appEvent(actor, time, EventKind::AppUnbound, appId, pool, sentence("App %1 is not bound to %2 any more, by %3.", {appId, pool, actor.name})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

Result<std::vector<fleet::AppImpact>> AppCommands::previewBinding(const std::string& appId, const std::string& poolId, bool allowFallback) const
{
    return m_fleet.read([&](const fleet::Fleet& fleet, Instant now) -> Result<std::vector<fleet::AppImpact>> {
        const auto handle = fleet.findApp(appId);
        if (!handle) {
            return fail("unknown_app", "There is no app '" + appId + "'.", "appId");
        }
        fleet::App after = fleet.app(*handle);
        after.binding.reset();
        if (poolId.empty()) {
            const bool owned = after.owner.isValid();
            after.pool = owned ? fleet.user(after.owner).pool : fleet.defaultPool();
            after.allowFallback = owned && fleet.user(after.owner).scheduledNodes == 0;
        } else {
            const auto pool = fleet.findPool(poolId);
            if (!pool) {
                return fail("unknown_pool", "There is no pool '" + poolId + "'.", "poolId");
            }
            if (auto allowed = fleet.canBind(*pool); !allowed) {
                return tl::unexpected(allowed.error());
            }
            after.pool = *pool;
            after.allowFallback = allowFallback;
        }
        std::vector<fleet::AppImpact> rows;
        for (const Role role : kScheduledRoles) {
            const Instant asked = after.lastAsked[weir::indexOf(role)];
            rows.push_back({appId, role, fleet.pool(after.pool).spec.id.text(), fleet.standing(fleet.app(*handle), role), fleet.standing(after, role),
                asked != Instant::min() && now - asked <= std::chrono::minutes(5)});
        }
        return rows;
    });
}

} // namespace weir::plane
