// SPDX-License-Identifier: GPL-3.0-or-later
// `compress`: decides which answers are packed on their way, and how (RFC 9110 section 12.5.3). The gateway does it, with BodyEncoder.
#include "core/gateway/modules/BodyEncoder.h"
#include "core/gateway/modules/ModuleKinds.h"
#include "core/gateway/modules/ModuleReader.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace weir::gateway {
namespace {

constexpr std::array kPoints{Point::ReadResponse};

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t last = text.find_last_not_of(" \t");
    return last == std::string_view::npos ? std::string_view{} : text.substr(first, last + 1 - first);
}

// Thousandths; a weight that is none counts as 0, so that nothing is sent that may not be understood.
int weightOf(std::string_view parameters)
{
    const std::size_t at = parameters.find("q=");
    if (at == std::string_view::npos) {
        return 1000;
    }
    double value = 0;
    const std::string_view text = trimmed(parameters.substr(at + 2));
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value >= 0 && value <= 1 ? static_cast<int>(value * 1000) : 0;
}

// How much the client wants `coding`: its own weight, else that of "*", else nothing.
int wishFor(const routing::HeaderFields& headers, std::string_view coding)
{
    int any = 0;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        const routing::HeaderField field = headers.at(i);
        if (!routing::equalsIgnoringAsciiCase(field.name, "accept-encoding")) {
            continue;
        }
        for (std::string_view rest = field.value; !rest.empty();) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            const std::string_view item = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const std::size_t semicolon = std::min(item.find(';'), item.size());
            const std::string_view name = trimmed(item.substr(0, semicolon));
            if (routing::equalsIgnoringAsciiCase(name, coding)) {
                return weightOf(item.substr(semicolon));
            }
            any = name == "*" ? weightOf(item.substr(semicolon)) : any;
        }
    }
    return any;
}

struct Rule {
    routing::Condition when;
    std::vector<std::string> types;  ///< of content, or their beginnings that end with '/'
    std::vector<Encoding> encodings; ///< the first of equally wanted ones is taken
    int gzipLevel = 6;
    int brotliLevel = 4;
    std::uint64_t leastBytes = 1024;
};

class CompressModule final : public Module {
public:
    std::vector<Rule> rules;

    std::string_view name() const override { return "compress"; }
    std::span<const Point> points() const override { return kPoints; }

    Verdict at(Point, Turn& turn) override
    {
        for (const Rule& rule : rules) {
            if (rule.when.matches(turn.exchange())) {
                decide(rule, turn);
                break;
            }
        }
        return Verdict::goOn();
    }

    std::vector<ModuleCounter> counters() const override
    {
        return {{"gzip", m_gzip.value()}, {"brotli", m_brotli.value()}, {"as_they_were", m_plain.value()}};
    }

private:
    static bool canBePacked(const Rule& rule, const Turn& turn)
    {
        const routing::HeaderFields& headers = turn.response.headers;
        const int status = turn.response.status;
        if (turn.request.version == "HTTP/1.0" || turn.request.method == "HEAD" || status < 200 || status == 204 || status == 206
            || status == 304) {
            return false;
        }
        if (!headers.first("Content-Encoding").empty() || headers.first("Cache-Control").find("no-transform") != std::string_view::npos) {
            return false;
        }
        std::uint64_t length = rule.leastBytes;
        const std::string_view said = headers.first("Content-Length");
        std::from_chars(said.data(), said.data() + said.size(), length);
        const std::string_view type = trimmed(headers.first("Content-Type").substr(0, headers.first("Content-Type").find(';')));
        return length >= rule.leastBytes && std::any_of(rule.types.begin(), rule.types.end(), [type](const std::string& wanted) {
            return wanted.ends_with('/') ? routing::equalsIgnoringAsciiCase(type.substr(0, wanted.size()), wanted)
                                         : routing::equalsIgnoringAsciiCase(type, wanted);
        });
    }

    void decide(const Rule& rule, Turn& turn)
    {
        if (!canBePacked(rule, turn)) {
            m_plain.add();
            return;
        }
        turn.responseEdits.add("Vary", "Accept-Encoding");
        int best = 0;
        for (const Encoding encoding : rule.encodings) {
            if (const int wish = wishFor(turn.request.headers, contentCoding(encoding)); wish > best) {
                best = wish;
                turn.encoding = encoding;
            }
        }
        if (turn.encoding == Encoding::Identity) {
            m_plain.add();
            return;
        }
        const bool isGzip = turn.encoding == Encoding::Gzip;
        turn.compressionLevel = isGzip ? rule.gzipLevel : rule.brotliLevel;
        (isGzip ? m_gzip : m_brotli).add();
        turn.responseEdits.set("Content-Encoding", contentCoding(turn.encoding));
        // Other bytes than those that a strong validator or a range stands for.
        if (const std::string_view tag = turn.response.headers.first("ETag"); !tag.empty() && !tag.starts_with("W/")) {
            turn.responseEdits.set("ETag", "W/" + std::string(tag));
        }
        turn.responseEdits.remove("Accept-Ranges");
    }

    Count m_gzip;
    Count m_brotli;
    Count m_plain;
};

constexpr config::KeySpec kRuleKeys[] = {{"when"}, {"types"}, {"encodings"}, {"gzip_level"}, {"brotli_level"}, {"min_bytes"}};

void readRule(config::SectionReader& section, std::vector<Rule>& rules)
{
    auto when = readCondition(section);
    std::vector<std::string> types = readTexts(section, "types");
    if (section.find("types") == nullptr) {
        types = {"text/", "application/json", "application/problem+json", "application/javascript", "application/xml", "image/svg+xml"};
    }
    std::vector<Encoding> encodings{Encoding::Brotli, Encoding::Gzip};
    if (section.find("encodings") != nullptr) {
        encodings.clear();
        for (const std::string& name : readTexts(section, "encodings")) {
            if (name != "br" && name != "gzip") {
                section.fail("encodings", "invalid_value", "\"" + name + "\" is unknown; there are \"br\" and \"gzip\"");
            }
            encodings.push_back(name == "br" ? Encoding::Brotli : Encoding::Gzip);
        }
    }
    const auto gzipLevel = section.wholeWithin("gzip_level", 1, 9).value_or(6);
    const auto brotliLevel = section.wholeWithin("brotli_level", 0, 11).value_or(4);
    const auto leastBytes = section.wholeWithin("min_bytes", 0, 1'000'000'000).value_or(1024);
    if (when) {
        rules.push_back({std::move(*when), std::move(types), std::move(encodings), static_cast<int>(gzipLevel),
            static_cast<int>(brotliLevel), static_cast<std::uint64_t>(leastBytes)});
    }
}

std::unique_ptr<Module> make(config::SectionReader& section)
{
    auto module = std::make_unique<CompressModule>();
    readRules(section, "rules", kRuleKeys, [&](config::SectionReader& rule) { readRule(rule, module->rules); });
    return module;
}

constexpr config::KeySpec kKeys[] = {{"module"}, {"rules"}};

} // namespace

const ModuleKind kCompressKind{"compress", kKeys, make};

} // namespace weir::gateway
