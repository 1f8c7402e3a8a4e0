// SPDX-License-Identifier: GPL-3.0-or-later
// How alarms and silences lie in their tables.
#include "core/store/RecordTables.h"
#include "core/store/Text.h"

#include <QSqlQuery>

#include <array>

namespace weir::store {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 25> kAlarmColumns{"id", "kind", "role", "pool_id", "app_id", "node_id", "address", "severity", "state", "occurrences", "folded", "first_at",
    "last_at", "resolved_at", "previous", "counted_in", "stood_for", "delivery", "first_sentence", "first_detail", "latest_at", "latest_sentence", "latest_detail", "since_at", "incident"};
constexpr std::array<Name, 3> kAcknowledgementColumns{"alarm_id", "actor", "at"};
constexpr std::array<Name, 6> kWebhookColumns{"id", "receiver", "alarm_id", "firing", "alert", "queued_at"};
constexpr std::array<Name, 10> kSilenceColumns{"id", "kind", "role", "pool_id", "app_id", "node_id", "until_at", "reason", "created_by", "created_at"};

QVariant number(std::uint64_t value)
{
    return QVariant::fromValue<qlonglong>(static_cast<qlonglong>(value));
}

std::uint64_t numberIn(const QSqlQuery& query, int column)
{
    return static_cast<std::uint64_t>(query.value(column).toLongLong());
}

std::string textIn(const QSqlQuery& query, int column)
{
    return toText(query.value(column));
}

} // namespace

template <> TableShape Table<journal::Alarm>::shape()
{
    return {"alarms", kAlarmColumns};
}

// An acknowledgement has a row of its own: a command writes it, and the alarm's row is written by the journal.
template <> QVariantList Table<journal::Alarm>::row(const journal::Alarm& alarm)
{
    return {number(alarm.id), toQt(journal::toText(alarm.key.kind)), toQt(alarm.key.role), toQt(alarm.key.poolId), toQt(alarm.key.appId), toQt(alarm.key.nodeId),
        toQt(alarm.key.address), toQt(journal::toText(alarm.severity)), toQt(alarm.isOpen() ? "firing" : "resolved"), number(alarm.count), number(alarm.folded),
        toColumn(alarm.first), toColumn(alarm.last), toColumn(alarm.resolvedAt), number(alarm.previous), number(alarm.countedIn), number(alarm.stoodFor),
        static_cast<int>(alarm.delivery), toQt(alarm.firstExplanation.sentence), toQt(alarm.firstExplanation.detail), toColumn(alarm.latestExplanation.at),
        toQt(alarm.latestExplanation.sentence), toQt(alarm.latestExplanation.detail),
        toColumn(alarm.firingSince), QVariant::fromValue<qlonglong>(alarm.incident)};
}

template <> journal::Alarm Table<journal::Alarm>::read(const QSqlQuery& query)
{
    journal::Alarm alarm;
    alarm.id = numberIn(query, 0);
    alarm.key = {journal::alarmKindFromText(textIn(query, 1)).value_or(journal::AlarmKind::PoolExhausted), textIn(query, 2), textIn(query, 3), textIn(query, 4),
        textIn(query, 5), textIn(query, 6)};
    alarm.severity = journal::severityFromText(textIn(query, 7)).value_or(journal::Severity::Warning);
    alarm.state = journal::alarmStateFromText(textIn(query, 8)).value_or(journal::AlarmState::Resolved);
    alarm.count = numberIn(query, 9);
    alarm.folded = numberIn(query, 10);
    alarm.first = toWallTime(query.value(11));
    alarm.last = toWallTime(query.value(12));
    alarm.resolvedAt = toWallTime(query.value(13));
    alarm.previous = numberIn(query, 14);
    alarm.countedIn = numberIn(query, 15);
    alarm.stoodFor = numberIn(query, 16);
    const int delivery = query.value(17).toInt();
    alarm.delivery = delivery == 1 ? journal::AlarmDelivery::Firing : delivery == 2 ? journal::AlarmDelivery::Resolved : journal::AlarmDelivery::None;
    alarm.firstExplanation = {alarm.first, textIn(query, 18), textIn(query, 19)};
    alarm.latestExplanation = {toWallTime(query.value(20)), textIn(query, 21), textIn(query, 22)};
    alarm.firingSince = toWallTime(query.value(23));
    alarm.incident = query.value(24).toLongLong();
    return alarm;
}

template <> TableShape Table<AcknowledgementRecord>::shape()
{
    return {"alarm_acknowledgements", kAcknowledgementColumns};
}

template <> QVariantList Table<AcknowledgementRecord>::row(const AcknowledgementRecord& record)
{
    return {number(record.alarmId), toQt(record.actor), toColumn(record.at)};
}

template <> AcknowledgementRecord Table<AcknowledgementRecord>::read(const QSqlQuery& query)
{
    return {numberIn(query, 0), textIn(query, 1), toWallTime(query.value(2))};
}

template <> TableShape Table<SilenceRecord>::shape()
{
    return {"silences", kSilenceColumns};
}

template <> QVariantList Table<SilenceRecord>::row(const SilenceRecord& record)
{
    return {toQt(record.id), toQt(record.kind), toQt(record.role), toQt(record.pool), toQt(record.app), toQt(record.node), toColumn(record.until), toQt(record.reason),
        toQt(record.createdBy), toColumn(record.createdAt)};
}

template <> SilenceRecord Table<SilenceRecord>::read(const QSqlQuery& query)
{
    return {textIn(query, 0), textIn(query, 1), textIn(query, 2), textIn(query, 3), textIn(query, 4), textIn(query, 5), toWallTime(query.value(6)), textIn(query, 7),
        textIn(query, 8), toWallTime(query.value(9))};
}

template <> TableShape Table<WebhookRecord>::shape()
{
    return {"webhook_queue", kWebhookColumns};
}

template <> QVariantList Table<WebhookRecord>::row(const WebhookRecord& record)
{
    return {number(record.id), toQt(record.receiver), number(record.alarmId), int{record.firing}, toQt(record.alert), toColumn(record.queuedAt)};
}

template <> WebhookRecord Table<WebhookRecord>::read(const QSqlQuery& query)
{
    return {numberIn(query, 0), textIn(query, 1), numberIn(query, 2), query.value(3).toInt() != 0, textIn(query, 4), toWallTime(query.value(5))};
}

} // namespace weir::store
