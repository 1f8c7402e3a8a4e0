// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/FleetSections.h"

#include "core/base/IpAddress.h"
#include "core/config/JsonReader.h"
#include "core/config/SettingSections.h"
#include "core/config/WebAddress.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::config {
namespace {

constexpr int kMostCapacity = 1'000'000;
constexpr int kMostWeight = 1'000;
constexpr int kMostAvailable = 1'000'000;

constexpr std::array<std::string_view, 2> kHttp{"http", "https"};
constexpr std::array<std::string_view, 4> kPublish{"srt", "rtmp", "http", "https"};
constexpr std::size_t kLongestName = 253;

// What a certificate may be issued for: a host name, or an address without brackets.
bool isServerName(std::string_view name)
{
    const auto isPlain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
    if (IpAddress::parse(name)) {
        return true;
    }
    if (name.size() > kLongestName || name.starts_with('.') || name.ends_with('.') || name.find("..") != std::string_view::npos) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [&](char c) { return isPlain(c) || c == '.'; });
}

// An id that the rules of its type refuse is reported under `key`; the message leaves out the field, which the path names.
template <typename Id>
std::optional<Id> parsed(SectionReader& entry, std::string_view key, const Result<Id>& id)
{
    if (id) {
        return *id;
    }
    std::string message = id.error().message;
    if (message.starts_with(std::string(key) + " ")) {
        message.erase(0, key.size() + 1);
    }
    entry.fail(key, id.error().code, withoutFullStop(std::move(message)));
    return std::nullopt;
}

template <typename T, typename U>
void assign(T& into, const std::optional<U>& value)
{
    if (value) {
        into = static_cast<T>(*value);
    }
}

} // namespace

FleetSections::FleetSections(SectionReader& root, Config& config, const ReadOptions& options)
    : m_root(root), m_config(config), m_options(options), m_users(options.known.users), m_pools(options.known.pools),
      m_nodes(options.known.nodes), m_apps(options.known.apps), m_boundApps(m_none)
{
}

void FleetSections::read()
{
    readUsers();
    readPools();
    readNodes();
    readApps();
    readBindings();
}

template <typename Read>
void FleetSections::forEach(std::string_view key, std::span<const KeySpec> keys, Read read)
{
    const JsonNode* list = m_root.array(key);
    if (list == nullptr) {
        return;
    }
    const std::string path = m_root.pathOf(key);
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        SectionReader entry(m_root.issues(), list->items[i], joinPath(path, i), keys);
        if (list->items[i].kind == JsonKind::Object) {
            read(entry);
        }
    }
}

void FleetSections::readUsers()
{
    const JsonNode* list = m_root.array("users");
    if (list == nullptr) {
        return;
    }
    IssueCollector& issues = m_root.issues();
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const JsonNode& item = list->items[i];
        const std::string path = joinPath(m_root.pathOf("users"), i);
        if (item.kind != JsonKind::String) {
            issues.error(item, path, "wrong_type", wrongKind("a user id in quotes", item));
            continue;
        }
        const Result<UserId> user = UserId::parse(item.text, "the id");
        if (!user) {
            issues.error(item, path, user.error().code, withoutFullStop(user.error().message));
        } else if (m_users.declare(issues, item, item.text, path)) {
            m_config.users.push_back(UserEntry{*user, issues.positionAt(item.begin)});
        }
    }
}

void FleetSections::readPools()
{
    forEach("pools", keys::pool(), [this](SectionReader& entry) { readPool(entry); });
}

void FleetSections::readPool(SectionReader& entry)
{
    PoolEntry pool;
    assign(pool.name, entry.label("name"));
    assign(pool.canary, entry.flag("canary"));
    assign(pool.minAvailable, entry.wholeWithin("min_available", 0, kMostAvailable));
    assign(pool.capacityAlarmPercent, entry.numberWithin("capacity_alarm_percent", 0, 100));
    pool.declared = entry.declared();
    pool.at = entry.at();
    const JsonNode* id = entry.require("pool");
    const std::optional<std::string> text = entry.text("pool");
    if (!text) {
        return;
    }
    const std::optional<PoolId> parsedId = parsed(entry, "pool", parseNamedPool(*text, "pool"));
    if (parsedId && m_pools.declare(entry.issues(), *id, *text, entry.pathOf("pool"))) {
        pool.pool = *parsedId;
        m_config.pools.push_back(std::move(pool));
    }
}

void FleetSections::readNodes()
{
    forEach("nodes", keys::node(), [this](SectionReader& entry) { readNode(entry); });
}

