// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journal/AlarmWorld.h"

#include <QTest>
#include <rapidcheck.h>

#include <map>
#include <set>

using namespace weir;
using namespace weir::journal;

// Episodes, bounds and what is told: promises that hold for every kind.
class TestAlarmBook : public QObject {
    Q_OBJECT

private slots:
    void repeatsRaiseTheCount()
    {
        AlarmWorld world;
        world.refuse("a");
        const std::uint64_t id = world.open(AlarmKind::PoolExhausted)->id;
        world.pass(5);
        world.refuse("a", 2000);
        const Alarm* alarm = world.open(AlarmKind::PoolExhausted);
        QCOMPARE(alarm->id, id);
        QCOMPARE(alarm->count, std::uint64_t{2001});
        QVERIFY(alarm->last > alarm->first);
        QCOMPARE(alarm->firstExplanation.at, alarm->first);
        QCOMPARE(alarm->latestExplanation.at, alarm->last);
        QCOMPARE(world.told(AlarmKind::PoolExhausted, true), 1);
    }

    void anEpisodeIsReopenedWithinFiveMinutes()
    {
        AlarmWorld world;
        world.refuse("a");
        const std::uint64_t id = world.open(AlarmKind::PoolExhausted)->id;
        QVERIFY(world.engine.book().acknowledge(id, "token:ops", world.at()));
        QVERIFY(!world.engine.book().acknowledge(id, "token:ops", world.at()));
        world.place("a");
        world.pass(299);
        world.refuse("a");
        const Alarm* alarm = world.open(AlarmKind::PoolExhausted);
        QCOMPARE(alarm->id, id);
        QCOMPARE(alarm->count, std::uint64_t{2});
        QCOMPARE(alarm->state, AlarmState::Acknowledged);
        QCOMPARE(world.told(AlarmKind::PoolExhausted, true), 2); // receivers had heard that it was over
        world.place("a");
        world.pass(300);
        world.refuse("a");
        alarm = world.open(AlarmKind::PoolExhausted);
        QVERIFY(alarm->id != id);
        QCOMPARE(alarm->previous, id);
        QCOMPARE(alarm->state, AlarmState::Firing);
        QCOMPARE(alarm->count, std::uint64_t{1});
    }

    void undeclaredAppsShareAKeyFromTheHundredFirstOn()
    {
        AlarmWorld world;
        for (int i = 0; i < 500; ++i) {
            world.refuse("invented-" + std::to_string(i), 1, false);
        }
        world.refuse("known");
        QCOMPARE(world.engine.book().openOf(AlarmKind::PoolExhausted).size(), std::size_t{102});
        const Alarm* shared = world.engine.book().open({AlarmKind::PoolExhausted, "worker", "pool-7", "*", {}, {}});
        QVERIFY(shared != nullptr);
        QCOMPARE(shared->count, std::uint64_t{400});
        QCOMPARE(shared->folded, std::uint64_t{400});
        world.place("invented-3", true, false); // its own, and the shared one: they all look into the same pool
        QCOMPARE(world.engine.book().openOf(AlarmKind::PoolExhausted).size(), std::size_t{100});
        world.pass(300);
        QCOMPARE(world.engine.book().openCount(), std::size_t{0});
    }

    void openAlarmsAreBounded()
    {
        AlarmBook::Limits limits;
        limits.open = 50;
        limits.resolved = 20;
        AlarmWorld world(limits);
        for (int i = 0; i < 200; ++i) {
            world.refuse("app-" + std::to_string(i));
        }
        QCOMPARE(world.engine.book().openCount(), std::size_t{51});
        const Alarm* shared = world.engine.book().open({AlarmKind::PoolExhausted, "worker", "*", "*", {}, {}});
        QVERIFY(shared != nullptr);
        QCOMPARE(shared->folded, std::uint64_t{150});
        world.pass(301);
        QCOMPARE(world.engine.book().openCount(), std::size_t{0});
        QCOMPARE(world.engine.book().all().size(), std::size_t{20});
        QCOMPARE(world.engine.book().takeChanged().removed.size(), std::size_t{31});
    }

    void silencesStopDeliveryAlone()
    {
        AlarmWorld world;
        bool silent = true;
        world.silenced = [&](const Alarm&) { return silent; };
        world.refuse("a");
        world.refuse("b");
        QCOMPARE(world.notices.size(), std::size_t{0});
        QCOMPARE(world.said(EventKind::AlarmFired), 2);
        world.place("b"); // over before anybody could hear of it
        silent = false;
        world.pass(1);
        QCOMPARE(world.notices.size(), std::size_t{1});
        QCOMPARE(world.notices[0].alarm.key.appId, std::string("a"));
        silent = true;
        world.place("a");
        QCOMPARE(world.notices.size(), std::size_t{1});
        silent = false;
        world.pass(1);
        QCOMPARE(world.notices.size(), std::size_t{2});
        QVERIFY(!world.notices[1].firing);
    }

