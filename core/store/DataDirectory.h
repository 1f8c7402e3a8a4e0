// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weir::store {

/// The directory that holds everything a control plane keeps, locked for as long as this object lives. The lock is the
/// kernel's (flock), so a killed process leaves none behind. Movable; used from one thread at a time.
class DataDirectory {
public:
    /// Creates the directory where it is missing (mode 0700) and takes its lock. Errors: `data_dir_in_use` (names the process
    /// that has it), `data_dir_failed` (with the system's reason).
    [[nodiscard]] static Result<DataDirectory> open(const std::filesystem::path& path);

    /// The process that has the directory (`process 4711`, or `another process`); nothing while none does. Changes nothing.
    [[nodiscard]] static std::optional<std::string> holderOf(const std::filesystem::path& path);

    DataDirectory(const DataDirectory&) = delete;
    DataDirectory& operator=(const DataDirectory&) = delete;
    DataDirectory(DataDirectory&& other) noexcept;
    DataDirectory& operator=(DataDirectory&& other) noexcept;
    ~DataDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::filesystem::path databaseFile() const { return m_path / "weir.db"; }

    /// Writes a file of the directory (a token, say) that only its owner may read: mode 0600, durable, whole or not at all.
    /// Error: `data_dir_failed`.
    [[nodiscard]] Result<void> writePrivateFile(std::string_view name, std::string_view content) const;

private:
    DataDirectory(std::filesystem::path path, int lock);

    std::filesystem::path m_path;
    int m_lock = -1;
};

} // namespace weir::store
