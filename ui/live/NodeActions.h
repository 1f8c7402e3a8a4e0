// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"
#include "ui/live/TimeDisplay.h"

#include <QPushButton>
#include <functional>

class QAction;

namespace weir::ui {

/// What can be done to the selected nodes: one set of actions for menus, shortcuts and the buttons of drawers. An action that is not
/// possible stays visible, disabled, and says why in its tooltip and status tip.
class NodeActions : public QObject {
    Q_OBJECT

public:
    /// `window`: parent of the dialogs.
    NodeActions(FleetStore& store, const TimeDisplay& times, QWidget& window);

    /// The nodes that the actions are about now.
    void setTargets(const QStringList& ids);
    [[nodiscard]] const QStringList& targets() const { return m_targets; }

    [[nodiscard]] QAction* drain() const { return m_drain; }          ///< Drain… or, where all targets drain, Undrain
    [[nodiscard]] QAction* endQuarantine() const { return m_revive; }
    [[nodiscard]] QAction* probe() const { return m_probe; }
    [[nodiscard]] QAction* why() const { return m_why; }

    /// States, access or language changed.
    void refresh();

signals:
    void targetsChanged();
    void message(weir::ui::MessageTone tone, const QString& text);
    /// A dialog opened or closed: live tables hold their order meanwhile.
    void dialogOpen(bool open);
    void whyRequested();

private:
    using Answer = std::function<void(bool ok, const QString& error)>;

    void runDrain();
    void runRevive();
    void runProbe();
    /// Calls `one` for every target and reports once, when the last answer is in.
    void forEachTarget(const std::function<void(const QString& id, Answer answer)>& one, const QString& done);
    [[nodiscard]] bool allDraining() const;
    [[nodiscard]] QStringList quarantinedTargets() const;
    /// The reason why nothing can be done at all, or empty.
    [[nodiscard]] QString blockedReason(AccessRole needed) const;
    [[nodiscard]] QString reviveFacts(const QString& id) const;
    [[nodiscard]] QString names(const QStringList& ids) const;

    FleetStore& m_store;
    const TimeDisplay& m_times;
    QWidget& m_window;
    QStringList m_targets;
    QAction* m_drain;
    QAction* m_revive;
    QAction* m_probe;
    QAction* m_why;
};

/// A push button that is an action: same text, state and reason.
class ActionButton : public QPushButton {
    Q_OBJECT

public:
    ActionButton(QAction& action, QWidget* parent);

private:
    void follow();

    QAction& m_action;
};

} // namespace weir::ui
