// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of the journal and how it is grouped.
#include "core/config/ConfigKeys.h"
#include "core/config/JsonNode.h"
#include "core/config/SettingSections.h"

#include <cmath>

namespace weir::config {
namespace {

constexpr std::int64_t kMostDays = 3'650;
constexpr double kFewestBytes = 16'777'216; // the database alone takes a part of it
constexpr double kMostBytes = 1'099'511'627'776;

} // namespace

void readIncidents(SectionReader& root, Config& config)
{
    const JsonNode* node = root.object("incidents");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("incidents"), keys::incidents());
    config.incidents.gapSeconds = section.seconds("gap_seconds", false).value_or(config.incidents.gapSeconds);
    config.incidents.lookBackSeconds = section.seconds("look_back_seconds", true).value_or(config.incidents.lookBackSeconds);
}

void readRetention(SectionReader& root, Config& config)
{
    const JsonNode* node = root.object("retention");
    if (node == nullptr) {
        return;
    }
    SectionReader section(root.issues(), *node, root.pathOf("retention"), keys::retention());
    config.retention.eventsDays = static_cast<int>(section.wholeWithin("events_days", 1, kMostDays).value_or(config.retention.eventsDays));
    // Beyond the range of int, which whole numbers of the file are cut to.
    const std::optional<double> bytes = section.number("events_bytes");
    if (bytes && (*bytes != std::floor(*bytes) || *bytes < kFewestBytes || *bytes > kMostBytes)) {
        section.fail("events_bytes", "out_of_range", "must be a whole number from 16777216 (16 MiB) to 1099511627776 (1 TiB)");
    } else if (bytes) {
        config.retention.eventsBytes = static_cast<std::int64_t>(*bytes);
    }
}

} // namespace weir::config
