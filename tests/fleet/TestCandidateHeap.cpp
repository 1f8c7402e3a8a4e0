// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fleet/CandidateHeap.h"

#include <QTest>

#include <map>
#include <random>

using weir::fleet::CandidateHeap;

namespace {

/// A heap with its positions kept beside it, as the fleet keeps them in the nodes, and a plain map of the same entries.
struct Checked {
    CandidateHeap heap;
    std::map<std::uint32_t, std::uint32_t> positions;
    std::map<std::uint32_t, CandidateHeap::Entry> plain;

    auto landed()
    {
        return [this](std::uint32_t node, std::uint32_t position) { positions[node] = position; };
    }
    void insert(std::uint32_t node, std::uint32_t free, std::uint64_t order)
    {
        plain[node] = {free, node, order};
        heap.insert({free, node, order}, landed());
    }
    void setFree(std::uint32_t node, std::uint32_t free)
    {
        plain[node].free = free;
        heap.setFree(positions.at(node), free, landed());
    }
    void erase(std::uint32_t node)
    {
        plain.erase(node);
        heap.erase(positions.at(node), landed());
    }
    [[nodiscard]] std::uint32_t bestOfPlain() const
    {
        const CandidateHeap::Entry* best = nullptr;
        for (const auto& [node, entry] : plain) {
            best = best == nullptr || entry.beats(*best) ? &entry : best;
        }
        return best->node;
    }
    [[nodiscard]] bool positionsAreTrue() const
    {
        for (const auto& [node, entry] : plain) {
            const std::uint32_t at = positions.at(node);
            if (at >= heap.size() || heap.entries()[at].node != node || heap.entries()[at].free != entry.free) {
                return false;
            }
        }
        return heap.size() == plain.size();
    }
};

} // namespace

class TestCandidateHeap : public QObject {
    Q_OBJECT

private slots:
    void mostFreeFirstThenGreatestOrder();
    void erasedNodesAreNowhere();
    void agreesWithAPlainScan();
};

void TestCandidateHeap::mostFreeFirstThenGreatestOrder()
{
    Checked checked;
    checked.insert(1, 5, 10);
    checked.insert(2, 5, 20);
    checked.insert(3, 4, 99);
    QCOMPARE(checked.heap.top().node, 2U);
    checked.setFree(3, 6);
    QCOMPARE(checked.heap.top().node, 3U);
    checked.setFree(3, 1);
    QCOMPARE(checked.heap.top().node, 2U);
}

void TestCandidateHeap::erasedNodesAreNowhere()
{
    Checked checked;
    checked.insert(7, 1, 1);
    checked.erase(7);
    QVERIFY(checked.heap.isEmpty());
    QCOMPARE(checked.positions.at(7), CandidateHeap::kNowhere);
}

void TestCandidateHeap::agreesWithAPlainScan()
{
    std::mt19937 random(20'251'129);
    for (int round = 0; round < 20; ++round) {
        Checked checked;
        for (int step = 0; step < 1'000; ++step) {
            const auto node = static_cast<std::uint32_t>(random() % 60);
            const auto free = static_cast<std::uint32_t>(random() % 8);
            if (!checked.plain.contains(node)) {
                checked.insert(node, free, 1'000 - node);
            } else if (random() % 3 == 0) {
                checked.erase(node);
            } else {
                checked.setFree(node, free);
            }
            QVERIFY(checked.positionsAreTrue());
            if (!checked.heap.isEmpty()) {
                QCOMPARE(checked.heap.top().node, checked.bestOfPlain());
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestCandidateHeap)
#include "TestCandidateHeap.moc"
