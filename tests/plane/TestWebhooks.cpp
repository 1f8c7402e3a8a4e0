// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/webhooks/Webhooks.h"
#include "core/store/DataDirectory.h"
#include "tests/plane/AlarmReceiver.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <mutex>

using namespace weir;
using namespace weir::plane;
using weir::test::AlarmReceiver;

namespace {

// Webhooks with a real store, a real sender and a clock that the test moves.
struct World {
    World(const std::string& path, ManualClock& time)
        : clock(time)
        , directory(*store::DataDirectory::open(path))
    {
        const auto snapshot = store.start(directory);
        opened = snapshot.has_value();
        poster.start();
        held = opened ? *snapshot : store::Snapshot();
    }
    ~World()
    {
        poster.stop();
        store.stop();
    }

    // What the journal thread does ten times a second.
    void turn(const std::vector<journal::AlarmNotice>& notices = {})
    {
        webhooks.turnBegins({clock.now(), clock.wall()});
        store.append({}, {}, webhooks.deliver(notices, {clock.now(), clock.wall()}));
    }
    void notify(std::uint64_t alarm, bool firing)
    {
        journal::Alarm one;
        one.id = alarm;
        one.key = {journal::AlarmKind::PoolDown, "worker", "pool-" + std::to_string(alarm), {}, {}, {}};
        one.firingSince = WallTime(std::chrono::seconds(1700000000));
        one.resolvedAt = clock.wall();
        one.state = firing ? journal::AlarmState::Firing : journal::AlarmState::Resolved;
        turn({{firing, one}});
    }
    int failures() const
    {
        const std::scoped_lock lock(mutex);
        return static_cast<int>(std::count_if(events.begin(), events.end(), [](const journal::Event& event) { return event.kind == journal::EventKind::WebhookFailed; }));
    }

    ManualClock& clock;
    NullLog log;
    store::DataDirectory directory;
    live::LiveFleet fleet{clock, {}, {}};
    mutable std::mutex mutex;
    std::vector<journal::Event> events;
    StoreThread store{fleet, clock, log, [this](std::vector<journal::Event> committed, bool) {
                          const std::scoped_lock lock(mutex);
                          events.insert(events.end(), committed.begin(), committed.end());
                      }};
    Webhooks webhooks{clock, log, store, [this](probe::HttpPost post, probe::HttpPoster::Done done) {
                          ++sent;
                          poster.post(std::move(post), [this, done = std::move(done)](const probe::HttpPostResult& result) {
                              done(result);
                              ++answered;
                          });
                      }};
    std::atomic<int> sent{0};
    std::atomic<int> answered{0};
    probe::HttpPoster poster{"weir/test", std::chrono::seconds(20)};
    store::Snapshot held;
    bool opened = false;
};

QString told(const AlarmReceiver::Taken& taken)
{
    return taken.alert().value(QStringLiteral("labels")).toObject().value(QStringLiteral("pool")).toString() + QLatin1Char(' ')
        + taken.alert().value(QStringLiteral("status")).toString();
}

QStringList heard(const AlarmReceiver& receiver)
{
    QStringList all;
    for (const auto& taken : receiver.accepted()) {
        all << told(taken);
    }
    return all;
}

} // namespace

// Receivers that are there, that come back, that never come back: each firing and each end arrives, in order, over a restart too.
class TestWebhooks : public QObject {
    Q_OBJECT

private slots:
    void arrivesInOrder();
    void receiverComesBack();
    void outlivesARestart();
    void isGivenUpAfterAnHour();
    void deadReceiverSlowsNobody();
    void kindsAndReload();
    void remindersAndTest();

private:
    QTemporaryDir m_directory;
    ManualClock m_clock;
    std::string path(const char* name) const { return m_directory.path().toStdString() + "/" + name; }
};

