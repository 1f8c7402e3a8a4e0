// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/Log.h"
#include "core/demo/DemoFleet.h"
#include "core/runtime/Runtime.h"
#include "ui/client/EmbeddedClient.h"

#include <QElapsedTimer>
#include <QHash>
#include <QTest>

using namespace weir;

namespace {

// What a page would hold: the latest row of each id, as batches bring them.
class Mirror : public QObject {
public:
    explicit Mirror(ui::ControlPlaneClient& client)
    {
        connect(&client, &ui::ControlPlaneClient::batchReady, this, [this](const ui::ChangeBatch& batch) {
            resets += batch.reset ? 1 : 0;
            for (const ui::NodeRow& row : batch.nodes) {
                nodes[row.id] = row;
            }
            for (const QString& id : batch.removedNodes) {
                nodes.remove(id);
            }
            for (const ui::PoolRow& row : batch.pools) {
                pools[row.id] = row;
            }
            for (const ui::AppRow& row : batch.apps) {
                apps[row.id] = row;
            }
            for (const ui::AlarmRow& row : batch.alarms) {
                alarms[row.id] = row;
            }
            for (const QString& id : batch.removedAlarms) {
                alarms.remove(id);
            }
            for (const ui::EventRow& event : batch.events) {
                lastSeq = std::max(lastSeq, event.seq);
                kinds.append(event.kind);
            }
            summary = batch.summary;
        });
    }

    int resets = 0;
    qint64 lastSeq = 0;
    QHash<QString, ui::NodeRow> nodes;
    QHash<QString, ui::PoolRow> pools;
    QHash<QString, ui::AppRow> apps;
    QHash<QString, ui::AlarmRow> alarms;
    QStringList kinds;
    ui::FleetSummary summary;
};

} // namespace

