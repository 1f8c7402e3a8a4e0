// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace weir::ui {

class LinkLabel;
class Theme;

/// The line at the very top that says what this window is connected to. A demo is hatched at both ends and cannot be dismissed.
class ContextStrip : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Plain, Profile, Demo, Stale };

    explicit ContextStrip(const Theme& theme, QWidget* parent = nullptr);

    /// `badge` in bold ("PROD", "DEMO", may be empty), then `text`; `action` is the text of a link at the right, or empty.
    void setContext(Kind kind, const QString& badge, const QString& text, const QString& action = {});
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Kind m_kind = Kind::Plain;
    QString m_badge;
    QString m_text;
    LinkLabel* m_action;
};

} // namespace weir::ui
