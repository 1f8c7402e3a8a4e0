// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/NodeCommands.h"

#include "core/base/Sentence.h"
#include "core/config/WebAddress.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <memory>
#include <span>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
namespace {

Error unknownNode(const std::string& id)
{
    return {"unknown_node", "There is no node '" + id + "'.", "nodeId"};
}

Touch changesNode(const std::string& id)
{
    return {"node:" + foldCase(id), true};
}

Touch readsPool(const std::string& id)
{
    return {"pool:" + id, false};
}

journal::Event nodeEvent(const Actor& actor, const CommandTime& time, EventKind kind, const store::NodeRecord& record, std::string sentence)
{
    journal::Event event = eventBy(actor, time, kind, std::move(sentence));
    event.nodeId = record.id;
    event.poolId = record.pool;
    event.role = record.role;
    return event;
}

json::array toJson(const std::vector<int>& values)
{
    return json::array(values.begin(), values.end());
}

// Takes a set field over into the record and notes it as changed by an administrator.
template <typename T, typename Field>
void patch(const std::optional<T>& value, Field store::NodeRecord::* field, const char* name, store::NodeRecord& record, json::object& before, json::object& after)
{
    if (!value || record.*field == static_cast<Field>(*value)) {
        return;
    }
    if constexpr (std::is_same_v<T, std::vector<int>>) {
        before[name] = toJson(record.*field);
        after[name] = toJson(*value);
    } else {
        before[name] = record.*field;
        after[name] = static_cast<Field>(*value);
    }
    record.*field = static_cast<Field>(*value);
    if (std::find(record.adminFields.begin(), record.adminFields.end(), name) == record.adminFields.end()) {
        record.adminFields.emplace_back(name);
    }
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::vector<std::string> similarNames(std::string_view wanted, const std::vector<std::string>& names)
{
    constexpr std::size_t kMost = 3;
    const std::string folded = foldCase(wanted);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& name : names) {
        const std::size_t distance = editDistance(folded, foldCase(name));
        if (distance <= std::max<std::size_t>(2, wanted.size() / 3)) {
            near.emplace_back(distance, name);
        }
    }
    std::sort(near.begin(), near.end());
    std::vector<std::string> result;
    for (std::size_t i = 0; i < near.size() && i < kMost; ++i) {
        result.push_back(near[i].second);
    }
    return result;
}

fleet::NodeSpec specOf(const fleet::Fleet& fleet, const store::NodeRecord& record)
{
    fleet::NodeSpec spec;
    spec.id = NodeId::trusted(record.id);
    spec.role = roleFromText(record.role).value_or(Role::Worker);
    spec.pool = fleet.findPool(record.pool).value_or(fleet.defaultPool());
    spec.owner = record.owner.empty() ? UserHandle() : fleet.findUser(record.owner).value_or(UserHandle());
    spec.isStatic = record.isStatic;
    spec.url = record.url;
    spec.healthUrl = record.healthUrl;
    spec.healthPath = record.healthPath;
    spec.expectedStatuses = record.expectedStatuses;
    spec.webrtcBaseUrl = record.webrtcBaseUrl;
    spec.publishUrl = record.publishUrl;
    spec.capacity = record.capacity;
    spec.weight = record.weight;
    spec.region = record.region;
    spec.version = record.version;
    spec.draining = record.draining;
    spec.drainReason = record.drainReason;
    spec.drainedBy = record.drainedBy;
    spec.poolSince = record.poolSince;
    spec.movedBy = record.movedBy;
    spec.diskSerial = record.diskSerial;
    spec.disabled = record.disabled;
    spec.licence = record.licence;
    spec.abrNegotiationAddr = record.abrNegotiationAddr;
    spec.tls = record.tls;
    return spec;
}

NodeCommands::NodeCommands(StoreThread& store, live::LiveFleet& fleet, StoredBook& book, ProbeHooks hooks, AddressCheck check)
    : m_store(store)
    , m_fleet(fleet)
    , m_book(book)
    , m_hooks(std::move(hooks))
    , m_checkAddress(std::move(check))
{
}

Result<void> NodeCommands::checkAddresses(const fleet::Fleet& fleet, const store::NodeRecord& node) const
{
    constexpr std::array<std::string_view, 2> kHttp{"http", "https"};
    constexpr std::array<std::string_view, 4> kPublish{"srt", "rtmp", "http", "https"};
    const auto form = [](const char* field, const std::string& text, std::span<const std::string_view> schemes) -> Result<void> {
        const std::string fault = text.empty() ? std::string() : config::webAddressFault(text, schemes);
        return fault.empty() ? Result<void>() : fail("invalid_url", std::string(field) + " is '" + text + "': " + fault + ".", field);
    };
    for (const Result<void>& checked : {form("url", node.url, kHttp), form("healthUrl", node.healthUrl, kHttp), form("webrtcBaseUrl", node.webrtcBaseUrl, kHttp),
             form("publishUrl", node.publishUrl, kPublish)}) {
        if (!checked) {
            return checked;
        }
    }
    const std::string& base = node.healthUrl.empty() ? node.url : node.healthUrl;
    if (base.empty()) {
        return {};
    }
    if (auto address = m_checkAddress(base, node.healthPath.empty() ? fleet.healthSettings().path : node.healthPath); !address) {
        Error error = address.error();
        error.field = error.field == "path" ? "healthPath" : node.healthUrl.empty() ? "url" : "healthUrl";
        return tl::unexpected(std::move(error));
    }
    return {};
}

Result<Plan> NodeCommands::planCreate(const NewNode& node, const Actor& actor, const fleet::Fleet& fleet, const CommandTime& time, NodeCreated& created)
{
    const std::string& id = node.id.text();
    if (node.owner && !fleet.findUser(node.owner->text())) {
        return fail("unknown_owner", "There is no user '" + node.owner->text() + "'.", "owner");
    }
    const std::string pool = node.pool.value_or(node.owner ? userPoolOf(*node.owner).text() : std::string(kDefaultPool));
    if (!fleet.findPool(pool)) {
        return fail("unknown_pool", "There is no pool '" + pool + "'.", "poolId");
    }
    const std::string base = node.healthUrl.empty() ? node.url : node.healthUrl;
    if (const auto taken = fleet.findNodeIgnoringCase(id)) {
        return fail("duplicate_id", "A node '" + fleet.node(*taken).spec.id.text() + "' exists already (ids must differ in more than case).", "nodeId");
    }
    store::NodeRecord record;
    record.id = id;
    record.role = toText(node.role);
    record.owner = node.owner ? node.owner->text() : std::string();
    record.pool = pool;
    record.isStatic = !base.empty();
    record.url = node.url;
    record.healthUrl = node.healthUrl;
    record.healthPath = node.healthPath;
    record.expectedStatuses = node.expectedStatuses;
    record.webrtcBaseUrl = node.webrtcBaseUrl;
    record.publishUrl = node.publishUrl;
    record.capacity = static_cast<int>(node.capacity);
    record.weight = node.weight;
    record.region = node.region;
    record.version = node.version;
    record.createdAt = time.wall;
    record.poolSince = time.wall;
    if (auto checked = checkAddresses(fleet, record); !checked) {
        return tl::unexpected(checked.error());
    }
    created = {id, pool, {}};
    if (!record.isStatic) {
        created.nodeSecret = newNodeSecret(id);
        if (created.nodeSecret.empty()) {
            return fail("no_randomness", "The operating system gave no random bytes for the node's secret.");
        }
        record.secretHash = sha256Hex(created.nodeSecret);
    }
    Plan plan;
    plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
    plan.writes.push_back([id](store::Writer& writer) { return writer.removeTombstone(id); }); // it is not deleted any more
    plan.applies.push_back([this, record](fleet::Fleet& live, Instant now) {
        m_book.nodes[record.id] = record;
        m_book.tombstones.erase(record.id);
        static_cast<void>(live.addNode(specOf(live, record), now)); // checked by the plan, and nobody else adds nodes
    });
    plan.after.push_back([this, id] {
        if (const auto handle = m_fleet.read([&](const fleet::Fleet& live, Instant) { return live.findNode(id); })) {
            m_hooks.targetChanged(*handle);
        }
    });
    plan.audit.push_back(auditRow(actor, time, "node.create", id, nullptr, {{"role", record.role}, {"poolId", pool}, {"owner", record.owner}, {"url", record.url}}));
    plan.events.push_back(nodeEvent(actor, time, EventKind::NodeCreated, record, sentence("%1 %2 was created in %3.", {record.role, id, pool})));
    return plan;
}

void NodeCommands::create(NewNode node, Actor actor, Done<NodeCreated> done)
{
    auto created = std::make_shared<NodeCreated>();
    Command command;
    command.touches = {changesNode(node.id.text()), readsPool(node.pool.value_or(""))};
    if (node.owner) {
        command.touches.push_back({"user:" + foldCase(node.owner->text()), false});
    }
    command.plan = [this, node = std::move(node), actor = std::move(actor), created](const fleet::Fleet& fleet, const CommandTime& time) {
        return planCreate(node, actor, fleet, time, *created);
    };
    command.done = [created, done = std::move(done)](Result<void> result) { done(result.map([&] { return *created; })); };
    m_store.submit(std::move(command));
}

void NodeCommands::change(const std::string& nodeId, NodePatch patchOf, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {changesNode(nodeId)};
    command.plan = [this, nodeId, fields = std::move(patchOf), actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findNode(nodeId);
        if (!handle) {
            return tl::unexpected(unknownNode(nodeId));
        }
        store::NodeRecord record = m_book.nodes.at(nodeId);
        json::object before;
        json::object after;
        patch(fields.url, &store::NodeRecord::url, "url", record, before, after);
        patch(fields.healthUrl, &store::NodeRecord::healthUrl, "health_url", record, before, after);
        patch(fields.healthPath, &store::NodeRecord::healthPath, "health_path", record, before, after);
        patch(fields.expectedStatuses, &store::NodeRecord::expectedStatuses, "expected_statuses", record, before, after);
        patch(fields.webrtcBaseUrl, &store::NodeRecord::webrtcBaseUrl, "webrtc_base_url", record, before, after);
        patch(fields.publishUrl, &store::NodeRecord::publishUrl, "publish_url", record, before, after);
        patch(fields.capacity, &store::NodeRecord::capacity, "capacity", record, before, after);
        patch(fields.weight, &store::NodeRecord::weight, "weight", record, before, after);
        patch(fields.region, &store::NodeRecord::region, "region", record, before, after);
        patch(fields.version, &store::NodeRecord::version, "version", record, before, after);
        const std::string base = record.healthUrl.empty() ? record.url : record.healthUrl;
        if (record.isStatic && base.empty()) {
            return fail("invalid_url", "A static node is judged by probes and needs a url or a healthUrl.", "url");
        }
        if (auto checked = checkAddresses(fleet, record); !checked) {
            return tl::unexpected(checked.error());
        }
        Plan plan;
        if (after.empty()) {
            return plan;
        }
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, node = *handle](fleet::Fleet& live, Instant now) {
            m_book.nodes[record.id] = record;
            live.changeNode(node, specOf(live, record), now);
        });
        plan.after.push_back([this, node = *handle] { m_hooks.targetChanged(node); });
        plan.audit.push_back(auditRow(actor, time, "node.change", nodeId, before, after));
        plan.events.push_back(nodeEvent(actor, time, EventKind::NodeChanged, record, sentence("%1 was changed.", {nodeId})));
        plan.events.back().detail = json::serialize(json::object{{"before", before}, {"after", after}});
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void NodeCommands::remove(const std::string& nodeId, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {changesNode(nodeId)};
    command.plan = [this, nodeId, actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findNode(nodeId);
        if (!handle) {
            return tl::unexpected(unknownNode(nodeId));
        }
        if (auto allowed = fleet.canRemoveNode(*handle); !allowed) {
            return tl::unexpected(allowed.error());
        }
        const store::NodeRecord record = m_book.nodes.at(nodeId);
        Plan plan;
        plan.writes.push_back([record](store::Writer& writer) -> Result<void> {
            if (auto removed = writer.removeNode(record.id); !removed || !record.declared) {
                return removed;
            }
            return writer.put(store::TombstoneRecord{record.id});
        });
        plan.applies.push_back([this, record, node = *handle](fleet::Fleet& live, Instant now) {
            m_book.nodes.erase(record.id);
            if (record.declared) {
                m_book.tombstones.insert(record.id);
            }
            live.removeNode(node, now);
        });
        plan.after.push_back([this, node = *handle] { m_hooks.targetGone(node); });
        plan.audit.push_back(auditRow(actor, time, "node.remove", nodeId, {{"role", record.role}, {"poolId", record.pool}, {"owner", record.owner}}, nullptr));
        plan.events.push_back(nodeEvent(actor, time, EventKind::NodeRemoved, record, sentence("%1 was removed from %2.", {nodeId, record.pool})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void NodeCommands::setDraining(const std::string& nodeId, bool draining, std::string reason, Actor actor, Done<void> done)
{
    Command command;
    command.touches = {changesNode(nodeId)};
    command.plan = [this, nodeId, draining, reason = std::move(reason), actor = std::move(actor)](
                       const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findNode(nodeId);
        if (!handle) {
            return tl::unexpected(unknownNode(nodeId));
        }
        store::NodeRecord record = m_book.nodes.at(nodeId);
        Plan plan;
        if (record.draining == draining) {
            return plan; // idempotent: nothing is written twice
        }
        const json::object before{{"draining", record.draining}, {"reason", record.drainReason}};
        record.draining = draining;
        record.drainReason = draining ? reason : std::string();
        record.drainedBy = draining ? actor.name : std::string();
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, node = *handle](fleet::Fleet& live, Instant now) {
            m_book.nodes[record.id] = record;
            live.setDraining(node, record.draining, record.drainReason, record.drainedBy, now);
        });
        plan.audit.push_back(auditRow(actor, time, draining ? "node.drain" : "node.undrain", nodeId, before, {{"draining", draining}, {"reason", record.drainReason}}, reason));
        const std::string because = reason.empty() ? std::string() : " (" + reason + ")";
        plan.events.push_back(nodeEvent(actor, time, draining ? EventKind::NodeDraining : EventKind::NodeUndrained, record,
            draining ? sentence("%1 is draining by %2%3.", {nodeId, actor.name, because}) : sentence("%1 is not draining any more, by %2%3.", {nodeId, actor.name, because})));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void NodeCommands::revive(const std::string& nodeId, std::string reason, Actor actor, Done<void> done)
{
    if (reason.empty()) {
        done(fail("missing_field", "reason is empty; ending a quarantine early needs one.", "reason"));
        return;
    }
    Command command;
    command.touches = {changesNode(nodeId)};
    command.plan = [this, nodeId, reason = std::move(reason), actor = std::move(actor)](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findNode(nodeId);
        if (!handle) {
            return tl::unexpected(unknownNode(nodeId));
        }
        const double left = toSeconds(fleet.node(*handle).health.quarantineRemaining(time.now));
        Plan plan;
        plan.applies.push_back([node = *handle](fleet::Fleet& live, Instant now) { live.revive(node, now); });
        plan.after.push_back([this, node = *handle] { m_hooks.probeNow(node); });
        plan.audit.push_back(auditRow(actor, time, "node.revive", nodeId, {{"quarantineRemainingSeconds", left}}, {{"quarantineRemainingSeconds", 0}}, reason));
        journal::Event event = nodeEvent(actor, time, EventKind::NodeChanged, m_book.nodes.at(nodeId),
            sentence("The quarantine of %1 was ended early by %2 (%3), with %4 s left.", {nodeId, actor.name, reason, std::to_string(wholeSecondsUp(left))}));
        plan.events.push_back(std::move(event));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

} // namespace weir::plane
