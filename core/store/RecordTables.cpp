// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/RecordTables.h"

#include "core/store/Text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSqlQuery>
#include <QStringList>

#include <array>

using namespace Qt::StringLiterals;

namespace weir::store {
namespace {

using Name = std::string_view;

constexpr std::array<Name, 2> kUserColumns{"id", "name"};
constexpr std::array<Name, 5> kPoolColumns{"id", "name", "canary", "min_available", "capacity_alarm_percent"};
constexpr std::array<Name, 33> kNodeColumns{
    "id",       "role",         "owner",      "pool",       "is_static", "url",        "health_url", "health_path",  "expected_statuses",
    "webrtc_base_url", "publish_url", "capacity", "weight", "region",    "version",    "secret_hash", "draining",    "drain_reason",
    "drained_by", "pool_since", "moved_by",   "created_at", "declared",  "admin_fields", "file_fields",
    "disk_serial", "disabled", "licence", "abr_negotiation_addr", "registered_at", "tls_ca", "tls_server_name", "tls_verify"};
constexpr std::array<Name, 8> kLicenceColumns{"id", "code_hash", "owner", "role", "pool", "nodes", "expires", "created_at"};
constexpr std::array<Name, 1> kTombstoneColumns{"node_id"};
constexpr std::array<Name, 3> kAppColumns{"id", "owner", "declared"};
constexpr std::array<Name, 4> kBindingColumns{"app", "pool", "allow_fallback", "declared"};
constexpr std::array<Name, 7> kTokenColumns{"name", "sha256", "role", "apps", "expires", "created_at", "revoked"};
constexpr std::array<Name, 4> kSettingColumns{"id", "json", "changed_by", "changed_at"};
constexpr std::array<Name, 14> kAuditColumns{"id", "at", "actor", "origin", "action", "target", "value_before", "value_after", "reason", "outcome",
                                             "request_id", "source",    "previous_hash", "hash"};

constexpr std::array<Name, 5> kConfigColumns{"version", "at", "loaded_by", "note", "text"};

/// Reads the columns of a row one after the other.
class Row {
public:
    explicit Row(const QSqlQuery& query) : m_query(query) {}

    std::string text() { return toText(next()); }
    bool flag() { return next().toInt() != 0; }
    int number() { return next().toInt(); }
    std::int64_t bigNumber() { return next().toLongLong(); }
    WallTime time() { return toWallTime(next()); }
    QVariant next() { return m_query.value(m_column++); }

    std::string pool()
    {
        std::string id = text();
        return id.empty() ? "default" : id;
    }

private:
    const QSqlQuery& m_query;
    int m_column = 0;
};

QString toJson(const QJsonArray& array)
{
    return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact));
}

QString listColumn(const std::vector<std::string>& values)
{
    QJsonArray array;
    for (const std::string& value : values) {
        array.append(toQt(value));
    }
    return toJson(array);
}

QString listColumn(const std::vector<int>& values)
{
    QJsonArray array;
    for (const int value : values) {
        array.append(value);
    }
    return toJson(array);
}

QJsonArray arrayFrom(const QVariant& value)
{
    return QJsonDocument::fromJson(value.toString().toUtf8()).array();
}

std::vector<std::string> textsFrom(const QVariant& value)
{
    std::vector<std::string> texts;
    for (const QJsonValue& item : arrayFrom(value)) {
        texts.push_back(item.toString().toStdString());
    }
    return texts;
}

std::vector<int> numbersFrom(const QVariant& value)
{
    std::vector<int> numbers;
    for (const QJsonValue& item : arrayFrom(value)) {
        numbers.push_back(item.toInt());
    }
    return numbers;
}

} // namespace

template <> TableShape Table<UserRecord>::shape()
{
    return {"users", kUserColumns};
}

template <> QVariantList Table<UserRecord>::row(const UserRecord& record)
{
    return {toQt(record.id), toQt(record.name)};
}

template <> UserRecord Table<UserRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    UserRecord record;
    record.id = row.text();
    record.name = row.text();
    return record;
}

template <> TableShape Table<PoolRecord>::shape()
{
    return {"pools", kPoolColumns};
}

template <> QVariantList Table<PoolRecord>::row(const PoolRecord& record)
{
    return {toQt(record.id), toQt(record.name), int{record.canary},
            record.minAvailable ? QVariant(*record.minAvailable) : QVariant(QMetaType::fromType<int>()),
            record.capacityAlarmPercent ? QVariant(*record.capacityAlarmPercent) : QVariant(QMetaType::fromType<double>())};
}