void TestWebhooks::arrivesInOrder()
{
    AlarmReceiver receiver;
    World world(path("order"), m_clock);
    QVERIFY(world.opened);
    world.webhooks.configure({{"ops", receiver.url(), config::WebhookFormat::Webhook, "s3cret", {}}});
    QStringList expected;
    for (std::uint64_t alarm = 1; alarm <= 20; ++alarm) {
        world.notify(alarm, true);
        expected << QStringLiteral("pool-%1 firing").arg(alarm);
        if (alarm % 2 == 0) {
            world.notify(alarm - 1, false);
            expected << QStringLiteral("pool-%1 resolved").arg(alarm - 1);
        }
    }
    world.turn();
    QTRY_COMPARE(heard(receiver), expected);
    QCOMPARE(receiver.taken().size(), std::size_t(expected.size()));
    const auto& first = receiver.taken().front();
    QCOMPARE(first.headers.value("x-weir-signature").toStdString(), signatureOf("s3cret", first.body.toStdString()));
    QCOMPARE(first.headers.value("content-type"), QByteArray("application/json"));
    QTRY_COMPARE(world.webhooks.waiting("ops"), std::size_t{0});
    QCOMPARE(world.failures(), 0);
}

void TestWebhooks::receiverComesBack()
{
    AlarmReceiver receiver;
    World world(path("back"), m_clock);
    world.webhooks.configure({{"ops", receiver.url(), config::WebhookFormat::Webhook, {}, {}}});
    receiver.answer = 503;
    world.notify(1, true);
    world.turn();
    QTRY_COMPARE(receiver.taken().size(), std::size_t{1});
    QTRY_COMPARE(world.answered.load(), 1);
    receiver.shut();
    // Half an hour in which nobody is there; the pauses are the clock's, not this test's.
    for (int minute = 0; minute < 30; ++minute) {
        m_clock.advance(std::chrono::minutes(1));
        const int before = world.sent;
        world.turn();
        QTRY_COMPARE(world.answered.load(), world.sent.load());
        QCOMPARE(world.sent.load(), before + 1);
        if (minute == 10) {
            world.notify(2, true);
            world.notify(1, false);
        }
    }
    QCOMPARE(receiver.accepted().size(), std::size_t{0});
    QTRY_COMPARE(world.failures(), 1); // one outage is said once
    receiver.answer = 200;
    receiver.open();
    m_clock.advance(std::chrono::minutes(1));
    world.turn();
    QTRY_COMPARE(heard(receiver), (QStringList{QStringLiteral("pool-1 firing"), QStringLiteral("pool-2 firing"), QStringLiteral("pool-1 resolved")}));
    // The one that was refused and its repeat are the same to a receiver that looks.
    const auto& refused = receiver.taken().at(0);
    const auto& repeated = receiver.taken().at(1);
    QCOMPARE(refused.alert().value(QStringLiteral("fingerprint")), repeated.alert().value(QStringLiteral("fingerprint")));
    QCOMPARE(refused.headers.value("x-weir-delivery"), repeated.headers.value("x-weir-delivery"));
    QCOMPARE(receiver.accepted().at(2).alert().value(QStringLiteral("fingerprint")), repeated.alert().value(QStringLiteral("fingerprint")));
}

void TestWebhooks::outlivesARestart()
{
    AlarmReceiver receiver;
    receiver.answer = 500;
    const config::WebhookEntry entry{"ops", receiver.url(), config::WebhookFormat::Webhook, {}, {}};
    {
        World world(path("restart"), m_clock);
        world.webhooks.configure({entry, {"gone", receiver.url(), config::WebhookFormat::Webhook, {}, {}}});
        world.notify(1, true);
        world.notify(2, true);
        world.notify(1, false);
        world.turn();
        QTRY_VERIFY(!receiver.taken().empty());
    }
    m_clock.advance(std::chrono::hours(3)); // however long it was off, each gets a try
    receiver.answer = 200;
    World world(path("restart"), m_clock);
    QCOMPARE(world.held.webhooks.size(), std::size_t{6});
    world.webhooks.configure({entry});
    world.webhooks.restore(world.held, m_clock.wall());
    world.turn();
    QTRY_COMPARE(heard(receiver), (QStringList{QStringLiteral("pool-1 firing"), QStringLiteral("pool-2 firing"), QStringLiteral("pool-1 resolved")}));
    QTRY_COMPARE(world.webhooks.waiting("ops"), std::size_t{0});
    world.store.stop();
    const auto opened = store::Store::open(world.directory);
    QVERIFY(opened.has_value());
    QCOMPARE((*opened)->load()->webhooks.size(), std::size_t{0}); // also those of the receiver that is gone
}

