// SPDX-License-Identifier: GPL-3.0-or-later
// `basic_auth`: lets those in who know a name and its password (RFC 7617). The header is not passed on to the node.
#include "core/gateway/modules/Credentials.h"
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Replies.h"

#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::FoundProduct};

struct Rule {
    routing::Condition when;
    std::string realm;
    Credentials users;
    bool passesOn = false;
};

class BasicAuthModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "basic_auth"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (Rule& rule : rules) {
            if (!rule.when.matches(turn.exchange())) {
                continue;
            }
            const auto second = std::chrono::duration_cast<std::chrono::seconds>(turn.now.time_since_epoch()).count();
            const auto user = rule.users.check(turn.request.headers.first("Authorization"), second);
            if (!user) {
                m_refused.add();
                ModuleReply reply = problemReply(401, "unauthorized", "A name and a password are needed.");
                reply.headers.emplace_back("WWW-Authenticate", "Basic realm=\"" + rule.realm + "\", charset=\"UTF-8\"");
                return Verdict::respond(std::move(reply));
            }
            m_accepted.add();
            turn.context.set("user", *user);
            if (!rule.passesOn) {
                turn.requestEdits.remove("Authorization");
            }
            return Verdict::goOn();
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"accepted", m_accepted.value()}, {"refused", m_refused.value()}}; }

private:
    Count m_accepted;
    Count m_refused;
};

constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"realm"}, {"users"}, {"pass_on"}};

void readUsers(config::SectionReader& section, Credentials& users)
{
    const config::JsonNode* object = section.object("users");
    if (object == nullptr) {
        if (section.find("users") == nullptr) {
            section.failMissing("users", "names with their passwords' hashes are needed");
        }
        return;
    }
    for (const config::JsonMember& member : object->members) {
        const bool isName = !member.name.empty() && member.name.find(':') == std::string::npos && isHeaderValue(member.name);
        if (!isName || member.value.kind != config::JsonKind::String || !users.add(member.name, member.value.text)) {
            // The value may be a password in plain: it is not shown.
            section.issues().errorAt(member.nameBegin, section.pathOf("users"), {}, "invalid_value",
                "each name (without ':', once) has a text pbkdf2-sha256$ITERATIONS$SALT$HASH, 10000 iterations at least, salt and hash in "
                "hexadecimal");
        }
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<BasicAuthModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& reader) {
        auto when = readCondition(reader);
        std::string realm = reader.label("realm").value_or("weir");
        if (realm.find_first_of("\"\\") != std::string::npos) {
            reader.fail("realm", "invalid_value", "must not contain \" or \\");
        }
        Credentials users;
        readUsers(reader, users);
        const bool passesOn = reader.flag("pass_on").value_or(false);
        if (when) {
            module->rules.push_back({std::move(*when), std::move(realm), std::move(users), passesOn});
        }
    });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kBasicAuthKind{"basic_auth", kKeys, make};

} // namespace weir::gateway
