// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/journal/EventFolder.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <rapidcheck.h>

#include <map>
#include <set>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;

namespace {

const WallTime kStart{1'700'000'000'000ms};

Event fallback(const std::string& app, Duration at, EventKind kind = EventKind::PoolFallback)
{
    Event event;
    event.at = kStart + std::chrono::duration_cast<std::chrono::milliseconds>(at);
    event.kind = kind;
    event.role = "worker";
    event.poolId = "pool-7";
    event.appId = app;
    event.sentence = "placed in default";
    return event;
}

QJsonObject detailOf(const Event& event)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(event.detail)).object();
}

std::uint64_t occurrences(const Event& event)
{
    return static_cast<std::uint64_t>(detailOf(event).value(QStringLiteral("count")).toInteger(1));
}

EventFolder folderOfDeclared()
{
    return EventFolder([](std::string_view app) { return app.starts_with("app"); });
}

} // namespace

class TestEventFolder : public QObject {
    Q_OBJECT
private slots:
    void otherKindsPass();
    void theFirstPassesAtOnceAndTheRestIsCounted();
    void aQuietKeyIsForgotten();
    void keysAreKindRolePoolAndApp();
    void detailKeepsItsMembers();
    void theWorstSeverityIsKept();
    void undeclaredAppsShareAKeyFromTheHundredthOn();
    void keysAreBoundedAltogether();
    void reservationsAreFoldedPerNode();
    void refusalsAreFoldedPerNodeAndAddress();
    void drainGivesBackWhatIsHeld();
    void countsAreExactAndRare();
};

void TestEventFolder::otherKindsPass()
{
    EventFolder folder = folderOfDeclared();
    for (int i = 0; i < 3; ++i) {
        const Event event = fallback("app", 0s, EventKind::NodeOnline);
        QVERIFY(folder.add(event, Instant(0s)) == event);
    }
    QCOMPARE(folder.keyCount(), 0U);
    QVERIFY(!folder.nextDue());
}

void TestEventFolder::theFirstPassesAtOnceAndTheRestIsCounted()
{
    EventFolder folder = folderOfDeclared();
    QVERIFY(folder.add(fallback("app", 0s), Instant(0s)) == fallback("app", 0s));
    for (int second = 1; second <= 7; ++second) {
        QVERIFY(!folder.add(fallback("app", std::chrono::seconds(second)), Instant(std::chrono::seconds(second))));
    }
    QVERIFY(folder.nextDue() == Instant(10s));
    QVERIFY(folder.flush(Instant(10s - 1ns)).empty());
    const std::vector<Event> due = folder.flush(Instant(10s));
    QCOMPARE(due.size(), 1U);
    QCOMPARE(due[0].sentence, "placed in default");
    QCOMPARE(due[0].detail, "{\"count\":7,\"first\":\"" + toRfc3339(kStart + 1s) + "\",\"last\":\"" + toRfc3339(kStart + 7s) + "\"}");
    QVERIFY(due[0].at == kStart + 10s);
    // The next window begins with the fold, not with the next event.
    QVERIFY(!folder.add(fallback("app", 11s), Instant(11s)));
    QVERIFY(folder.flush(Instant(19s)).empty());
    QCOMPARE(occurrences(folder.flush(Instant(20s)).at(0)), 1U);
}

void TestEventFolder::aQuietKeyIsForgotten()
{
    EventFolder folder = folderOfDeclared();
    QVERIFY(folder.add(fallback("app", 0s), Instant(0s)));
    QVERIFY(folder.flush(Instant(10s)).empty());
    QCOMPARE(folder.keyCount(), 0U);
    QVERIFY(!folder.nextDue());
    QVERIFY(folder.add(fallback("app", 11s), Instant(11s)) == fallback("app", 11s));
    // Nobody flushed in between: the one that comes after the window carries those before it.
    QVERIFY(!folder.add(fallback("app", 12s), Instant(12s)));
    const std::optional<Event> late = folder.add(fallback("app", 30s), Instant(30s));
    QVERIFY(late);
    QCOMPARE(occurrences(*late), 2U);
    QVERIFY(folder.flush(Instant(31s)).empty());
    QVERIFY(!folder.add(fallback("app", 32s), Instant(32s)));
}

