// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journal/IncidentWorld.h"

#include <QTest>

#include <rapidcheck.h>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;

namespace {

std::vector<std::int64_t> standing(const IncidentBook& book)
{
    std::vector<std::int64_t> numbers;
    for (const auto& [number, incident] : book.incidents()) {
        if (incident.state != IncidentState::Merged) {
            numbers.push_back(number);
        }
    }
    return numbers;
}

const Incident& one(const IncidentBook& book, std::int64_t number = 1)
{
    const Incident* found = book.find(number);
    if (found == nullptr) {
        throw std::runtime_error("no such incident");
    }
    return *found;
}

QByteArray text(const std::string& utf8)
{
    return QByteArray::fromStdString(utf8);
}

} // namespace

class TestIncidentBook : public QObject {
    Q_OBJECT

private slots:
    void aTriggerOpensAndOthersOnlyJoin();
    void whatTouches_data();
    void whatTouches();
    void theGapCounts_data();
    void theGapCounts();
    void joinedEventsNeverWidenTheScope();
    void aTriggerThatTouchesTwoMergesThem();
    void firedAlarmsAreFoundInTheirIncident();
    void contextBeforeIsShownAndNeverCalledACause();
    void wellForLongEnoughIsResolved();
    void theSameScopeSoonAfterOpensItAgain();
    void laterItIsAnotherOneThatResemblesIt();
    void peopleAcknowledgeResolveAndNote();
    void aManualMergeKeepsTheOneThatWasNamed();
    void eventsThatAreReadAgainCountOnce();
    void fortyThousandEventsOfOneNodeAreOneLine();
    void anySplitIntoBatchesGivesTheSame();
    void aRestoredBookGoesOn();
    void aFloodOpensABoundedNumber();
};

void TestIncidentBook::aTriggerOpensAndOthersOnlyJoin()
{
    IncidentWorld world;
    world.online("n1", "default");
    world.add(EventKind::PoolFallback, "n2", "pool-7", "a");
    world.add(EventKind::NodeMoved, "n1", "default");
    QVERIFY(world.book().incidents().empty());
    world.offline("n1", "default");
    IncidentBook book = world.book();
    QCOMPARE(standing(book), std::vector<std::int64_t>{1});
    QCOMPARE(one(book).severity, 3);
    const auto changed = book.takeChanged();
    QCOMPARE(changed.events.size(), 1U);
    QVERIFY(changed.events.front().kind == EventKind::IncidentOpened);
    QCOMPARE(text(one(book).rows.rbegin()->second.why), QByteArray("Opened this incident."));
}

void TestIncidentBook::whatTouches_data()
{
    QTest::addColumn<int>("what");
    QTest::addColumn<int>("incidents");

    QTest::newRow("the same node") << 0 << 1;
    QTest::newRow("another node of the pool: two hops") << 1 << 2;
    QTest::newRow("the node's pool is exhausted") << 2 << 1;
    QTest::newRow("another pool is exhausted") << 3 << 2;
}

void TestIncidentBook::whatTouches()
{
    QFETCH(int, what);
    QFETCH(int, incidents);
    IncidentWorld world;
    world.offline("n1", "pool-7");
    world.wait(10s);
    switch (what) {
    case 0:
        world.online("n1", "pool-7");
        world.offline("n1", "pool-7");
        break;
    case 1:
        world.offline("n2", "pool-7");
        break;
    case 2:
        world.refused("a", "pool-7");
        break;
    default:
        world.refused("a", "pool-8");
    }
    QCOMPARE(static_cast<int>(standing(world.book()).size()), incidents);
}

void TestIncidentBook::theGapCounts_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<int>("incidents");

    QTest::newRow("ten minutes") << 600 << 1;
    QTest::newRow("a little more") << 601 << 2;
}

void TestIncidentBook::theGapCounts()
{
    QFETCH(int, seconds);
    QFETCH(int, incidents);
    IncidentWorld world;
    world.offline("n1", "pool-7"); // and it stays out: the incident stays open
    world.wait(std::chrono::seconds(seconds));
    world.refused("a", "pool-7");
    QCOMPARE(static_cast<int>(standing(world.book()).size()), incidents);
}

void TestIncidentBook::joinedEventsNeverWidenTheScope()
{
    IncidentWorld world;
    world.offline("n1", "default");
    world.wait(1s);
    world.add(EventKind::PoolFallback, "n9", "default", "a"); // joins by the pool
    world.wait(1s);
    world.offline("n2", "default"); // would touch the pool, if that had become a subject
    const IncidentBook book = world.book();
    QCOMPARE(standing(book).size(), 2U);
    QCOMPARE(one(book).triggers.size(), 1U);
    QCOMPARE(one(book).fallbacks, 1U);
}

