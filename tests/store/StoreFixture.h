// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/DataDirectory.h"
#include "core/store/Store.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace weir::store {

inline const WallTime kStart{std::chrono::milliseconds(1'700'000'000'000)};

/// A store in a directory of its own, which can be closed and opened again.
class StoreFixture {
public:
    StoreFixture() : m_path(m_temporary.path().toStdString() + "/data") {}

    [[nodiscard]] Result<void> open(const std::vector<Migration>& steps = migrations())
    {
        close();
        Result<DataDirectory> directory = DataDirectory::open(m_path);
        if (!directory) {
            return tl::unexpected<Error>(directory.error());
        }
        m_directory.emplace(std::move(*directory));
        Result<std::unique_ptr<Store>> store = Store::open(*m_directory, steps);
        if (!store) {
            m_directory.reset();
            return tl::unexpected<Error>(store.error());
        }
        m_store = std::move(*store);
        return {};
    }
    void close()
    {
        m_store.reset();
        m_directory.reset();
    }

    [[nodiscard]] Store& store() { return *m_store; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::filesystem::path databaseFile() const { return m_path / "weir.db"; }

private:
    QTemporaryDir m_temporary;
    std::filesystem::path m_path;
    std::optional<DataDirectory> m_directory;
    std::unique_ptr<Store> m_store;
};

inline journal::Event eventOf(journal::EventKind kind, const std::string& nodeId, WallTime at = kStart)
{
    journal::Event event;
    event.at = at;
    event.kind = kind;
    event.severity = journal::Severity::Warning;
    event.nodeId = nodeId;
    event.poolId = "pool-7";
    event.role = "worker";
    event.sentence = "node " + nodeId;
    return event;
}

} // namespace weir::store
