// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Chip.h"

#include <QAbstractTableModel>

namespace weir::ui {

struct ShortCell {
    QString text;
    ChipSpec chip;
    IconName icon = IconName::None;
    std::optional<Tone> iconTone;
    int level = 1;
    bool link = false;
    bool sentence = false;
    bool right = false;
    QString toolTip;

    bool operator==(const ShortCell&) const = default;
};

struct ShortRow {
    QString id;
    QList<ShortCell> cells;

    bool operator==(const ShortRow&) const = default;
};

/// A table of a few rows that takes its whole content each time and tells only what is different: it never resets.
class ShortTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// `rightAligned`: columns whose header is at the right, like their cells.
    explicit ShortTableModel(int columns, QObject* parent = nullptr);

    void setHeaders(const QStringList& headers, const QList<int>& rightAligned = {});
    /// `rows` have distinct ids and as many cells as there are columns.
    void setRows(const QList<ShortRow>& rows);
    /// Draws every value as of an earlier time.
    void setDimmed(bool dimmed);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] int rowOf(const QString& id, int from) const;

    int m_columns;
    QStringList m_headers;
    QList<int> m_rightAligned;
    QList<ShortRow> m_rows;
    bool m_dimmed = false;
};

} // namespace weir::ui
