// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Roles.h"

#include <QTest>

using namespace weir;

class TestRoles : public QObject {
    Q_OBJECT

private slots:
    void wireNames_data();
    void wireNames();
    void endpointNames();
    void unknownNames_data();
    void unknownNames();
    void indicesAreDense();
};

void TestRoles::wireNames_data()
{
    QTest::addColumn<int>("role");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("scheduled");

    QTest::newRow("origin") << int(Role::Origin) << QByteArray("origin") << true;
    QTest::newRow("edge") << int(Role::Edge) << QByteArray("edge") << true;
    QTest::newRow("worker") << int(Role::Worker) << QByteArray("worker") << true;
    QTest::newRow("recorder") << int(Role::Recorder) << QByteArray("recorder") << false;
    QTest::newRow("forward") << int(Role::Forward) << QByteArray("forward") << false;
    QTest::newRow("standalone") << int(Role::Standalone) << QByteArray("standalone") << false;
}

void TestRoles::wireNames()
{
    QFETCH(int, role);
    QFETCH(QByteArray, name);
    QFETCH(bool, scheduled);
    const auto value = static_cast<Role>(role);
    QCOMPARE(toText(value), std::string_view(name.constData()));
    QCOMPARE(roleFromText(name.constData()), std::optional(value));
    QCOMPARE(isScheduled(value), scheduled);
}

void TestRoles::endpointNames()
{
    QCOMPARE(toText(Endpoint::Any), std::string_view("any"));
    QCOMPARE(toText(Endpoint::Whip), std::string_view("whip"));
    QCOMPARE(toText(Endpoint::Srt), std::string_view("srt"));
    for (const Endpoint endpoint : {Endpoint::Any, Endpoint::Whip, Endpoint::Srt}) {
        QCOMPARE(endpointFromText(toText(endpoint)), std::optional(endpoint));
    }
}

void TestRoles::unknownNames_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("case") << QByteArray("Origin");
    QTest::newRow("space") << QByteArray("origin ");
    QTest::newRow("prefix") << QByteArray("orig");
    QTest::newRow("other") << QByteArray("gateway");
}

void TestRoles::unknownNames()
{
    QFETCH(QByteArray, name);
    QVERIFY(!roleFromText(name.toStdString()).has_value());
    QVERIFY(!endpointFromText(name.toStdString()).has_value());
}

void TestRoles::indicesAreDense()
{
    for (std::size_t i = 0; i < kRoleCount; ++i) {
        QCOMPARE(indexOf(kRoles[i]), i);
    }
    for (std::size_t i = 0; i < kScheduledRoleCount; ++i) {
        QCOMPARE(kScheduledRoles[i], kRoles[i]);
        QVERIFY(isScheduled(kScheduledRoles[i]));
    }
}

QTEST_GUILESS_MAIN(TestRoles)
#include "TestRoles.moc"
