// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace weir::ui {

class LinkLabel;
class Theme;

/// A framed part of a page: head (title, secondary text, link at the right) and content below a hairline.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(const Theme& theme, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Text after the title, second level; a count or a machine word (`fixed`).
    void setSecondary(const QString& text, bool fixed = false);
    void setLink(const QString& text);
    /// Adds a control at the right end of the head, before the link.
    void addHeadWidget(QWidget* widget);
    void setContent(QWidget* content);

signals:
    void linkActivated();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyFonts();

    const Theme& m_theme;
    QWidget* m_head;
    QHBoxLayout* m_headLayout;
    QVBoxLayout* m_layout;
    QLabel* m_title;
    QLabel* m_secondary;
    LinkLabel* m_link;
    bool m_secondaryFixed = false;
    bool m_applyingFonts = false;
};

} // namespace weir::ui
