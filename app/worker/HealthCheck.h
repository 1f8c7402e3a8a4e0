// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/DependencyCheck.h"
#include "app/worker/DiskReader.h"
#include "app/worker/Report.h"
#include "app/worker/Settings.h"
#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/probe/ProbeTransport.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::worker {

/// Looks at disk, dependencies and ready_url when somebody asks. One check at a time: whoever asks while it runs gets its
/// answer. Its parts run side by side and end together, at the latest after Settings::depTimeout; what has not answered by then
/// counts as down. What dependencies and ready_url said is kept for Settings::depsCache, "not ready yet" for a second at most.
/// Changes of the answer are logged. Belongs to one thread with an event loop.
class HealthCheck final : public QObject {
public:
    using Answered = std::function<void(const Report&)>;

    /// `askDisk` empty: the free space of Settings::diskPath.
    HealthCheck(Settings settings, Clock& clock, Log& log, DiskReader::Ask askDisk = {});
    ~HealthCheck() override;

    /// `answered` is called once, from the event loop.
    void ask(Answered answered);

    /// Checks begun so far; for tests and figures.
    [[nodiscard]] std::size_t checks() const { return m_checks; }

private:
    void begin();
    void beginDependencies();
    void beginReady();
    void dependencyEnded(std::size_t index, bool up);
    void readyEnded(bool ready);
    void diskEnded(FreeGb freeGb);
    void finishIfDone();
    void finish();
    void tell(const Report& report);
    [[nodiscard]] bool isFresh(const std::optional<Instant>& at, Duration limit) const;

    Settings m_settings;
    Clock& m_clock;
    Log& m_log;
    std::unique_ptr<probe::ProbeTransport> m_transport; // only with a ready_url
    std::unique_ptr<DiskReader> m_disk;                 // only with a watermark
    QTimer m_deadline;

    bool m_running = false;
    std::size_t m_checks = 0;
    std::vector<Answered> m_waiting;
    Findings m_findings;
    bool m_diskPending = false;
    std::vector<std::unique_ptr<DependencyCheck>> m_depsPending; // empty where that one is known
    std::uint64_t m_readyRequest = 0;                            // 0: none under way
    std::optional<Instant> m_depsAt;
    std::optional<Instant> m_readyAt;
    std::string m_told;
};

} // namespace weir::worker
