// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace weir::config {

/// What exists besides the file, in the store; an entry of the file may name it. All empty for a check of the file alone.
struct KnownEntities {
    std::set<std::string> users;
    std::set<std::string> pools; ///< named pools; built-in ones and those of users are known anyway
    std::set<std::string> apps;
    std::set<std::string> nodes; ///< count towards what `probe.max_in_flight` must be able to keep up with
};

/// Says whether the health address made of a base URL and a path is in the form in which it would be sent; the error's
/// message shows the rewritten form. Part of the prober, which this folder does not know.
using HealthUrlCheck = std::function<Result<std::string>(const std::string& base, const std::string& path)>;

class IssueCollector;

/// Checks the list of `gateway.modules` and reports what is wrong with it. Part of the gateway, which this folder does not know.
using ModulesCheck = std::function<void(IssueCollector& issues, const JsonNode& list, const std::string& path)>;

/// Says whether a listener's certificate and key can be used; the error's field is `certificate` or `key`, whichever is at fault.
using CertificateCheck = std::function<Result<void>(const std::string& certificate, const std::string& key)>;

/// The same for a file of authorities that nodes are checked with.
using AuthoritiesCheck = std::function<Result<void>(const std::string& file)>;

struct ReadOptions {
    KnownEntities known{};
    HealthUrlCheck healthUrlCheck{}; ///< may be empty: then nothing is checked beyond the form of the URL
    ModulesCheck modulesCheck{};     ///< may be empty: then only that it is a list
    CertificateCheck certificateCheck{}; ///< may be empty: then no file is looked at
    AuthoritiesCheck authoritiesCheck{}; ///< the same
};

/// Reads and checks a whole configuration. Fails with every issue in the order of the file (after a syntax error: that one
/// alone); at most 10,000, the last of which then counts the rest. No I/O; any thread.
[[nodiscard]] tl::expected<Config, std::vector<ConfigIssue>> readConfig(std::string_view text, const ReadOptions& options = {});

/// The text of a file, at most one byte more than readConfig() takes. Fails with one issue, `unreadable_file`, at line 0.
[[nodiscard]] tl::expected<std::string, std::vector<ConfigIssue>> readText(const std::string& path);

/// The same for a file. One that cannot be read gives one issue, `unreadable_file`, at line 0.
[[nodiscard]] tl::expected<Config, std::vector<ConfigIssue>> readConfigFile(const std::string& path, const ReadOptions& options = {});

} // namespace weir::config
