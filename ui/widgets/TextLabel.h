// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Theme.h"

#include <QLabel>

namespace weir::ui {

/// A plain label of a size and level of the type scale; follows theme and font.
class TextLabel : public QLabel {
    Q_OBJECT

public:
    /// `level` 1 text, 2 secondary, 3 captions.
    TextLabel(const Theme& theme, TextSize size, int level = 1, bool bold = false, QWidget* parent = nullptr);

    void setLevel(int level);
    /// Elides at the end instead of asking for the whole width; the whole sentence becomes the tooltip.
    void setElided(bool elided);
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    void applyLook();

    const Theme& m_theme;
    TextSize m_size;
    int m_level;
    bool m_bold;
    bool m_elided = false;
    bool m_applying = false;
};

} // namespace weir::ui
