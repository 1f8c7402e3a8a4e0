// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

class QGridLayout;

namespace weir::ui {

class Theme;

/// Line between panes or rows of a page, one pixel, in the colour of the table's lines or the stronger one of pane edges.
class Rule : public QWidget {
    Q_OBJECT

public:
    enum class Weight { Hair, Edge };

    Rule(const Theme& theme, Qt::Orientation orientation, Weight weight, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    Weight m_weight;
};

/// Text of one level of the colour table (1 to 3) that follows the theme. Elides at the end, with the whole text as tooltip.
class TextLine : public QWidget {
    Q_OBJECT

public:
    TextLine(const Theme& theme, int level, QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] const QString& text() const { return m_text; }
    void setLevel(int level);
    void setAlignment(Qt::Alignment alignment);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_text;
    int m_level;
    Qt::Alignment m_alignment = Qt::AlignLeft | Qt::AlignVCenter;
};

/// The strip below a table: what it shows on the left, what is selected or held on the right.
class TableFooter : public QWidget {
    Q_OBJECT

public:
    explicit TableFooter(const Theme& theme, QWidget* parent = nullptr);

    void setLeft(const QString& text);
    void setRight(const QString& text);
    [[nodiscard]] QString left() const { return m_left->text(); }
    [[nodiscard]] QString right() const { return m_right->text(); }

private:
    TextLine* m_left;
    TextLine* m_right;
};

/// "Available origins   2 origins − 1 draining = 1": captions in the second level, values beside them.
class FactGrid : public QWidget {
    Q_OBJECT

public:
    FactGrid(const Theme& theme, int captionWidth, QWidget* parent = nullptr);

    /// Sets a line's text; lines are kept from call to call, only the number of them may grow.
    void setFact(int line, const QString& caption, const QString& value);
    /// Hides lines from `line` on.
    void truncate(int line);

private:
    const Theme& m_theme;
    int m_captionWidth;
    QGridLayout* m_grid;
    QList<std::pair<TextLine*, TextLine*>> m_lines;
};

} // namespace weir::ui
