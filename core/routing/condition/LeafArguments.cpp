// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/routing/condition/LeafArguments.h"

#include "core/routing/condition/ConditionTime.h"
#include "core/routing/condition/Utf8Text.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace weir::routing {
namespace {

// Nothing is trimmed, and an empty part is real.
std::vector<std::string> splitAtBars(std::string_view text)
{
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t bar = text.find('|');
        parts.emplace_back(text.substr(0, bar));
        if (bar == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(bar + 1);
    }
}

std::string upper(std::string_view text)
{
    std::string out(casedRoom(text.size()), '\0');
    out.resize(toUpper(text, out.data()));
    return out;
}

class Filler {
public:
    Filler(Leaf& leaf, ConditionIssues& issues)
        : m_leaf(leaf)
        , m_issues(issues)
    {
    }

    void take(char parameter, const Literal& argument);
    void finish(const SyntaxNode& call);

private:
    void issue(const char* code, const Literal& argument, std::string message)
    {
        m_issues.push_back({code, argument.place, std::move(message)});
    }

    void takePatterns(const Literal& argument);
    void takeRegex(const Literal& argument);
    void takeSections(const Literal& argument);
    void takeAddress(std::string_view text, const Literal& argument);
    void takeAddresses(const Literal& argument);
    void takeDate(const Literal& argument);
    void takeTimeOfDay(const Literal& argument);
    void finishPatterns();
    void finishAddresses(const SyntaxNode& call);
    void finishTimes(const SyntaxNode& call);

