// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace weir::ui {

class Theme;

/// A field with a glass at the left, and the shortcut that leads here at the right while it is empty.
class SearchField : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchField(const Theme& theme, QWidget* parent = nullptr);

    void setShortcutHint(const QString& hint);
    /// Text at the right while something is typed: "12 of 128".
    void setResultText(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void applyMargins();
    [[nodiscard]] QString rightText() const { return text().isEmpty() ? m_hint : m_result; }

    const Theme& m_theme;
    QString m_hint;
    QString m_result;
};

} // namespace weir::ui
