// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/NearestName.h"

#include <QTest>

#include <vector>

using weir::nearestName;

class TestNearestName : public QObject {
    Q_OBJECT

private slots:
    void finds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        QTest::newRow("letter missing") << "canry" << "canary";
        QTest::newRow("letters swapped") << "candidtae" << "candidate";
        QTest::newRow("letter too many") << "intervall_seconds" << "interval_seconds";
        QTest::newRow("camel case") << "intervalSeconds" << "interval_seconds";
        QTest::newRow("hyphens") << "Interval-Seconds" << "interval_seconds";
        QTest::newRow("short word, one letter") << "lgo" << "log";
        QTest::newRow("nothing alike") << "zzzzzz" << "";
        QTest::newRow("one letter is like no other letter") << "y" << "";
        QTest::newRow("only separators") << "__" << "";
        QTest::newRow("empty") << "" << "";
        QTest::newRow("too long") << QString(65, QLatin1Char('a')) << "";
        QTest::newRow("itself") << "log" << "log";
        QTest::newRow("first of equally near ones") << "w3" << "w1";
    }

    void finds()
    {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        const std::vector<std::string> names{"canary", "candidate", "interval_seconds", "log", "x", "w1", "w2", "", std::string(65, 'a')};
        QCOMPARE(QString::fromStdString(nearestName(name.toStdString(), names)), expected);
    }

    void nothingAmongNoNames() { QVERIFY(nearestName("log", {}).empty()); }
};

QTEST_GUILESS_MAIN(TestNearestName)
#include "TestNearestName.moc"
