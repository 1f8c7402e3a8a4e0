// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the model that keeps rows where they are, and lets them go.
#include "ui/live/PermutedTableModel.h"

#include <algorithm>

namespace weir::ui {

namespace {

/// How many entries have to move so that the sequence rises: its length less its longest rising subsequence.
int movesToSort(const std::vector<int>& sequence)
{
    std::vector<int> tails;
    for (const int value : sequence) {
        const auto it = std::lower_bound(tails.begin(), tails.end(), value);
        if (it == tails.end()) {
            tails.push_back(value);
        } else {
            *it = value;
        }
    }
    return static_cast<int>(sequence.size() - tails.size());
}

} // namespace

void PermutedTableModel::refilter()
{
    if (!m_everLoaded) {
        return;
    }
    emit aboutToApply();
    settle();
    emit applied({});
}

void PermutedTableModel::settle()
{
    std::vector<int> leaving;
    std::vector<int> coming;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Slot& entry = m_slots[i];
        if (!entry.used) {
            continue;
        }
        const int slot = static_cast<int>(i);
        const bool shown = !entry.gone && accepts(slot);
        if (shown && entry.row < 0) {
            coming.push_back(slot);
        } else if (!shown && entry.row >= 0) {
            leaving.push_back(slot);
        }
    }
    removeRowsOf(leaving);
    for (const int slot : leaving) {
        if (m_slots[static_cast<std::size_t>(slot)].gone) {
            release(slot);
        }
    }
    insertSlots(std::move(coming));
    if (m_orderDirty) {
        sortNow();
    }
    if (m_wouldMove != 0) {
        m_wouldMove = 0;
        emit wouldMoveChanged(0);
    }
}

void PermutedTableModel::setHeld(bool held)
{
    if (m_held == held) {
        return;
    }
    m_held = held;
    if (held) {
        m_resortTimer.stop();
        countWouldMove();
    } else {
        applyOrderNow();
    }
}

void PermutedTableModel::applyOrderNow()
{
    if (!m_everLoaded) {
        return;
    }
    emit aboutToApply();
    settle();
    emit applied({});
}

void PermutedTableModel::countWouldMove()
{
    std::vector<int> target;
    int differs = 0;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        const Slot& entry = m_slots[i];
        if (!entry.used) {
            continue;
        }
        const bool shown = !entry.gone && accepts(static_cast<int>(i));
        differs += shown != (entry.row >= 0) ? 1 : 0;
        if (shown && entry.row >= 0) {
            target.push_back(static_cast<int>(i));
        }
    }
    if (m_orderDirty) {
        std::sort(target.begin(), target.end(), [this](int a, int b) { return less(a, b); });
        for (int& slot : target) {
            slot = m_slots[static_cast<std::size_t>(slot)].row;
        }
        differs += movesToSort(target);
    }
    if (differs != m_wouldMove) {
        m_wouldMove = differs;
        emit wouldMoveChanged(differs);
    }
}

} // namespace weir::ui