// The console's client on a real plane: real workers on loopback, a real store, nothing played.
class TestEmbeddedClient : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        auto demo = demo::DemoFleet::create(m_log);
        QVERIFY2(demo.has_value(), demo ? "" : demo.error().message.c_str());
        m_demo = std::move(*demo);
        auto runtime = runtime::Runtime::start(m_clock, m_log, m_demo->runtimeOptions());
        QVERIFY2(runtime.has_value(), runtime ? "" : runtime.error().lines.front().c_str());
        m_runtime = std::move(*runtime);
        m_client = std::make_unique<ui::EmbeddedClient>(m_runtime->plane(), ui::AccessRole::Superadmin);
        m_mirror = std::make_unique<Mirror>(*m_client);
        m_client->start();
        QTRY_VERIFY_WITH_TIMEOUT(m_mirror->resets == 1, 5000);
    }

    void cleanupTestCase()
    {
        m_runtime->stop();
        m_mirror.reset();
        m_client.reset();
        m_runtime.reset();
        m_demo.reset();
    }

    void everyNodeIsSeenAndComesOnline()
    {
        QCOMPARE(m_client->state(), ui::ControlPlaneClient::State::Live);
        QCOMPARE(m_mirror->nodes.size(), 32);
        QCOMPARE(m_mirror->apps.size(), 14);
        QVERIFY(m_mirror->pools.contains(QStringLiteral("default")));
        QVERIFY(m_mirror->pools.contains(QStringLiteral("unassigned")));
        QTRY_COMPARE_WITH_TIMEOUT(m_mirror->summary.workersHealthy, 30, 10000);
        QCOMPARE(m_mirror->summary.workersTotal, 30);
        QTRY_COMPARE_WITH_TIMEOUT(m_mirror->nodes[QStringLiteral("edge-01")].probeState(m_client->monotonicNowMs()), ui::ProbeState::Online, 5000);
        QTRY_VERIFY_WITH_TIMEOUT(m_mirror->kinds.contains(QStringLiteral("node_online")), 5000);
        QVERIFY(m_mirror->lastSeq > 0);
    }

    void drainingIsAnsweredAndSeen()
    {
        bool answered = false;
        m_client->setDraining(QStringLiteral("edge-01"), true, QStringLiteral("disk swap"), this, [&](const auto& result) { answered = result.value_or(false); });
        QTRY_VERIFY_WITH_TIMEOUT(answered, 5000);
        QTRY_VERIFY_WITH_TIMEOUT(m_mirror->nodes[QStringLiteral("edge-01")].draining, 5000);
        QCOMPARE(m_mirror->nodes[QStringLiteral("edge-01")].drainReason, QStringLiteral("disk swap"));
        QTRY_COMPARE_WITH_TIMEOUT(m_mirror->pools[QStringLiteral("default")].roles[1].draining, 1, 5000);
    }

    void whyNotChosenIsTheSchedulersOwnRecord()
    {
        ui::ExplanationView view;
        m_client->explain(QStringLiteral("studio"), ui::Role::Edge, 1, this, [&](const auto& result) { view = result.value_or(ui::ExplanationView()); });
        QTRY_VERIFY_WITH_TIMEOUT(!view.code.isEmpty(), 5000);
        QCOMPARE(view.code, QStringLiteral("ok"));
        QCOMPARE(view.pool, QStringLiteral("default"));
        int excluded = 0;
        for (const auto& [reason, count] : view.stages.constFirst().excluded) {
            excluded += count;
        }
        QCOMPARE(view.stages.constFirst().considered, view.stages.constFirst().candidates + excluded);
    }

    void probesAreKeptAndCanBeAskedFor()
    {
        ui::ProbeEntry probe;
        m_client->probeNow(QStringLiteral("edge-02"), this, [&](const auto& result) { probe = result.value_or(ui::ProbeEntry()); });
        QTRY_COMPARE_WITH_TIMEOUT(probe.status, 200, 5000);
        QCOMPARE(probe.bodyStatus, QStringLiteral("ok"));
        QList<ui::ProbeEntry> log;
        m_client->fetchProbeLog(QStringLiteral("edge-02"), this, [&](const auto& result) { log = result.value_or(QList<ui::ProbeEntry>()); });
        QTRY_VERIFY_WITH_TIMEOUT(!log.isEmpty(), 5000);
        QVERIFY(log.size() <= 20);
    }

    void anEjectionIsSeenWithItsQuarantineAndCanBeEnded()
    {
        const auto answer = m_runtime->plane().reportOutcome("edge-03", outcome::Outcome{500, std::nullopt});
        QVERIFY(answer.has_value());
        QCOMPARE(answer->verdict, std::string("ejected"));
        const auto row = [this] { return m_mirror->nodes[QStringLiteral("edge-03")]; };
        QTRY_COMPARE_WITH_TIMEOUT(row().probeState(m_client->monotonicNowMs()), ui::ProbeState::Quarantined, 5000);
        QCOMPARE(row().cause, QStringLiteral("passive"));
        QCOMPARE(row().causeDetail, QStringLiteral("status:500"));
        QString refused;
        m_client->revive(QStringLiteral("edge-03"), QString(), this, [&](const auto& result) { refused = result ? QString() : result.error().code; });
        QTRY_COMPARE_WITH_TIMEOUT(refused, QStringLiteral("missing_field"), 5000);
        m_client->revive(QStringLiteral("edge-03"), QStringLiteral("repaired"), this, [](const auto&) {});
        QTRY_COMPARE_WITH_TIMEOUT(row().probeState(m_client->monotonicNowMs()), ui::ProbeState::Online, 10000);
    }

    void theSeriesHasTheGeneratedPastAndTheLivePresent()
    {
        QList<ui::SeriesPoint> points;
        const qint64 now = m_client->wallNowMs();
        m_client->fetchSeries(QString(), now - 20 * 60 * 1000, now, this, [&](const auto& result) { points = result.value_or(QList<ui::SeriesPoint>()); });
        QTRY_VERIFY_WITH_TIMEOUT(points.size() > 5, 5000);
        QVERIFY(points.constFirst().known);
        QVERIFY(std::any_of(points.begin(), points.end(), [](const ui::SeriesPoint& point) { return point.healthy < point.total; }));
    }

    // From the request to the rows of thirty nodes, with SQLite on disk.
    void thirtyNodesMoveInOneGoAndAStaleWayBackIsRefused()
    {
        QList<ui::MoveItem> there;
        int created = 0;
        for (int i = 0; i < 30; ++i) {
            plane::NewNode node;
            node.id = NodeId::trusted("spare-" + std::to_string(i));
            node.role = weir::Role::Edge;
            node.url = "http://127.0.0.1:9";
            node.pool = "unassigned";
            there.append({QString::fromStdString(node.id.text()), QStringLiteral("canary-a"), QStringLiteral("unassigned")});
            m_runtime->plane().nodes().create(node, plane::Actor{"local:test", {}, {}, "test"}, [](const Result<plane::NodeCreated>&) {});
            ++created;
        }
        const auto inPool = [this](const QString& pool) {
            return static_cast<int>(std::count_if(m_mirror->nodes.begin(), m_mirror->nodes.end(),
                [&](const ui::NodeRow& row) { return row.pool == pool && row.id.startsWith(QLatin1String("spare-")); }));
        };
        QTRY_COMPARE_WITH_TIMEOUT(inPool(QStringLiteral("unassigned")), created, 10000);
        QElapsedTimer timer;
        timer.start();
        ui::MoveResult result;
        m_client->moveNodes(there, std::nullopt, QString(), QStringLiteral("drag"), this, [&](const auto& answer) { result = answer.value_or(ui::MoveResult()); });
        QTRY_COMPARE_WITH_TIMEOUT(inPool(QStringLiteral("canary-a")), created, 10000);
        qInfo("30 nodes: %lld ms from the request to the rows", timer.elapsed());
        QTRY_COMPARE_WITH_TIMEOUT(result.moves.size(), created, 5000);

        // The way back expects the nodes where the move left them, so one that was moved on meanwhile stops it whole.
        QList<ui::MoveItem> back;
        for (const ui::MovedNode& moved : result.moves) {
            back.append({moved.node, moved.from, moved.to});
        }
        bool elsewhere = false;
        m_client->moveNodes({{QStringLiteral("spare-7"), QStringLiteral("default"), QString()}}, std::nullopt, QString(), QStringLiteral("drag"), this,
            [&](const auto& answer) { elsewhere = answer.has_value(); });
        QTRY_VERIFY_WITH_TIMEOUT(elsewhere, 5000);
        ui::ClientError refused;
        m_client->moveNodes(back, std::nullopt, QString(), QStringLiteral("undo"), this, [&](const auto& answer) { refused = answer ? ui::ClientError() : answer.error(); });
        QTRY_COMPARE_WITH_TIMEOUT(refused.code, QStringLiteral("moved_meanwhile"), 5000);
        QCOMPARE(refused.movedMeanwhile.size(), 1);
        QCOMPARE(refused.movedMeanwhile.constFirst().node, QStringLiteral("spare-7"));
        QCOMPARE(refused.movedMeanwhile.constFirst().pool, QStringLiteral("default"));
        QCOMPARE(inPool(QStringLiteral("canary-a")), created - 1);
    }

    // More than any node has: the scheduler refuses, an alarm fires, an incident opens.
    void alarmsAreSeenAndHandled()
    {
        fleet::Request request;
        request.app = "studio";
        request.role = weir::Role::Edge;
        request.need = 1'000'000;
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(m_runtime->plane().fleet().decide(request).code, fleet::Code::NoCandidate);
        }
        const auto alarm = [this] {
            for (const ui::AlarmRow& row : m_mirror->alarms) {
                if (row.kind == QLatin1String("pool_exhausted") && row.app == QLatin1String("studio")) {
                    return row;
                }
            }
            return ui::AlarmRow();
        };
        QTRY_COMPARE_WITH_TIMEOUT(alarm().count, 3, 5000);
        const ui::AlarmRow fired = alarm();
        QVERIFY(fired.needsSomebody());
        QCOMPARE(fired.role, QStringLiteral("edge"));
        QVERIFY2(fired.latestSentence.contains(QStringLiteral("studio")), qPrintable(fired.latestSentence));

        QString silence;
        const ui::SilenceItem item{fired.kind, fired.role, fired.pool, fired.app, {}, m_client->wallNowMs() + 60'000, QStringLiteral("a test")};
        m_client->silenceAlarms(item, this, [&](const auto& result) { silence = result.value_or(QString()); });
        QTRY_VERIFY_WITH_TIMEOUT(!silence.isEmpty(), 5000);
        QTRY_COMPARE_WITH_TIMEOUT(alarm().standing, ui::AlarmStanding::Silenced, 5000);
        QCOMPARE(alarm().silence, silence);
        QCOMPARE(alarm().silenceReason, item.reason);
        QCOMPARE(alarm().silencedUntilMs, item.untilMs);
        bool ended = false;
        m_client->endSilence(silence, this, [&](const auto& result) { ended = result.has_value(); });
        QTRY_VERIFY_WITH_TIMEOUT(ended, 5000);
        QTRY_COMPARE_WITH_TIMEOUT(alarm().standing, ui::AlarmStanding::Firing, 5000);
        m_client->acknowledgeAlarm(fired.id, QString(), this, [](const auto&) {});
        QTRY_COMPARE_WITH_TIMEOUT(alarm().standing, ui::AlarmStanding::Acknowledged, 5000);
        QVERIFY(alarm().acknowledgedBy.startsWith(QStringLiteral("local:")));
        QString refused;
        const auto code = [&refused](const auto& result) { refused = result ? QStringLiteral("done") : result.error().code; };
        m_client->acknowledgeAlarm(QStringLiteral("no number"), QString(), this, code);
        QTRY_COMPARE_WITH_TIMEOUT(refused, QStringLiteral("unknown_alarm"), 5000);
        m_client->silenceAlarms({}, this, code);
        QTRY_COMPARE_WITH_TIMEOUT(refused, QStringLiteral("missing_field"), 5000);

        // Asked for anew, everything is there once more and as it is now.
        m_mirror->alarms.clear();
        m_client->start();
        QTRY_COMPARE_WITH_TIMEOUT(m_mirror->resets, 2, 5000);
        QCOMPARE(alarm().standing, ui::AlarmStanding::Acknowledged);
    }

    void incidentsAreListedAndReported()
    {
        QList<ui::IncidentRow> incidents;
        const auto ofStudio = [&incidents] {
            const auto found = std::find_if(incidents.begin(), incidents.end(), [](const ui::IncidentRow& row) { return row.memberApps.contains(QStringLiteral("studio")); });
            return found == incidents.end() ? ui::IncidentRow() : *found;
        };
        const auto asked = [&] {
            m_client->fetchIncidents(20, this, [&](const auto& result) { incidents = result.value_or(QList<ui::IncidentRow>()); });
            return ofStudio().alarmKinds.contains(QStringLiteral("pool_exhausted"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(asked(), 10000);
        const ui::IncidentRow incident = ofStudio();
        QVERIFY(incident.isOpen());
        QVERIFY(!incident.headline.isEmpty());
        QVERIFY(incident.refusals >= 1); // refusals right after the first are folded for ten seconds
        QVERIFY(std::is_sorted(incidents.begin(), incidents.end(), [](const ui::IncidentRow& a, const ui::IncidentRow& b) { return a.number > b.number; }));
        QString report;
        m_client->fetchReport(incident.number, this, [&](const auto& result) { report = result ? *result : result.error().code; });
        QTRY_VERIFY_WITH_TIMEOUT(!report.isEmpty(), 5000);
        QVERIFY2(report.startsWith(QStringLiteral("# ")) && report.contains(QStringLiteral("studio")), qPrintable(report));
        m_client->fetchReport(9999, this, [&](const auto& result) { report = result ? *result : result.error().code; });
        QTRY_COMPARE_WITH_TIMEOUT(report, QStringLiteral("unknown_incident"), 5000);
    }

    void aViewerMayNotChangeAnything()
    {
        ui::EmbeddedClient viewer(m_runtime->plane(), ui::AccessRole::Viewer);
        QString code;
        viewer.setDraining(QStringLiteral("edge-04"), true, QString(), this, [&](const auto& result) { code = result ? QString() : result.error().code; });
        QTRY_COMPARE_WITH_TIMEOUT(code, QStringLiteral("forbidden"), 5000);
        QVERIFY(!m_mirror->nodes[QStringLiteral("edge-04")].draining);
        code.clear();
        viewer.acknowledgeAlarm(QStringLiteral("1"), QString(), this, [&](const auto& result) { code = result ? QString() : result.error().code; });
        QTRY_COMPARE_WITH_TIMEOUT(code, QStringLiteral("forbidden"), 5000);
    }

private:
    NullLog m_log;
    SystemClock m_clock;
    std::unique_ptr<demo::DemoFleet> m_demo;
    std::unique_ptr<runtime::Runtime> m_runtime;
    std::unique_ptr<ui::EmbeddedClient> m_client;
    std::unique_ptr<Mirror> m_mirror;
};

QTEST_GUILESS_MAIN(TestEmbeddedClient)
#include "TestEmbeddedClient.moc"
