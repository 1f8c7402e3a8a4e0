// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace weir::ui {

class Theme;

/// Dims the window while a dialog asks something.
class Scrim : public QWidget {
    Q_OBJECT

public:
    Scrim(const Theme& theme, QWidget& window);

    /// Calls nest: it goes when the last dialog has closed.
    void setShown(bool shown);
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    int m_open = 0;
};

} // namespace weir::ui