void FleetSections::readNode(SectionReader& entry)
{
    NodeEntry node;
    readNodeId(entry, node);
    if (entry.require("role") != nullptr) {
        std::array<std::string_view, kRoleCount> roles{};
        for (const Role role : kRoles) {
            roles[indexOf(role)] = weir::toText(role);
        }
        assign(node.role, entry.choice("role", roles));
    }
    readNodeAddresses(entry, node);
    assign(node.expectedStatuses, entry.statuses("expected_statuses"));
    node.pool = poolReference(entry);
    node.owner = owner(entry);
    assign(node.capacity, entry.wholeWithin("capacity", 1, kMostCapacity));
    assign(node.weight, entry.wholeWithin("weight", 0, kMostWeight));
    assign(node.region, entry.label("region"));
    assign(node.version, entry.label("version"));
    readNodeTls(entry, node);
    node.declared = entry.declared();
    node.at = entry.at();
    m_config.nodes.push_back(std::move(node));
}

void FleetSections::readNodeId(SectionReader& entry, NodeEntry& node)
{
    const JsonNode* id = entry.require("node");
    const std::optional<std::string> text = entry.text("node");
    if (!text) {
        return;
    }
    const std::optional<NodeId> parsedId = parsed(entry, "node", NodeId::parse(*text, "node"));
    if (parsedId && m_nodes.declare(entry.issues(), *id, *text, entry.pathOf("node"))) {
        node.node = *parsedId;
    }
}

void FleetSections::readNodeAddresses(SectionReader& entry, NodeEntry& node)
{
    const auto address = [&entry](std::string_view key, std::span<const std::string_view> schemes, std::string& into) {
        const std::optional<std::string> text = entry.text(key);
        if (!text || text->empty()) {
            return; // empty is how the file says "none"
        }
        if (const std::string fault = webAddressFault(*text, schemes); !fault.empty()) {
            entry.fail(key, "invalid_url", fault);
        } else {
            into = *text;
        }
    };
    address("url", kHttp, node.url);
    address("health_url", kHttp, node.healthUrl);
    address("webrtc_base_url", kHttp, node.webrtcBaseUrl);
    address("publish_url", kPublish, node.publishUrl);
    const std::optional<std::string> path = entry.text("health_path");
    if (path && !path->empty() && !isRequestPath(*path)) {
        entry.fail("health_path", "invalid_value", "must begin with '/' and hold printable ASCII without spaces or '#'");
    } else {
        assign(node.healthPath, path);
    }
    const bool failed = entry.hasFailed("url") || entry.hasFailed("health_url");
    if (!failed && node.url.empty() && node.healthUrl.empty()) {
        // A node of the file never registers, so that a probe is all that can ever tell whether it lives.
        entry.failMissing("url", "must be given, or health_url where the node takes no HTTP traffic");
    } else if (!failed && !entry.hasFailed("health_path")) {
        checkHealthAddress(entry, node);
    }
}

void FleetSections::checkHealthAddress(SectionReader& entry, const NodeEntry& node)
{
    if (!m_options.healthUrlCheck) {
        return;
    }
    const bool ownBase = !node.healthUrl.empty();
    const bool ownPath = !node.healthPath.empty();
    const std::string& base = ownBase ? node.healthUrl : node.url;
    const Result<std::string> sent = m_options.healthUrlCheck(base, ownPath ? node.healthPath : m_config.healthCheck.path);
    if (sent) {
        return;
    }
    // The base is at fault when it is refused with a path that is known to be good.
    const bool baseAtFault = !ownPath || !m_options.healthUrlCheck(base, "/");
    entry.fail(!baseAtFault ? "health_path" : ownBase ? "health_url" : "url", sent.error().code, withoutFullStop(sent.error().message));
}

void FleetSections::readNodeTls(SectionReader& entry, NodeEntry& node)
{
    const JsonNode* section = entry.object("tls");
    if (section == nullptr) {
        return;
    }
    SectionReader tls(entry.issues(), *section, entry.pathOf("tls"), keys::nodeTls());
    assign(node.tls.caFile, tls.text("ca"));
    assign(node.tls.verify, tls.flag("verify"));
    if (const std::optional<std::string> name = tls.text("server_name"); name && !name->empty() && !isServerName(*name)) {
        tls.fail("server_name", "invalid_value", "must be a host name or an address, without a port");
    } else {
        assign(node.tls.serverName, name);
    }
    if (!node.tls.caFile.empty() && m_options.authoritiesCheck) {
        if (const Result<void> checked = m_options.authoritiesCheck(node.tls.caFile); !checked) {
            tls.fail("ca", checked.error().code, withoutFullStop(checked.error().message));
        }
    }
    const bool isSecure = node.url.starts_with("https:") || node.healthUrl.starts_with("https:");
    if (!isSecure && node.tls != NodeTls()) {
        entry.issues().warning(*section, entry.pathOf("tls"), "tls_unused", "has no effect: neither url nor health_url begins with https://");
    }
}

