// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/Records.h"

#include <QString>
#include <QVariant>

#include <span>
#include <string_view>

class QSqlQuery;

namespace weir::store {

/// How a record lies in its table. The key is the first column.
struct TableShape {
    std::string_view name;
    std::span<const std::string_view> columns;
};

template <typename Record>
struct Table {
    static TableShape shape();
    static QVariantList row(const Record& record);     ///< values in the order of the columns
    static Record read(const QSqlQuery& query);        ///< from a SELECT of all columns in their order
};

template <> TableShape Table<UserRecord>::shape();
template <> QVariantList Table<UserRecord>::row(const UserRecord& record);
template <> UserRecord Table<UserRecord>::read(const QSqlQuery& query);
template <> TableShape Table<PoolRecord>::shape();
template <> QVariantList Table<PoolRecord>::row(const PoolRecord& record);
template <> PoolRecord Table<PoolRecord>::read(const QSqlQuery& query);
template <> TableShape Table<NodeRecord>::shape();
template <> QVariantList Table<NodeRecord>::row(const NodeRecord& record);
template <> NodeRecord Table<NodeRecord>::read(const QSqlQuery& query);
template <> TableShape Table<TombstoneRecord>::shape();
template <> QVariantList Table<TombstoneRecord>::row(const TombstoneRecord& record);
template <> TombstoneRecord Table<TombstoneRecord>::read(const QSqlQuery& query);
template <> TableShape Table<AppRecord>::shape();
template <> QVariantList Table<AppRecord>::row(const AppRecord& record);
template <> AppRecord Table<AppRecord>::read(const QSqlQuery& query);
template <> TableShape Table<BindingRecord>::shape();
template <> QVariantList Table<BindingRecord>::row(const BindingRecord& record);
template <> BindingRecord Table<BindingRecord>::read(const QSqlQuery& query);
template <> TableShape Table<TokenRecord>::shape();
template <> QVariantList Table<TokenRecord>::row(const TokenRecord& record);
template <> TokenRecord Table<TokenRecord>::read(const QSqlQuery& query);
template <> TableShape Table<SettingRecord>::shape();
template <> QVariantList Table<SettingRecord>::row(const SettingRecord& record);
template <> SettingRecord Table<SettingRecord>::read(const QSqlQuery& query);
template <> TableShape Table<LicenceRecord>::shape();
template <> QVariantList Table<LicenceRecord>::row(const LicenceRecord& record);
template <> LicenceRecord Table<LicenceRecord>::read(const QSqlQuery& query);
// AlarmTables.cpp:
template <> TableShape Table<journal::Alarm>::shape();
template <> QVariantList Table<journal::Alarm>::row(const journal::Alarm& alarm);
template <> journal::Alarm Table<journal::Alarm>::read(const QSqlQuery& query);
template <> TableShape Table<AcknowledgementRecord>::shape();
template <> QVariantList Table<AcknowledgementRecord>::row(const AcknowledgementRecord& record);
template <> AcknowledgementRecord Table<AcknowledgementRecord>::read(const QSqlQuery& query);
template <> TableShape Table<SilenceRecord>::shape();
template <> QVariantList Table<SilenceRecord>::row(const SilenceRecord& record);
template <> SilenceRecord Table<SilenceRecord>::read(const QSqlQuery& query);
template <> TableShape Table<WebhookRecord>::shape();
template <> QVariantList Table<WebhookRecord>::row(const WebhookRecord& record);
template <> WebhookRecord Table<WebhookRecord>::read(const QSqlQuery& query);
template <> TableShape Table<AuditRow>::shape();
template <> QVariantList Table<AuditRow>::row(const AuditRow& record);
template <> AuditRow Table<AuditRow>::read(const QSqlQuery& query);

template <> TableShape Table<ConfigVersion>::shape();
template <> QVariantList Table<ConfigVersion>::row(const ConfigVersion& record);
template <> ConfigVersion Table<ConfigVersion>::read(const QSqlQuery& query);

/// `a, b, c` of a table's columns.
[[nodiscard]] QString columnList(const TableShape& shape);

} // namespace weir::store
