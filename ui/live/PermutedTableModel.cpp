// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/PermutedTableModel.h"

#include <algorithm>
#include <numeric>

namespace weir::ui {

namespace {

/// More separate runs than this are done as one move to the end plus one insert or removal: each run shifts the whole table.
constexpr std::size_t kMaxRuns = 16;

std::size_t asIndex(int value)
{
    return static_cast<std::size_t>(value);
}

/// Contiguous [first, last] runs of sorted row numbers.
std::vector<std::pair<int, int>> runsOf(const std::vector<int>& rows)
{
    std::vector<std::pair<int, int>> runs;
    for (const int row : rows) {
        if (!runs.empty() && runs.back().second + 1 == row) {
            runs.back().second = row;
        } else {
            runs.emplace_back(row, row);
        }
    }
    return runs;
}

} // namespace

PermutedTableModel::PermutedTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    m_resortTimer.setSingleShot(true);
    connect(&m_resortTimer, &QTimer::timeout, this, [this] {
        if (!m_held && m_orderDirty) {
            emit aboutToApply();
            sortNow();
            emit applied({});
        }
    });
}

int PermutedTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

QString PermutedTableModel::idAt(int row) const
{
    return row < 0 || row >= static_cast<int>(m_order.size()) ? QString() : idOfSlot(slotAt(row));
}

int PermutedTableModel::rowOf(const QString& id) const
{
    const int slot = slotOf(id);
    return slot < 0 ? -1 : m_slots[asIndex(slot)].row;
}

bool PermutedTableModel::isGone(int row) const
{
    return row >= 0 && row < static_cast<int>(m_order.size()) && m_slots[asIndex(slotAt(row))].gone;
}

bool PermutedTableModel::isProblem(int) const
{
    return false;
}

bool PermutedTableModel::tickSlot(int)
{
    return false;
}

std::pair<int, int> PermutedTableModel::tickColumns() const
{
    return {0, columnCount() - 1};
}

QString PermutedTableModel::naturalKey(const QString& name)
{
    constexpr qsizetype kDigits = 10;
    QString key;
    for (qsizetype at = 0; at < name.size();) {
        qsizetype end = at;
        while (end < name.size() && name[end].isDigit()) {
            ++end;
        }
        if (end > at) {
            key += name.mid(at, end - at).rightJustified(kDigits, QLatin1Char('0'));
            at = end;
        } else {
            key += name[at++];
        }
    }
    return key;
}

bool PermutedTableModel::less(int a, int b) const
{
    const Slot& left = m_slots[asIndex(a)];
    const Slot& right = m_slots[asIndex(b)];
    if (left.key.pin != right.key.pin) {
        return left.key.pin < right.key.pin;
    }
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    if (left.key.number != right.key.number) {
        return (left.key.number < right.key.number) != descending;
    }
    if (const int order = left.key.text.compare(right.key.text); order != 0) {
        return (order < 0) != descending;
    }
    return left.id < right.id;
}

int PermutedTableModel::insertPosition(int slot) const
{
    // By hand: between two sorts the order may not be strictly sorted, which std::upper_bound must not see.
    std::size_t low = 0;
    std::size_t high = m_order.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (less(slot, m_order[middle])) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return static_cast<int>(low);
}

void PermutedTableModel::renumber(std::size_t from)
{
    for (std::size_t row = from; row < m_order.size(); ++row) {
        m_slots[asIndex(m_order[row])].row = static_cast<int>(row);
    }
}

void PermutedTableModel::release(int slot)
{
    Slot& entry = m_slots[asIndex(slot)];
    m_slotOf.remove(entry.id);
    m_goneCount -= entry.gone ? 1 : 0;
    entry = Slot();
    m_free.push_back(slot);
}

void PermutedTableModel::beginRound()
{
    m_touched.clear();
    m_touchedIds.clear();
    emit aboutToApply();
}

void PermutedTableModel::dropIds(const QStringList& ids)
{
    QStringList known;
    for (const QString& id : ids) {
        const int slot = slotOf(id);
        if (slot >= 0 && !m_slots[asIndex(slot)].gone) {
            known.append(id);
        }
    }
    if (known.isEmpty()) {
        return;
    }
    emit idsGone(known);
    std::vector<int> leaving;
    std::vector<int> changed;
    for (const QString& id : known) {
        const int slot = slotOf(id);
        Slot& entry = m_slots[asIndex(slot)];
        m_touchedIds.insert(id);
        if (entry.row < 0) {
            release(slot);
        } else if (m_held) {
            entry.gone = true;
            ++m_goneCount;
            changed.push_back(entry.row);
        } else {
            leaving.push_back(slot);
        }
    }
    emitChanged(std::move(changed));
    removeRowsOf(leaving);
    for (const int slot : leaving) {
        release(slot);
    }
}

int PermutedTableModel::slotFor(const QString& id)
{
    int slot = slotOf(id);
    if (slot >= 0) {
        Slot& entry = m_slots[asIndex(slot)];
        m_goneCount -= entry.gone ? 1 : 0;
        entry.gone = false;
        return slot;
    }
    if (m_free.empty()) {
        slot = static_cast<int>(m_slots.size());
        m_slots.emplace_back();
    } else {
        slot = m_free.back();
        m_free.pop_back();
    }
    Slot& entry = m_slots[asIndex(slot)];
    entry.id = id;
    entry.used = true;
    m_slotOf.insert(id, slot);
    return slot;
}

void PermutedTableModel::touch(int slot)
{
    m_touched.push_back(slot);
    m_touchedIds.insert(idOfSlot(slot));
}

