// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/Config.h"
#include "core/config/ConfigReader.h"
#include "core/config/SectionReader.h"

namespace weir::config {

// The sections that hold settings: each reads its keys of the file's root into the configuration and reports what is wrong.

void readHealthCheck(SectionReader& root, Config& config, const HealthUrlCheck& check);
/// After the nodes: a fixed `max_in_flight` is checked against their number. `nodesElsewhere` are in the store alone.
void readProbe(SectionReader& root, Config& config, std::size_t nodesElsewhere);
void readScheduler(SectionReader& root, Config& config);
void readRegistration(SectionReader& root, Config& config);
void readPassiveStatuses(SectionReader& root, Config& config);
void readIncidents(SectionReader& root, Config& config); // JournalSections.cpp
void readRetention(SectionReader& root, Config& config);
void readOutcomeRules(SectionReader& root, Config& config);
void readListeners(SectionReader& root, Config& config, const ReadOptions& options);
void readStore(SectionReader& root);
void readLog(SectionReader& root, Config& config);

/// Whether `path` can be the path of a probe as far as this folder can tell: begins with `/`, printable ASCII, no fragment.
[[nodiscard]] bool isRequestPath(std::string_view path);

} // namespace weir::config
