// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/SampleFleet.h"

/// Alarms in every state, and the incident that some of them belong to.
namespace weir::test {

inline ui::AlarmRow alarmRow(
    const QString& id, const QString& kind, ui::Severity severity, ui::AlarmStanding standing, qint64 firstMs, qint64 lastMs)
{
    ui::AlarmRow row;
    row.id = id;
    row.kind = kind;
    row.severity = severity;
    row.standing = standing;
    row.firstMs = firstMs;
    row.firingSinceMs = firstMs;
    row.lastMs = lastMs;
    row.latestMs = lastMs;
    row.count = 1;
    return row;
}

/// Ids 1 to 7: two criticals and a warning fire, one alarm is counted in another, one silenced, one acknowledged, one cleared.
inline QList<ui::AlarmRow> sampleAlarms(qint64 wallMs)
{
    using ui::AlarmStanding;
    using ui::Severity;
    const auto text = [](const char* word) { return QString::fromUtf8(word); };
    const auto ago = [wallMs](int minutes) { return wallMs - minutes * 60'000LL; };
    QList<ui::AlarmRow> rows{
        alarmRow(text("1"), text("node_flapping"), Severity::Warning, AlarmStanding::Firing, ago(31), ago(2)),
        alarmRow(text("2"), text("pool_exhausted"), Severity::Critical, AlarmStanding::Firing, ago(12), ago(0)),
        alarmRow(text("3"), text("pool_down"), Severity::Critical, AlarmStanding::Firing, ago(12), ago(12)),
        alarmRow(text("4"), text("health_disagrees"), Severity::Warning, AlarmStanding::Counted, ago(28), ago(5)),
        alarmRow(text("5"), text("pool_capacity_low"), Severity::Warning, AlarmStanding::Silenced, ago(90), ago(90)),
        alarmRow(text("6"), text("last_candidate_lost"), Severity::Critical, AlarmStanding::Acknowledged, ago(12), ago(12)),
        alarmRow(text("7"), text("registration_refused"), Severity::Warning, AlarmStanding::Cleared, ago(600), ago(580)),
    };
    rows[0].node = text("gpu-01");
    rows[0].pool = text("pool-4");
    rows[0].role = text("worker");
    rows[0].count = 6;
    rows[0].stoodFor = 1;
    rows[0].firstSentence = text("gpu-01 changed its rotation 6 times in 10 minutes.");
    rows[0].latestSentence = text("gpu-01 changed its rotation 8 times in 10 minutes; the last time it was taken out by status:500.");
    rows[1].role = text("origin");
    rows[1].pool = text("pool-9");
    rows[1].app = text("app-14");
    rows[1].count = 1214;
    rows[1].firstSentence = text("No origin for app-14 in pool-9 (binding): 1 node of the role, 1 unhealthy. Fallback is not allowed.");
    rows[1].latestSentence = text("No origin for app-14 in pool-9 (binding): 1 node of the role, 1 unhealthy. Fallback is not allowed. 3 "
                                  "available origins are in pool-1, "
                                  "which no app resolves to.");
    rows[2].role = text("origin");
    rows[2].pool = text("pool-9");
    rows[2].firstSentence = text("pool-9 has 1 origin and none is available: origin-21 is unhealthy.");
    rows[2].latestSentence = rows[2].firstSentence;
    rows[3].node = text("gpu-01");
    rows[3].pool = text("pool-4");
    rows[3].role = text("worker");
    rows[3].countedIn = text("1");
    rows[3].count = 3;
    rows[3].firstSentence = text("The check of gpu-01 is good, and 61 of 80 requests failed.");
    rows[3].latestSentence = rows[3].firstSentence;
    rows[4].pool = text("pool-3");
    rows[4].role = text("edge");
    rows[4].silence = text("s7");
    rows[4].silencedUntilMs = wallMs + 3'600'000;
    rows[4].silencedBy = text("local:ops");
    rows[4].silenceReason = text("two edges are on their way");
    rows[4].firstSentence = text("pool-3 has 8 % of its capacity of edges free; 10 % are wanted.");
    rows[4].latestSentence = rows[4].firstSentence;
    rows[5].role = text("origin");
    rows[5].pool = text("pool-9");
    rows[5].acknowledgedBy = text("token:ops");
    rows[5].acknowledgedMs = ago(10);
    rows[5].firstSentence = text("origin-21 was the last origin of pool-9; its check failed twice (unhealthy_threshold 2).");
    rows[5].latestSentence = rows[5].firstSentence;
    rows[6].address = text("10.0.9.4");
    rows[6].count = 4;
    rows[6].resolvedMs = ago(565);
    rows[6].firstSentence = text("A registration from 10.0.9.4 was refused 3 times: wrong secret.");
    rows[6].latestSentence = rows[6].firstSentence;
    return rows;
}

inline QList<ui::IncidentRow> sampleIncidents(qint64 wallMs)
{
    ui::IncidentRow open;
    open.number = 42;
    open.severity = 1;
    open.startedMs = wallMs - 13 * 60'000LL;
    open.lastMs = wallMs;
    open.headline = QStringLiteral("pool-9 has had no origin for 12 min; app-14 was refused 1 214 times; still open");
    open.events = 1230;
    open.refusals = 1214;
    open.apps = 1;
    open.nodes = 1;
    open.alarmKinds = {QStringLiteral("pool_exhausted"), QStringLiteral("pool_down"), QStringLiteral("last_candidate_lost")};
    open.memberPools = {QStringLiteral("pool-9")};
    open.memberApps = {QStringLiteral("app-14")};
    ui::IncidentRow over;
    over.number = 41;
    over.state = ui::IncidentState::Resolved;
    over.severity = 2;
    over.startedMs = wallMs - 40 * 60'000LL;
    over.endedMs = wallMs - 20 * 60'000LL;
    over.headline = QStringLiteral("gpu-01 went out 6 times in 20 min, each time by status:500, and came back each time");
    over.alarmKinds = {QStringLiteral("node_flapping"), QStringLiteral("health_disagrees")};
    over.memberNodes = {QStringLiteral("gpu-01")};
    over.nodes = 1;
    return {open, over};
}

} // namespace weir::test
