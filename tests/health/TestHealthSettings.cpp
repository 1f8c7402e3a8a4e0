// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/health/HealthSettings.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace weir;
using namespace weir::health;

using Change = std::function<void(HealthSettings&)>;
Q_DECLARE_METATYPE(Change)

class TestHealthSettings : public QObject {
    Q_OBJECT

private slots:
    void defaultsAreThoseOfTheTable();
    void refused_data();
    void refused();
    void accepted_data();
    void accepted();
    void allMistakesAreNamedInTheOrderOfTheKeys();
};

void TestHealthSettings::defaultsAreThoseOfTheTable()
{
    const HealthSettings settings;
    QVERIFY(validate(settings).empty());
    QVERIFY(settings.path == "/health");
    QCOMPARE(settings.intervalSeconds, 8.0);
    QCOMPARE(settings.timeoutSeconds, 3.0);
    QVERIFY(settings.expectedStatuses == std::vector<int>{200});
    QCOMPARE(settings.unhealthyThreshold, 2);
    QCOMPARE(settings.healthyThreshold, 1);
    QCOMPARE(settings.cooldownSeconds, 60.0);
    QCOMPARE(settings.cooldownMultiplier, 1.0);
    QCOMPARE(settings.maxCooldownSeconds, 300.0);
    QCOMPARE(settings.ejectionMemorySeconds, 600.0);
    QVERIFY(!settings.maxEjectionPercent);
    QCOMPARE(settings.flapTransitions, 4);
    QCOMPARE(settings.flapWindowSeconds, 300.0);
    QCOMPARE(settings.worstDetectionSeconds(), 19.0);
}

void TestHealthSettings::refused_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* name, const char* key, const char* value, Change change) {
        QTest::newRow(name) << std::move(change) << QByteArray(key) << QByteArray(value);
    };
    row("path empty", "path", "''", [](HealthSettings& s) { s.path.clear(); });
    row("path without slash", "path", "'health'", [](HealthSettings& s) { s.path = "health"; });
    row("interval 0", "interval_seconds", "0", [](HealthSettings& s) { s.intervalSeconds = 0; });
    row("interval negative", "interval_seconds", "-8", [](HealthSettings& s) { s.intervalSeconds = -8; });
    row("interval not a number", "interval_seconds", "nan", [](HealthSettings& s) { s.intervalSeconds = std::nan(""); });
    row("interval without end", "interval_seconds", "inf", [](HealthSettings& s) { s.intervalSeconds = std::numeric_limits<double>::infinity(); });
    row("timeout 0", "timeout_seconds", "0", [](HealthSettings& s) { s.timeoutSeconds = 0; });
    row("timeout over the interval", "timeout_seconds", "10", [](HealthSettings& s) { s.timeoutSeconds = 10; });
    row("no status", "expected_statuses", "empty", [](HealthSettings& s) { s.expectedStatuses.clear(); });
    row("a redirect", "expected_statuses", "302", [](HealthSettings& s) { s.expectedStatuses = {200, 302}; });
    row("status 600", "expected_statuses", "600", [](HealthSettings& s) { s.expectedStatuses = {600}; });
    row("status 99", "expected_statuses", "99", [](HealthSettings& s) { s.expectedStatuses = {99}; });
    row("unhealthy threshold 0", "unhealthy_threshold", "0", [](HealthSettings& s) { s.unhealthyThreshold = 0; });
    row("healthy threshold -1", "healthy_threshold", "-1", [](HealthSettings& s) { s.healthyThreshold = -1; });
    row("cooldown negative", "cooldown_seconds", "-1", [](HealthSettings& s) { s.cooldownSeconds = -1; });
    row("cooldown a hair", "cooldown_seconds", "0.001", [](HealthSettings& s) { s.cooldownSeconds = 0.001; });
    row("multiplier below 1", "cooldown_multiplier", "0.5", [](HealthSettings& s) { s.cooldownMultiplier = 0.5; });
    row("maximum below the cooldown", "max_cooldown_seconds", "30", [](HealthSettings& s) { s.maxCooldownSeconds = 30; });
    row("memory 0", "ejection_memory_seconds", "0", [](HealthSettings& s) { s.ejectionMemorySeconds = 0; });
    row("cap 0", "max_ejection_percent", "0", [](HealthSettings& s) { s.maxEjectionPercent = 0; });
    row("cap 101", "max_ejection_percent", "101", [](HealthSettings& s) { s.maxEjectionPercent = 101; });
    row("flaps 0", "flap_transitions", "0", [](HealthSettings& s) { s.flapTransitions = 0; });
    row("flap window 0", "flap_window_seconds", "0", [](HealthSettings& s) { s.flapWindowSeconds = 0; });
}

void TestHealthSettings::refused()
{
    QFETCH(Change, change);
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    HealthSettings settings;
    change(settings);
    const std::vector<Error> errors = validate(settings);
    QVERIFY(!errors.empty());
    QCOMPARE(QByteArray::fromStdString(errors.front().field), key);
    QVERIFY2(errors.front().message.find(key.toStdString()) != std::string::npos, errors.front().message.c_str());
    QVERIFY2(errors.front().message.find(value.toStdString()) != std::string::npos, errors.front().message.c_str());
}

void TestHealthSettings::accepted_data()
{
    QTest::addColumn<Change>("change");
    const auto row = [](const char* name, Change change) { QTest::newRow(name) << std::move(change); };
    row("cooldown 0", [](HealthSettings& s) { s.cooldownSeconds = 0; });
    row("timeout as long as the interval", [](HealthSettings& s) { s.timeoutSeconds = s.intervalSeconds; });
    row("several statuses", [](HealthSettings& s) { s.expectedStatuses = {200, 204, 503}; });
    row("cap 100", [](HealthSettings& s) { s.maxEjectionPercent = 100; });
    row("maximum equal to the cooldown", [](HealthSettings& s) { s.maxCooldownSeconds = s.cooldownSeconds; });
    row("path with a query", [](HealthSettings& s) { s.path = "/health?deep=1&x=a%2Fb"; });
}

void TestHealthSettings::accepted()
{
    QFETCH(Change, change);
    HealthSettings settings;
    change(settings);
    const std::vector<Error> errors = validate(settings);
    QVERIFY2(errors.empty(), errors.empty() ? "" : errors.front().message.c_str());
}

void TestHealthSettings::allMistakesAreNamedInTheOrderOfTheKeys()
{
    HealthSettings settings;
    settings.flapTransitions = 0;
    settings.intervalSeconds = 2;
    settings.unhealthyThreshold = 0;
    std::vector<std::string> keys;
    for (const Error& error : validate(settings)) {
        keys.push_back(error.field);
    }
    QVERIFY((keys == std::vector<std::string>{"timeout_seconds", "unhealthy_threshold", "flap_transitions"}));
}

QTEST_GUILESS_MAIN(TestHealthSettings)
#include "TestHealthSettings.moc"