void TestEventFolder::keysAreKindRolePoolAndApp()
{
    EventFolder folder = folderOfDeclared();
    QVERIFY(folder.add(fallback("app-1", 0s), Instant(0s)));
    QVERIFY(folder.add(fallback("app-2", 0s), Instant(0s)));
    QVERIFY(folder.add(fallback("app-1", 0s, EventKind::PoolExhausted), Instant(0s)));
    Event other = fallback("app-1", 0s);
    other.role = "edge";
    QVERIFY(folder.add(other, Instant(0s)));
    other.poolId = "default";
    QVERIFY(folder.add(other, Instant(0s)));
    other.nodeId = "gpu-2"; // the node that took it over is no part of the key
    QVERIFY(!folder.add(other, Instant(0s)));
    QCOMPARE(folder.keyCount(), 5U);
}

void TestEventFolder::detailKeepsItsMembers()
{
    EventFolder folder = folderOfDeclared();
    for (const char* detail : {"{\"node\":\"gpu-1\"}", "{}", "{ }", ""}) {
        Event event = fallback("app", 0s);
        event.poolId = detail;
        event.detail = detail;
        QVERIFY(folder.add(event, Instant(0s)) == event);
        QVERIFY(!folder.add(event, Instant(0s)));
    }
    const std::vector<Event> due = folder.flush(Instant(10s));
    QCOMPARE(due.size(), 4U);
    for (const Event& event : due) {
        const QJsonObject detail = detailOf(event);
        QCOMPARE(detail.value(QStringLiteral("count")).toInt(), 1);
        QCOMPARE(detail.contains(QStringLiteral("node")), event.poolId.starts_with("{\""));
        QCOMPARE(detail.size(), event.poolId.starts_with("{\"") ? 4 : 3);
    }
}

void TestEventFolder::theWorstSeverityIsKept()
{
    EventFolder folder = folderOfDeclared();
    QVERIFY(folder.add(fallback("app", 0s), Instant(0s)));
    for (const Severity severity : {Severity::Warning, Severity::Critical, Severity::Info}) {
        Event event = fallback("app", 1s);
        event.severity = severity;
        QVERIFY(!folder.add(event, Instant(1s)));
    }
    QCOMPARE(folder.flush(Instant(10s)).at(0).severity, Severity::Critical);
    QVERIFY(!folder.add(fallback("app", 11s), Instant(11s)));
    QCOMPARE(folder.flush(Instant(20s)).at(0).severity, Severity::Info);
}

