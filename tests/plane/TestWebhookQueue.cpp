// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/webhooks/WebhookMessage.h"
#include "core/plane/webhooks/WebhookQueue.h"

#include <QTest>
#include <boost/json.hpp>

using namespace weir;
using namespace weir::plane;

namespace {

const Instant kStart(std::chrono::hours(5));
const WallTime kWall(std::chrono::milliseconds(1700000000000));

WebhookDelivery delivery(std::uint64_t id, std::uint64_t alarm, bool firing)
{
    return {id, "ops", alarm, firing, "{}", kWall};
}

std::vector<std::uint64_t> idsIn(const WebhookQueue& queue)
{
    std::vector<std::uint64_t> ids;
    for (const WebhookDelivery& one : queue.waiting()) {
        ids.push_back(one.id);
    }
    return ids;
}

journal::Alarm sampleAlarm()
{
    journal::Alarm alarm;
    alarm.id = 7;
    alarm.key = {journal::AlarmKind::PoolExhausted, "worker", "pool-7", "demo", {}, {}};
    alarm.count = 3;
    alarm.first = kWall;
    alarm.firingSince = kWall;
    alarm.last = kWall + std::chrono::seconds(2);
    alarm.latestExplanation = {alarm.last, "No worker for app demo", {}};
    return alarm;
}

} // namespace

class TestWebhookQueue : public QObject {
    Q_OBJECT

private slots:
    void oneAtATimeInOrder()
    {
        WebhookQueue queue;
        QVERIFY(queue.add(delivery(1, 1, true)).empty());
        QVERIFY(queue.add(delivery(2, 1, false)).empty());
        QVERIFY(queue.take(kStart, 0) == nullptr); // not handed to the store yet
        QCOMPARE(queue.take(kStart, 2)->id, std::uint64_t{1});
        QVERIFY(queue.take(kStart, 2) == nullptr);
        QCOMPARE(queue.succeeded(), std::uint64_t{1});
        QCOMPARE(queue.take(kStart, 2)->id, std::uint64_t{2});
    }

    void pausesGrowUpToAMinute()
    {
        WebhookQueue queue;
        static_cast<void>(queue.add(delivery(1, 1, true)));
        Instant now = kStart;
        for (const int pause : {1, 2, 4, 8, 16, 32, 60, 60}) {
            QVERIFY(queue.take(now, 1) != nullptr);
            QVERIFY(!queue.failed(now, kWall));
            QVERIFY(queue.take(now + std::chrono::seconds(pause) - std::chrono::milliseconds(1), 1) == nullptr);
            now += std::chrono::seconds(pause);
        }
        QVERIFY(queue.take(now, 1) != nullptr);
        QCOMPARE(queue.succeeded(), std::uint64_t{1});
        QCOMPARE(queue.failures(), 0);
    }

    void givesUpAfterAnHour()
    {
        WebhookQueue queue;
        static_cast<void>(queue.add(delivery(1, 1, true)));
        QVERIFY(queue.take(kStart, 1) != nullptr);
        QVERIFY(!queue.failed(kStart, kWall + std::chrono::minutes(59)));
        QVERIFY(queue.take(kStart + std::chrono::hours(1), 1) != nullptr);
        QCOMPARE(queue.failed(kStart + std::chrono::hours(1), kWall + std::chrono::hours(1)), std::optional(std::uint64_t{1}));
        QCOMPARE(queue.size(), std::size_t{0});
    }

    void oldestPairsGoFirst()
    {
        WebhookQueue queue(4);
        static_cast<void>(queue.add(delivery(1, 1, true)));  // still fires
        static_cast<void>(queue.add(delivery(2, 2, true)));
        static_cast<void>(queue.add(delivery(3, 2, false)));
        static_cast<void>(queue.add(delivery(4, 3, true)));
        auto dropped = queue.add(delivery(5, 3, false));
        std::sort(dropped.begin(), dropped.end());
        QCOMPARE(dropped, (std::vector<std::uint64_t>{2, 3}));
        QCOMPARE(idsIn(queue), (std::vector<std::uint64_t>{1, 4, 5}));
        static_cast<void>(queue.add(delivery(6, 4, true)));
        dropped = queue.add(delivery(7, 5, true));
        QCOMPARE(dropped.size(), std::size_t{2});
        QCOMPARE(idsIn(queue), (std::vector<std::uint64_t>{1, 6, 7}));
        static_cast<void>(queue.add(delivery(8, 6, true)));
        QCOMPARE(queue.add(delivery(9, 7, true)), (std::vector<std::uint64_t>{1})); // no pair is left
    }

