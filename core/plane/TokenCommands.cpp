// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/TokenCommands.h"

#include "core/base/Ids.h"
#include "core/plane/PendingTokens.h"
#include "core/plane/Traces.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <memory>

namespace weir::plane {
namespace json = boost::json;
namespace {

constexpr std::array<std::string_view, 5> kRoles{"superadmin", "operator", "viewer", "gateway", "app"};
constexpr std::size_t kMostApps = 1'000;

json::value toJson(const store::TokenRecord& record)
{
    json::object object{{"role", record.role}};
    if (!record.apps.empty()) {
        object["apps"] = json::array(record.apps.begin(), record.apps.end());
    }
    if (record.expires) {
        object["expires"] = toRfc3339(*record.expires);
    }
    return object;
}

Result<void> checkNew(const TokenBook& book, const store::TokenRecord& record)
{
    if (const auto taken = book.findIgnoringCase(record.name)) {
        return fail("duplicate_id", "A token '" + taken->name + "' exists already (names must differ in more than case).", "name");
    }
    if (book.size() >= TokenCommands::kMostTokens) {
        return fail("too_many_tokens", "There are " + std::to_string(TokenCommands::kMostTokens) + " tokens, as many as Weir keeps; revoke one first.");
    }
    return {};
}

} // namespace

Result<void> checkToken(const NewToken& wanted, WallTime now)
{
    if (const auto name = UserId::parse(wanted.name, "name"); !name) {
        return tl::unexpected(name.error());
    }
    if (std::find(kRoles.begin(), kRoles.end(), wanted.role) == kRoles.end()) {
        return fail("invalid_value", "role is '" + wanted.role + "'; it must be superadmin, operator, viewer, gateway or app.", "role");
    }
    if (wanted.role == "app" && wanted.apps.empty()) {
        return fail("missing_field", "A token of the role app names the apps it may act for.", "apps");
    }
    if (wanted.role != "app" && !wanted.apps.empty()) {
        return fail("invalid_value", "apps is for tokens of the role app alone; this one is " + wanted.role + ".", "apps");
    }
    if (wanted.apps.size() > kMostApps) {
        return fail("out_of_range", "apps has " + std::to_string(wanted.apps.size()) + " entries; at most 1000 fit one token.", "apps");
    }
    for (std::size_t i = 0; i < wanted.apps.size(); ++i) {
        const std::string field = "apps[" + std::to_string(i) + "]";
        if (const auto app = AppId::parse(wanted.apps[i], field); !app) {
            return tl::unexpected(app.error());
        }
    }
    if (wanted.expires && *wanted.expires <= now) {
        return fail("invalid_value", "expires is " + toRfc3339(*wanted.expires) + ", which is over already.", "expires");
    }
    return {};
}

void TokenCommands::putCommand(store::TokenRecord record, const Actor& actor, std::function<void(Result<void>)> done)
{
    Command command;
    command.alone = true; // the number of tokens is looked at
    command.plan = [this, record = std::move(record), actor](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        if (auto checked = checkNew(m_book, record); !checked) {
            return tl::unexpected(checked.error());
        }
        Plan plan;
        plan.writes.push_back([record](store::Writer& writer) { return writer.put(record); });
        plan.audit.push_back(auditRow(actor, time, "token.create", record.name, nullptr, toJson(record)));
        plan.after.push_back([this, record] { m_book.put(record); });
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void TokenCommands::create(NewToken wanted, Actor actor, Done<MadeToken> done)
{
    const std::string secret = randomSecret("weir_");
    if (secret.empty()) {
        done(fail("no_randomness", "The operating system gave no random bytes for a token."));
        return;
    }
    auto made = std::make_shared<MadeToken>();
    made->secret = secret;
    Command command;
    command.alone = true;
    command.plan = [this, wanted = std::move(wanted), actor = std::move(actor), made](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        if (auto checked = checkToken(wanted, time.wall); !checked) {
            return tl::unexpected(checked.error());
        }
        store::TokenRecord& record = made->record;
        record.name = wanted.name;
        record.role = wanted.role;
        record.apps = wanted.apps;
        std::sort(record.apps.begin(), record.apps.end());
        record.apps.erase(std::unique(record.apps.begin(), record.apps.end()), record.apps.end());
        record.expires = wanted.expires;
        record.sha256 = sha256Hex(made->secret);
        record.createdAt = time.wall;
        if (auto checked = checkNew(m_book, record); !checked) {
            return tl::unexpected(checked.error());
        }
        Plan plan;
        plan.writes.push_back([made](store::Writer& writer) { return writer.put(made->record); });
        plan.audit.push_back(auditRow(actor, time, "token.create", record.name, nullptr, toJson(record)));
        plan.after.push_back([this, made] { m_book.put(made->record); });
        return plan;
    };
    command.done = [made, done = std::move(done)](Result<void> result) { done(result.map([&] { return *made; })); };
    m_store.submit(std::move(command));
}

void TokenCommands::revoke(const std::string& name, Actor actor, Done<void> done)
{
    Command command;
    command.alone = true; // which superadmins there are is looked at
    command.plan = [this, name, actor = std::move(actor)](const fleet::Fleet&, const CommandTime& time) -> Result<Plan> {
        const auto record = m_book.find(name);
        if (!record) {
            return fail("unknown_token", "There is no token '" + name + "'.", "name");
        }
        const std::vector<store::TokenRecord> tokens = m_book.list();
        const bool anotherRemains = std::any_of(tokens.begin(), tokens.end(),
            [&](const store::TokenRecord& token) { return token.name != name && token.role == "superadmin" && !token.expires && isInForce(token, time.wall); });
        if (record->role == "superadmin" && isInForce(*record, time.wall) && !anotherRemains) {
            return fail("last_superadmin", "'" + name + "' is the last superadmin's token without an expiry; make another one first.", "name");
        }
        Plan plan;
        plan.writes.push_back([name](store::Writer& writer) { return writer.removeToken(name); });
        plan.audit.push_back(auditRow(actor, time, "token.revoke", name, toJson(*record), nullptr));
        plan.after.push_back([this, name] { m_book.remove(name); });
        return plan;
    };
    command.done = std::move(done);
    m_store.submit(std::move(command));
}

void TokenCommands::adoptPending()
{
    for (const PendingToken& pending : pendingTokens(m_dataDir)) {
        const Actor actor{"local:" + pending.by, {}, {}, "token new"};
        putCommand(pending.record, actor, [this, pending](const Result<void>& result) {
            if (!result) {
                m_log.write(LogLevel::Error, "token_refused", "A token left by 'weir-server token new' was not taken over: " + result.error().message);
            } else {
                m_log.write(LogLevel::Info, "token_created", "The superadmin's token '" + pending.record.name + "' was made by " + pending.by + " on this machine.");
            }
            if (result || result.error().code != "store_failed") {
                forget(pending); // otherwise it is tried again
            }
        });
    }
}

} // namespace weir::plane
