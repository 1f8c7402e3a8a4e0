// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc of Qt 6.4 does not get through <concepts>
#include "core/fleet/OrderIndex.h"
#endif

#include <QTest>

#include <map>
#include <random>
#include <string>

using namespace weir;
using namespace weir::fleet;

namespace {

/// The labels as the owner of the nodes knows them.
struct Labelled {
    OrderIndex index;
    std::map<std::string, NodeHandle> nodes;
    std::map<NodeHandle, std::uint64_t> labels;
    int renumberings = 0;

    void insert(const std::string& id)
    {
        const NodeHandle node(static_cast<std::uint32_t>(nodes.size()));
        nodes[id] = node;
        bool renumbered = false;
        labels[node] = index.insert(id, node, [&](NodeHandle other, std::uint64_t label) {
            labels[other] = label;
            renumbered = true;
        });
        renumberings += renumbered ? 1 : 0;
    }
    [[nodiscard]] bool labelsFollowTheBytes() const
    {
        std::uint64_t before = 0;
        for (const auto& [id, node] : nodes) {
            if (labels.at(node) <= before) {
                return false;
            }
            before = labels.at(node);
        }
        return true;
    }
};

std::string numbered(const char* prefix, int i)
{
    const std::string digits = std::to_string(i);
    return prefix + std::string(6 - digits.size(), '0') + digits;
}

} // namespace

class TestOrderIndex : public QObject {
    Q_OBJECT

private slots:
    void orderIsByBytes();
    void findsAndForgets();
    void labelsStaySorted_data();
    void labelsStaySorted();
    void ascendingRunBetweenTwoOthersIsCheap();
};

void TestOrderIndex::orderIsByBytes()
{
    Labelled labelled;
    for (const char* id : {"w2", "w10", "W3", "a", "w1"}) {
        labelled.insert(id);
    }
    std::vector<NodeHandle> order;
    labelled.index.forEach([&](NodeHandle node) { order.push_back(node); });
    const std::vector<NodeHandle> expected{labelled.nodes["W3"], labelled.nodes["a"], labelled.nodes["w1"], labelled.nodes["w10"], labelled.nodes["w2"]};
    QVERIFY(order == expected);
    QVERIFY(labelled.labelsFollowTheBytes());
}

void TestOrderIndex::findsAndForgets()
{
    Labelled labelled;
    labelled.insert("a");
    labelled.insert("b");
    QVERIFY(labelled.index.find("a") == labelled.nodes["a"]);
    labelled.index.erase("a");
    labelled.index.erase("never there");
    QVERIFY(!labelled.index.find("a"));
    QCOMPARE(labelled.index.size(), std::size_t{1});
}

void TestOrderIndex::labelsStaySorted_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("ascending") << 0;
    QTest::newRow("descending") << 1;
    QTest::newRow("random") << 2;
    QTest::newRow("always into the same gap") << 3;
}

void TestOrderIndex::labelsStaySorted()
{
    QFETCH(int, kind);
    constexpr int kIds = 2'000;
    std::mt19937 random(7);
    Labelled labelled;
    labelled.insert("a");
    labelled.insert("z");
    std::string nested = "m";
    for (int i = 0; i < kIds; ++i) {
        switch (kind) {
        case 0:
            labelled.insert(numbered("n", i));
            break;
        case 1:
            labelled.insert(numbered("n", kIds - i));
            break;
        case 2:
            labelled.insert(numbered("n", static_cast<int>(random() % 900'000)) + std::to_string(i));
            break;
        default:
            nested += i % 2 == 0 ? "a" : "b"; // every id falls directly after the one before
            labelled.insert(nested);
            break;
        }
        if (i % 50 == 0) {
            QVERIFY(labelled.labelsFollowTheBytes());
        }
    }
    QVERIFY(labelled.labelsFollowTheBytes());
}

void TestOrderIndex::ascendingRunBetweenTwoOthersIsCheap()
{
    Labelled labelled;
    labelled.insert("a");
    labelled.insert("z");
    for (int i = 0; i < 10'000; ++i) {
        labelled.insert(numbered("n", i));
    }
    QVERIFY2(labelled.renumberings <= 4, std::to_string(labelled.renumberings).c_str());
}

QTEST_GUILESS_MAIN(TestOrderIndex)
#include "TestOrderIndex.moc"
