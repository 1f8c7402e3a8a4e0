// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/moves/MoveFlow.h"

#include <QElapsedTimer>
#include <QTimer>

class QDropEvent;
class QMimeData;
class QMouseEvent;

namespace weir::ui {

class DragBadge;
class DropBar;
class PermutedTableModel;
class TableView;

/// Drags nodes from a table onto the rows of a table of pools. Nothing here edits a model: a drop is a request to MoveFlow, made when the
/// drag has ended, and rows move when the plane says so.
///
/// A drag begins on a row that was selected before the press, after some way and some time, so that a slip of the hand moves nothing.
class NodeDrag : public QObject {
    Q_OBJECT

public:
    static constexpr int kLeastDistance = 12;
    static constexpr int kLeastMs = 150;
    static constexpr int kScrollZone = 28;

    NodeDrag(MoveFlow& flow, TableView& nodes, PermutedTableModel& nodeModel, TableView& pools, PermutedTableModel& poolModel);
    ~NodeDrag() override;

    /// Whether what is carried came from a table of this window.
    [[nodiscard]] bool isOurs(const QMimeData* data) const;
    [[nodiscard]] QMimeData* mimeFor(const QStringList& nodes) const;
    [[nodiscard]] DragBadge& badge() const { return *m_badge; }
    [[nodiscard]] bool isDragging() const { return m_dragging; }

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void notice(const QString& text);  ///< why no drag begins
    void refused(const QString& text); ///< why what is carried cannot be dropped where it is now
    void dragActive(bool active);      ///< tables hold their order meanwhile

private:
    bool overNodes(QEvent* event);
    bool overPools(QEvent* event);
    bool cancelOnRightButton(QEvent* event);
    bool nodePress(const QMouseEvent& event);
    bool nodeMove(const QMouseEvent& event);
    void startDrag();
    void endDrag();
    void onTimer();
    void moveOver(const QPoint& position);
    void leave();
    void setTarget(const QString& pool, const QString& refusal);
    void frameTarget();
    void askImpact();
    void showBadge(const ImpactLine& line);
    void placeBars();
    void scrollAtEdge(const QPoint& position);
    void drop(QDropEvent& event);
    void request(const QStringList& nodes, const QString& pool);
    [[nodiscard]] QString poolAt(const QPoint& position) const;
    [[nodiscard]] QStringList nodesIn(const QMimeData* data) const;

    MoveFlow& m_flow;
    TableView& m_nodes;
    PermutedTableModel& m_nodeModel;
    TableView& m_pools;
    PermutedTableModel& m_poolModel;
    DragBadge* m_badge;
    DropBar* m_top;
    DropBar* m_bottom;
    QString m_mark;              ///< tells our own drags from another window's
    QTimer m_timer;              ///< moves the badge and scrolls while the pointer rests
    bool m_armed = false;
    QPoint m_pressedAt;
    QElapsedTimer m_sincePress;
    bool m_dragging = false;
    bool m_overPools = false;
    QPoint m_position;           ///< in the viewport of the pools
    QStringList m_carried;
    QString m_target;
    ImpactLine m_line;
    int m_question = 0;
    std::optional<std::pair<QStringList, QString>> m_held; ///< dropped; asked for when the drag has ended
};

} // namespace weir::ui
