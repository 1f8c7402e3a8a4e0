// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/outcome/OutcomeRules.h"

#include <QTest>

using namespace weir::outcome;

class TestOutcomeRules : public QObject {
    Q_OBJECT

private slots:
    void builtInRule_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("expected");
        const auto row = [](int status, Classification expected) { QTest::addRow("%d", status) << status << static_cast<int>(expected); };
        row(200, Classification::Clean);
        row(204, Classification::Clean);
        row(302, Classification::Clean);
        row(400, Classification::ClientError);
        row(401, Classification::PassiveFailure);
        row(404, Classification::ClientError);
        row(413, Classification::ClientError);
        row(429, Classification::ClientError);
        row(499, Classification::ClientError);
        row(500, Classification::PassiveFailure);
        row(503, Classification::PassiveFailure);
        row(599, Classification::PassiveFailure);
    }
    void builtInRule()
    {
        QFETCH(int, status);
        QFETCH(int, expected);
        QCOMPARE(static_cast<int>(OutcomeRules().classify({status, std::nullopt})), expected);
    }

    void transportErrorsAlwaysCount()
    {
        for (const char* error : {"refused", "reset", "timeout", "incomplete", "tls", "dns"}) {
            QVERIFY(isTransportError(error));
            QCOMPARE(OutcomeRules().classify({std::nullopt, error}), Classification::PassiveFailure);
            QCOMPARE(OutcomeRules::describe({200, error}), std::string(error));
        }
        QVERIFY(!isTransportError("aborted"));
    }

    void configuredStatuses()
    {
        const OutcomeRules rules(std::vector<std::pair<int, int>>{{500, 599}, {418, 418}});
        QCOMPARE(rules.classify({401, std::nullopt}), Classification::ClientError);
        QCOMPARE(rules.classify({418, std::nullopt}), Classification::PassiveFailure);
        QCOMPARE(rules.classify({500, std::nullopt}), Classification::PassiveFailure);
        QCOMPARE(OutcomeRules(std::vector<std::pair<int, int>>{}).classify({500, std::nullopt}), Classification::ClientError);
    }
};

QTEST_GUILESS_MAIN(TestOutcomeRules)
#include "TestOutcomeRules.moc"