void TestWebhooks::isGivenUpAfterAnHour()
{
    AlarmReceiver receiver;
    World world(path("hour"), m_clock);
    world.webhooks.configure({{"ops", receiver.url(), config::WebhookFormat::Webhook, {}, {}}});
    receiver.shut();
    world.notify(1, true);
    for (int minute = 0; minute < 61; ++minute) {
        m_clock.advance(std::chrono::minutes(1));
        world.turn();
        QTRY_COMPARE(world.answered.load(), world.sent.load());
    }
    QCOMPARE(world.webhooks.waiting("ops"), std::size_t{0});
    world.turn();
    QTRY_COMPARE(world.failures(), 2); // the outage, and what was lost to it
}

void TestWebhooks::deadReceiverSlowsNobody()
{
    AlarmReceiver silent;
    silent.answer = 0;
    AlarmReceiver well;
    World world(path("slow"), m_clock);
    world.webhooks.configure({{"a", silent.url(), config::WebhookFormat::Webhook, {}, {}}, {"b", well.url(), config::WebhookFormat::Webhook, {}, {}}});
    for (std::uint64_t alarm = 1; alarm <= 30; ++alarm) {
        world.notify(alarm, true);
    }
    world.turn();
    QTRY_COMPARE(heard(well).size(), 30);
    QCOMPARE(world.webhooks.waiting("a"), std::size_t{30});
    QCOMPARE(silent.taken().size(), std::size_t{1});
}

void TestWebhooks::kindsAndReload()
{
    AlarmReceiver first;
    AlarmReceiver second;
    World world(path("reload"), m_clock);
    world.webhooks.configure({{"ops", first.url(), config::WebhookFormat::Webhook, {}, {"pool_exhausted"}}});
    world.notify(1, true); // a pool_down
    world.turn();
    QCOMPARE(world.sent.load(), 0);
    first.answer = 404;
    world.webhooks.configure({{"ops", first.url(), config::WebhookFormat::Webhook, {}, {"pool_down"}}});
    world.notify(2, true);
    world.turn();
    QTRY_COMPARE(world.answered.load(), 1);
    // The wrong address is put right: no pause is waited for.
    world.webhooks.configure({{"ops", second.url(), config::WebhookFormat::Webhook, {}, {}}});
    world.turn();
    QTRY_COMPARE(heard(second), QStringList{QStringLiteral("pool-2 firing")});
}

void TestWebhooks::remindersAndTest()
{
    AlarmReceiver manager;
    World world(path("remind"), m_clock);
    world.webhooks.configure({{"am", manager.url(), config::WebhookFormat::Alertmanager, {}, {}}});
    journal::Alarm alarm;
    alarm.id = 3;
    alarm.key.poolId = "pool-3";
    world.webhooks.remind({alarm, alarm});
    QTRY_COMPARE(manager.taken().size(), std::size_t{1});
    QCOMPARE(QJsonDocument::fromJson(manager.taken()[0].body).array().size(), 2);

    std::atomic<int> status{0};
    world.webhooks.test("am", [&](const Result<int>& result) { status = result.value_or(-1); });
    QTRY_COMPARE(status.load(), 200);
    const QJsonObject alert = QJsonDocument::fromJson(manager.taken().back().body).array().at(0).toObject();
    QCOMPARE(alert.value(QStringLiteral("labels")).toObject().value(QStringLiteral("alertname")).toString(), QStringLiteral("weir_test"));
    manager.answer = 302;
    std::string code;
    std::atomic<bool> done{false};
    world.webhooks.test("0", [&](const Result<int>& result) {
        code = result ? "" : result.error().code;
        done = true;
    });
    QTRY_VERIFY(done);
    QCOMPARE(code, std::string("webhook_failed")); // a redirect is not followed
    world.webhooks.test("nobody", [&](const Result<int>& result) { code = result ? "" : result.error().code; });
    QCOMPARE(code, std::string("unknown_webhook"));
}

QTEST_GUILESS_MAIN(TestWebhooks)
#include "TestWebhooks.moc"
