// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/LicenceCommands.h"

#include "core/plane/Traces.h"
#include "core/store/Store.h"

#include <boost/json.hpp>
#include <map>
#include <memory>
#include <random>
#include <set>

namespace weir::plane {
namespace json = boost::json;
namespace {

std::string newId()
{
    constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device random;
    std::string id = "licence-";
    for (int i = 0; i < 12; ++i) {
        id += kDigits[random() % kDigits.size()];
    }
    return id;
}

json::object shown(const store::LicenceRecord& licence)
{
    json::object object{{"owner", licence.owner}, {"role", licence.role}, {"poolId", licence.pool}, {"nodes", licence.nodes}};
    object["expires"] = licence.expires ? json::value(toRfc3339(*licence.expires)) : json::value(nullptr);
    return object;
}

} // namespace

void LicenceCommands::create(NewLicence licence, Actor actor, Done<LicenceCreated> done)
{
    auto created = std::make_shared<LicenceCreated>();
    Command command;
    command.touches = {{"user:" + foldCase(licence.owner.text()), false}, {"pool:" + licence.pool.value_or(""), false}};
    command.plan = [this, licence = std::move(licence), actor = std::move(actor), created](const fleet::Fleet& fleet, const CommandTime& time) -> Result<Plan> {
        if (!fleet.findUser(licence.owner.text())) {
            return fail("unknown_owner", "There is no user '" + licence.owner.text() + "'.", "owner");
        }
        if (licence.pool && !fleet.findPool(*licence.pool)) {
            return fail("unknown_pool", "There is no pool '" + *licence.pool + "'.", "poolId");
        }
        if (licence.expires && *licence.expires <= time.wall) {
            return fail("out_of_range", "expires is " + toRfc3339(*licence.expires) + ", which is over; it must lie ahead.", "expires");
        }
        store::LicenceRecord& record = created->licence;
        record.id = newId();
        created->code = newLicenceCode(record.id);
        if (created->code.empty()) {
            return fail("no_randomness", "The operating system gave no random bytes for the licence's code.");
        }
        record.codeHash = sha256Hex(created->code);
        record.owner = licence.owner.text();
        record.role = toText(licence.role);
        record.pool = licence.pool.value_or("");
        record.nodes = licence.nodes;
        record.expires = licence.expires;
        record.createdAt = time.wall;
        Plan plan;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.applies.push_back([this, record](fleet::Fleet&, Instant) { m_book.licences[record.id] = record; });
        plan.audit.push_back(auditRow(actor, time, "licence.create", record.id, nullptr, shown(record)));
        return plan;
    };
    command.done = [created, done = std::move(done)](Result<void> result) { done(result.map([&] { return *created; })); };
    m_store.submit(std::move(command));
}

void LicenceCommands::remove(const std::string& id, Actor actor, Done<void> done)
{
    Command command;
    command.alone = true; // a registration under it reads it without naming it
    command.plan = [this, id, actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        const auto found = m_book.licences.find(id);
        if (found == m_book.licences.end()) {
            return fail("unknown_licence", "There is no licence '" + id + "'.", "licenceId");
        }
        Plan plan;
        plan.writes.push_back([id](store::Writer& writer) { return writer.removeLicence(id); });
        plan.applies.push_back([this, id](fleet::Fleet&, Instant) { m_book.licences.erase(id); });
        plan.audit.push_back(auditRow(actor, time, "licence.remove", id, shown(found->second), nullptr));
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void LicenceCommands::list(std::function<void(std::vector<LicenceFacts>)> done)
{
    m_store.afterWrites([this, done = std::move(done)] {
        std::map<std::string, std::size_t> used;
        for (const auto& [id, node] : m_book.nodes) {
            used[node.licence] += node.licence.empty() ? 0 : 1;
        }
        std::vector<LicenceFacts> facts;
        for (const auto& [id, licence] : m_book.licences) {
            facts.push_back({licence, used[id]});
        }
        done(std::move(facts));
    });
}

} // namespace weir::plane