template <> PoolRecord Table<PoolRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    PoolRecord record;
    record.id = row.text();
    record.name = row.text();
    record.canary = row.flag();
    if (const QVariant value = row.next(); !value.isNull()) {
        record.minAvailable = value.toInt();
    }
    if (const QVariant value = row.next(); !value.isNull()) {
        record.capacityAlarmPercent = value.toDouble();
    }
    return record;
}

template <> TableShape Table<NodeRecord>::shape()
{
    return {"nodes", kNodeColumns};
}

template <> QVariantList Table<NodeRecord>::row(const NodeRecord& record)
{
    return {toQt(record.id),
            toQt(record.role),
            toQt(record.owner),
            toQt(record.pool),
            int{record.isStatic},
            toQt(record.url),
            toQt(record.healthUrl),
            toQt(record.healthPath),
            listColumn(record.expectedStatuses),
            toQt(record.webrtcBaseUrl),
            toQt(record.publishUrl),
            record.capacity,
            record.weight,
            toQt(record.region),
            toQt(record.version),
            toQt(record.secretHash),
            int{record.draining},
            toQt(record.drainReason),
            toQt(record.drainedBy),
            toColumn(record.poolSince),
            toQt(record.movedBy),
            toColumn(record.createdAt),
            int{record.declared},
            listColumn(record.adminFields),
            toQt(record.fileFields),
            toQt(record.diskSerial),
            int{record.disabled},
            toQt(record.licence),
            toQt(record.abrNegotiationAddr),
            toColumn(record.registeredAt),
            toQt(record.tls.caFile),
            toQt(record.tls.serverName),
            int{record.tls.verify}};
}

template <> NodeRecord Table<NodeRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    NodeRecord record;
    record.id = row.text();
    record.role = row.text();
    record.owner = row.text();
    record.pool = row.pool();
    record.isStatic = row.flag();
    record.url = row.text();
    record.healthUrl = row.text();
    record.healthPath = row.text();
    record.expectedStatuses = numbersFrom(row.next());
    record.webrtcBaseUrl = row.text();
    record.publishUrl = row.text();
    record.capacity = row.number();
    record.weight = row.number();
    record.region = row.text();
    record.version = row.text();
    record.secretHash = row.text();
    record.draining = row.flag();
    record.drainReason = row.text();
    record.drainedBy = row.text();
    record.poolSince = row.time();
    record.movedBy = row.text();
    record.createdAt = row.time();
    record.declared = row.flag();
    record.adminFields = textsFrom(row.next());
    record.fileFields = row.text();
    record.diskSerial = row.text();
    record.disabled = row.flag();
    record.licence = row.text();
    record.abrNegotiationAddr = row.text();
    record.registeredAt = row.time();
    record.tls.caFile = row.text();
    record.tls.serverName = row.text();
    record.tls.verify = row.flag();
    return record;
}

template <> TableShape Table<LicenceRecord>::shape()
{
    return {"licences", kLicenceColumns};
}

template <> QVariantList Table<LicenceRecord>::row(const LicenceRecord& record)
{
    return {toQt(record.id),
            toQt(record.codeHash),
            toQt(record.owner),
            toQt(record.role),
            toQt(record.pool),
            record.nodes,
            record.expires ? toColumn(*record.expires) : QVariant(QMetaType::fromType<qlonglong>()),
            toColumn(record.createdAt)};
}

template <> LicenceRecord Table<LicenceRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    LicenceRecord record;
    record.id = row.text();
    record.codeHash = row.text();
    record.owner = row.text();
    record.role = row.text();
    record.pool = row.text();
    record.nodes = row.number();
    if (const QVariant expires = row.next(); !expires.isNull()) {
        record.expires = toWallTime(expires);
    }
    record.createdAt = row.time();
    return record;
}

template <> TableShape Table<TombstoneRecord>::shape()
{
    return {"tombstones", kTombstoneColumns};
}

template <> QVariantList Table<TombstoneRecord>::row(const TombstoneRecord& record)
{
    return {toQt(record.nodeId)};
}

template <> TombstoneRecord Table<TombstoneRecord>::read(const QSqlQuery& query)
{
    return {Row(query).text()};
}

