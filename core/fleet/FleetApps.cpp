// SPDX-License-Identifier: GPL-3.0-or-later
// Users, pools, apps and bindings, and which pool an app resolves to.
#include "core/fleet/Fleet.h"

#include "core/base/Sentence.h"

#include <algorithm>

namespace weir::fleet {
namespace {

constexpr std::size_t kNamesInErrors = 5;

template <typename Things>
std::vector<std::uint32_t> inOrderOfIds(const Things& things, std::string_view (*textOf)(const typename Things::value_type&))
{
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < things.size(); ++i) {
        if (things[i].alive) {
            order.push_back(i);
        }
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return textOf(things[a]) < textOf(things[b]); });
    return order;
}

template <typename HandleType>
std::vector<HandleType> toHandles(const std::vector<std::uint32_t>& indices)
{
    std::vector<HandleType> handles;
    handles.reserve(indices.size());
    for (const std::uint32_t index : indices) {
        handles.emplace_back(index);
    }
    return handles;
}

} // namespace

PoolHandle Fleet::makePool(PoolSpec spec, PoolKind kind, UserHandle owner)
{
    // A pool that existed before keeps its place, so that handles stay good for the life of the process.
    const auto known = m_poolIndex.find(spec.id.text());
    std::uint32_t index = 0;
    if (known != m_poolIndex.end()) {
        index = known->second;
    } else {
        index = static_cast<std::uint32_t>(m_pools.size());
        m_poolIndex.emplace(spec.id.text(), index);
        m_pools.emplace_back();
        m_dirtyPools.reserve(m_pools.capacity());
    }
    Pool& pool = m_pools[index];
    pool.spec = std::move(spec);
    pool.kind = kind;
    pool.owner = owner;
    pool.alive = true;
    ++m_identities;
    touch(PoolHandle(index));
    return PoolHandle(index);
}

Result<UserHandle> Fleet::addUser(const UserId& id, std::string name)
{
    const std::string folded = foldCase(id.text());
    std::uint32_t index = 0;
    if (const auto known = m_foldedUsers.find(folded); known != m_foldedUsers.end()) {
        if (m_users[known->second].alive) {
            return fail("duplicate_id", "A user '" + m_users[known->second].id.text() + "' exists already (ids must differ in more than case).", "userId");
        }
        index = known->second;
        m_userIndex.erase(m_users[index].id.text());
    } else {
        index = static_cast<std::uint32_t>(m_users.size());
        m_users.emplace_back();
        m_foldedUsers.emplace(folded, index);
    }
    m_userIndex.emplace(id.text(), index);
    User& user = m_users[index];
    user.id = id;
    user.name = std::move(name);
    user.alive = true;
    user.pool = makePool(PoolSpec{userPoolOf(id), "", false, 0, 10}, PoolKind::User, UserHandle(index));
    return UserHandle(index);
}

void Fleet::renameUser(UserHandle user, std::string name)
{
    m_users[user.value()].name = std::move(name);
    touch(m_users[user.value()].pool);
}

Result<void> Fleet::canRemoveUser(UserHandle handle) const
{
    const User& user = m_users[handle.value()];
    const Pool& pool = m_pools[user.pool.value()];
    if (user.nodes > 0 || !user.apps.empty() || !pool.nodes.empty() || !pool.apps.empty()) {
        return fail("in_use", sentence("User '%1' still has %2 and %3, and %4 holds %5 and serves %6.",
                                  {user.id.text(), counted(user.nodes, "node"), counted(user.apps.size(), "app"), pool.spec.id.text(),
                                      counted(pool.nodes.size(), "node"), counted(pool.apps.size(), "app")}));
    }
    return {};
}

void Fleet::removeUser(UserHandle handle)
{
    User& user = m_users[handle.value()];
    user.alive = false;
    m_pools[user.pool.value()].alive = false;
    ++m_identities;
    touch(user.pool);
}

Result<PoolHandle> Fleet::addPool(PoolSpec spec)
{
    if (isBuiltInPool(spec.id.text())) {
        return fail("builtin_pool", "'" + spec.id.text() + "' is a built-in pool or the pool of a user; those are not made by hand.", "poolId");
    }
    if (const auto known = findPool(spec.id.text())) {
        return fail("duplicate_id", "A pool '" + spec.id.text() + "' exists already.", "poolId");
    }
    return makePool(std::move(spec), PoolKind::Named, UserHandle());
}

