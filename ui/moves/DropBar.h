// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace weir::ui {

class Theme;

/// A pinned pool that is scrolled out of view, to drop on, at the edge of the table while something is dragged.
class DropBar : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 22;

    DropBar(const Theme& theme, QWidget* viewport);

    void setText(const QString& text);
    void setTarget(bool target);
    [[nodiscard]] bool isTarget() const { return m_target; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_text;
    bool m_target = false;
};

} // namespace weir::ui
