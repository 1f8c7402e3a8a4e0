// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"
#include "ui/live/TimeDisplay.h"
#include "ui/widgets/TableDelegate.h"

#include <QAbstractTableModel>

namespace weir::ui {

/// A node's last probes, newest first. New ones are inserted at the top.
class ProbeLogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Code, Duration, Result, Body, ColumnCount };
    /// Name and value pairs of the body, for BodyFieldsDelegate.
    enum { FieldsRole = Qt::UserRole + 200 };

    explicit ProbeLogModel(const TimeDisplay& times, QObject* parent = nullptr);

    /// Takes the log of `node` over: another node's replaces all rows, a newer one of the same node adds its new rows.
    void setLog(const QString& node, const QList<ProbeEntry>& entries);
    void setStale(bool stale);
    [[nodiscard]] const QList<ProbeEntry>& entries() const { return m_entries; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    using Fields = QList<std::pair<QString, QString>>;
    [[nodiscard]] static Fields fieldsOf(const ProbeEntry& entry);

private:
    [[nodiscard]] QString text(const ProbeEntry& entry, int column) const;
    void timesChanged();

    const TimeDisplay& m_times;
    QString m_node;
    QList<ProbeEntry> m_entries;
    bool m_stale = false;
};

/// Draws "status ok  disk_free_gb 5.2": names in the second level, values in the first.
class BodyFieldsDelegate : public TableDelegate {
    Q_OBJECT

public:
    explicit BodyFieldsDelegate(const Theme& theme, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
};

} // namespace weir::ui

Q_DECLARE_METATYPE(weir::ui::ProbeLogModel::Fields)