void TestEventFolder::undeclaredAppsShareAKeyFromTheHundredthOn()
{
    EventFolder folder = folderOfDeclared();
    std::uint64_t passed = 0;
    for (int i = 0; i < 5'000; ++i) {
        if (const auto event = folder.add(fallback("x" + std::to_string(i), 0s), Instant(0s))) {
            QCOMPARE(event->appId, i < 100 ? "x" + std::to_string(i) : std::string(EventFolder::kOtherApps));
            ++passed;
        }
    }
    QCOMPARE(passed, 101U);
    QCOMPARE(folder.keyCount(), 101U);
    // One that has a key keeps it, in another pool as well, and a declared one always has its own.
    Event known = fallback("x5", 0s);
    known.poolId = "default";
    QCOMPARE(folder.add(known, Instant(0s))->appId, "x5");
    QCOMPARE(folder.add(fallback("app-5", 0s), Instant(0s))->appId, "app-5");
    const std::vector<Event> due = folder.flush(Instant(10s));
    QCOMPARE(due.size(), 1U);
    QCOMPARE(occurrences(due[0]), 4'899U);
    QVERIFY(folder.flush(Instant(20s)).empty());
    QCOMPARE(folder.keyCount(), 0U);
    QCOMPARE(folder.add(fallback("fresh", 21s), Instant(21s))->appId, "fresh");
}

void TestEventFolder::keysAreBoundedAltogether()
{
    EventFolder folder([](std::string_view) { return true; }, {.undeclaredApps = 100, .maxKeys = 50});
    std::size_t passed = 0;
    for (int i = 0; i < 1'000; ++i) {
        passed += folder.add(fallback("app" + std::to_string(i), 0s), Instant(0s)) ? 1U : 0U;
    }
    QCOMPARE(passed, 51U);
    QCOMPARE(folder.keyCount(), 51U);
    QCOMPARE(occurrences(folder.flush(Instant(10s)).at(0)), 949U);
}

void TestEventFolder::reservationsAreFoldedPerNode()
{
    EventFolder folder = folderOfDeclared();
    Event event = fallback("", 0s, EventKind::ReservationExpired);
    for (const char* node : {"gpu-1", "gpu-2"}) {
        event.nodeId = node;
        QVERIFY(folder.add(event, Instant(0s)));
        QVERIFY(!folder.add(event, Instant(0s)));
    }
    const std::vector<Event> due = folder.flush(Instant(10s));
    QCOMPARE(due.size(), 2U);
    QCOMPARE(due[0].nodeId, "gpu-1");
    QCOMPARE(due[1].nodeId, "gpu-2");
}

void TestEventFolder::refusalsAreFoldedPerNodeAndAddress()
{
    EventFolder folder = folderOfDeclared();
    const auto refusal = [](const char* node, const char* address, EventKind kind = EventKind::RegistrationRefused) {
        Event event = fallback({}, 0s, kind);
        event.nodeId = node;
        event.actor = address;
        return event;
    };
    QVERIFY(folder.add(refusal("a", "address:10.0.0.1"), Instant(0s)).has_value());
    QVERIFY(!folder.add(refusal("a", "address:10.0.0.1"), Instant(1s)).has_value());
    QVERIFY(folder.add(refusal("a", "address:10.0.0.2"), Instant(1s)).has_value());
    QVERIFY(folder.add(refusal("b", "address:10.0.0.1"), Instant(1s)).has_value());
    QVERIFY(folder.add(refusal("a", "node:a", EventKind::PoolClaimIgnored), Instant(1s)).has_value());
    QVERIFY(!folder.add(refusal("a", "whoever", EventKind::PoolClaimIgnored), Instant(1s)).has_value());
    const std::vector<Event> held = folder.drain(Instant(2s));
    QCOMPARE(held.size(), 2U);
    QCOMPARE(occurrences(held[0]) + occurrences(held[1]), std::uint64_t{2});
}

void TestEventFolder::drainGivesBackWhatIsHeld()
{
    EventFolder folder = folderOfDeclared();
    for (int i = 0; i < 5; ++i) {
        static_cast<void>(folder.add(fallback("app", 0s), Instant(0s)));
    }
    const std::vector<Event> held = folder.drain(Instant(2s));
    QCOMPARE(held.size(), 1U);
    QCOMPARE(occurrences(held[0]), 4U);
    QVERIFY(folder.drain(Instant(2s)).empty());
    QVERIFY(!folder.nextDue());
}

void TestEventFolder::countsAreExactAndRare()
{
    const bool holds = rc::check("what comes out stands for what went in, and no key speaks twice within ten seconds", [] {
        EventFolder folder([](std::string_view app) { return app < "c"; }, {.undeclaredApps = 2, .maxKeys = 6});
        const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
            rc::gen::pair(rc::gen::inRange(0, 7), rc::gen::inRange(0, 4'000)));
        Duration now{0};
        std::uint64_t out = 0;
        std::map<std::string, Instant> lastOut;
        const auto emitted = [&](const Event& event) {
            out += occurrences(event);
            const auto previous = lastOut.find(event.appId);
            RC_ASSERT(previous == lastOut.end() || Instant(now) - previous->second >= EventFolder::kWindow);
            lastOut[event.appId] = Instant(now);
            RC_ASSERT(event.at == kStart + std::chrono::duration_cast<std::chrono::milliseconds>(now));
        };
        for (const auto& [app, wait] : steps) {
            const Duration next = now + std::chrono::milliseconds(wait);
            while (folder.nextDue() && *folder.nextDue() <= Instant(next)) {
                now = std::max(now, folder.nextDue()->time_since_epoch());
                for (const Event& event : folder.flush(Instant(now))) {
                    emitted(event);
                }
            }
            now = next;
            if (const auto event = folder.add(fallback(std::string(1, static_cast<char>('a' + app)), now), Instant(now))) {
                emitted(*event);
            }
            RC_ASSERT(folder.keyCount() <= 7U);
        }
        for (const Event& event : folder.drain(Instant(now))) {
            out += occurrences(event);
        }
        RC_ASSERT(out == steps.size());
    });
    QVERIFY(holds);
}

QTEST_GUILESS_MAIN(TestEventFolder)
#include "TestEventFolder.moc"
