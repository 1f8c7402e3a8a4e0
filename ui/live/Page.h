// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/Rows.h"

#include <QWidget>

class QSettings;

namespace weir::ui {

/// What a dry run is asked about; fields left empty are chosen in the dialog.
struct WhyContext {
    QString app;
    QString pool;
    QString node;
    Role role = Role::Origin;
};

enum class MessageTone { Info, Done, Refused };

/// What the main window needs of a page. Pages know nothing of the window: they ask by signals.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    [[nodiscard]] virtual QString title() const = 0;
    /// Shown or not: a hidden page takes changes once a second.
    virtual void setActive(bool active) = 0;
    virtual void focusFilter() = 0;
    /// Esc: clears the filter, false where there was none.
    virtual bool clearFilter() = 0;
    virtual void toggleDrawer() = 0;
    /// F8: goes to the next row that needs a person, false where there is none.
    virtual bool toProblem(bool forward) = 0;
    /// Ids of the selected rows, for the history and the status bar.
    [[nodiscard]] virtual QStringList selection() const = 0;
    virtual void setSelection(const QStringList& ids) = 0;
    [[nodiscard]] virtual WhyContext whyContext() const = 0;
    /// Columns, sort, filter and splitters, in the page's own group.
    virtual void saveState(QSettings& settings) const = 0;
    virtual void restoreState(QSettings& settings) = 0;

signals:
    void selectionChanged();
    /// Something that is kept between starts changed.
    void stateEdited();
    void message(weir::ui::MessageTone tone, const QString& text);
    void notice(const QString& text); ///< one line for the status bar
    void announced(const QString& text); ///< for screen readers alone: it is on the screen elsewhere
    void nodeRequested(const QString& id);
    void poolRequested(const QString& id);
    void whyRequested(const weir::ui::WhyContext& context);
};

} // namespace weir::ui
