// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weir::worker {

/// GiB that an unprivileged process may still write; none: the path could not be asked.
using FreeGb = std::optional<double>;

/// Asks for the free space on a thread of its own: a dead network mount blocks whoever asks it, for as long as it likes.
class DiskReader {
public:
    using Ask = std::function<FreeGb()>;
    using Done = std::function<void(FreeGb)>;

    /// `ask` runs on the reader's thread, `done` is called on the one that made the reader.
    DiskReader(Ask ask, Done done);
    DiskReader(const DiskReader&) = delete;
    DiskReader& operator=(const DiskReader&) = delete;
    /// Does not wait for a reading that hangs.
    ~DiskReader();

    /// Reads once; while a reading is under way, that one counts. Done is called once for each reading.
    void read();

private:
    struct Shared;

    static void run(const std::shared_ptr<Shared>& shared);

    QObject m_context;
    std::shared_ptr<Shared> m_shared;
};

/// What statvfs says now, on the calling thread.
[[nodiscard]] FreeGb freeGbOf(const std::string& path);

} // namespace weir::worker
