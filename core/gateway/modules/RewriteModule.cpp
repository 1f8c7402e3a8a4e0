// SPDX-License-Identifier: GPL-3.0-or-later
// `rewrite`: changes the path and query that the node is asked for. The route has been chosen by then, by what the client sent.
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::AfterLocation};

struct Rule {
    routing::Condition when;
    std::string stripPrefix;
    std::string addPrefix;
    std::unique_ptr<re2::RE2> pattern;
    std::string replacement;
    std::vector<std::string> removedKeys; ///< of the query, as sent
    std::string addQuery;
    bool last = false;
};

// Origin form of what the client sent, or of an earlier rule's result.
std::string targetOf(const Turn& turn)
{
    if (!turn.target.empty()) {
        return turn.target;
    }
    std::string_view target = turn.request.target;
    if (const std::size_t scheme = target.find("://"); !target.starts_with('/') && scheme != std::string_view::npos) {
        const std::size_t end = target.find_first_of("/?", scheme + 3);
        target = end == std::string_view::npos ? std::string_view{} : target.substr(end);
    }
    return target.starts_with('/') ? std::string(target) : '/' + std::string(target);
}

std::string withoutKeys(std::string_view query, const std::vector<std::string>& keys)
{
    std::string kept;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (std::find(keys.begin(), keys.end(), pair.substr(0, pair.find('='))) == keys.end()) {
            kept += (kept.empty() ? "" : "&") + std::string(pair);
        }
    }
    return kept;
}

// What can stand in a request line.
bool isTarget(std::string_view text)
{
    return text.starts_with('/') && std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
}

std::string rewritten(const Rule& rule, const std::string& target)
{
    const std::size_t question = target.find('?');
    std::string path = target.substr(0, question);
    std::string query = question == std::string::npos ? std::string() : target.substr(question + 1);
    // A whole element: /api of /apix stays.
    if (!rule.stripPrefix.empty() && path.starts_with(rule.stripPrefix)
        && (path.size() == rule.stripPrefix.size() || path[rule.stripPrefix.size()] == '/')) {
        path.erase(0, rule.stripPrefix.size());
    }
    path.insert(0, rule.addPrefix);
    path = path.empty() ? "/" : path;
    if (rule.pattern) {
        re2::RE2::Replace(&path, *rule.pattern, rule.replacement);
    }
    query = withoutKeys(query, rule.removedKeys);
    if (!rule.addQuery.empty()) {
        query += (query.empty() ? "" : "&") + rule.addQuery;
    }
    return query.empty() ? path : path + '?' + query;
}

class RewriteModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "rewrite"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (const Rule& rule : rules) {
            if (!rule.when.matches(turn.exchange())) {
                continue;
            }
            std::string target = rewritten(rule, targetOf(turn));
            if (isTarget(target)) {
                turn.target = std::move(target);
                m_rewritten.add();
            } else {
                m_refused.add(); // a replacement that made no path of it
            }
            if (rule.last) {
                break;
            }
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override
    {
        return {{"rewritten", m_rewritten.value()}, {"not_a_target", m_refused.value()}};
    }

private:
    Count m_rewritten;
    Count m_refused;
};

constexpr config::KeySpec kRuleKeys[] = {
    {"when"}, {"strip_prefix"}, {"add_prefix"}, {"regex"}, {"replace"}, {"remove_query"}, {"add_query"}, {"last"}};

std::string readPrefix(config::SectionReader& section, std::string_view key)
{
    const std::string prefix = section.text(key).value_or(std::string());
    if (!prefix.empty() && (!isTarget(prefix) || prefix.ends_with('/') || prefix.find('?') != std::string::npos)) {
        section.fail(key, "invalid_value", "must be the beginning of a path, with / in front and none at the end");
    }
    return prefix;
}

void readPattern(config::SectionReader& section, Rule& rule)
{
    const auto regex = section.text("regex");
    rule.replacement = section.text("replace").value_or(std::string());
    if ((section.find("regex") == nullptr) != (section.find("replace") == nullptr)) {
        section.fail(section.find("regex") == nullptr ? "replace" : "regex", "missing_key", "regex and replace come together");
        return;
    }
    if (!regex) {
        return;
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    rule.pattern = std::make_unique<re2::RE2>(*regex, options);
    std::string fault;
    if (!rule.pattern->ok()) {
        section.fail("regex", "invalid_value", "the regular expression is wrong: " + rule.pattern->error());
    } else if (!rule.pattern->CheckRewriteString(rule.replacement, &fault)) {
        section.fail("replace", "invalid_value", "does not fit the regular expression: " + fault);
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<RewriteModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& reader) {
        auto when = readCondition(reader);
        Rule rule{when ? std::move(*when) : *routing::Condition::compile("default_t()"), readPrefix(reader, "strip_prefix"),
            readPrefix(reader, "add_prefix"), nullptr, {}, readTexts(reader, "remove_query"),
            reader.text("add_query").value_or(std::string()), reader.flag("last").value_or(false)};
        readPattern(reader, rule);
        if (!rule.addQuery.empty() && !isTarget('/' + rule.addQuery)) {
            reader.fail("add_query", "invalid_value", "must be a query as it is sent, such as a=1&b=%20");
        }
        module->rules.push_back(std::move(rule));
    });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kRewriteKind{"rewrite", kKeys, make};

} // namespace weir::gateway