void Fleet::changePool(PoolHandle handle, PoolSpec spec)
{
    Pool& pool = m_pools[handle.value()];
    spec.id = pool.spec.id;
    pool.spec = std::move(spec);
    touch(handle);
}

Result<void> Fleet::canRemovePool(PoolHandle handle) const
{
    const Pool& pool = m_pools[handle.value()];
    if (pool.kind != PoolKind::Named) {
        return fail("builtin_pool", "'" + pool.spec.id.text() + "' is a built-in pool or the pool of a user; those are not removed by hand.");
    }
    if (!pool.nodes.empty() || !pool.apps.empty()) {
        std::vector<std::string> names;
        for (const NodeHandle node : pool.nodes) {
            names.push_back("node " + m_nodes[node.value()].spec.id.text());
        }
        std::sort(names.begin(), names.end());
        for (const AppHandle app : pool.apps) {
            names.push_back("app " + m_apps[app.value()].id.text());
        }
        return fail("in_use", "Pool '" + pool.spec.id.text() + "' is held by " + listed(names, kNamesInErrors) + ".");
    }
    return {};
}

void Fleet::removePool(PoolHandle handle)
{
    m_pools[handle.value()].alive = false;
    ++m_identities;
    touch(handle);
}

Result<AppHandle> Fleet::addApp(const AppId& id, UserHandle owner)
{
    if (id.text() == kDefaultApp) {
        return fail("reserved_id", "The app id 'default' is reserved: it always resolves to the pool default.", "appId");
    }
    const std::string folded = foldCase(id.text());
    std::uint32_t index = 0;
    if (const auto known = m_foldedApps.find(folded); known != m_foldedApps.end()) {
        if (m_apps[known->second].alive) {
            return fail("duplicate_id", "An app '" + m_apps[known->second].id.text() + "' exists already (ids must differ in more than case).", "appId");
        }
        index = known->second;
        m_appIndex.erase(m_apps[index].id.text());
        const bool dirty = m_apps[index].dirty;
        m_apps[index] = App();
        m_apps[index].dirty = dirty;
    } else {
        index = static_cast<std::uint32_t>(m_apps.size());
        m_apps.emplace_back();
        m_dirtyApps.reserve(m_apps.capacity());
        m_foldedApps.emplace(folded, index);
    }
    m_appIndex.emplace(id.text(), index);
    App& app = m_apps[index];
    app.id = id;
    app.owner = owner;
    app.alive = true;
    ++m_identities;
    if (owner.isValid()) {
        m_users[owner.value()].apps.push_back(AppHandle(index));
    }
    resolve(AppHandle(index));
    return AppHandle(index);
}

void Fleet::setAppOwner(AppHandle handle, UserHandle owner)
{
    App& app = m_apps[handle.value()];
    if (app.owner.isValid()) {
        std::erase(m_users[app.owner.value()].apps, handle);
    }
    app.owner = owner;
    if (owner.isValid()) {
        m_users[owner.value()].apps.push_back(handle);
    }
    resolve(handle);
}

void Fleet::removeApp(AppHandle handle)
{
    App& app = m_apps[handle.value()];
    if (app.owner.isValid()) {
        std::erase(m_users[app.owner.value()].apps, handle);
    }
    std::erase(m_pools[app.pool.value()].apps, handle);
    touch(app.pool);
    app.alive = false;
    ++m_identities;
    app.pool = PoolHandle();
    touch(handle);
}

Result<void> Fleet::canBind(PoolHandle pool) const
{
    if (pool == unassignedPool()) {
        return fail("sentinel_pool", "No app can be bound to unassigned; it is outside all scheduling.", "poolId");
    }
    return {};
}

void Fleet::bind(AppHandle handle, Binding binding)
{
    m_apps[handle.value()].binding = binding;
    resolve(handle);
}

void Fleet::unbind(AppHandle handle)
{
    m_apps[handle.value()].binding.reset();
    resolve(handle);
}

