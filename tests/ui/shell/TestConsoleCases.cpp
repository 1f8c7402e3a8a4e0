// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of tests/data/fleet-cases.json about the console, each under its own id.
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/shell/MainWindow.h"
#include "ui/widgets/ContextStrip.h"
#include "ui/widgets/TableView.h"

#include <QAction>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

constexpr std::array kDestructive{"action.drain", "action.moveTo", "action.takeOut", "action.probe"};

// A plane that goes on while nobody listens: what it would send, and what it would give whoever asks for everything.
struct Plane {
    explicit Plane(const test::RecordingClient& client)
        : whole(test::sampleFleet(client.wallMs, client.monoMs))
    {
    }

    NodeRow& node(const char* id)
    {
        const auto at =
            std::find_if(whole.nodes.begin(), whole.nodes.end(), [&](const NodeRow& row) { return row.id == QLatin1String(id); });
        Q_ASSERT(at != whole.nodes.end());
        return *at;
    }
    void say(qint64 seq, const char* kind, const char* nodeId)
    {
        ChangeBatch batch;
        EventRow event;
        event.seq = seq;
        event.kind = QLatin1String(kind);
        event.nodeId = QLatin1String(nodeId);
        batch.events = {event};
        if (event.kind == QLatin1String("node_removed")) {
            whole.nodes.removeIf([&](const NodeRow& row) { return row.id == event.nodeId; });
            batch.removedNodes = {event.nodeId};
        } else {
            batch.nodes = {node(nodeId)};
        }
        batch.summary = whole.summary;
        missed.append(batch);
    }
    // Three things happen: 101, 102, 103.
    void goOn(qint64 wallMs)
    {
        node("edge-02").draining = true;
        node("edge-02").drainReason = QStringLiteral("disk swap");
        say(101, "node_draining", "edge-02");
        node("edge-03").pool = QStringLiteral("pool-7");
        say(102, "node_moved", "edge-03");
        say(103, "node_removed", "edge-04");
        whole.atMs = wallMs;
    }

    ChangeBatch whole;
    QList<ChangeBatch> missed;
};

} // namespace

class TestConsoleCases : public QObject {
    Q_OBJECT

private slots:
    void fc111_data();
    void fc111();
};

void TestConsoleCases::fc111_data()
{
    QTest::addColumn<bool>("overflowed");
    QTest::newRow("the events since are there") << false;
    QTest::newRow("they are gone: everything again") << true;
}

// The stream is cut for a minute. Within two seconds the console says since when, and offers nothing that changes the fleet; when it is
// back, it shows what a snapshot has. What the server sends to who comes back is tested where the stream is (tests/e2e, TestEventStream).
void TestConsoleCases::fc111()
{
    QFETCH(bool, overflowed);
    QTemporaryDir directory;
    Theme theme;
    test::RecordingClient client;
    MainWindowOptions options;
    options.page = QStringLiteral("nodes");
    options.language = QStringLiteral("en");
    options.settingsFile = directory.filePath(QStringLiteral("console.ini"));
    MainWindow window(client, theme, options);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    Plane plane(client);
    client.send(plane.whole);
    window.showNode(QStringLiteral("edge-05"));
    auto* strip = window.findChild<ContextStrip*>(QStringLiteral("strip.stale"));
    QVERIFY(strip != nullptr);
    const auto enabled = [&] {
        return std::count_if(kDestructive.begin(), kDestructive.end(), [&](const char* name) {
            const auto* action = window.findChild<QAction*>(QLatin1String(name));
            return action != nullptr && action->isEnabled();
        });
    };
    QTRY_COMPARE(enabled(), std::ptrdiff_t(kDestructive.size()));
    QVERIFY(!strip->isVisible());

    QElapsedTimer cut;
    cut.start();
    client.setState(ControlPlaneClient::State::Stale);
    QTRY_VERIFY_WITH_TIMEOUT(strip->isVisible() && enabled() == 0, 2000);
    QVERIFY(cut.elapsed() <= 2000);
    const QString said = strip->accessibleName();
    QVERIFY2(said.contains(QRegularExpression(QStringLiteral("\\d\\d:\\d\\d:\\d\\d"))), qPrintable(said));
    client.advance(60'000);
    plane.goOn(client.wallMs);
    QCOMPARE(strip->accessibleName(), said);                            // since when, not for how long
    QVERIFY(!window.store().node(QStringLiteral("edge-02"))->draining); // shown as of then

    client.setState(ControlPlaneClient::State::Live);
    if (overflowed) {
        plane.whole.reset = true;
        client.send(plane.whole);
    } else {
        for (const ChangeBatch& batch : std::as_const(plane.missed)) {
            client.send(batch);
        }
    }
    window.store().flushNow();
    QVERIFY(!strip->isVisible());
    QTRY_COMPARE(enabled(), std::ptrdiff_t(kDestructive.size()));
    QList<qint64> seqs;
    for (const EventRow& event : window.store().recentEvents()) {
        seqs.append(event.seq);
    }
    QCOMPARE(seqs, overflowed ? QList<qint64>() : (QList<qint64>{101, 102, 103}));
    QCOMPARE(window.store().nodes().size(), plane.whole.nodes.size());
    for (const NodeRow& row : std::as_const(plane.whole.nodes)) {
        const NodeRow* shown = window.store().node(row.id);
        QVERIFY2(shown != nullptr, qPrintable(row.id));
        QCOMPARE(shown->pool, row.pool);
        QCOMPARE(shown->draining, row.draining);
        QCOMPARE(shown->drainReason, row.drainReason);
    }
    auto* table = window.findChild<TableView*>(QStringLiteral("nodes.table"));
    QTRY_COMPARE(table->model()->rowCount(), int(plane.whole.nodes.size()));
}

QTEST_MAIN(TestConsoleCases)
#include "TestConsoleCases.moc"