    void whatIsUnderWayStays()
    {
        WebhookQueue queue(2);
        static_cast<void>(queue.add(delivery(1, 1, true)));
        static_cast<void>(queue.add(delivery(2, 1, false)));
        QVERIFY(queue.take(kStart, 9) != nullptr);
        QCOMPARE(queue.add(delivery(3, 2, true)), (std::vector<std::uint64_t>{2}));
        QCOMPARE(queue.succeeded(), std::uint64_t{1});
    }

    void identityIsTheKeyAlone()
    {
        const auto firing = alertOf({true, sampleAlarm()});
        journal::Alarm later = sampleAlarm();
        later.severity = journal::Severity::Critical;
        later.count = 99;
        later.state = journal::AlarmState::Resolved;
        later.resolvedAt = kWall + std::chrono::minutes(1);
        const auto resolved = alertOf({false, later});
        QCOMPARE(firing.at("fingerprint"), resolved.at("fingerprint"));
        QCOMPARE(firing.at("labels"), resolved.at("labels"));
        QCOMPARE(firing.at("startsAt"), resolved.at("startsAt"));
        QVERIFY(resolved.at("annotations").at("severity") == "critical");
        QVERIFY(resolved.at("labels").at("severity") == "warning");
        QVERIFY(resolved.at("status") == "resolved");
        later.key.appId = "other";
        QVERIFY(alertOf({false, later}).at("fingerprint") != firing.at("fingerprint"));
    }

    void bothFormats()
    {
        const boost::json::array alerts{alertOf({true, sampleAlarm()})};
        config::WebhookEntry receiver{"ops", "http://h/x", config::WebhookFormat::Webhook, "Jefe", {}};
        const probe::HttpPost post = messageFor(receiver, alerts, "17");
        const auto body = boost::json::parse(post.body).as_object();
        QVERIFY(body.at("version") == "4");
        QVERIFY(body.at("status") == "firing");
        QVERIFY(body.at("receiver") == "ops");
        QVERIFY(body.at("groupKey") == "{}:{alertname=\"pool_exhausted\", severity=\"warning\", role=\"worker\", pool=\"pool-7\", app=\"demo\"}");
        QVERIFY(body.at("alerts").at(0).at("endsAt") == "0001-01-01T00:00:00Z");
        QVERIFY(body.at("alerts").at(0).at("startsAt") == "2023-11-14T22:13:20.000Z");
        QVERIFY(body.at("commonAnnotations").at("summary") == "No worker for app demo");
        QCOMPARE(post.headers.back().first, std::string("X-Weir-Signature"));
        QCOMPARE(post.headers.back().second, signatureOf("Jefe", post.body));

        receiver.format = config::WebhookFormat::Alertmanager;
        receiver.secret.clear();
        const probe::HttpPost posted = messageFor(receiver, alerts, "17");
        const auto list = boost::json::parse(posted.body).as_array();
        QCOMPARE(list.size(), std::size_t{1});
        QVERIFY(!list[0].as_object().contains("endsAt"));
        QVERIFY(!list[0].as_object().contains("fingerprint"));
        QVERIFY(list[0].at("labels").at("alertname") == "pool_exhausted");
        QCOMPARE(posted.headers.size(), std::size_t{2});
    }

    void signature()
    {
        // RFC 4231, test case 2.
        QCOMPARE(signatureOf("Jefe", "what do ya want for nothing?"), std::string("sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"));
    }
};

QTEST_GUILESS_MAIN(TestWebhookQueue)
#include "TestWebhookQueue.moc"
