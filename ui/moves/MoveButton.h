// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/NodeActions.h"
#include "ui/widgets/Icons.h"

namespace weir::ui {

class Theme;

/// A button of the tool row that is an action, with its icon and, paler, its key.
class MoveButton : public ActionButton {
    Q_OBJECT

public:
    MoveButton(QAction& action, IconName icon, const Theme& theme, QWidget* parent);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void applyLook();
    [[nodiscard]] int hintWidth() const;

    const Theme& m_theme;
    IconName m_icon;
    QString m_hint;
};

} // namespace weir::ui
