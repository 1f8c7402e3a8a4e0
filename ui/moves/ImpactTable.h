// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/moves/MoveText.h"

#include <QHash>
#include <QTimer>
#include <QWidget>

namespace weir::ui {

class Theme;

/// Before and after of a move, by pool and app. Painted whole: it is short and nothing in it can be clicked.
class ImpactTable : public QWidget {
    Q_OBJECT

public:
    static constexpr int kChangedMs = 5000;

    explicit ImpactTable(const Theme& theme, QWidget* parent = nullptr);

    /// Rows whose candidates or verdicts differ from those shown before are marked "changed just now" for a while. True where any did.
    bool setRows(const QList<ImpactRow>& rows);
    [[nodiscard]] const QList<ImpactRow>& rows() const { return m_rows; }
    [[nodiscard]] bool isMarked(const QString& key) const { return m_changedAt.contains(key); }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintHeader(QPainter& painter) const;
    void paintHeading(QPainter& painter, const ImpactRow& row, const QRect& rect) const;
    void paintRow(QPainter& painter, const ImpactRow& row, const QRect& rect) const;
    void paintMark(QPainter& painter, int x, const QRect& rect) const;
    void dropOldMarks();
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int headerHeight() const;

    const Theme& m_theme;
    QList<ImpactRow> m_rows;
    QHash<QString, qint64> m_changedAt; ///< on uiClockMs()
    QTimer m_markTimer;
    int m_shift = 0;
};

} // namespace weir::ui
