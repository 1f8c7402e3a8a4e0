// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace weir::ui {

class LinkLabel;
class Theme;

/// Why a table is empty, and the next step.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(const Theme& theme, QWidget* parent = nullptr);

    /// One whole sentence; `action` is the text of the link below it, or empty.
    void setText(const QString& sentence, const QString& action = {});
    [[nodiscard]] QString sentence() const;

signals:
    void actionTriggered();

private:
    QLabel* m_sentence;
    LinkLabel* m_action;
};

} // namespace weir::ui