void PermutedTableModel::endRound()
{
    if (!m_everLoaded) {
        firstLoad();
        emit applied(m_touchedIds);
        return;
    }
    std::vector<int> changedRows;
    std::vector<int> coming;
    std::vector<int> leaving;
    for (const int slot : m_touched) {
        Slot& entry = m_slots[asIndex(slot)];
        SortKey key = sortKey(slot, m_sortColumn);
        if (!(key == entry.key)) {
            m_orderDirty = m_orderDirty || entry.row >= 0;
            entry.key = std::move(key);
        }
        const bool shown = accepts(slot);
        if (entry.row >= 0) {
            changedRows.push_back(entry.row);
            if (!shown && !m_held) {
                leaving.push_back(slot);
            }
        } else if (shown && !m_held) {
            coming.push_back(slot);
        }
    }
    emitChanged(std::move(changedRows));
    removeRowsOf(std::move(leaving));
    insertSlots(std::move(coming));
    m_touched.clear();
    if (m_held) {
        countWouldMove();
    } else if (m_orderDirty) {
        resortSoon();
    }
    emit applied(m_touchedIds);
}

void PermutedTableModel::firstLoad()
{
    if (m_slotOf.isEmpty()) {
        return;
    }
    beginResetModel();
    m_everLoaded = true;
    m_order.clear();
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot) {
        m_slots[slot].row = -1;
        if (m_slots[slot].used) {
            m_slots[slot].key = sortKey(static_cast<int>(slot), m_sortColumn);
            if (accepts(static_cast<int>(slot))) {
                m_order.push_back(static_cast<int>(slot));
            }
        }
    }
    std::sort(m_order.begin(), m_order.end(), [this](int a, int b) { return less(a, b); });
    renumber(0);
    m_touched.clear();
    m_orderDirty = false;
    m_sinceSort.start();
    endResetModel();
}

void PermutedTableModel::removeRowsOf(std::vector<int> leaving)
{
    if (leaving.empty()) {
        return;
    }
    std::vector<int> rows;
    for (const int slot : leaving) {
        rows.push_back(m_slots[asIndex(slot)].row);
    }
    std::sort(rows.begin(), rows.end());
    auto runs = runsOf(rows);
    if (runs.size() > kMaxRuns) {
        std::vector<bool> goes(m_slots.size(), false);
        for (const int slot : leaving) {
            goes[asIndex(slot)] = true;
        }
        std::vector<int> order = m_order;
        std::stable_partition(order.begin(), order.end(), [&goes](int slot) { return !goes[asIndex(slot)]; });
        reorder(std::move(order));
        const int count = rowCount();
        runs = {{count - static_cast<int>(leaving.size()), count - 1}};
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        beginRemoveRows({}, run->first, run->second);
        for (int row = run->first; row <= run->second; ++row) {
            m_slots[asIndex(slotAt(row))].row = -1;
        }
        m_order.erase(m_order.begin() + run->first, m_order.begin() + run->second + 1);
        renumber(asIndex(run->first));
        endRemoveRows();
    }
}

void PermutedTableModel::insertSlots(std::vector<int> coming)
{
    if (coming.empty()) {
        return;
    }
    std::sort(coming.begin(), coming.end(), [this](int a, int b) { return less(a, b); });
    if (coming.size() > kMaxRuns) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(coming.size()) - 1);
        m_order.insert(m_order.end(), coming.begin(), coming.end());
        renumber(asIndex(first));
        endInsertRows();
        sortNow();
        return;
    }
    for (const int slot : coming) {
        const int row = insertPosition(slot);
        beginInsertRows({}, row, row);
        m_order.insert(m_order.begin() + row, slot);
        renumber(asIndex(row));
        endInsertRows();
    }
}

void PermutedTableModel::emitChanged(std::vector<int> rows)
{
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const auto& [first, last] : runsOf(rows)) {
        emit dataChanged(index(first, 0), index(last, columnCount() - 1));
    }
}

void PermutedTableModel::reorder(std::vector<int> order)
{
    if (order == m_order) {
        return;
    }
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> slotsBefore;
    slotsBefore.reserve(asIndex(static_cast<int>(before.size())));
    for (const QModelIndex& index : before) {
        slotsBefore.push_back(slotAt(index.row()));
    }
    m_order = std::move(order);
    renumber(0);
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i) {
        after.append(index(m_slots[asIndex(slotsBefore[static_cast<std::size_t>(i)])].row, before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

void PermutedTableModel::sortNow()
{
    m_resortTimer.stop();
    m_sinceSort.start();
    m_orderDirty = false;
    std::vector<int> order = m_order;
    std::sort(order.begin(), order.end(), [this](int a, int b) { return less(a, b); });
    reorder(std::move(order));
}

void PermutedTableModel::resortSoon()
{
    const qint64 age = m_sinceSort.isValid() ? m_sinceSort.elapsed() : kResortMs;
    if (age >= kResortMs) {
        sortNow();
    } else if (!m_resortTimer.isActive()) {
        m_resortTimer.start(static_cast<int>(kResortMs - age));
    }
}

void PermutedTableModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount()) {
        return;
    }
    m_sortColumn = column;
    m_sortOrder = order;
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot) {
        if (m_slots[slot].used) {
            m_slots[slot].key = sortKey(static_cast<int>(slot), column);
        }
    }
    if (m_everLoaded) {
        sortNow();
    }
}

void PermutedTableModel::tickRows(int first, int last)
{
    first = std::max(first, 0);
    last = std::min(last, rowCount() - 1);
    std::vector<int> rows;
    for (int row = first; row <= last; ++row) {
        if (tickSlot(slotAt(row))) {
            rows.push_back(row);
        }
    }
    const auto [from, to] = tickColumns();
    for (const auto& [begin, end] : runsOf(rows)) {
        emit dataChanged(index(begin, from), index(end, to));
    }
}

} // namespace weir::ui
