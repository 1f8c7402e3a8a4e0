// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"
#include "ui/live/PermutedTableModel.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

class QTableView;

namespace weir::ui {

/// What a live table needs besides a view and a model: the order is held while somebody is about to click, the scroll position stays
/// on the same row, deleted objects leave the selection at once and are counted, ages tick.
class LiveTable : public QObject {
    Q_OBJECT

public:
    static constexpr int kKeyHoldMs = 3000;

    LiveTable(QTableView& view, PermutedTableModel& model, FleetStore& store);

    [[nodiscard]] QStringList selectedIds() const;
    [[nodiscard]] QString currentId() const;
    /// Selects exactly these ids, the first one becomes current and is scrolled to; ids not shown are left out.
    void select(const QStringList& ids);
    /// Goes to the next (or previous) row that needs a person, around the end. False where there is none.
    bool toProblem(bool forward);
    /// The order is held from outside, for as long as a dialog or a drag lasts.
    void setForcedHold(bool hold);
    /// "order held – 4 rows would move (press .)", empty while the order is not held.
    [[nodiscard]] QString holdText() const;
    /// Applies what is held now.
    void applyOrder();

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void selectionChanged();
    void currentChanged(const QString& id);
    void holdTextChanged();
    /// Some of the selected objects exist no more.
    void selectionLost(int gone, int of);
    void activated(const QString& id);
    void dotPressed();

private:
    void rememberAnchor();
    void restoreAnchor(const QSet<QString>& touched);
    void dropGone(const QStringList& ids);
    void updateHold();
    void onTick();

    struct Anchor {
        QString id;
        int y = 0;
    };

    QTableView& m_view;
    PermutedTableModel& m_model;
    FleetStore& m_store;
    QList<Anchor> m_anchors;
    bool m_atTop = true;
    bool m_pointerOverRows = false;
    bool m_forced = false;
    QElapsedTimer m_sinceKey;
    QString m_shownHoldText;
};

} // namespace weir::ui
