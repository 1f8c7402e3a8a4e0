// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QTimer>
#include <vector>

namespace weir::ui {

/// A table that sorts and filters itself: rows live in slots that never move, the view sees a permutation of slots. After the first
/// load it is never reset: rows are inserted, removed, moved (one layout change) or changed. Keys are total (ties go by id), so equal
/// data always shows the same order. Columns that change all the time are re-sorted at most once a second.
///
/// While `held`, values update but no row moves or vanishes: rows that would go stay and are marked gone, rows that would come wait.
class PermutedTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int kResortMs = 1000;

    explicit PermutedTableModel(QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Sorts at once, also while held: somebody asked for it.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    [[nodiscard]] int sortColumn() const { return m_sortColumn; }
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_sortOrder; }

    /// The id of a row; empty outside the table.
    [[nodiscard]] QString idAt(int row) const;
    /// The row of an id; -1 where the filter hides it or it does not exist.
    [[nodiscard]] int rowOf(const QString& id) const;
    /// True for a row whose object no longer exists and that a hold keeps in place.
    [[nodiscard]] bool isGone(int row) const;
    /// True for a row that needs a person; F8 goes from one to the next.
    [[nodiscard]] virtual bool isProblem(int row) const;
    /// Existing objects, whether the filter shows them or not.
    [[nodiscard]] int totalCount() const { return static_cast<int>(m_slotOf.size()) - m_goneCount; }

    void setHeld(bool held);
    [[nodiscard]] bool isHeld() const { return m_held; }
    /// Rows that will move, come or go when the hold ends.
    [[nodiscard]] int wouldMove() const { return m_wouldMove; }
    /// Does now what the hold keeps back; the hold goes on.
    void applyOrderNow();
    /// Emits changes for rows of [first, last] whose shown ages or countdowns differ from what they last showed.
    void tickRows(int first, int last);
    /// A name so that its numbers sort by value: edge-2 before edge-10.
    [[nodiscard]] static QString naturalKey(const QString& name);

signals:
    void aboutToApply();
    /// `touched`: ids whose values changed, came or went.
    void applied(const QSet<QString>& touched);
    /// Objects that exist no more, before their rows go.
    void idsGone(const QStringList& ids);
    void wouldMoveChanged(int rows);

protected:
    struct SortKey {
        int pin = 0; ///< negative: always first; positive: always last, in both directions
        qint64 number = 0;
        QString text;

        friend bool operator==(const SortKey&, const SortKey&) = default;
    };

    [[nodiscard]] virtual SortKey sortKey(int slot, int column) const = 0;
    [[nodiscard]] virtual bool accepts(int slot) const = 0;
    /// Whether the row shows another age or countdown than last time; remembers it.
    virtual bool tickSlot(int slot);
    /// First and last column that tickSlot() is about.
    [[nodiscard]] virtual std::pair<int, int> tickColumns() const;

    [[nodiscard]] int slotAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int slotOf(const QString& id) const { return m_slotOf.value(id, -1); }
    [[nodiscard]] const QString& idOfSlot(int slot) const { return m_slots[static_cast<std::size_t>(slot)].id; }
    [[nodiscard]] bool slotExists(int slot) const { return m_slots[static_cast<std::size_t>(slot)].used && !m_slots[static_cast<std::size_t>(slot)].gone; }
    [[nodiscard]] int slotCount() const { return static_cast<int>(m_slots.size()); }

    /// One round of changes: beginRound, dropId for what is gone, then slotFor + (store the row) + touch for what changed, endRound.
    void beginRound();
    void dropIds(const QStringList& ids);
    int slotFor(const QString& id);
    void touch(int slot);
    void endRound();
    /// The filter's conditions changed.
    void refilter();

private:
    struct Slot {
        QString id;
        SortKey key;
        int row = -1;
        bool used = false;
        bool gone = false;
    };

    [[nodiscard]] bool less(int a, int b) const;
    [[nodiscard]] int insertPosition(int slot) const;
    void release(int slot);
    void renumber(std::size_t from);
    void firstLoad();
    void removeRowsOf(std::vector<int> leaving);
    void insertSlots(std::vector<int> coming);
    void emitChanged(std::vector<int> rows);
    void reorder(std::vector<int> order);
    void sortNow();
    void resortSoon();
    void settle();
    void countWouldMove();

    std::vector<Slot> m_slots;
    std::vector<int> m_free;
    std::vector<int> m_order; ///< row → slot
    QHash<QString, int> m_slotOf;
    std::vector<int> m_touched;
    QSet<QString> m_touchedIds;
    int m_sortColumn = 0;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    bool m_everLoaded = false;
    bool m_held = false;
    bool m_orderDirty = false;
    int m_goneCount = 0;
    int m_wouldMove = 0;
    QElapsedTimer m_sinceSort;
    QTimer m_resortTimer;
};

/// Keeps the rows of a PermutedTableModel by value.
template <typename Row>
class RowTableModel : public PermutedTableModel {
public:
    using PermutedTableModel::PermutedTableModel;

    /// Applies a round: `removed` first, then `rows` by their id.
    void applyRows(const QList<Row>& rows, const QStringList& removed)
    {
        beginRound();
        dropIds(removed);
        for (const Row& row : rows) {
            const int slot = slotFor(row.id);
            if (static_cast<std::size_t>(slot) >= m_rows.size()) {
                m_rows.resize(static_cast<std::size_t>(slot) + 1);
            }
            Row& stored = m_rows[static_cast<std::size_t>(slot)];
            replacing(slot, stored, row);
            stored = row;
            touch(slot);
        }
        endRound();
    }

    [[nodiscard]] const Row& rowAt(int row) const { return rowInSlot(slotAt(row)); }
    [[nodiscard]] const Row* rowById(const QString& id) const
    {
        const int slot = slotOf(id);
        return slot < 0 ? nullptr : &rowInSlot(slot);
    }

protected:
    /// Before the row of a slot is overwritten; `before` has another id (or none) where the slot is new.
    virtual void replacing(int slot, const Row& before, const Row& now) = 0;
    [[nodiscard]] const Row& rowInSlot(int slot) const { return m_rows[static_cast<std::size_t>(slot)]; }

private:
    std::vector<Row> m_rows;
};

} // namespace weir::ui
