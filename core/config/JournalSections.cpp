// SPDX-License-Identifier: GPL-3.0-or-later
// What is kept of the journal and how it is grouped.
#include "core/config/ConfigKeys.h"
#include "core/config/JsonNode.h"
#include "core/config/SettingSections.h"

namespace weir::config {
namespace {

constexpr std::int64_t kMostDays = 3'650;
constexpr std::int64_t kFewestBytes = 16'777'216; // the database alone takes a part of it
constexpr std::int64_t kMostBytes = 1'099'511'627'776;

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
    config.retention.eventsBytes = section.wholeWithin("events_bytes", kFewestBytes, kMostBytes).value_or(config.retention.eventsBytes);
}

} // namespace weir::config