void FleetSections::readApps()
{
    forEach("apps", keys::app(), [this](SectionReader& entry) {
        AppEntry app{{}, owner(entry), entry.declared(), entry.at()};
        const JsonNode* id = entry.require("app");
        const std::optional<std::string> text = entry.text("app");
        if (!text) {
            return;
        }
        if (*text == kDefaultApp) {
            entry.fail("app", "reserved_id", "is built in: it always resolves to the pool \"default\" and has no owner");
            return;
        }
        const std::optional<AppId> parsedId = parsed(entry, "app", AppId::parse(*text, "app"));
        if (parsedId && m_apps.declare(entry.issues(), *id, *text, entry.pathOf("app"))) {
            app.app = *parsedId;
            m_config.apps.push_back(std::move(app));
        }
    });
}

void FleetSections::readBindings()
{
    forEach("bindings", keys::binding(), [this](SectionReader& entry) { readBinding(entry); });
}

void FleetSections::readBinding(SectionReader& entry)
{
    BindingEntry binding;
    assign(binding.allowFallbackToDefault, entry.flag("allow_fallback_to_default"));
    binding.declared = entry.declared();
    binding.at = entry.at();
    std::optional<PoolId> pool = entry.require("pool") == nullptr ? std::nullopt : poolReference(entry);
    if (pool && pool->text() == kUnassignedPool) {
        entry.fail("pool", "sentinel_pool", "is where nodes wait that serve nobody; no app can be bound to it");
        pool.reset();
    }
    const JsonNode* id = entry.require("app");
    const std::optional<std::string> text = entry.text("app");
    if (!text) {
        return;
    }
    if (*text == kDefaultApp) {
        entry.fail("app", "reserved_id", "is built in: it always resolves to the pool \"default\" and cannot be bound");
        return;
    }
    const std::optional<AppId> app = parsed(entry, "app", AppId::parse(*text, "app"));
    if (!app) {
        return;
    }
    if (!m_apps.contains(*text)) {
        failUnknown(entry, "app", "app", m_apps.nearest(*text));
        return;
    }
    if (m_boundApps.declare(entry.issues(), *id, *text, entry.pathOf("app")) && pool) {
        binding.app = *app;
        binding.pool = *pool;
        m_config.bindings.push_back(std::move(binding));
    }
}

std::optional<UserId> FleetSections::owner(SectionReader& entry)
{
    const std::optional<std::string> text = entry.text("owner");
    const std::optional<UserId> id = text ? parsed(entry, "owner", UserId::parse(*text, "owner")) : std::nullopt;
    if (id && !m_users.contains(*text)) {
        failUnknown(entry, "owner", "user", m_users.nearest(*text));
        return std::nullopt;
    }
    return id;
}

std::optional<PoolId> FleetSections::poolReference(SectionReader& entry)
{
    const std::optional<std::string> text = entry.text("pool");
    const std::optional<PoolId> id = text ? parsed(entry, "pool", PoolId::parse(*text, "pool")) : std::nullopt;
    if (!id || poolExists(*text)) {
        return id;
    }
    if (text->starts_with(kUserPoolPrefix)) {
        const std::string user = m_users.nearest(text->substr(kUserPoolPrefix.size()));
        failUnknown(entry, "pool", "pool: no such user", user.empty() ? user : std::string(kUserPoolPrefix) + user);
    } else {
        failUnknown(entry, "pool", "pool", m_pools.nearest(*text, {std::string(kDefaultPool), std::string(kUnassignedPool)}));
    }
    return std::nullopt;
}

bool FleetSections::poolExists(const std::string& pool) const
{
    if (pool == kDefaultPool || pool == kUnassignedPool || m_pools.contains(pool)) {
        return true;
    }
    return pool.starts_with(kUserPoolPrefix) && m_users.contains(pool.substr(kUserPoolPrefix.size()));
}

void FleetSections::failUnknown(SectionReader& entry, std::string_view key, const char* what, const std::string& nearest)
{
    const std::string code = key == "owner" ? "unknown_owner" : "unknown_" + std::string(key);
    entry.fail(key, code, "unknown " + std::string(what) + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

} // namespace weir::config
