// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Chip.h"
#include "ui/widgets/Sparkline.h"

#include <QAbstractButton>

namespace weir::ui {

/// What a tile shows. Where there is no value, `value` is "–" and `why` says in a sentence what is missing.
struct TileFigures {
    QString value;
    QString of;      ///< after the value: "of 128", "0 flaps"
    QString target;  ///< "target ≥ 122"
    QString why;
    ChipSpec chip;
    bool dimmed = false; ///< as of an earlier time
    SparkData spark;
};

/// One figure with target, course of the last hour and a word; clicked() leads to the page behind it. 172×112.
class Tile : public QAbstractButton {
    Q_OBJECT

public:
    explicit Tile(const Theme& theme, QWidget* parent = nullptr);

    /// `fixed`: the title is a machine word.
    void setTitle(const QString& title, bool fixed = false);
    void setFigures(const TileFigures& figures);
    [[nodiscard]] const TileFigures& figures() const { return m_figures; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintFoot(QPainter& painter, const QRect& inner) const;

    const Theme& m_theme;
    bool m_keyboardFocus = false; // the ring shows only where the keyboard brought the focus
    TileFigures m_figures;
    bool m_titleFixed = false;
};

} // namespace weir::ui