    Leaf& m_leaf;
    ConditionIssues& m_issues;
    std::vector<std::int64_t> m_times;
    std::vector<std::int64_t> m_zones;
};

void Filler::take(char parameter, const Literal& argument)
{
    switch (parameter) {
    case 'k':
        m_leaf.key = argument.text;
        break;
    case 'p':
        takePatterns(argument);
        break;
    case 't':
        m_leaf.patterns = {argument.text};
        break;
    case 'r':
        takeRegex(argument);
        break;
    case 'b':
        m_leaf.ignoreCase = argument.text == "true";
        break;
    case 'h':
        takeSections(argument);
        break;
    case 'a':
        takeAddress(argument.text, argument);
        break;
    case 'v':
        takeAddresses(argument);
        break;
    case 'd':
        takeDate(argument);
        break;
    case 'c':
        takeTimeOfDay(argument);
        break;
    case 'e':
        if (!argument.text.empty()) {
            issue("time", argument, "the third argument has no meaning yet and must be \"\", not " + quoted(argument.text));
        }
        break;
    default:
        break;
    }
}

void Filler::takePatterns(const Literal& argument)
{
    m_leaf.patterns = splitAtBars(argument.text);
    if (m_leaf.source != Source::Host || m_leaf.match != Match::In) {
        return;
    }
    for (const std::string& pattern : m_leaf.patterns) {
        if (pattern.find(':') != std::string::npos) {
            issue("host_port", argument,
                "a host has no port and no ':' here, but this is " + quoted(pattern) + "; ask for the port with req_port_in");
        }
    }
}

void Filler::takeRegex(const Literal& argument)
{
    re2::RE2::Options options;
    options.set_log_errors(false);
    m_leaf.regex = std::make_unique<re2::RE2>(argument.text, options);
    if (!m_leaf.regex->ok()) {
        issue("regex", argument, "the regular expression " + quoted(argument.text) + " is wrong: " + m_leaf.regex->error());
    }
}

void Filler::takeSections(const Literal& argument)
{
    std::string text = argument.text;
    std::erase(text, ' ');
    for (const std::string& section : splitAtBars(text)) {
        const auto number = [](std::string_view digits) -> std::optional<unsigned> {
            unsigned value = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            const bool ok = error == std::errc{} && end == digits.data() + digits.size() && value < kHashBuckets;
            return ok ? std::optional(value) : std::nullopt;
        };
        const std::size_t dash = section.find('-');
        const std::optional<unsigned> first = number(std::string_view(section).substr(0, dash));
        const std::optional<unsigned> last = dash == std::string::npos ? first : number(std::string_view(section).substr(dash + 1));
        if (!first || !last || *last < *first) {
            issue("hash_section", argument,
                quoted(section) + " is no section of buckets: a number from 0 to 9999, or two with - between, the smaller one first");
            continue;
        }
        m_leaf.sections.emplace_back(*first, *last);
    }
}

void Filler::takeAddress(std::string_view text, const Literal& argument)
{
    const std::optional<IpAddress> address = IpAddress::parse(text);
    if (!address) {
        issue("ip", argument, quoted(text) + " is no IP address (one address, without blanks, port or /bits)");
        return;
    }
    m_leaf.addresses.push_back(*address);
}

void Filler::takeAddresses(const Literal& argument)
{
    for (const std::string& text : splitAtBars(argument.text)) {
        takeAddress(text, argument);
    }
    std::sort(m_leaf.addresses.begin(), m_leaf.addresses.end());
}

void Filler::takeDate(const Literal& argument)
{
    const std::optional<std::int64_t> seconds = parseDateTime(argument.text);
    if (!seconds) {
        issue("time", argument,
            quoted(argument.text) + " is no time of the form YYYYMMDDhhmmssZ, with the letter of a zone (Z is UTC, H is +8)");
        return;
    }
    m_times.push_back(*seconds);
}

void Filler::takeTimeOfDay(const Literal& argument)
{
    const std::optional<TimeOfDay> time = parseTimeOfDay(argument.text);
    if (!time) {
        issue("time", argument, quoted(argument.text) + " is no time of the form hhmmssZ, with the letter of a zone (Z is UTC, H is +8)");
        return;
    }
    m_times.push_back(time->seconds);
    m_zones.push_back(time->zoneSeconds);
}

void Filler::finishPatterns()
{
    if (m_leaf.source == Source::ElementPath) {
        for (std::string& pattern : m_leaf.patterns) {
            pattern += pattern.ends_with('/') ? "" : "/";
        }
    }
    if (m_leaf.ignoreCase) {
        std::transform(m_leaf.patterns.begin(), m_leaf.patterns.end(), m_leaf.patterns.begin(), upper);
    }
    if (m_leaf.match == Match::In) {
        std::sort(m_leaf.patterns.begin(), m_leaf.patterns.end());
    }
}

void Filler::finishAddresses(const SyntaxNode& call)
{
    if (m_leaf.match != Match::Range || m_leaf.addresses.size() != 2) {
        return;
    }
    const IpAddress& first = m_leaf.addresses.front();
    const IpAddress& last = m_leaf.addresses.back();
    if (first.isV4() != last.isV4()) {
        issue("ip_family", call.arguments.front(), first.text() + " and " + last.text() + " are not of one family, IPv4 or IPv6");
    } else if (last < first) {
        issue("range_order", call.arguments.front(), "the range begins at " + first.text() + " behind its end, " + last.text());
    }
}

void Filler::finishTimes(const SyntaxNode& call)
{
    if (m_times.size() != 2) {
        return;
    }
    m_leaf.firstTime = m_times.front();
    m_leaf.lastTime = m_times.back();
    if (m_zones.size() == 2) {
        m_leaf.zoneSeconds = m_zones.front();
        if (m_zones.front() != m_zones.back()) {
            issue("time", call.arguments.front(), "both times must be of one zone");
            return;
        }
    }
    if (m_leaf.lastTime < m_leaf.firstTime) {
        issue("range_order", call.arguments.front(),
            "the range begins at " + quoted(call.arguments[0].text) + " behind its end, " + quoted(call.arguments[1].text));
    }
}

void Filler::finish(const SyntaxNode& call)
{
    finishPatterns();
    finishAddresses(call);
    finishTimes(call);
}

} // namespace

void fillLeaf(const SyntaxNode& call, std::string_view parameters, Leaf& leaf, ConditionIssues& issues)
{
    Filler filler(leaf, issues);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        filler.take(parameters[i], call.arguments[i]);
    }
    filler.finish(call);
}

} // namespace weir::routing