void TestIncidentBook::aTriggerThatTouchesTwoMergesThem()
{
    IncidentWorld world;
    world.offline("n1", "pool-7");
    world.offline("n2", "pool-7");
    world.wait(5s);
    world.refused("a", "pool-7", 3);
    IncidentBook book = world.book();
    QCOMPARE(standing(book), std::vector<std::int64_t>{1});
    QCOMPARE(one(book, 2).number, std::int64_t{1}); // the alias stays
    QCOMPARE(one(book).aliases, std::vector<std::int64_t>{2});
    QCOMPARE(one(book).severity, 1);
    QCOMPARE(one(book).rows.size(), 3U);
    QCOMPARE(one(book).triggers.size(), 4U); // two nodes, the app, the pool
    QCOMPARE(one(book).refusals, 3U);
    const auto changed = book.takeChanged();
    QVERIFY(std::any_of(changed.events.begin(), changed.events.end(), [](const Event& event) { return event.detail.find("\"merged\"") != std::string::npos; }));
    QCOMPARE(changed.merged.size(), 1U);
}

void TestIncidentBook::firedAlarmsAreFoundInTheirIncident()
{
    IncidentWorld world;
    const auto fired = [&](std::uint64_t id, const char* kind, const char* node, const char* pool) {
        IncidentInput& input = world.add(EventKind::AlarmFired, node, pool);
        input.alarm = kind;
        input.alarmId = id;
    };
    fired(1, "pool_capacity_low", "", "pool-9"); // joins only, and there is nothing yet
    world.offline("n1", "pool-7");
    fired(2, "last_candidate_lost", "", "pool-7");
    world.offline("n2", "pool-8");
    fired(3, "node_flapping", "n2", "");
    fired(4, "health_disagrees", "n3", ""); // a trigger of its own
    using Places = std::vector<std::pair<std::uint64_t, std::int64_t>>;
    IncidentBook book = world.book();
    QCOMPARE(book.takeChanged().alarms, (Places{{2, 1}, {3, 2}, {4, 3}}));
    IncidentInput resolved = world.inputs.back();
    resolved.event.kind = EventKind::AlarmResolved;
    ++resolved.event.seq;
    book.take(resolved);
    QVERIFY(book.takeChanged().alarms.empty()); // where it fired is where it belongs
}

void TestIncidentBook::contextBeforeIsShownAndNeverCalledACause()
{
    IncidentWorld world;
    world.moved("e5", "pool-7", "unassigned", "token:admin-2");
    world.add(EventKind::ConfigLoaded, {}, {});
    world.moved("x1", "pool-1", "pool-2", "token:admin-2"); // elsewhere
    world.wait(14min);
    world.refused("a", "pool-7");
    const IncidentBook book = world.book();
    std::size_t before = 0;
    for (const auto& [id, row] : one(book).rows) {
        before += row.relation == Relation::PrecededBy ? 1 : 0;
        QVERIFY2(row.why.find("caused") == std::string::npos, row.why.c_str());
    }
    QCOMPARE(before, 2U);
    QVERIFY(one(book).move.has_value());
    const IncidentWorld late = [] {
        IncidentWorld other;
        other.moved("e5", "pool-7", "unassigned", "token:admin-2");
        other.wait(16min);
        other.refused("a", "pool-7");
        return other;
    }();
    QCOMPARE(one(late.book()).rows.size(), 1U);
}

void TestIncidentBook::wellForLongEnoughIsResolved()
{
    IncidentWorld world;
    world.offline("n1", "pool-7");
    world.wait(60s);
    world.online("n1", "pool-7");
    IncidentBook book = world.book();
    book.advance(world.at() + 299s);
    QVERIFY(one(book).isOpen());
    book.advance(world.at() + 2h); // noticed late; the end is when it was reached
    QVERIFY(one(book).state == IncidentState::Resolved);
    QVERIFY(*one(book).ended == world.at() + 300s);
    QVERIFY(book.takeChanged().events.back().kind == EventKind::IncidentClosed);

    IncidentWorld out;
    out.offline("n1", "pool-7");
    IncidentBook open = out.book();
    open.advance(out.at() + 24h);
    QVERIFY(one(open).isOpen()); // it never came back
    out.wait(24h);
    out.online("n1", "pool-7"); // ends the bad state, however late
    open.take(out.inputs.back());
    QCOMPARE(one(open).events, 2U);
    open.advance(out.at() + 5min);
    QVERIFY(!one(open).isOpen());
}

