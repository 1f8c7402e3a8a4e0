// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ConfigMerge.h"

#include "core/base/Sentence.h"
#include "core/http/JsonText.h"
#include "core/plane/NodeCommands.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <set>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr std::string_view kDeclaredKey = "declared";
constexpr std::string_view kTlsKey = "tls"; ///< of nodes; no call can change it, so that the file's word always holds
constexpr std::string_view kLeftConfig = "left_config";

json::object parseObject(const std::string& text)
{
    boost::system::error_code error;
    json::value value = json::parse(text.empty() ? "{}" : text, error);
    return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

json::object objectIn(const json::object& parent, std::string_view key)
{
    const json::value* child = parent.if_contains(key);
    return child != nullptr && child->is_object() ? child->get_object() : json::object();
}

json::object toJson(const config::PoolEntry& pool)
{
    return {{"name", pool.name}, {"canary", pool.canary}, {"min_available", pool.minAvailable}, {"capacity_alarm_percent", pool.capacityAlarmPercent}};
}

json::object toJson(const NodeTls& tls)
{
    return {{"ca", tls.caFile}, {"server_name", tls.serverName}, {"verify", tls.verify}};
}

NodeTls tlsFrom(const json::value& value)
{
    const json::object& object = value.get_object();
    return {json::value_to<std::string>(object.at("ca")), json::value_to<std::string>(object.at("server_name")), object.at("verify").as_bool()};
}

// Every field the file can give of a node, as it gives it.
json::object toJson(const config::NodeEntry& node)
{
    json::object all{{"url", node.url}, {"health_url", node.healthUrl}, {"health_path", node.healthPath}, {"webrtc_base_url", node.webrtcBaseUrl},
        {"publish_url", node.publishUrl}, {"capacity", node.capacity}, {"weight", node.weight}, {"region", node.region}, {"version", node.version},
        {"tls", toJson(node.tls)}};
    all["expected_statuses"] = json::array(node.expectedStatuses.begin(), node.expectedStatuses.end());
    all["pool"] = node.pool ? node.pool->text() : node.owner ? userPoolOf(*node.owner).text() : std::string(kDefaultPool);
    json::object declared;
    for (const auto& [key, value] : all) {
        if (node.declared.contains(key) || key == "pool" || std::string_view(key) == kTlsKey) {
            declared[key] = value;
        }
    }
    return declared;
}

// As the record keeps them. What only the file can say is not told from what an administrator said.
std::string remembered(json::object fields)
{
    fields.erase(kTlsKey);
    return json::serialize(fields);
}

json::object toJson(const store::NodeRecord& node)
{
    json::object all{{"url", node.url}, {"health_url", node.healthUrl}, {"health_path", node.healthPath}, {"webrtc_base_url", node.webrtcBaseUrl},
        {"publish_url", node.publishUrl}, {"capacity", std::int64_t{node.capacity}}, {"weight", node.weight}, {"region", node.region}, {"version", node.version},
        {"pool", node.pool}, {"tls", toJson(node.tls)}};
    all["expected_statuses"] = json::array(node.expectedStatuses.begin(), node.expectedStatuses.end());
    return all;
}

void takeOver(store::NodeRecord& node, std::string_view key, const json::value& value)
{
    const auto text = [&] { return json::value_to<std::string>(value); };
    if (key == "url") {
        node.url = text();
    } else if (key == "health_url") {
        node.healthUrl = text();
    } else if (key == "health_path") {
        node.healthPath = text();
    } else if (key == "webrtc_base_url") {
        node.webrtcBaseUrl = text();
    } else if (key == "publish_url") {
        node.publishUrl = text();
    } else if (key == "region") {
        node.region = text();
    } else if (key == "version") {
        node.version = text();
    } else if (key == "pool") {
        node.pool = text();
    } else if (key == "capacity") {
        node.capacity = value.to_number<int>();
    } else if (key == "weight") {
        node.weight = value.to_number<int>();
    } else if (key == "expected_statuses") {
        node.expectedStatuses = json::value_to<std::vector<int>>(value);
    } else if (key == kTlsKey) {
        node.tls = tlsFrom(value);
    }
}

class Merge {
public:
    Merge(const config::Config& config, bool configWins, StoredBook& book, const fleet::Fleet& fleet, const CommandTime& time, std::vector<ConfigDifference>& differences)
        : m_config(config)
        , m_configWins(configWins)
        , m_book(book)
        , m_fleet(fleet)
        , m_time(time)
        , m_differences(differences)
        , m_actor{"config", {}, {}, "config"}
    {
        if (const auto known = book.settings.find(std::string(kDeclaredKey)); known != book.settings.end()) {
            m_last = parseObject(known->second.json);
        }
    }

    Plan run()
    {
        addUsers();
        addPools();
        addNodes();
        addApps();
        addBindings();
        drainThoseGone();
        remember();
        return std::move(m_plan);
    }

private:
    // The value a field ends with: the file's, unless somebody changed what the file gave last.
    bool fileRules(const std::string& path, const json::value& file, const json::value& stored, const json::value* last)
    {
        if (file == stored) {
            return false;
        }
        if (m_configWins || (last != nullptr && *last == stored)) {
            return true;
        }
        m_differences.push_back({path, http::jsonText(file), http::jsonText(stored)});
        return false;
    }

    void addUsers()
    {
        for (const config::UserEntry& entry : m_config.users) {
            if (m_fleet.findUser(entry.user.text())) {
                continue;
            }
            m_plan.writes.push_back([record = store::UserRecord{entry.user.text(), {}}](store::Writer& writer) { return writer.put(record); });
            m_plan.applies.push_back([user = entry.user](fleet::Fleet& live, Instant) { static_cast<void>(live.addUser(user, {})); });
            m_plan.audit.push_back(auditRow(m_actor, m_time, "user.create", entry.user.text(), nullptr, json::object()));
        }
    }

    void addPools()
    {
        json::object given;
        const json::object last = objectIn(m_last, "pools");
        for (const config::PoolEntry& entry : m_config.pools) {
            const std::string& id = entry.pool.text();
            given[id] = toJson(entry);
            fleet::PoolSpec spec{entry.pool, entry.name, entry.canary, entry.minAvailable, entry.capacityAlarmPercent};
            const auto known = m_fleet.findPool(id);
            if (known) {
                const fleet::PoolSpec& now = m_fleet.pool(*known).spec;
                const json::object lastOf = objectIn(last, id);
                const auto keep = [&](const char* key, const json::value& file, const json::value& stored) {
                    return !fileRules("pools." + id + "." + key, file, stored, lastOf.if_contains(key));
                };
                spec.name = keep("name", json::value(spec.name), json::value(now.name)) ? now.name : spec.name;
                spec.canary = keep("canary", json::value(spec.canary), json::value(now.canary)) ? now.canary : spec.canary;
                spec.minAvailable = keep("min_available", json::value(spec.minAvailable), json::value(now.minAvailable)) ? now.minAvailable : spec.minAvailable;
                spec.capacityAlarmPercent = keep("capacity_alarm_percent", json::value(spec.capacityAlarmPercent), json::value(now.capacityAlarmPercent)) ? now.capacityAlarmPercent : spec.capacityAlarmPercent;
                if (spec == now) {
                    continue;
                }
            }
            store::PoolRecord record{id, spec.name, spec.canary, spec.minAvailable, spec.capacityAlarmPercent};
            m_plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
            m_plan.applies.push_back([spec, known](fleet::Fleet& live, Instant) {
                if (known) {
                    live.changePool(*known, spec);
                } else {
                    static_cast<void>(live.addPool(spec));
                }
            });
            m_plan.audit.push_back(auditRow(m_actor, m_time, known ? "pool.change" : "pool.create", id, nullptr, given[id]));
        }
        m_given["pools"] = std::move(given);
    }

    void addNodes()
    {
        for (const config::NodeEntry& entry : m_config.nodes) {
            const std::string& id = entry.node.text();
            m_declaredNodes.insert(id);
            if (m_book.tombstones.contains(id) && !m_configWins) {
                m_differences.push_back({"nodes." + id, json::serialize(toJson(entry)), "deleted"});
                continue;
            }
            const auto stored = m_book.nodes.find(id);
            stored == m_book.nodes.end() ? createNode(entry) : changeNode(entry, stored->second);
        }
        for (const std::string& tombstone : m_book.tombstones) {
            if (!m_declaredNodes.contains(tombstone) || m_configWins) {
                m_plan.writes.push_back([tombstone](store::Writer& writer) { return writer.removeTombstone(tombstone); });
                m_plan.applies.push_back([this_book = &m_book, tombstone](fleet::Fleet&, Instant) { this_book->tombstones.erase(tombstone); });
            }
        }
    }

    void createNode(const config::NodeEntry& entry)
    {
        store::NodeRecord record;
        record.id = entry.node.text();
        record.role = toText(entry.role);
        record.owner = entry.owner ? entry.owner->text() : std::string();
        record.isStatic = true;
        record.weight = entry.weight;
        record.createdAt = m_time.wall;
        record.poolSince = m_time.wall;
        record.declared = true;
        const json::object fields = toJson(entry);
        for (const auto& [key, value] : fields) {
            takeOver(record, key, value);
        }
        record.fileFields = remembered(fields);
        write(record);
        m_plan.applies.push_back([book = &m_book, record](fleet::Fleet& live, Instant now) {
            book->nodes[record.id] = record;
            static_cast<void>(live.addNode(specOf(live, record), now));
        });
        m_plan.audit.push_back(auditRow(m_actor, m_time, "node.create", record.id, nullptr, fields));
        journal::Event event = eventBy(m_actor, m_time, journal::EventKind::NodeCreated, sentence("%1 %2 in %3 comes from the configuration.", {record.role, record.id, record.pool}));
        event.nodeId = record.id;
        event.poolId = record.pool;
        event.role = record.role;
        m_plan.events.push_back(std::move(event));
    }

    void changeNode(const config::NodeEntry& entry, const store::NodeRecord& stored)
    {
        store::NodeRecord record = stored;
        const json::object last = parseObject(stored.fileFields);
        const json::object now = toJson(stored);
        const json::object fields = toJson(entry);
        if (stored.role != toText(entry.role)) {
            m_differences.push_back({"nodes." + record.id + ".role", std::string(toText(entry.role)), stored.role});
        }
        for (const auto& [key, value] : fields) {
            const bool isFiles = std::string_view(key) == kTlsKey && value != now.at(key);
            if (isFiles || fileRules("nodes." + record.id + "." + std::string(key), value, now.at(key), last.if_contains(key))) {
                takeOver(record, key, value);
            }
        }
        record.declared = true;
        record.fileFields = remembered(fields);
        if (record.draining && record.drainReason == kLeftConfig) {
            record.draining = false;
            record.drainReason.clear();
            record.drainedBy.clear();
        }
        if (record == stored) {
            return;
        }
        const bool moved = record.pool != stored.pool;
        if (moved) {
            record.poolSince = m_time.wall;
            record.movedBy = m_actor.name;
        }
        write(record);
        m_plan.applies.push_back([book = &m_book, record, moved](fleet::Fleet& live, Instant at) {
            book->nodes[record.id] = record;
            const auto node = live.findNode(record.id);
            live.changeNode(*node, specOf(live, record), at);
            if (moved) {
                live.moveNode(*node, *live.findPool(record.pool), record.poolSince, record.movedBy, at);
            }
        });
        json::object before = toJson(stored);
        m_plan.audit.push_back(auditRow(m_actor, m_time, "node.change", record.id, before, toJson(record)));
    }

    void addApps()
    {
        json::object given;
        const json::object last = objectIn(m_last, "apps");
        for (const config::AppEntry& entry : m_config.apps) {
            const std::string& id = entry.app.text();
            const std::string owner = entry.owner ? entry.owner->text() : std::string();
            given[id] = owner;
            const auto known = m_fleet.findApp(id);
            if (known) {
                const std::string now = m_book.apps[id].owner;
                if (!fileRules("apps." + id + ".owner", json::value(owner), json::value(now), last.if_contains(id))) {
                    continue;
                }
            }
            store::AppRecord record{id, owner, true};
            m_plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
            m_plan.applies.push_back([book = &m_book, record, app = entry.app, known](fleet::Fleet& live, Instant) {
                book->apps[record.id] = record;
                const UserHandle user = record.owner.empty() ? UserHandle() : live.findUser(record.owner).value_or(UserHandle());
                if (known) {
                    live.setAppOwner(*known, user);
                } else {
                    static_cast<void>(live.addApp(app, user));
                }
            });
            m_plan.audit.push_back(auditRow(m_actor, m_time, known ? "app.change" : "app.create", id, nullptr, {{"owner", owner}}));
        }
        m_given["apps"] = std::move(given);
    }

    void addBindings()
    {
        json::object given;
        const json::object last = objectIn(m_last, "bindings");
        for (const config::BindingEntry& entry : m_config.bindings) {
            const std::string& id = entry.app.text();
            const json::value file = json::array{entry.pool.text(), entry.allowFallbackToDefault};
            given[id] = file;
            const auto known = m_book.bindings.find(id);
            if (known != m_book.bindings.end()) {
                const json::value now = json::array{known->second.pool, known->second.allowFallback};
                if (!fileRules("bindings." + id, file, now, last.if_contains(id))) {
                    continue;
                }
            } else if (const json::value* before = last.if_contains(id); before != nullptr && *before == file && m_fleet.findApp(id) && !m_configWins) {
                // An administrator took away what the file gave; a restart must not bring it back.
                m_differences.push_back({"bindings." + id, http::jsonText(file), "deleted"});
                continue;
            }
            store::BindingRecord record{id, entry.pool.text(), entry.allowFallbackToDefault, true};
            m_plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
            m_plan.applies.push_back([book = &m_book, record](fleet::Fleet& live, Instant) {
                book->bindings[record.app] = record;
                const auto app = live.findApp(record.app);
                const auto pool = live.findPool(record.pool);
                if (app && pool) {
                    live.bind(*app, fleet::Binding{*pool, record.allowFallback});
                }
            });
            m_plan.audit.push_back(auditRow(m_actor, m_time, "app.bind", id, nullptr, {{"poolId", record.pool}, {"allowFallbackToDefault", record.allowFallback}}));
        }
        m_given["bindings"] = std::move(given);
    }

    void drainThoseGone()
    {
        json::object gone;
        const json::object goneBefore = objectIn(m_last, "gone");
        for (const auto& [id, stored] : m_book.nodes) {
            if (!stored.declared || m_declaredNodes.contains(id)) {
                continue;
            }
            gone[id] = true;
            // One that had left already and is not draining was put back to work by somebody.
            if (stored.draining || goneBefore.contains(id)) {
                continue;
            }
            store::NodeRecord record = stored;
            record.draining = true;
            record.drainReason = kLeftConfig;
            record.drainedBy = m_actor.name;
            write(record);
            m_plan.applies.push_back([book = &m_book, record](fleet::Fleet& live, Instant now) {
                book->nodes[record.id] = record;
                live.setDraining(*live.findNode(record.id), true, record.drainReason, record.drainedBy, now);
            });
            m_plan.audit.push_back(auditRow(m_actor, m_time, "node.drain", id, {{"draining", false}}, {{"draining", true}}, record.drainReason));
            journal::Event event = eventBy(m_actor, m_time, journal::EventKind::NodeDraining, sentence("%1 left the configuration file and is draining.", {id}));
            event.nodeId = id;
            event.poolId = record.pool;
            event.role = record.role;
            m_plan.events.push_back(std::move(event));
        }
        m_given["gone"] = std::move(gone);
    }

    void remember()
    {
        store::SettingRecord record{std::string(kDeclaredKey), json::serialize(m_given), m_actor.name, m_time.wall};
        m_plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        m_plan.applies.push_back([book = &m_book, record](fleet::Fleet&, Instant) { book->settings[record.key] = record; });
    }

    void write(const store::NodeRecord& record)
    {
        m_plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
    }

    const config::Config& m_config;
    bool m_configWins;
    StoredBook& m_book;
    const fleet::Fleet& m_fleet;
    CommandTime m_time;
    std::vector<ConfigDifference>& m_differences;
    Actor m_actor;
    json::object m_last;
    json::object m_given;
    std::set<std::string> m_declaredNodes;
    Plan m_plan;
};

} // namespace

Plan mergeConfig(const config::Config& config, bool configWins, StoredBook& book, const fleet::Fleet& fleet, const CommandTime& time,
    std::vector<ConfigDifference>& differences)
{
    return Merge(config, configWins, book, fleet, time, differences).run();
}

} // namespace weir::plane
