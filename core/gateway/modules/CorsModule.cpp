// SPDX-License-Identifier: GPL-3.0-or-later
// `cors`: lets pages of other origins ask (Fetch standard, "CORS protocol"). Preflights are answered here.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"

#include <algorithm>
#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::FoundProduct, Point::ReadResponse};

struct Rule {
    routing::Condition when;
    std::vector<std::string> origins; ///< lower case; "*" alone: every one
    std::string methods;
    std::string headers; ///< empty: what the preflight asks for
    std::string exposed;
    std::string maxAge;
    bool credentials = false;

    [[nodiscard]] bool allows(std::string_view origin) const
    {
        return std::any_of(origins.begin(), origins.end(),
            [origin](const std::string& allowed) { return allowed == "*" || routing::equalsIgnoringAsciiCase(allowed, origin); });
    }
    [[nodiscard]] bool allowsAll() const { return origins.size() == 1 && origins.front() == "*"; }
};

class CorsModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "cors"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point point, Turn& turn) override
    {
        const Rule* rule = ruleOf(turn);
        if (rule == nullptr) {
            return Verdict::goOn();
        }
        const std::string_view origin = turn.request.headers.first("Origin");
        const bool isPreflight =
            turn.request.method == "OPTIONS" && !origin.empty() && !turn.request.headers.first("Access-Control-Request-Method").empty();
        if (point == Point::ReadResponse) {
            if (!isPreflight) {
                answer(*rule, origin, turn);
            }
            return Verdict::goOn();
        }
        return isPreflight ? preflight(*rule, origin, turn) : Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override
    {
        return {{"preflights", m_preflights.value()}, {"allowed", m_allowed.value()}, {"other_origins", m_others.value()}};
    }

private:
    const Rule* ruleOf(const Turn& turn) const
    {
        const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
            return rule.when.matches({&turn.request, nullptr});
        });
        return found == rules.end() ? nullptr : &*found;
    }

    static std::string_view originToSay(const Rule& rule, std::string_view origin)
    {
        return rule.allowsAll() ? std::string_view("*") : origin;
    }

    void answer(const Rule& rule, std::string_view origin, Turn& turn)
    {
        if (!rule.allowsAll()) {
            turn.responseEdits.add("Vary", "Origin"); // caches must not mix origins up
        }
        if (origin.empty()) {
            return;
        }
        // What the node itself says of this would be a second, perhaps wider word.
        for (const char* name : {"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Expose-Headers"}) {
            turn.responseEdits.remove(name);
        }
        if (!rule.allows(origin)) {
            m_others.add();
            return;
        }
        m_allowed.add();
        turn.responseEdits.add("Access-Control-Allow-Origin", originToSay(rule, origin));
        if (rule.credentials) {
            turn.responseEdits.add("Access-Control-Allow-Credentials", "true");
        }
        if (!rule.exposed.empty()) {
            turn.responseEdits.add("Access-Control-Expose-Headers", rule.exposed);
        }
    }

    Verdict preflight(const Rule& rule, std::string_view origin, const Turn& turn)
    {
        m_preflights.add();
        ModuleReply reply;
        reply.status = 204;
        reply.headers.emplace_back("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
        if (!rule.allows(origin)) {
            m_others.add();
            return Verdict::respond(std::move(reply)); // without a word of permission the browser refuses
        }
        const std::string_view asked = turn.request.headers.first("Access-Control-Request-Headers");
        reply.headers.emplace_back("Access-Control-Allow-Origin", originToSay(rule, origin));
        reply.headers.emplace_back("Access-Control-Allow-Methods", rule.methods);
        if (!rule.headers.empty() || !asked.empty()) {
            reply.headers.emplace_back("Access-Control-Allow-Headers", rule.headers.empty() ? std::string(asked) : rule.headers);
        }
        if (rule.credentials) {
            reply.headers.emplace_back("Access-Control-Allow-Credentials", "true");
        }
        reply.headers.emplace_back("Access-Control-Max-Age", rule.maxAge);
        return Verdict::respond(std::move(reply));
    }

    Count m_preflights;
    Count m_allowed;
    Count m_others;
};

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + text;
    }
    return all;
}

constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"origins"}, {"methods"}, {"headers"}, {"expose"}, {"credentials"}, {"max_age_seconds"}};

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    auto when = readCondition(section);
    std::vector<std::string> origins = readTexts(section, "origins");
    if (section.find("origins") == nullptr) {
        section.failMissing("origins", "which origins may ask must be said, such as [\"https://app.example.test\"]");
    }
    const bool credentials = section.flag("credentials").value_or(false);
    for (const std::string& origin : origins) {
        if (origin == "*" && (credentials || origins.size() > 1)) {
            section.fail("origins", "invalid_value",
                credentials ? "with credentials each origin must be named, \"*\" is not allowed" : "\"*\" stands alone");
        } else if (origin != "*" && (origin.find("://") == std::string::npos || origin.ends_with('/') || !isHeaderValue(origin))) {
            section.fail(
                "origins", "invalid_value", "\"" + origin + "\" is no origin: a scheme and a host, such as https://app.example.test");
        }
    }
    std::vector<std::string> methods = readHeaderNames(section, "methods");
    if (section.find("methods") == nullptr) {
        methods = {"GET", "HEAD", "POST"};
    }
    const std::string headers = joined(readHeaderNames(section, "headers"));
    const std::string exposed = joined(readHeaderNames(section, "expose"));
    const auto maxAge = section.wholeWithin("max_age_seconds", 0, 86400).value_or(600);
    if (when) {
        rules.push_back({std::move(*when), std::move(origins), joined(methods), headers, exposed, std::to_string(maxAge), credentials});
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<CorsModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kCorsKind{"cors", kKeys, make};

} // namespace weir::gateway
