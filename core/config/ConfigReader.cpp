// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ConfigReader.h"

#include "core/config/FleetSections.h"
#include "core/config/JsonReader.h"
#include "core/config/SettingSections.h"
#include "core/config/WebhookSection.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace weir::config {
namespace {

std::size_t nodesInStoreAlone(const Config& config, const KnownEntities& known)
{
    std::size_t shared = 0;
    for (const NodeEntry& node : config.nodes) {
        shared += known.nodes.contains(node.node.text()) ? 1 : 0;
    }
    return known.nodes.size() - shared;
}

void readSections(SectionReader& root, Config& config, const ReadOptions& options)
{
    readHealthCheck(root, config, options.healthUrlCheck);
    FleetSections(root, config, options).read();
    readProbe(root, config, nodesInStoreAlone(config, options.known));
    readScheduler(root, config);
    readRegistration(root, config);
    readIncidents(root, config);
    readRetention(root, config);
    readPassiveStatuses(root, config);
    readOutcomeRules(root, config);
    readListeners(root, config, options);
    readWebhooks(root, config);
    readStore(root);
    readLog(root, config);
    if (const std::optional<double> grace = root.seconds("shutdown_grace_seconds", true)) {
        config.shutdownGraceSeconds = *grace;
    }
}

std::vector<ConfigIssue> unreadable(std::string why)
{
    return {ConfigIssue{0, 0, {}, {}, "cannot be read: " + std::move(why), "unreadable_file"}};
}

} // namespace

tl::expected<Config, std::vector<ConfigIssue>> readConfig(std::string_view text, const ReadOptions& options)
{
    IssueCollector issues(text);
    const tl::expected<JsonNode, JsonError> tree = JsonReader(text).read();
    if (!tree) {
        const JsonError& error = tree.error();
        issues.errorAt(error.offset, error.path, {}, error.code, error.message);
        return tl::unexpected(issues.takeErrors());
    }
    Config config;
    SectionReader root(issues, *tree, {}, keys::root());
    readSections(root, config, options);
    if (issues.hasErrors()) {
        return tl::unexpected(issues.takeErrors());
    }
    config.warnings = issues.takeWarnings();
    return config;
}

tl::expected<std::string, std::vector<ConfigIssue>> readText(const std::string& path)
{
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return tl::unexpected(unreadable(std::generic_category().message(errno)));
    }
    // One byte more than may be read: the reader then says that the file is too large, and no endless device is read.
    std::string text;
    std::string block(std::size_t{64} << 10U, '\0');
    while (text.size() <= JsonReader::kMaxBytes && file) {
        file.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) {
        return tl::unexpected(unreadable(std::generic_category().message(errno)));
    }
    return text;
}

tl::expected<Config, std::vector<ConfigIssue>> readConfigFile(const std::string& path, const ReadOptions& options)
{
    return readText(path).and_then([&](const std::string& text) { return readConfig(text, options); });
}

} // namespace weir::config