void TestIncidentBook::theSameScopeSoonAfterOpensItAgain()
{
    IncidentWorld world;
    world.offline("n1", "pool-7");
    world.wait(1s);
    world.online("n1", "pool-7");
    world.wait(5min + 29min);
    world.offline("n1", "pool-7");
    const IncidentBook book = world.book();
    QCOMPARE(standing(book), std::vector<std::int64_t>{1});
    QCOMPARE(one(book).reopened, 1U);
    QVERIFY(one(book).isOpen() && !one(book).ended);
}

void TestIncidentBook::laterItIsAnotherOneThatResemblesIt()
{
    IncidentWorld world;
    world.refused("a", "pool-7");
    world.refused("b", "pool-7");
    world.wait(40min);
    world.refused("a", "pool-7");
    world.refused("c", "pool-7");
    const IncidentBook book = world.book();
    QCOMPARE(standing(book).size(), 2U);
    QVERIFY(one(book, 2).similar.has_value());
    QCOMPARE(one(book, 2).similar->number, std::int64_t{1});
    QCOMPARE(one(book, 2).similar->matching, 2U); // a and the pool
    QCOMPARE(one(book, 2).similar->members, 3U);
}

void TestIncidentBook::peopleAcknowledgeResolveAndNote()
{
    IncidentWorld world;
    world.offline("n1", "pool-7");
    IncidentBook book = world.book();
    IncidentAction action;
    action.number = 1;
    action.actor = "token:ops";
    action.at = world.at() + 1min;
    action.noteAt = world.at();
    QVERIFY(book.check(action).has_value());
    book.apply(action);
    QVERIFY(one(book).state == IncidentState::Acknowledged);
    action.kind = IncidentAction::Kind::Note;
    action.text = "disk full";
    book.apply(action);
    QCOMPARE(text(one(book).notes.front().text), QByteArray("disk full"));
    action.kind = IncidentAction::Kind::Resolve;
    action.text = "replaced";
    QVERIFY(book.check(action).has_value());
    book.apply(action);
    QVERIFY(one(book).state == IncidentState::Resolved && !one(book).bad.empty()); // it is still out
    QVERIFY(QString::fromStdString(headlineOf(one(book), world.at() + 3h)).endsWith(QStringLiteral("Resolved by ops.")));
    QCOMPARE(text(book.check(action).error().code), QByteArray("already_resolved"));
    action.number = 9;
    QCOMPARE(text(book.check(action).error().code), QByteArray("unknown_incident"));
    world.wait(20min);
    world.offline("n1", "pool-7"); // the next trigger
    book.take(world.inputs.back());
    QVERIFY(one(book).state == IncidentState::Open);
    QCOMPARE(one(book).notes.size(), 1U);
}

void TestIncidentBook::aManualMergeKeepsTheOneThatWasNamed()
{
    IncidentWorld world;
    world.offline("n1", "pool-7");
    world.offline("n2", "pool-8");
    IncidentBook book = world.book();
    IncidentAction action;
    action.kind = IncidentAction::Kind::Merge;
    action.number = 1;
    action.into = 1;
    action.actor = "token:ops";
    QCOMPARE(text(book.check(action).error().code), QByteArray("invalid_value"));
    action.into = 2;
    QVERIFY(book.check(action).has_value());
    book.apply(action);
    QCOMPARE(standing(book), std::vector<std::int64_t>{2});
    QCOMPARE(one(book, 1).number, std::int64_t{2});
    QCOMPARE(one(book, 2).rows.size(), 2U);
    world.wait(1s);
    world.online("n1", "pool-7");
    book.take(world.inputs.back());
    QCOMPARE(one(book, 2).bad.size(), 1U);
}

void TestIncidentBook::eventsThatAreReadAgainCountOnce()
{
    IncidentWorld world;
    world.refused("a", "pool-7", 4);
    world.offline("n1", "pool-7", "passive");
    world.online("n1", "pool-7", true);
    world.offline("n1", "pool-7", "passive");
    IncidentBook book = world.book();
    const Incident before = one(book);
    for (const IncidentInput& input : world.inputs) {
        book.take(input);
    }
    QCOMPARE(one(book).events, before.events);
    QCOMPARE(one(book).refusals, 4U);
    QCOMPARE(one(book).ejections, 2U);
    QVERIFY(one(book).rows == before.rows);
}

