// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"

class QAction;

namespace weir::ui {

class Theme;
class TimeDisplay;

/// What can be done to the selected apps: for the menu of the table and the buttons of the page. An action that is not possible stays
/// visible, disabled, and says why.
class AppActions : public QObject {
    Q_OBJECT

public:
    /// `parent`: of the dialogs.
    AppActions(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget& parent);

    void setTargets(const QStringList& ids);
    [[nodiscard]] const QStringList& targets() const { return m_targets; }

    [[nodiscard]] QAction* bind() const { return m_bind; }
    [[nodiscard]] QAction* removeBinding() const { return m_unbind; }
    [[nodiscard]] QAction* setOwner() const { return m_owner; }

    void refresh();

signals:
    void message(weir::ui::MessageTone tone, const QString& text);
    /// A dialog opened or closed: the table holds its order meanwhile.
    void dialogOpen(bool open);

private:
    void runBind();
    void runUnbind();
    void runOwner();
    [[nodiscard]] QString blockedReason() const;
    void report(const tl::expected<bool, ClientError>& result, const QString& done);

    FleetStore& m_store;
    const TimeDisplay& m_times;
    const Theme& m_theme;
    QWidget& m_parent;
    QStringList m_targets;
    QAction* m_bind;
    QAction* m_unbind;
    QAction* m_owner;
};

} // namespace weir::ui
