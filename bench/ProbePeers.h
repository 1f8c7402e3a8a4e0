// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ProbeWorkers.h"

#include <optional>
#include <string>

namespace weir::bench {

struct ProbeFigures {
    double cpuPerThousand = 0; ///< s
    double core = 0;           ///< share of one
    double megabytes = 0;      ///< resident, at the end
    double perSecond = 0;      ///< probes that were answered
};

/// CPU seconds a process has used; 0 when it is gone.
[[nodiscard]] double cpuSecondsOf(int process);
[[nodiscard]] double residentMegabytesOf(int process);
/// Where a program is on PATH or in the directories of system programs.
[[nodiscard]] std::optional<std::string> findProgram(const std::string& name);

/// HAProxy's own checks of all workers every `interval` seconds; nothing where it cannot run. `directory` is for its files.
[[nodiscard]] std::optional<ProbeFigures> runHaproxy(const ProbeWorkers& workers, int count, double interval, double timeout, int intervals, const std::string& directory, int core);

/// The blackbox exporter, asked as fast as it answers by 16 connections for `seconds`.
[[nodiscard]] std::optional<ProbeFigures> runBlackbox(const ProbeWorkers& workers, int count, double seconds, const std::string& directory, int core);

} // namespace weir::bench