void Fleet::resolve(AppHandle handle)
{
    App& app = m_apps[handle.value()];
    PoolHandle pool = defaultPool();
    app.because = Because::None;
    app.allowFallback = false;
    if (app.binding) {
        pool = app.binding->pool;
        app.because = Because::Binding;
        app.allowFallback = app.binding->allowFallback;
    } else if (app.owner.isValid()) {
        const User& owner = m_users[app.owner.value()];
        pool = owner.pool;
        app.because = Because::Owner;
        app.allowFallback = owner.scheduledNodes == 0;
    }
    if (app.pool != pool) {
        if (app.pool.isValid()) {
            std::erase(m_pools[app.pool.value()].apps, handle);
            touch(app.pool);
        }
        app.pool = pool;
        m_pools[pool.value()].apps.push_back(handle);
    }
    touch(pool);
    touch(handle);
}

void Fleet::resolveAppsOf(UserHandle user)
{
    for (const AppHandle app : m_users[user.value()].apps) {
        resolve(app);
    }
}

Fleet::Resolved Fleet::resolveText(std::string_view text) const
{
    if (text != kDefaultApp) {
        if (const auto handle = findApp(text)) {
            const App& app = m_apps[handle->value()];
            return {app.pool, app.allowFallback, *handle, true};
        }
    }
    return {defaultPool(), false, AppHandle(), text == kDefaultApp || m_settings.admitUnknownApps};
}

std::optional<PoolHandle> Fleet::findPool(std::string_view id) const
{
    const auto at = m_poolIndex.find(id);
    return at == m_poolIndex.end() || !m_pools[at->second].alive ? std::nullopt : std::optional<PoolHandle>(PoolHandle(at->second));
}

std::optional<UserHandle> Fleet::findUser(std::string_view id) const
{
    const auto at = m_userIndex.find(id);
    return at == m_userIndex.end() || !m_users[at->second].alive ? std::nullopt : std::optional<UserHandle>(UserHandle(at->second));
}

std::optional<AppHandle> Fleet::findApp(std::string_view id) const
{
    const auto at = m_appIndex.find(id);
    return at == m_appIndex.end() || !m_apps[at->second].alive ? std::nullopt : std::optional<AppHandle>(AppHandle(at->second));
}

std::optional<NodeHandle> Fleet::findNodeIgnoringCase(std::string_view id) const
{
    const auto at = m_foldedNodes.find(foldCase(id));
    return at == m_foldedNodes.end() ? std::nullopt : std::optional<NodeHandle>(NodeHandle(at->second));
}

std::optional<UserHandle> Fleet::findUserIgnoringCase(std::string_view id) const
{
    const auto at = m_foldedUsers.find(foldCase(id));
    return at == m_foldedUsers.end() || !m_users[at->second].alive ? std::nullopt : std::optional<UserHandle>(UserHandle(at->second));
}

std::optional<AppHandle> Fleet::findAppIgnoringCase(std::string_view id) const
{
    const auto at = m_foldedApps.find(foldCase(id));
    return at == m_foldedApps.end() || !m_apps[at->second].alive ? std::nullopt : std::optional<AppHandle>(AppHandle(at->second));
}

std::vector<PoolHandle> Fleet::poolsInOrder() const
{
    auto pools = toHandles<PoolHandle>(inOrderOfIds(m_pools, +[](const Pool& pool) -> std::string_view { return pool.spec.id.text(); }));
    const auto rank = [this](PoolHandle pool) { return pool == defaultPool() ? 0 : pool == unassignedPool() ? 2 : 1; };
    std::stable_sort(pools.begin(), pools.end(), [&](PoolHandle a, PoolHandle b) { return rank(a) < rank(b); });
    return pools;
}

std::vector<AppHandle> Fleet::appsInOrder() const
{
    return toHandles<AppHandle>(inOrderOfIds(m_apps, +[](const App& app) -> std::string_view { return app.id.text(); }));
}

std::vector<UserHandle> Fleet::usersInOrder() const
{
    return toHandles<UserHandle>(inOrderOfIds(m_users, +[](const User& user) -> std::string_view { return user.id.text(); }));
}

} // namespace weir::fleet
