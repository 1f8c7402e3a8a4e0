// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Icons.h"

#include <QAbstractButton>

class QVBoxLayout;

namespace weir::ui {

class Theme;

/// How much on a page needs somebody: a triangle for attention, a disc for action.
struct NavBadge {
    int count = 0;
    bool needsAction = false;

    bool operator==(const NavBadge&) const = default;
};

/// One page in the navigation: icon, name, badge.
class NavButton : public QAbstractButton {
    Q_OBJECT

public:
    NavButton(const Theme& theme, IconName icon, QWidget* parent);

    void setTitle(const QString& title, const QString& shortcut);
    void setBadge(const NavBadge& badge);
    [[nodiscard]] const NavBadge& badge() const { return m_badge; }
    void setCollapsed(bool collapsed);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    const Theme& m_theme;
    IconName m_icon;
    NavBadge m_badge;
    QString m_shortcut;
    bool m_collapsed = false;
};

/// The pages, top to bottom; 176 px, or icons with tooltips in 48 px.
class NavBar : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWidth = 176;
    static constexpr int kCollapsedWidth = 48;

    explicit NavBar(const Theme& theme, QWidget* parent = nullptr);

    NavButton* addPage(const QString& name, IconName icon);
    [[nodiscard]] NavButton* button(const QString& name) const;
    void setCurrent(const QString& name);
    void setCollapsed(bool collapsed);
    [[nodiscard]] bool isCollapsed() const { return m_collapsed; }

signals:
    void pageRequested(const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const Theme& m_theme;
    QVBoxLayout* m_layout;
    QList<std::pair<QString, NavButton*>> m_buttons;
    bool m_collapsed = false;
};

} // namespace weir::ui