template <> TableShape Table<AppRecord>::shape()
{
    return {"apps", kAppColumns};
}

template <> QVariantList Table<AppRecord>::row(const AppRecord& record)
{
    return {toQt(record.id), toQt(record.owner), int{record.declared}};
}

template <> AppRecord Table<AppRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    AppRecord record;
    record.id = row.text();
    record.owner = row.text();
    record.declared = row.flag();
    return record;
}

template <> TableShape Table<BindingRecord>::shape()
{
    return {"bindings", kBindingColumns};
}

template <> QVariantList Table<BindingRecord>::row(const BindingRecord& record)
{
    return {toQt(record.app), toQt(record.pool), int{record.allowFallback}, int{record.declared}};
}

template <> BindingRecord Table<BindingRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    BindingRecord record;
    record.app = row.text();
    record.pool = row.pool();
    record.allowFallback = row.flag();
    record.declared = row.flag();
    return record;
}

template <> TableShape Table<TokenRecord>::shape()
{
    return {"tokens", kTokenColumns};
}

template <> QVariantList Table<TokenRecord>::row(const TokenRecord& record)
{
    return {toQt(record.name),
            toQt(record.sha256),
            toQt(record.role),
            listColumn(record.apps),
            record.expires ? toColumn(*record.expires) : QVariant(QMetaType::fromType<qlonglong>()),
            toColumn(record.createdAt),
            int{record.revoked}};
}

template <> TokenRecord Table<TokenRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    TokenRecord record;
    record.name = row.text();
    record.sha256 = row.text();
    record.role = row.text();
    record.apps = textsFrom(row.next());
    if (const QVariant value = row.next(); !value.isNull()) {
        record.expires = toWallTime(value);
    }
    record.createdAt = row.time();
    record.revoked = row.flag();
    return record;
}

template <> TableShape Table<SettingRecord>::shape()
{
    return {"settings", kSettingColumns};
}

template <> QVariantList Table<SettingRecord>::row(const SettingRecord& record)
{
    return {toQt(record.key), toQt(record.json), toQt(record.changedBy), toColumn(record.changedAt)};
}

template <> SettingRecord Table<SettingRecord>::read(const QSqlQuery& query)
{
    Row row(query);
    SettingRecord record;
    record.key = row.text();
    record.json = row.text();
    record.changedBy = row.text();
    record.changedAt = row.time();
    return record;
}

template <> TableShape Table<AuditRow>::shape()
{
    return {"audit", kAuditColumns};
}

template <> QVariantList Table<AuditRow>::row(const AuditRow& record)
{
    return {QVariant::fromValue<qlonglong>(record.id), toColumn(record.at),      toQt(record.actor),  toQt(record.from),
            toQt(record.action),                       toQt(record.target),      toQt(record.before), toQt(record.after),
            toQt(record.reason),                       toQt(record.outcome),     toQt(record.requestId), toQt(record.source),
            toQt(record.previousHash),                 toQt(record.hash)};
}

template <> AuditRow Table<AuditRow>::read(const QSqlQuery& query)
{
    Row row(query);
    AuditRow record;
    record.id = row.bigNumber();
    record.at = row.time();
    record.actor = row.text();
    record.from = row.text();
    record.action = row.text();
    record.target = row.text();
    record.before = row.text();
    record.after = row.text();
    record.reason = row.text();
    record.outcome = row.text();
    record.requestId = row.text();
    record.source = row.text();
    record.previousHash = row.text();
    record.hash = row.text();
    return record;
}

template <> TableShape Table<ConfigVersion>::shape()
{
    return {"config_versions", kConfigColumns};
}

template <> QVariantList Table<ConfigVersion>::row(const ConfigVersion& record)
{
    return {QVariant::fromValue<qlonglong>(record.version), toColumn(record.at), toQt(record.by), toQt(record.note), toQt(record.text)};
}

template <> ConfigVersion Table<ConfigVersion>::read(const QSqlQuery& query)
{
    Row row(query);
    ConfigVersion record;
    record.version = row.bigNumber();
    record.at = row.time();
    record.by = row.text();
    record.note = row.text();
    record.text = row.text();
    return record;
}

QString columnList(const TableShape& shape)
{
    QStringList names;
    for (const Name name : shape.columns) {
        names << toQt(name);
    }
    return names.join(u", "_s);
}

} // namespace weir::store