    void aRestartTellsNothingAgain()
    {
        AlarmWorld before;
        before.refuse("a");
        before.refuse("b");
        before.place("b");
        AlarmWorld after;
        for (const auto& [id, alarm] : before.engine.book().all()) {
            after.engine.book().restore(alarm, after.at());
        }
        after.pass(1);
        QCOMPARE(after.notices.size(), std::size_t{0});
        QCOMPARE(after.said(EventKind::AlarmFired), 0);
        after.refuse("a");
        QCOMPARE(after.open(AlarmKind::PoolExhausted)->count, std::uint64_t{2});
        QCOMPARE(after.notices.size(), std::size_t{0});
        after.place("a");
        QCOMPARE(after.told(AlarmKind::PoolExhausted, false), 1);
        after.refuse("c");
        QCOMPARE(after.open(AlarmKind::PoolExhausted)->id, std::uint64_t{3});
    }

    void anythingMayHappen()
    {
        const bool holds = rc::check("one open alarm a key, told in turns, nothing told for the fleet while isolated", [] {
            AlarmBook::Limits limits;
            limits.open = 12;
            limits.resolved = 10;
            limits.undeclaredApps = 3;
            AlarmWorld world(limits);
            world.setAvailable(2, "a");
            world.setAvailable(2, "b");
            bool isolated = false;
            std::map<std::uint64_t, bool> toldFiring;
            std::size_t seen = 0;
            const auto steps = *rc::gen::inRange(1, 120);
            for (int i = 0; i < steps; ++i) {
                const int what = *rc::gen::inRange(0, 9);
                const int which = *rc::gen::inRange(0, 6);
                const std::string name = "x" + std::to_string(which);
                switch (what) {
                case 0: world.refuse(name, which + 1, which < 2); break;
                case 1: world.place(name, which % 2 == 0, which < 2); break;
                case 2: world.rotate(name, which % 2 == 0, RotationCause::Passive, "x1"); break;
                case 3: world.setAvailable(static_cast<std::size_t>(which % 3), which < 3 ? "a" : "b"); break;
                case 4: world.pass(which * 20); break;
                case 5:
                    world.turn(Duration::zero(), [&](AlarmInput& input) {
                        const std::size_t bad = which < 3 ? 2 : 0;
                        input.probes = {{"a", 2, bad, bad}, {"b", 2, bad, bad}};
                    });
                    break;
                case 6: world.turn(std::chrono::seconds(8), [&](AlarmInput& input) { input.outcomes = {{name, which != 5, 25, static_cast<std::uint64_t>(which * 5), 0, 0}}; }); break;
                case 7: world.turn(Duration::zero(), [&](AlarmInput& input) { input.registrations.push_back({"", name, "bad_credential", "no", 1}); }); break;
                default: world.turn(std::chrono::milliseconds(100)); break;
                }
                isolated = isolated && world.fires(AlarmKind::ControlPlaneIsolated);
                for (; seen < world.notices.size(); ++seen) {
                    const AlarmNotice& notice = world.notices[seen];
                    RC_ASSERT(toldFiring[notice.alarm.id] != notice.firing);
                    toldFiring[notice.alarm.id] = notice.firing;
                    const bool aboutWeir = notice.alarm.key.kind == AlarmKind::ControlPlaneIsolated || notice.alarm.key.kind == AlarmKind::RegistrationRefused;
                    const bool allowed = !notice.firing || !isolated || aboutWeir;
                    RC_ASSERT(allowed);
                }
                isolated = world.fires(AlarmKind::ControlPlaneIsolated);
                std::set<AlarmKey> keys;
                std::size_t resolved = 0;
                for (const auto& [id, alarm] : world.engine.book().all()) {
                    const bool onlyOne = !alarm.isOpen() || keys.insert(alarm.key).second;
                    const bool found = world.engine.book().open(alarm.key) == &alarm;
                    const bool addsUp = alarm.count >= 1 && alarm.last >= alarm.first && alarm.folded <= alarm.count;
                    RC_ASSERT(onlyOne);
                    RC_ASSERT(found == alarm.isOpen());
                    RC_ASSERT(addsUp);
                    resolved += alarm.isOpen() ? 0 : 1;
                }
                RC_ASSERT(keys.size() == world.engine.book().openCount());
                RC_ASSERT(keys.size() <= limits.open + kAlarmKindCount);
                RC_ASSERT(resolved <= limits.resolved);
            }
            // Everything ends by itself once nothing happens any more.
            world.setAvailable(2, "a");
            world.setAvailable(2, "b");
            world.turn(Duration::zero(), [&](AlarmInput& input) { input.probes = {{"a", 2, 0, 0}, {"b", 2, 0, 0}}; });
            world.pass(960);
            RC_ASSERT(world.engine.book().openCount() == std::size_t{0});
            for (; seen < world.notices.size(); ++seen) {
                RC_ASSERT(toldFiring[world.notices[seen].alarm.id] != world.notices[seen].firing);
                toldFiring[world.notices[seen].alarm.id] = world.notices[seen].firing;
            }
            for (const auto& [id, firing] : toldFiring) {
                RC_ASSERT(!firing);
            }
        });
        QVERIFY(holds);
    }
};

QTEST_GUILESS_MAIN(TestAlarmBook)
#include "TestAlarmBook.moc"
