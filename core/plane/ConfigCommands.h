// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/config/ConfigReader.h"
#include "core/plane/Command.h"
#include "core/plane/ConfigMerge.h"
#include "core/store/Records.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace weir::plane {

class ControlPlane;

/// A configuration with the text it was read from.
struct LoadedConfig {
    config::Config config;
    std::string text; ///< empty: from no file, and not kept
    std::string note; ///< where it came from
};

/// Why a configuration was not taken over: all issues of a text, or one error of another kind.
struct ConfigRefusal {
    std::vector<config::ConfigIssue> issues;
    Error error; ///< where there are no issues
    std::string file;
    WallTime at{};
    std::string by;
};

/// What only the program knows.
struct ConfigHooks {
    std::function<std::optional<std::string>()> file;  ///< the file to read now; nothing: there is none
    std::function<void(const config::Config&)> loaded; ///< on the store thread, after each load
};

struct ConfigStatus {
    std::uint64_t version = 0; ///< 0: none was ever loaded
    std::optional<std::string> file;
    std::vector<store::ConfigVersion> versions; ///< without texts, the newest first
    std::vector<ConfigDifference> differences;
    std::optional<ConfigRefusal> lastRefusal;
};

/// What a load would do to the fleet.
struct ConfigPreview {
    bool sameText = false; ///< as the version in force
    std::vector<store::AuditRow> changes;
};

/// Reading the configuration again, checking it, going back to an earlier one (configuration.md "Reload"). A refusal changes nothing.
/// Calls from any thread; answers on the store or the reader thread.
class ConfigCommands {
public:
    static constexpr std::int64_t kKeptVersions = 50;
    template <typename T>
    using Answer = std::function<void(tl::expected<T, ConfigRefusal>)>;

    explicit ConfigCommands(ControlPlane& plane) : m_plane(plane) {}

    /// Before start().
    void setHooks(ConfigHooks hooks) { m_hooks = std::move(hooks); }

    /// The version in force afterwards. Refusals: issues; `no_config_file`, `store_failed`.
    void reload(Actor actor, Answer<std::uint64_t> done);
    /// Loads the text of a version that is kept as a new one. Refusals: `unknown_version`; issues, where it does not fit what is
    /// stored any more; `store_failed`. The file stays as it is; what it says holds again once it has changed or is reloaded.
    void rollback(std::int64_t version, Actor actor, Answer<std::uint64_t> done);
    /// What a reload would do.
    void check(Answer<ConfigPreview> done);
    void status(std::function<void(Result<ConfigStatus>)> done);

    /// A configuration was refused: kept for status(), told to the journal.
    void noteRefusal(const ConfigRefusal& refusal);

private:
    [[nodiscard]] tl::expected<LoadedConfig, ConfigRefusal> readFile(const Actor& actor) const;
    [[nodiscard]] tl::expected<LoadedConfig, ConfigRefusal> parsed(std::string text, std::string note, const std::string& file, const Actor& actor) const;
    void load(LoadedConfig loaded, const std::string& file, Actor actor, Answer<std::uint64_t> done);

    ControlPlane& m_plane;
    ConfigHooks m_hooks;
    std::mutex m_mutex;
    std::optional<ConfigRefusal> m_lastRefusal;
};

/// What exists besides a configuration, in a running fleet.
[[nodiscard]] config::KnownEntities knownIn(const fleet::Fleet& fleet);
/// Options for reading one.
[[nodiscard]] config::ReadOptions readOptions(config::KnownEntities known);

} // namespace weir::plane
