// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/config/ConfigReader.h"
#include "core/config/IdRegistry.h"
#include "core/config/SectionReader.h"

#include <string>
#include <vector>

namespace weir::config {

/// Reads what the file declares: users, pools, nodes, apps and bindings, in this order, since each may name the ones before
/// it wherever the file has them.
class FleetSections {
public:
    /// All must outlive this object; `config.healthCheck` has been read.
    FleetSections(SectionReader& root, Config& config, const ReadOptions& options);

    void read();

private:
    void readUsers();
    void readPools();
    void readPool(SectionReader& entry);
    void readNodes();
    void readNode(SectionReader& entry);
    void readNodeId(SectionReader& entry, NodeEntry& node);
    void readNodeAddresses(SectionReader& entry, NodeEntry& node);
    void checkHealthAddress(SectionReader& entry, const NodeEntry& node);
    void readNodeTls(SectionReader& entry, NodeEntry& node);
    void readApps();
    void readBindings();
    void readBinding(SectionReader& entry);

    [[nodiscard]] std::optional<UserId> owner(SectionReader& entry);
    [[nodiscard]] std::optional<PoolId> poolReference(SectionReader& entry);
    [[nodiscard]] bool poolExists(const std::string& pool) const;
    void failUnknown(SectionReader& entry, std::string_view key, const char* what, const std::string& nearest);
    /// Calls `read` with a reader for each object of the list `key`.
    template <typename Read>
    void forEach(std::string_view key, std::span<const KeySpec> keys, Read read);

    SectionReader& m_root;
    Config& m_config;
    const ReadOptions& m_options;
    const std::set<std::string> m_none;
    IdRegistry m_users;
    IdRegistry m_pools;
    IdRegistry m_nodes;
    IdRegistry m_apps;
    IdRegistry m_boundApps; ///< one binding an app
};

} // namespace weir::config
