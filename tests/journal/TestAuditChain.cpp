// SPDX-License-Identifier: GPL-3.0-or-later
// The audit's chain sees every change to what it ties together.
#include "core/journal/AuditChain.h"

#include <QCryptographicHash>
#include <QtTest>

#include <array>
#include <vector>

using namespace weir;
using namespace weir::journal;

namespace {

struct Row {
    std::int64_t id = 0;
    std::vector<std::string> fields;
    std::string previous;
    std::string hash;
};

std::string sha256(std::string_view text)
{
    return QCryptographicHash::hash(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha256).toHex().toStdString();
}

std::vector<Row> chained(int count)
{
    AuditChain chain(sha256);
    std::vector<Row> rows;
    for (int i = 1; i <= count; ++i) {
        Row row;
        row.fields = {"token:a", "node.move", "gpu-" + std::to_string(i)};
        row.previous = chain.head().hash;
        const AuditChain::Head& head = chain.extend(row.fields);
        row.id = head.id;
        row.hash = head.hash;
        rows.push_back(row);
    }
    return rows;
}

// Empty where the chain holds, else what is wrong.
std::string verdict(const std::vector<Row>& rows)
{
    AuditChain chain(sha256);
    for (const Row& row : rows) {
        if (auto checked = chain.check(row.id, row.fields, row.previous, row.hash); !checked) {
            return checked.error().message;
        }
    }
    return {};
}

} // namespace

class TestAuditChain : public QObject {
    Q_OBJECT

private slots:
    void aKnownRow();
    void whatWasWrittenHolds();
    void changesAreSeen_data();
    void changesAreSeen();
    void aCutTailShowsInTheHead();
    void fieldsDoNotRunIntoEachOther();
};

void TestAuditChain::aKnownRow()
{
    AuditChain chain(sha256);
    QCOMPARE(chain.head().hash, std::string(64, '0'));
    const std::vector<std::string> fields{"a", "", "bc"};
    const AuditChain::Head head = chain.extend(fields);
    QCOMPARE(head.id, std::int64_t{1});
    QCOMPARE(head.hash, sha256(std::string(64, '0') + "\n1\n1:a\n0:\n2:bc\n"));
}

void TestAuditChain::whatWasWrittenHolds()
{
    QCOMPARE(verdict(chained(100)), std::string());
    QCOMPARE(verdict({}), std::string());
}

void TestAuditChain::changesAreSeen_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("says");
    QTest::newRow("a field") << "field" << "Row 5 does not have the hash";
    QTest::newRow("a field and its hash") << "rehash" << "Row 6 does not carry the hash of the row before";
    QTest::newRow("the hash before") << "previous" << "Row 5 does not carry the hash of the row before";
    QTest::newRow("a row taken out") << "remove" << "Row 5 is missing";
    QTest::newRow("a row taken out and numbers closed") << "renumber" << "Row 5 does not carry the hash of the row before";
    QTest::newRow("two rows swapped") << "swap" << "Row 5 is missing";
    QTest::newRow("two rows swapped with their numbers") << "swap numbers" << "Row 5 does not carry the hash of the row before";
    QTest::newRow("a row put in twice") << "repeat" << "Row 5 comes where row 6 should";
    QTest::newRow("the first row") << "first" << "Row 1 is missing";
}

void TestAuditChain::changesAreSeen()
{
    QFETCH(QString, change);
    QFETCH(QString, says);
    const std::string what = change.toStdString();
    std::vector<Row> rows = chained(10);
    Row& fifth = rows[4];
    if (what == "field") {
        fifth.fields[2] = "gpu-99";
    } else if (what == "rehash") {
        AuditChain forged(sha256, {4, fifth.previous});
        fifth.fields[2] = "gpu-99";
        fifth.hash = forged.extend(fifth.fields).hash;
    } else if (what == "previous") {
        fifth.previous = std::string(64, 'a');
    } else if (what == "remove") {
        rows.erase(rows.begin() + 4);
    } else if (what == "renumber") {
        rows.erase(rows.begin() + 4);
        for (std::size_t i = 4; i < rows.size(); ++i) {
            --rows[i].id;
        }
    } else if (what == "swap") {
        std::swap(rows[4], rows[5]);
    } else if (what == "swap numbers") {
        std::swap(rows[4], rows[5]);
        std::swap(rows[4].id, rows[5].id);
    } else if (what == "repeat") {
        rows.insert(rows.begin() + 5, rows[4]);
    } else {
        rows.erase(rows.begin());
    }
    const QString found = QString::fromStdString(verdict(rows));
    QVERIFY2(found.startsWith(says), qPrintable(found));
}

void TestAuditChain::aCutTailShowsInTheHead()
{
    const std::vector<Row> all = chained(10);
    const std::vector<Row> cut(all.begin(), all.begin() + 8);
    QCOMPARE(verdict(cut), std::string()); // a chain cannot know what came after
    AuditChain chain(sha256);
    for (const Row& row : cut) {
        QVERIFY(chain.check(row.id, row.fields, row.previous, row.hash).has_value());
    }
    QVERIFY(chain.head() != (AuditChain::Head{10, all.back().hash})); // the noted head does
}

void TestAuditChain::fieldsDoNotRunIntoEachOther()
{
    AuditChain one(sha256);
    AuditChain other(sha256);
    const std::vector<std::string> left{"a", "b\n1:c"};
    const std::vector<std::string> right{"a\n1:b", "c"};
    QVERIFY(one.extend(left).hash != other.extend(right).hash);
}

QTEST_GUILESS_MAIN(TestAuditChain)
#include "TestAuditChain.moc"
