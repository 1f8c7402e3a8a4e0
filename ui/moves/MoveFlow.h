// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/Page.h"
#include "ui/live/TimeDisplay.h"
#include "ui/moves/MoveText.h"

#include <QHash>
#include <QPointer>
#include <functional>

namespace weir::ui {

class MoveDialog;
class Scrim;
class Theme;

enum class MoveSource { Drag, Keyboard, Dialog, Undo, Redo };

/// The result of a move for the message bar.
struct MoveReport {
    MessageTone tone = MessageTone::Done;
    QString text;
    bool undoable = false;
    QString node; ///< to be shown on request, or empty
};

/// Moves nodes, whoever asks: drag, keyboard, dialog, undo. Asks the plane what a move would do, and by its tier refuses, acts at once
/// or asks the person; then sends one request, all or none. Keeps what can be undone and redone while the console runs.
class MoveFlow : public QObject {
    Q_OBJECT

public:
    static constexpr qsizetype kMostUndo = 100;

    /// `window`: parent of the dialog.
    MoveFlow(FleetStore& store, const TimeDisplay& times, const Theme& theme, QWidget& window);

    [[nodiscard]] FleetStore& store() const { return m_store; }
    /// Why nothing can be moved at all, or empty.
    [[nodiscard]] QString blockedReason() const;
    /// Why these nodes cannot go to this pool, or empty; what the plane alone knows comes with the preview.
    [[nodiscard]] QString refusal(const QStringList& nodes, const QString& pool) const;
    /// The request for these nodes: those not yet in `pool`, each with the pool it is in now, by name.
    [[nodiscard]] QList<MoveItem> itemsFor(const QStringList& nodes, const QString& pool) const;
    /// What the move would do as one line, for a badge or a list; a refusal comes at once.
    void preview(const QStringList& nodes, const QString& pool, QObject* context, const std::function<void(const ImpactLine&)>& done);

    void move(const QStringList& nodes, const QString& pool, MoveSource source);
    void undo();
    void redo();
    [[nodiscard]] bool canUndo() const { return !m_undo.isEmpty(); }
    [[nodiscard]] bool canRedo() const { return !m_redo.isEmpty(); }

    /// Nodes whose move has been sent and not answered.
    [[nodiscard]] QSet<QString> moving() const;
    [[nodiscard]] MoveDialog* dialog() const;
    [[nodiscard]] Scrim& scrim() const { return *m_scrim; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] QWidget& window() const { return m_window; }

signals:
    void reported(const weir::ui::MoveReport& report);
    /// The dialog opened or closed: live tables hold their order meanwhile.
    void dialogOpen(bool open);
    void movingChanged();
    void historyChanged();

private:
    struct Request {
        QList<MoveItem> items;
        MoveSource source = MoveSource::Dialog;
        QString reason;
    };
    using Moves = QList<MovedNode>;

    void begin(const Request& request);
    void decide(const Request& request, const MoveImpact& impact);
    void ask(const Request& request, const MoveImpact& impact, const QString& note);
    void send(const Request& request, quint64 token);
    void succeed(const Request& request, const MoveResult& result);
    void fail(const Request& request, const ClientError& error);
    void refuse(const QString& text, const QString& node = {});
    void finish(const Request& request);
    [[nodiscard]] static QStringList nodesOf(const Request& request);
    void dropFromHistory(MoveSource source);
    [[nodiscard]] QString meanwhile(const ClientError& error, MoveSource source) const;
    [[nodiscard]] static QString word(MoveSource source);
    [[nodiscard]] static QList<MoveItem> backwards(const Moves& moves);

    FleetStore& m_store;
    const TimeDisplay& m_times;
    const Theme& m_theme;
    QWidget& m_window;
    Scrim* m_scrim;
    QPointer<MoveDialog> m_dialog;
    QSet<QString> m_busy;            ///< from the first question to the last answer
    QHash<QString, qint64> m_moving; ///< sent, since when on the plane's clock
    QList<Moves> m_undo;
    QList<Moves> m_redo;
};

} // namespace weir::ui
