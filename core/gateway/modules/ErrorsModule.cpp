// SPDX-License-Identifier: GPL-3.0-or-later
// `errors`: puts another answer in the place of one that a condition describes, the gateway's own ones included.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Template.h"

#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::ReadResponse};
constexpr std::size_t kLongestBody = 1U << 20U;

struct Rule {
    routing::Condition when;
    unsigned status = 0; ///< 0: that of the answer
    std::string contentType;
    std::string body;
    std::optional<Template> location;
};

class ErrorsModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "errors"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (const Rule& rule : rules) {
            if (!rule.when.matches(turn.exchange())) {
                continue;
            }
            m_replaced.add();
            if (rule.location) {
                return Verdict::redirect(302, rule.location->fill(turn));
            }
            ModuleReply reply;
            reply.status = rule.status != 0 ? rule.status : static_cast<unsigned>(turn.response.status);
            reply.contentType = rule.contentType;
            reply.body = rule.body;
            // What clients and monitors go by stays.
            for (const char* kept : {"X-Weir-Error", "Retry-After"}) {
                if (const std::string_view value = turn.response.headers.first(kept); !value.empty()) {
                    reply.headers.emplace_back(kept, value);
                }
            }
            return Verdict::respond(std::move(reply));
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override { return {{"replaced", m_replaced.value()}}; }

private:
    Count m_replaced;
};

constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"status"}, {"content_type"}, {"body"}, {"redirect_to"}};

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    if (section.find("when") == nullptr) {
        section.failMissing("when", "which answers are replaced must be said, such as res_code_in(\"502|504\")");
    }
    auto when = readCondition(section);
    const auto status = section.wholeWithin("status", 200, 599);
    const std::string type = section.text("content_type").value_or("text/html; charset=utf-8");
    const auto body = section.text("body");
    const auto to = section.text("redirect_to");
    if ((section.find("body") == nullptr) == (section.find("redirect_to") == nullptr)) {
        section.failMissing("body", "either body or redirect_to is needed");
    }
    if (!isHeaderValue(type)) {
        section.fail("content_type", "invalid_value", "holds a control character");
    }
    if (body && body->size() > kLongestBody) {
        section.fail("body", "too_large", "at most 1 MiB");
    }
    std::optional<Template> location;
    if (to) {
        std::string fault;
        location = Template::parse(*to, fault);
        if (!location || !isHeaderValue(*to)) {
            section.fail("redirect_to", "invalid_value", location ? "holds a control character" : fault);
        }
    }
    if (when) {
        rules.push_back(
            {std::move(*when), static_cast<unsigned>(status.value_or(0)), type, body.value_or(std::string()), std::move(location)});
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<ErrorsModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kErrorsKind{"errors", kKeys, make};

} // namespace weir::gateway
