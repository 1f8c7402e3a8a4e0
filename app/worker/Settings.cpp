// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/Settings.h"

#include "app/worker/SettingSource.h"
#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "core/config/WebAddress.h"
#include "core/probe/HealthUrl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace weir::worker {
namespace {

constexpr double kLeastFreeGb = 0.01;
constexpr double kMostFreeGb = 1'000'000;
constexpr double kMostCacheSeconds = 3'600;
constexpr double kLeastTimeoutMs = 10;
constexpr double kMostTimeoutMs = 60'000;
constexpr std::size_t kMostDeps = 64;
constexpr std::size_t kMostNameBytes = 64;
constexpr std::size_t kMostHostBytes = 253;
constexpr std::size_t kMostPathBytes = 4'096;

bool isDepName(std::string_view name)
{
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= kMostNameBytes && std::all_of(name.begin(), name.end(), fits);
}

bool isHostName(std::string_view host)
{
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_'; };
    // What consists of digits and dots alone is an address, and was one if it could be read.
    const bool isNumeric = std::all_of(host.begin(), host.end(), [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return !host.empty() && host.size() <= kMostHostBytes && host.front() != '.' && host.front() != '-' && !isNumeric && std::all_of(host.begin(), host.end(), fits);
}

std::optional<std::uint16_t> portOf(std::string_view text)
{
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool whole = !text.empty() && text.front() != '0' && error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(port) : std::nullopt;
}

std::optional<Dependency> readDependency(const SettingSource::Entry& entry)
{
    const std::string_view text = entry.address;
    // As a name, localhost is looked for at all its addresses; for a listener it stands for one.
    if (const auto literal = config::parseListenAddress(text); literal && literal->port != 0 && !text.starts_with("localhost:")) {
        return Dependency{entry.name, literal->host, literal->port};
    }
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || !isHostName(text.substr(0, colon))) {
        return std::nullopt;
    }
    const std::optional<std::uint16_t> port = portOf(text.substr(colon + 1));
    return port ? std::optional(Dependency{entry.name, std::string(text.substr(0, colon)), *port}) : std::nullopt;
}

void applyDependencies(SettingSource& source, Settings& settings)
{
    std::set<std::string> given;
    for (const SettingSource::Entry& entry : source.dependencies()) {
        if (!isDepName(entry.name)) {
            source.fail(entry.key, "invalid_value", "the name of a dependency must be 1 to 64 of a-z, 0-9, _ and -");
            continue;
        }
        if (!given.insert(entry.name).second) {
            source.fail(entry.key, "duplicate_key", "dependency " + entry.name + " is given twice");
            continue;
        }
        std::optional<Dependency> dependency = readDependency(entry);
        if (!dependency) {
            source.fail(entry.key, "invalid_address", "must be a host and a port from 1 to 65535, such as 127.0.0.1:8188 or [::1]:8188");
            continue;
        }
        const auto known = std::find_if(settings.deps.begin(), settings.deps.end(), [&](const Dependency& each) { return each.name == entry.name; });
        if (known != settings.deps.end()) {
            *known = std::move(*dependency);
        } else if (settings.deps.size() < kMostDeps) {
            settings.deps.push_back(std::move(*dependency));
        } else {
            source.fail(entry.key, "out_of_range", "there may be at most 64 dependencies");
            return;
        }
    }
}

// The address as it is asked.
Result<std::string> readyAddress(const std::string& url)
{
    static constexpr std::array<std::string_view, 2> kSchemes{"http", "https"};
    if (std::string fault = config::webAddressFault(url, kSchemes); !fault.empty()) {
        return weir::fail("invalid_url", std::move(fault));
    }
    const std::size_t authority = url.find("://") + 3;
    const std::size_t path = std::min(url.find_first_of("/?", authority), url.size());
    const std::string rest = url.substr(path);
    return probe::joinHealthUrl(url.substr(0, path), rest.starts_with('/') ? rest : "/" + rest);
}

void applyTexts(SettingSource& source, Settings& settings)
{
    if (std::optional<std::string> path = source.text("disk_path")) {
        const bool usable = path->starts_with('/') && path->size() <= kMostPathBytes && path->find('\0') == std::string::npos;
        if (usable) {
            settings.diskPath = std::move(*path);
        } else {
            source.fail("disk_path", "invalid_value", "must be an absolute path");
        }
    }
    if (std::optional<std::string> url = source.text("ready_url")) {
        if (Result<std::string> address = url->empty() ? Result<std::string>() : readyAddress(*url)) {
            settings.readyUrl = std::move(*address);
        } else {
            source.fail("ready_url", address.error().code, config::withoutFullStop(address.error().message));
        }
    }
    if (const std::optional<std::string> listen = source.text("listen")) {
        if (auto address = config::parseListenAddress(*listen)) {
            settings.listen = std::move(*address);
        } else {
            source.fail("listen", address.error().code, address.error().message);
        }
    }
}

void applyNumbers(SettingSource& source, Settings& settings)
{
    if (const std::optional<double> least = source.number("min_free_gb")) {
        if (*least == 0 || (*least >= kLeastFreeGb && *least <= kMostFreeGb)) {
            settings.minFreeGb = *least;
        } else {
            source.fail("min_free_gb", "out_of_range", "must be 0 (off) or between 0.01 and 1000000");
        }
    }
    if (const std::optional<double> seconds = source.number("deps_cache_seconds")) {
        if (*seconds >= 0 && *seconds <= kMostCacheSeconds) {
            settings.depsCache = std::chrono::milliseconds(std::llround(*seconds * 1'000));
        } else {
            source.fail("deps_cache_seconds", "out_of_range", "must be between 0 and 3600");
        }
    }
    if (const std::optional<double> timeout = source.number("dep_timeout_ms")) {
        if (*timeout >= kLeastTimeoutMs && *timeout <= kMostTimeoutMs && *timeout == std::floor(*timeout)) {
            settings.depTimeout = std::chrono::milliseconds(std::llround(*timeout));
        } else {
            source.fail("dep_timeout_ms", "out_of_range", "must be a whole number from 10 to 60000");
        }
    }
}

void apply(SettingSource& source, Settings& settings)
{
    applyNumbers(source, settings);
    applyTexts(source, settings);
    if (const std::optional<bool> check = source.flag("check_deps")) {
        settings.checkDeps = *check;
    }
    applyDependencies(source, settings);
}

std::vector<std::string> applyFile(std::string_view text, std::string_view fileName, Settings& settings)
{
    config::IssueCollector issues(text);
    const auto tree = config::JsonReader(text).read();
    if (!tree) {
        issues.errorAt(tree.error().offset, tree.error().path, {}, tree.error().code, tree.error().message);
    } else if (tree->kind != config::JsonKind::Object) {
        issues.error(*tree, {}, "wrong_type", config::wrongKind("an object", *tree));
    } else {
        const config::JsonNode* section = nullptr;
        for (const config::JsonMember& member : tree->members) {
            if (member.name == "health" && section != nullptr) {
                issues.errorAt(member.nameBegin, "health", {}, "duplicate_key", "key given twice");
            } else if (member.name == "health") {
                section = &member.value;
            }
        }
        if (section != nullptr) {
            FileSource source(issues, *section);
            if (section->kind == config::JsonKind::Object) {
                apply(source, settings);
            }
        } else {
            settings.warnings.push_back(std::string(fileName) + " has no section health; every setting is at its default.");
        }
    }
    std::vector<std::string> lines;
    for (const config::ConfigIssue& issue : issues.takeErrors()) {
        lines.push_back(config::toText(issue, fileName));
    }
    return lines;
}

} // namespace

tl::expected<Settings, std::vector<std::string>> readSettings(std::string_view fileText, std::string_view fileName, const Environment& environment)
{
    Settings settings;
    std::vector<std::string> errors;
    if (!fileText.empty() || !fileName.empty()) {
        errors = applyFile(fileText, fileName, settings);
    }
    EnvironmentSource source(environment);
    apply(source, settings);
    errors.insert(errors.end(), source.errors().begin(), source.errors().end());
    if (!errors.empty()) {
        return tl::unexpected(std::move(errors));
    }
    const std::vector<std::string> strangers = source.strangers();
    settings.warnings.insert(settings.warnings.end(), strangers.begin(), strangers.end());
    return settings;
}

} // namespace weir::worker
