// SPDX-License-Identifier: GPL-3.0-or-later
// What happens at registration, and the commands on credentials. Sessions at work: RegistrarSessions.cpp.
#include "core/plane/Registrar.h"

#include "core/base/Sentence.h"
#include "core/plane/BroughtAddress.h"
#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <random>
#include <set>

namespace weir::plane {
namespace json = boost::json;
using journal::EventKind;
namespace {

/// Refusals that go into the journal; the others are mistakes of a client that proved nothing.
constexpr std::array<std::string_view, 7> kRecorded{
    "bad_credential", "disabled", "disk_serial_mismatch", "licence_exhausted", "licence_expired", "role_mismatch", "url_not_allowed"};

std::string inventedNodeId(const std::string& role, const fleet::Fleet& fleet)
{
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device random;
    std::string id;
    do {
        id = role + "-";
        for (int i = 0; i < 12; ++i) {
            id += kDigits[random() % kDigits.size()];
        }
    } while (fleet.findNodeIgnoringCase(id));
    return id;
}

Error badCredential()
{
    return {"bad_credential", "No node and no licence has this secret.", {}};
}

// What changed, as JSON: before and after.
void compare(const char* key, const std::string& was, const std::string& is, json::object& before, json::object& after)
{
    if (was != is) {
        before[key] = was;
        after[key] = is;
    }
}

} // namespace

struct Registrar::Outcome {
    std::string nodeId; ///< empty while the credential is not proven
    bool isNew = false;
    store::NodeRecord before;
    Registered registered;
};

Registrar::Registrar(StoreThread& store, live::LiveFleet& fleet, StoredBook& book, const Clock& clock, NodeCommands::ProbeHooks hooks, NodeCommands::AddressCheck check, Note note)
    : m_store(store)
    , m_fleet(fleet)
    , m_book(book)
    , m_clock(clock)
    , m_hooks(std::move(hooks))
    , m_checkAddress(std::move(check))
    , m_note(std::move(note))
    , m_settings(std::make_shared<Settings>())
{
}

void Registrar::setSettings(const config::RegistrationSettings& settings)
{
    std::atomic_store(&m_settings, std::make_shared<const Settings>(Settings{settings.heartbeatIntervalSeconds, settings.probeAllowedNetworks}));
}

// The record of the credential that was shown, or a new one under a licence.
Result<store::NodeRecord> Registrar::recordOf(const Registration& registration, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome)
{
    if (registration.licenceCode) {
        return recordOfLicence(registration, fleet, time, outcome);
    }
    const std::string hash = sha256Hex(*registration.nodeSecret);
    const auto found = m_book.nodes.find(std::string(nodeIdIn(*registration.nodeSecret)));
    if (found == m_book.nodes.end() || found->second.secretHash.empty() || !equalInConstantTime(found->second.secretHash, hash)) {
        return tl::unexpected(badCredential());
    }
    return found->second;
}

Result<store::NodeRecord> Registrar::recordOfLicence(const Registration& registration, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome)
{
    const std::string hash = sha256Hex(*registration.licenceCode);
    const auto found = m_book.licences.find(std::string(licenceIdIn(*registration.licenceCode)));
    if (found == m_book.licences.end() || !equalInConstantTime(found->second.codeHash, hash)) {
        return tl::unexpected(badCredential());
    }
    const store::LicenceRecord& licence = found->second;
    const std::string serial = registration.diskSerial.value_or("");
    if (serial.empty()) {
        return fail("missing_field", "A licence tells machines apart by their diskSerial; it must be given.", "diskSerial");
    }
    if (licence.expires && *licence.expires <= time.wall) {
        return fail("licence_expired", "The licence expired at " + toRfc3339(*licence.expires) + ".");
    }
    std::set<std::string> machines; // of this licence; one that was bound anew stands under two serials
    for (auto at = m_book.machines.lower_bound({licence.id, {}}); at != m_book.machines.end() && at->first.first == licence.id; ++at) {
        if (const auto node = m_book.nodes.find(at->second); node != m_book.nodes.end() && node->second.licence == licence.id) {
            machines.insert(node->first);
        }
    }
    for (const std::string& id : machines) {
        if (m_book.nodes.at(id).diskSerial == serial) {
            return m_book.nodes.at(id);
        }
    }
    for (const std::string& id : machines) {
        if (m_book.nodes.at(id).diskSerial.empty()) {
            return m_book.nodes.at(id); // its serial was cleared: this machine takes its place
        }
    }
    if (machines.size() >= static_cast<std::size_t>(licence.nodes)) {
        return fail("licence_exhausted", "The licence is for " + counted(static_cast<std::size_t>(licence.nodes), "machine") + ", and they are registered.");
    }
    const std::string pool = licence.pool.empty() ? userPoolOf(UserId::trusted(licence.owner)).text() : licence.pool;
    if (!fleet.findUser(licence.owner) || !fleet.findPool(pool)) {
        return fail("disabled", "The licence's owner or pool is gone; a superadmin has to make another licence.");
    }
    outcome.isNew = true;
    store::NodeRecord record;
    record.id = inventedNodeId(licence.role, fleet);
    record.role = licence.role;
    record.owner = licence.owner;
    record.pool = pool;
    record.weight = 10;
    record.licence = licence.id;
    record.createdAt = time.wall;
    record.poolSince = time.wall;
    return record;
}

Result<void> Registrar::takeFields(const Registration& registration, const fleet::Fleet& fleet, store::NodeRecord& record) const
{
    const auto settings = std::atomic_load(&m_settings);
    struct Brought {
        const char* field;
        const std::optional<std::string>& value;
        std::string store::NodeRecord::* into;
        BroughtKind kind;
    };
    const std::array addresses{Brought{"url", registration.url, &store::NodeRecord::url, BroughtKind::Probed},
        Brought{"healthUrl", registration.healthUrl, &store::NodeRecord::healthUrl, BroughtKind::Probed},
        Brought{"webrtcBaseUrl", registration.webrtcBaseUrl, &store::NodeRecord::webrtcBaseUrl, BroughtKind::Offered},
        Brought{"publishUrl", registration.publishUrl, &store::NodeRecord::publishUrl, BroughtKind::Publishing}};
    for (const Brought& brought : addresses) {
        if (brought.value) {
            if (auto checked = checkBroughtAddress(brought.field, *brought.value, brought.kind, settings->networks); !checked) {
                return checked;
            }
            record.*brought.into = *brought.value;
        }
    }
    if (registration.url || registration.healthUrl) {
        const std::string& base = record.healthUrl.empty() ? record.url : record.healthUrl;
        const std::string& path = record.healthPath.empty() ? fleet.healthSettings().path : record.healthPath;
        if (const auto address = base.empty() ? Result<std::string>() : m_checkAddress(base, path); !address) {
            return fail("url_not_allowed", address.error().message, record.healthUrl.empty() ? "url" : "healthUrl");
        }
    }
    record.version = registration.version.value_or(record.version);
    record.region = registration.region.value_or(record.region);
    record.abrNegotiationAddr = registration.abrNegotiationAddr.value_or(record.abrNegotiationAddr);
    record.capacity = static_cast<int>(registration.capacity.value_or(record.capacity));
    return {};
}

Result<Plan> Registrar::planEnrol(const Registration& registration, const std::string& address, const fleet::Fleet& fleet, const CommandTime& time, Outcome& outcome)
{
    Result<store::NodeRecord> found = recordOf(registration, fleet, time, outcome);
    if (!found) {
        return tl::unexpected(found.error());
    }
    outcome.before = *found;
    outcome.nodeId = outcome.isNew ? std::string() : found->id;
    store::NodeRecord record = std::move(*found);
    if (record.disabled) {
        return fail("disabled", "Node '" + record.id + "' is disabled; a superadmin has to enable it.");
    }
    if (registration.nodeType && *registration.nodeType != record.role) {
        return fail("role_mismatch", "The credential is for the role " + record.role + ", and nodeType says otherwise.", "nodeType");
    }
    const std::string serial = registration.diskSerial.value_or("");
    if (!record.diskSerial.empty() && record.diskSerial != serial) {
        return fail("disk_serial_mismatch", "The credential is bound to another machine; a superadmin can clear that binding.", "diskSerial");
    }
    record.diskSerial = serial.empty() ? record.diskSerial : serial;
    if (auto taken = takeFields(registration, fleet, record); !taken) {
        return tl::unexpected(taken.error());
    }
    record.registeredAt = record.registeredAt == WallTime{} ? time.wall : record.registeredAt;
    outcome.registered.nodeId = record.id;
    outcome.registered.sessionToken = NodeSessions::newToken();
    outcome.registered.heartbeatIntervalSeconds = std::atomic_load(&m_settings)->heartbeatIntervalSeconds;
    if (outcome.registered.sessionToken.empty()) {
        return fail("no_randomness", "The operating system gave no random bytes for the session's token.");
    }
    Plan plan;
    plan.after.push_back([this, record, address, registration, token = outcome.registered.sessionToken] {
        noteClaims(registration, record, address);
        if (const auto key = keyOf(record.id)) {
            m_sessions.begin(*key, token, address);
        }
    });
    if (!outcome.isNew && record == outcome.before) {
        return plan; // nothing new: nothing is written
    }
    addChange(plan, record, address, time, outcome);
    return plan;
}

void Registrar::addChange(Plan& plan, const store::NodeRecord& record, const std::string& address, const CommandTime& time, const Outcome& outcome)
{
    const store::NodeRecord& was = outcome.before;
    plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
    plan.applies.push_back([this, record, isNew = outcome.isNew](fleet::Fleet& live, Instant now) {
        m_book.nodes[record.id] = record;
        if (!record.licence.empty()) {
            m_book.machines[{record.licence, record.diskSerial}] = record.id;
        }
        if (isNew) {
            static_cast<void>(live.addNode(specOf(live, record), now)); // the id is a new one
        } else if (const auto node = live.findNode(record.id)) {
            live.changeNode(*node, specOf(live, record), now);
        }
    });
    if (outcome.isNew || record.url != was.url || record.healthUrl != was.healthUrl) {
        plan.after.push_back([this, id = record.id] {
            if (const auto key = keyOf(id)) {
                m_hooks.targetChanged(key->node);
            }
        });
    }
    const Actor actor{"node:" + record.id, address, {}, "registration"};
    json::object before;
    json::object after;
    compare("diskSerial", was.diskSerial, record.diskSerial, before, after);
    compare("version", was.version, record.version, before, after);
    compare("region", was.region, record.region, before, after);
    compare("url", was.url, record.url, before, after);
    compare("healthUrl", was.healthUrl, record.healthUrl, before, after);
    compare("webrtcBaseUrl", was.webrtcBaseUrl, record.webrtcBaseUrl, before, after);
    compare("publishUrl", was.publishUrl, record.publishUrl, before, after);
    compare("abrNegotiationAddr", was.abrNegotiationAddr, record.abrNegotiationAddr, before, after);
    compare("capacity", std::to_string(was.capacity), std::to_string(record.capacity), before, after);
    const auto event = [&](EventKind kind, std::string text) {
        journal::Event one = eventBy(actor, time, kind, std::move(text));
        one.nodeId = record.id;
        one.poolId = record.pool;
        one.role = record.role;
        return one;
    };
    if (outcome.isNew) {
        plan.events.push_back(event(EventKind::NodeCreated, sentence("%1 %2 was created in %3 under licence %4.", {record.role, record.id, record.pool, record.licence})));
        plan.audit.push_back(auditRow(actor, time, "node.create", record.id, nullptr,
            {{"role", record.role}, {"poolId", record.pool}, {"owner", record.owner}, {"licence", record.licence}}));
    }
    journal::Event registered = event(EventKind::NodeRegistered, was.registeredAt == WallTime{} ? sentence("%1 registered for the first time.", {record.id})
                                                                                                : sentence("%1 registered with changes.", {record.id}));
    registered.detail = json::serialize(json::object{{"address", address}, {"before", before}, {"after", after}});
    plan.events.push_back(std::move(registered));
    plan.audit.push_back(auditRow(actor, time, "node.register", record.id, before, after));
}

void Registrar::enrol(Registration registration, std::string address, Done<Registered> done)
{
    auto outcome = std::make_shared<Outcome>();
    Command command;
    if (registration.nodeSecret) {
        command.touches = {{"node:" + foldCase(nodeIdIn(*registration.nodeSecret)), true}};
    } else {
        command.alone = true; // which node it is about, the licence's records say
    }
    command.plan = [this, registration, address, outcome](const fleet::Fleet& fleet, const CommandTime& time) { return planEnrol(registration, address, fleet, time, *outcome); };
    command.done = [this, outcome, address, done = std::move(done)](Result<void> result) {
        if (!result) {
            if (std::find(kRecorded.begin(), kRecorded.end(), result.error().code) != kRecorded.end()) {
                noteRefusal(outcome->nodeId, address, result.error());
            }
            done(tl::unexpected(result.error()));
            return;
        }
        done(outcome->registered);
    };
    m_store.submit(std::move(command));
}

void Registrar::changeCredential(const std::string& nodeId, std::string action, Actor actor, std::function<void(store::NodeRecord&)> change,
    std::function<void(NodeSessions::Key)> after, Done<void> done)
{
    Command command;
    command.touches = {{"node:" + foldCase(nodeId), true}};
    command.plan = [this, nodeId, action = std::move(action), actor = std::move(actor), change = std::move(change), after = std::move(after)](
                       const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        const auto handle = fleet.findNode(nodeId);
        if (!handle) {
            return fail("unknown_node", "There is no node '" + nodeId + "'.", "nodeId");
        }
        const store::NodeRecord before = m_book.nodes.at(nodeId);
        if (before.isStatic) {
            return fail("static_node", "Node '" + nodeId + "' is static: it never registers and has no credential.", "nodeId");
        }
        store::NodeRecord record = before;
        change(record);
        Plan plan;
        if (record == before) {
            return plan;
        }
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record, node = *handle](fleet::Fleet& live, Instant now) {
            m_book.nodes[record.id] = record;
            live.changeNode(node, specOf(live, record), now);
            if (record.disabled) {
                live.disconnect(node, now);
            }
        });
        plan.after.push_back([after, key = NodeSessions::Key{*handle, fleet.node(*handle).birth}] { after(key); });
        const auto shown = [](const store::NodeRecord& of) { return json::object{{"diskSerial", of.diskSerial}, {"disabled", of.disabled}}; };
        plan.audit.push_back(auditRow(actor, time, action, nodeId, shown(before), shown(record)));
        journal::Event event = eventBy(actor, time, EventKind::NodeChanged, sentence("The credential of %1 was changed by %2 (%3).", {nodeId, actor.name, action}));
        event.nodeId = nodeId;
        event.poolId = record.pool;
        event.role = record.role;
        plan.events.push_back(std::move(event));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void Registrar::rotateSecret(const std::string& nodeId, Actor actor, Done<std::string> done)
{
    const std::string secret = newNodeSecret(nodeId);
    if (secret.empty()) {
        done(fail("no_randomness", "The operating system gave no random bytes for the node's secret."));
        return;
    }
    changeCredential(
        nodeId, "node.rotate_secret", std::move(actor), [hash = sha256Hex(secret)](store::NodeRecord& record) { record.secretHash = hash; }, [](NodeSessions::Key) {},
        [secret, done = std::move(done)](Result<void> result) { done(result.map([&] { return secret; })); });
}

void Registrar::clearSerial(const std::string& nodeId, Actor actor, Done<void> done)
{
    changeCredential(
        nodeId, "node.clear_serial", std::move(actor), [](store::NodeRecord& record) { record.diskSerial.clear(); }, [](NodeSessions::Key) {}, std::move(done));
}

void Registrar::setDisabled(const std::string& nodeId, bool disabled, Actor actor, Done<void> done)
{
    changeCredential(
        nodeId, disabled ? "node.disable" : "node.enable", std::move(actor), [disabled](store::NodeRecord& record) { record.disabled = disabled; },
        [this, disabled](NodeSessions::Key key) {
            if (disabled) {
                m_sessions.end(key);
            }
        },
        std::move(done));
}

} // namespace weir::plane