void TestIncidentBook::fortyThousandEventsOfOneNodeAreOneLine()
{
    IncidentWorld world;
    constexpr int kCycles = 7245; // 16 h 06 min, every 8 s
    for (int i = 0; i < kCycles; ++i) {
        world.offline("gpu-01", "default", "passive");
        world.wait(8s);
        world.online("gpu-01", "default", true);
    }
    IncidentBook book = world.book();
    QCOMPARE(standing(book), std::vector<std::int64_t>{1});
    const Incident& incident = one(book);
    QCOMPARE(incident.rows.size(), 1U);
    const IncidentRow& row = incident.rows.begin()->second;
    QCOMPARE(row.cycles, std::uint64_t{kCycles});
    QCOMPARE(row.events, std::uint64_t{4 * kCycles});
    QCOMPARE(incident.events, std::uint64_t{4 * kCycles});
    QCOMPARE(incident.ejections, std::uint64_t{kCycles});
    QCOMPARE(text(rowText(row)), QByteArray("gpu-01: ejected ↔ revived ×7 245, every ≈ 8 s, 21:30:08 → 13:36:08 UTC"));
    QCOMPARE(incident.severity, 2);
    QCOMPARE(book.takeChanged().events.size(), 2U); // opened, severity: no flood
}

void TestIncidentBook::anySplitIntoBatchesGivesTheSame()
{
    QVERIFY(rc::check("calls of advance() between events change nothing, and counts add up", [] {
        IncidentWorld world;
        const auto steps = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(rc::gen::tuple(rc::gen::inRange(0, 6), rc::gen::inRange(0, 4), rc::gen::element(0, 1, 20, 200, 400, 700, 2500)));
        for (const auto& [what, which, wait] : steps) {
            world.wait(std::chrono::seconds(wait));
            const std::string pool = "pool-" + std::to_string(which / 2);
            const std::string node = "n" + std::to_string(which);
            switch (what) {
            case 0:
                world.offline(node, pool, "passive");
                break;
            case 1:
                world.online(node, pool);
                break;
            case 2:
                world.refused("a" + std::to_string(which), pool, 1 + static_cast<std::uint64_t>(wait));
                break;
            case 3:
                world.moved(node, pool, "unassigned", "token:x");
                break;
            case 4:
                world.add(EventKind::PoolFallback, "n9", pool, "a" + std::to_string(which));
                break;
            default:
                world.add(EventKind::ConfigLoaded, {}, {});
            }
        }
        const IncidentBook plain = world.book();
        IncidentBook split;
        for (const IncidentInput& input : world.inputs) {
            for (const int back : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 300))) {
                split.advance(input.event.at - std::chrono::seconds(back));
            }
            split.take(input);
        }
        split.advance(world.at());
        RC_ASSERT(split.incidents() == plain.incidents());
        std::uint64_t refusals = 0;
        for (const auto& [number, incident] : plain.incidents()) {
            if (incident.state == IncidentState::Merged) {
                continue;
            }
            refusals += incident.refusals;
            std::uint64_t inRows = 0;
            std::uint64_t inApps = 0;
            for (const auto& [id, row] : incident.rows) {
                inRows += row.kind == EventKind::PoolExhausted ? row.facts : 0;
            }
            for (const auto& [id, app] : incident.apps) {
                inApps += app.refusals;
            }
            RC_ASSERT(inApps == incident.refusals);
            RC_ASSERT(!incident.hasRows || inRows == incident.refusals);
            RC_ASSERT(characterCount(headlineOf(incident, world.at())) <= kHeadlineCharacters);
        }
        std::uint64_t all = 0;
        for (const IncidentInput& input : world.inputs) {
            all += input.event.kind == EventKind::PoolExhausted ? input.facts : 0;
        }
        RC_ASSERT(refusals == all); // no trigger is lost
    }));
}

void TestIncidentBook::aRestoredBookGoesOn()
{
    IncidentWorld world;
    world.offline("n1", "pool-7", "passive");
    world.wait(1s);
    world.online("n1", "pool-7");
    world.wait(1s);
    world.offline("n1", "pool-7", "passive");
    const std::size_t half = world.inputs.size();
    world.wait(1s);
    world.refused("a", "pool-7");
    world.wait(1s);
    world.online("n1", "pool-7");
    const IncidentBook whole = world.book();
    IncidentBook first;
    for (std::size_t i = 0; i < half; ++i) {
        first.take(world.inputs[i]);
    }
    IncidentBook second;
    second.restore({one(first)}, {}, first.nextNumber());
    for (std::size_t i = half; i < world.inputs.size(); ++i) {
        second.take(world.inputs[i]);
    }
    QVERIFY(second.incidents() == whole.incidents());
}

void TestIncidentBook::aFloodOpensABoundedNumber()
{
    IncidentWorld world;
    for (int i = 0; i < 2000; ++i) {
        world.offline("n" + std::to_string(i), "default");
    }
    const IncidentBook book = world.book();
    QCOMPARE(standing(book).size(), 500U);
    std::uint64_t events = 0;
    for (const auto& [number, incident] : book.incidents()) {
        events += incident.events;
    }
    QCOMPARE(events, 2000U);
}

QTEST_APPLESS_MAIN(TestIncidentBook)
#include "TestIncidentBook.moc"
