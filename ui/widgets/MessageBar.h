// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace weir::ui {

class Theme;

/// Result of the last action, under the content and never over it. It does not go away by itself.
class MessageBar : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Done, Refused };

    explicit MessageBar(const Theme& theme, QWidget* parent = nullptr);

    /// Shows `sentence`; with `undoable` an Undo button that names its shortcut, with `showable` one that leads to what it is about.
    void showMessage(Kind kind, const QString& sentence, bool undoable = false, bool showable = false);
    [[nodiscard]] QString message() const;

signals:
    void undoRequested();
    void showRequested();
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyLook();
    void retranslate();

    const Theme& m_theme;
    Kind m_kind = Kind::Done;
    QLabel* m_label;
    QPushButton* m_undo;
    QPushButton* m_show;
    QToolButton* m_close;
};

} // namespace weir::ui
