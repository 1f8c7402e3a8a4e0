// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/moves/MoveText.h"

#include <QWidget>

namespace weir::ui {

class Theme;

/// Follows the pointer during a drag: what is dragged, where it would go and what that would do. A window of its own, because a
/// drag's pixmap cannot change while it runs; the pointer never meets it.
class DragBadge : public QWidget {
    Q_OBJECT

public:
    explicit DragBadge(const Theme& theme);

    /// `nodes`: "3 nodes: edge-02, edge-05, origin-11"; an empty `pool`: over no pool.
    void setContent(const QString& nodes, const QString& pool, const ImpactLine& line);
    [[nodiscard]] const ImpactLine& line() const { return m_line; }
    [[nodiscard]] const QString& pool() const { return m_pool; }
    /// 18 right and 20 below the pointer, on its other side where the screen ends.
    void follow(const QPoint& pointer);
    /// Where a badge of `size` goes for a pointer on `screen`.
    [[nodiscard]] static QPoint placeFor(const QPoint& pointer, const QSize& size, const QRect& screen);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int lineHeight() const;

    const Theme& m_theme;
    QString m_nodes;
    QString m_pool;
    ImpactLine m_line;
};

} // namespace weir::ui
