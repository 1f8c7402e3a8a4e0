// SPDX-License-Identifier: GPL-3.0-or-later
// `header`: sets, adds and removes header lines of requests and answers.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"
#include "core/gateway/modules/Template.h"

#include <algorithm>
#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::AfterLocation, Point::ReadResponse};

struct Field {
    std::string name;
    Template value;
};

struct Changes {
    std::vector<Field> set;
    std::vector<Field> add;
    std::vector<std::string> removed;

    [[nodiscard]] bool isEmpty() const { return set.empty() && add.empty() && removed.empty(); }

    void apply(HeadEdits& edits, const Turn& turn) const
    {
        for (const std::string& name : removed) {
            edits.remove(name);
        }
        for (const Field& field : set) {
            edits.set(field.name, field.value.fill(turn));
        }
        for (const Field& field : add) {
            edits.add(field.name, field.value.fill(turn));
        }
    }
};

struct Rule {
    routing::Condition when;
    Changes request;
    Changes answer;
    bool last = false;
};

class HeaderModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "header"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point point, Turn& turn) override
    {
        const bool isAnswer = point == Point::ReadResponse;
        for (const Rule& rule : rules) {
            const Changes& changes = isAnswer ? rule.answer : rule.request;
            if (changes.isEmpty() || !rule.when.matches(turn.exchange())) {
                continue;
            }
            changes.apply(isAnswer ? turn.responseEdits : turn.requestEdits, turn);
            (isAnswer ? m_answers : m_requests).add();
            if (rule.last) {
                break;
            }
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override
    {
        return {{"changed_requests", m_requests.value()}, {"changed_answers", m_answers.value()}};
    }

private:
    Count m_requests;
    Count m_answers;
};

// Lines that frame a message or belong to the connection are the gateway's.
bool isOwn(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> kOwn{
        "connection", "content-length", "transfer-encoding", "host", "upgrade", "te", "trailer", "keep-alive", "expect"};
    return std::any_of(kOwn.begin(), kOwn.end(), [name](std::string_view own) { return routing::equalsIgnoringAsciiCase(own, name); });
}

std::vector<Field> readFields(config::SectionReader& section, std::string_view key)
{
    std::vector<Field> fields;
    for (const auto& [name, text] : readHeaders(section, key)) {
        std::string fault;
        auto value = Template::parse(text, fault);
        if (isOwn(name)) {
            section.fail(key, "invalid_value", name + " is set by the gateway itself");
        } else if (!value) {
            section.fail(key, "invalid_value", "of " + name + ": " + fault);
        } else {
            fields.push_back({name, std::move(*value)});
        }
    }
    return fields;
}

constexpr config::KeySpec kChangeKeys[] = {{"set"}, {"add"}, {"remove"}};
constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"request"}, {"response"}, {"last"}};

Changes readChanges(config::SectionReader& rule, std::string_view key)
{
    Changes changes;
    const config::JsonNode* node = rule.object(key);
    if (node == nullptr) {
        return changes;
    }
    config::SectionReader section(rule.issues(), *node, rule.pathOf(key), kChangeKeys);
    changes.set = readFields(section, "set");
    changes.add = readFields(section, "add");
    changes.removed = readHeaderNames(section, "remove");
    for (const std::string& name : changes.removed) {
        if (isOwn(name)) {
            section.fail("remove", "invalid_value", name + " is set by the gateway itself");
        }
    }
    return changes;
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<HeaderModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) {
        auto when = readCondition(rule);
        Changes request = readChanges(rule, "request");
        Changes answer = readChanges(rule, "response");
        const bool last = rule.flag("last").value_or(false);
        if (when) {
            module->rules.push_back({std::move(*when), std::move(request), std::move(answer), last});
        }
    });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kHeaderKind{"header", kKeys, make};

} // namespace weir::gateway
