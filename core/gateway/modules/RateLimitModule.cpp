// SPDX-License-Identifier: GPL-3.0-or-later
// `rate_limit`: so many requests a second for each client, header value or app, and a lock-up for those who ask on.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Replies.h"
#include "core/gateway/modules/TokenBuckets.h"

#include <cmath>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::FoundProduct};

struct Rule {
    std::string name;
    routing::Condition when;
    std::string key; ///< `client`, `app`, `host`, `all`, or `header:NAME`
    unsigned status = 429;
    TokenBuckets buckets;
};

class RateLimitModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "rate_limit"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (Rule& rule : rules) {
            if (!rule.when.matches(turn.exchange())) {
                continue;
            }
            IpAddress::Buffer buffer{};
            const Duration wait = rule.buckets.take(keyOf(rule, turn, buffer), turn.now);
            if (wait > Duration::zero()) {
                m_limited.add();
                turn.context.set("rate_limit_rule", rule.name);
                ModuleReply reply = problemReply(rule.status, "rate_limited", "Too many requests; try again later.");
                reply.headers.emplace_back("Retry-After", std::to_string(static_cast<long long>(std::ceil(toSeconds(wait)))));
                return Verdict::respond(std::move(reply));
            }
        }
        m_passed.add();
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"limited", m_limited.value()}, {"passed", m_passed.value()}}; }

private:
    static std::string_view keyOf(const Rule& rule, const Turn& turn, IpAddress::Buffer& buffer)
    {
        constexpr std::size_t kLongest = 256;
        if (rule.key == "client") {
            return turn.request.client ? turn.request.client->text(buffer) : std::string_view{};
        }
        if (rule.key == "app") {
            return turn.app;
        }
        if (rule.key == "host") {
            return turn.request.host.substr(0, kLongest);
        }
        return rule.key == "all" ? std::string_view{}
                                 : turn.request.headers.first(std::string_view(rule.key).substr(7)).substr(0, kLongest);
    }

    Count m_limited;
    Count m_passed;
};

constexpr config::KeySpec kRuleKeys[] = {{"name"}, {"when"}, {"key"}, {"per_second"}, {"burst"}, {"lock_seconds"}, {"status"}};

bool isKey(std::string_view key)
{
    return key == "client" || key == "app" || key == "host" || key == "all" || (key.starts_with("header:") && isHeaderName(key.substr(7)));
}

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    const std::string name = section.label("name").value_or(std::string());
    auto when = readCondition(section);
    const std::string key = section.text("key").value_or("client");
    if (!isKey(key)) {
        section.fail("key", "invalid_value", "must be client, app, host, all, or header:NAME");
    }
    TokenBuckets::Limits limits;
    if (section.find("per_second") == nullptr) {
        section.failMissing("per_second", "how many requests a second are allowed must be said");
    }
    limits.perSecond = section.numberWithin("per_second", 0.001, 1e6).value_or(limits.perSecond);
    limits.burst = section.numberWithin("burst", 1, 1e6).value_or(std::max(1.0, limits.perSecond));
    limits.lock = fromSeconds(section.numberWithin("lock_seconds", 0, 86400).value_or(0));
    const auto status = static_cast<unsigned>(section.wholeWithin("status", 400, 599).value_or(429));
    if (when) {
        rules.push_back({name, std::move(*when), key, status, TokenBuckets(limits)});
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<RateLimitModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kRateLimitKind{"rate_limit", kKeys, make};

} // namespace weir::gateway
