// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace weir::ui {

class Theme;

/// A filter over a table: a drop-down ("Role ⌄", bold once something is chosen), or a switch with a live count
/// ("Problems only 6").
class FacetButton : public QPushButton {
    Q_OBJECT

public:
    explicit FacetButton(const Theme& theme, const QString& text = {}, QWidget* parent = nullptr);

    /// Count in bold after the text; -1: none.
    void setCount(int count);
    [[nodiscard]] int count() const { return m_count; }
    /// Whether the facet narrows the table now; a drop-down shows it like a pressed button.
    void setActive(bool active);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int contentWidth() const;

    const Theme& m_theme;
    int m_count = -1;
    bool m_active = false;
};

} // namespace weir::ui
