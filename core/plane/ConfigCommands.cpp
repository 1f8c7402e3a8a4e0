// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ConfigCommands.h"

#include "core/base/Ids.h"
#include "core/gateway/modules/ModuleChain.h"
#include "core/http/Tls.h"
#include "core/plane/ControlPlane.h"
#include "core/probe/HealthUrl.h"

#include <algorithm>

namespace weir::plane {

config::ReadOptions readOptions(config::KnownEntities known)
{
    config::ReadOptions options;
    options.known = std::move(known);
    options.healthUrlCheck = [](const std::string& base, const std::string& path) { return probe::joinHealthUrl(base, path); };
    options.modulesCheck = [](config::IssueCollector& issues, const config::JsonNode& list, const std::string& path) {
        static_cast<void>(gateway::ModuleChain::read(issues, list, path));
    };
    options.certificateCheck = [](const std::string& certificate, const std::string& key) -> Result<void> {
        return http::TlsContext::load(certificate, key).map([](const auto&) {});
    };
    options.authoritiesCheck = http::checkAuthorities;
    return options;
}

config::KnownEntities knownIn(const fleet::Fleet& fleet)
{
    config::KnownEntities known;
    for (const UserHandle user : fleet.usersInOrder()) {
        known.users.insert(fleet.user(user).id.text());
    }
    for (const PoolHandle pool : fleet.poolsInOrder()) {
        if (fleet.pool(pool).kind == fleet::PoolKind::Named) {
            known.pools.insert(fleet.pool(pool).spec.id.text());
        }
    }
    for (const AppHandle app : fleet.appsInOrder()) {
        known.apps.insert(fleet.app(app).id.text());
    }
    for (const NodeHandle node : fleet.nodesInOrder()) {
        known.nodes.insert(fleet.node(node).spec.id.text());
    }
    return known;
}

tl::expected<LoadedConfig, ConfigRefusal> ConfigCommands::parsed(std::string text, std::string note, const std::string& file, const Actor& actor) const
{
    const config::KnownEntities known = m_plane.fleet().read([](const fleet::Fleet& fleet, Instant) { return knownIn(fleet); });
    auto read = config::readConfig(text, readOptions(known));
    ConfigRefusal refusal{{}, {}, file, m_plane.clock().wall(), actor.name};
    if (!read) {
        refusal.issues = std::move(read.error());
        return tl::unexpected(std::move(refusal));
    }
    return LoadedConfig{std::move(*read), std::move(text), std::move(note)};
}

tl::expected<LoadedConfig, ConfigRefusal> ConfigCommands::readFile(const Actor& actor) const
{
    const auto file = m_hooks.file ? m_hooks.file() : std::nullopt;
    ConfigRefusal refusal{{}, {}, file.value_or(""), m_plane.clock().wall(), actor.name};
    if (!file) {
        refusal.error = Error{"no_config_file", "There is no configuration file to read: weir-server was started without --config, and the data directory has no weir.json.", {}};
        return tl::unexpected(std::move(refusal));
    }
    auto text = config::readText(*file);
    if (!text) {
        refusal.issues = std::move(text.error());
        return tl::unexpected(std::move(refusal));
    }
    return parsed(std::move(*text), *file, *file, actor);
}

void ConfigCommands::load(LoadedConfig loaded, const std::string& file, Actor actor, Answer<std::uint64_t> done)
{
    const auto config = std::make_shared<const config::Config>(loaded.config);
    const std::string by = actor.name;
    m_plane.reload(std::move(loaded), std::move(actor), [this, config, file, by, done = std::move(done)](const Result<std::uint64_t>& version) {
        if (!version) {
            ConfigRefusal refusal{{}, version.error(), file, m_plane.clock().wall(), by};
            noteRefusal(refusal);
            done(tl::unexpected(std::move(refusal)));
            return;
        }
        if (m_hooks.loaded) {
            m_hooks.loaded(*config);
        }
        done(*version);
    });
}

void ConfigCommands::reload(Actor actor, Answer<std::uint64_t> done)
{
    m_plane.read([this, actor = std::move(actor), done = std::move(done)](store::StoreReader&) {
        auto loaded = readFile(actor);
        if (!loaded) {
            noteRefusal(loaded.error());
            done(tl::unexpected(std::move(loaded.error())));
            return;
        }
        const std::string file = loaded->note;
        load(std::move(*loaded), file, actor, done);
    });
}

void ConfigCommands::rollback(std::int64_t version, Actor actor, Answer<std::uint64_t> done)
{
    m_plane.read([this, version, actor = std::move(actor), done = std::move(done)](store::StoreReader& reader) {
        ConfigRefusal refusal{{}, {}, {}, m_plane.clock().wall(), actor.name};
        auto kept = reader.configVersion(version);
        if (!kept || !*kept) {
            refusal.error = kept ? Error{"unknown_version", "There is no version " + std::to_string(version) + " of the configuration, or it is not kept any more.", "version"} : kept.error();
            done(tl::unexpected(std::move(refusal)));
            return;
        }
        const std::string note = "version " + std::to_string(version);
        auto loaded = parsed(std::move((*kept)->text), note, note, actor);
        if (!loaded) {
            noteRefusal(loaded.error());
            done(tl::unexpected(std::move(loaded.error())));
            return;
        }
        load(std::move(*loaded), note, actor, done);
    });
}

void ConfigCommands::check(Answer<ConfigPreview> done)
{
    m_plane.read([this, done = std::move(done)](store::StoreReader&) {
        auto loaded = readFile({});
        if (!loaded) {
            done(tl::unexpected(std::move(loaded.error())));
            return;
        }
        m_plane.previewConfig(std::move(*loaded), [this, done](Result<ConfigPreview> preview) {
            if (!preview) {
                done(tl::unexpected(ConfigRefusal{{}, preview.error(), {}, m_plane.clock().wall(), {}}));
                return;
            }
            done(std::move(*preview));
        });
    });
}

void ConfigCommands::status(std::function<void(Result<ConfigStatus>)> done)
{
    m_plane.read([this, done = std::move(done)](store::StoreReader& reader) {
        ConfigStatus status;
        auto versions = reader.configVersions();
        if (!versions) {
            done(tl::unexpected(versions.error()));
            return;
        }
        status.versions = std::move(*versions);
        std::reverse(status.versions.begin(), status.versions.end());
        status.version = m_plane.configVersion();
        status.file = m_hooks.file ? m_hooks.file() : std::nullopt;
        status.differences = m_plane.configDifferences();
        {
            const std::scoped_lock lock(m_mutex);
            status.lastRefusal = m_lastRefusal;
        }
        done(std::move(status));
    });
}

void ConfigCommands::noteRefusal(const ConfigRefusal& refusal)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_lastRefusal = refusal;
    }
    m_plane.configRejected(refusal.issues.empty() ? refusal.error.message : config::toText(refusal.issues.front(), refusal.file));
}

} // namespace weir::plane
