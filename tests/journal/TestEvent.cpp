// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/Event.h"

#include <QTest>

#include <set>

using namespace weir::journal;

class TestEvent : public QObject {
    Q_OBJECT
private slots:
    void kindsHaveTheNamesOfTheJournal();
    void everyNameIsUniqueAndReadBack();
    void unknownNamesAreRefused();
};

void TestEvent::kindsHaveTheNamesOfTheJournal()
{
    // The list as documentation gives it, in its order.
    const std::string documented =
        "node_created node_changed node_removed node_registered registration_refused pool_claim_ignored node_connected node_disconnected "
        "node_online node_offline quarantine_started quarantine_over quarantine_dropped_by_restart ejection_capped node_moved node_draining "
        "node_undrained pool_created pool_removed app_changed app_bound app_unbound pool_exhausted pool_fallback reservation_expired "
        "alarm_fired alarm_changed alarm_resolved incident_opened incident_changed incident_closed config_loaded config_rejected "
        "settings_changed auth_denied webhook_failed events_lost clock_rebased started stopped";
    std::string ours;
    for (std::size_t i = 0; i < kEventKindCount; ++i) {
        ours += (i == 0 ? "" : " ") + std::string(toText(static_cast<EventKind>(i)));
    }
    QCOMPARE(ours, documented);
    QCOMPARE(toText(EventKind::QuarantineDroppedByRestart), "quarantine_dropped_by_restart");
    QCOMPARE(toText(EventKind::ClockRebased), "clock_rebased");
}

void TestEvent::everyNameIsUniqueAndReadBack()
{
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kEventKindCount; ++i) {
        const auto kind = static_cast<EventKind>(i);
        names.insert(toText(kind));
        QVERIFY(eventKindFromText(toText(kind)) == kind);
    }
    QCOMPARE(names.size(), kEventKindCount);
    for (const Severity severity : {Severity::Info, Severity::Warning, Severity::Critical}) {
        QVERIFY(severityFromText(toText(severity)) == severity);
    }
}

void TestEvent::unknownNamesAreRefused()
{
    QVERIFY(!eventKindFromText(""));
    QVERIFY(!eventKindFromText("Node_Created"));
    QVERIFY(!eventKindFromText("node_created "));
    QVERIFY(!severityFromText("fatal"));
}

QTEST_GUILESS_MAIN(TestEvent)
#include "TestEvent.moc"
