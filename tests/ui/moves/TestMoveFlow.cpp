// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/moves/MoveActions.h"
#include "ui/moves/MoveDialog.h"
#include "ui/widgets/Theme.h"

#include <QAction>
#include <QSignalSpy>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestMoveFlow : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void refusals_data();
    void refusals();
    void aSafeMoveIsSentAtOnceWithItsToken();
    void movedRowsDoNotWaitForTheTick();
    void nodesAlreadyThereStayOut();
    void askedTwiceIsSentOnce();
    void undoAndRedoExpectWhereTheMoveLeftThem();
    void undoTellsWhoWasFaster();
    void undoPassesTheTiers();
    void changedImpactOpensTheDialogAgain();
    void failureGivesTheReasonAndTheRowsBack();
    void cutSetLosesWhatIsGone();
    void pasteMovesWhatWasCut();
    void actionsSayWhyNot();

private:
    QString lastText() const { return m_reports.isEmpty() ? QString() : m_reports.last().text; }
    QStringList moves() const { return m_client->calls.filter(QRegularExpression(QStringLiteral("^move "))); }

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<TimeDisplay> m_times;
    std::unique_ptr<QWidget> m_window;
    NodeActions* m_nodes = nullptr;
    MoveFlow* m_flow = nullptr;
    MoveActions* m_actions = nullptr;
    QList<MoveReport> m_reports;
};

void TestMoveFlow::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_theme = std::make_unique<Theme>();
    m_times = std::make_unique<TimeDisplay>();
    m_times->setUtc(true);
    m_window = std::make_unique<QWidget>();
    m_window->show();
    m_nodes = new NodeActions(*m_store, *m_times, *m_window);
    m_flow = new MoveFlow(*m_store, *m_times, *m_theme, *m_window);
    m_actions = new MoveActions(*m_flow, *m_nodes);
    m_reports.clear();
    connect(m_flow, &MoveFlow::reported, this, [this](const MoveReport& report) { m_reports.append(report); });
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
    m_store->flushNow();
    m_client->impact = test::safeImpact();
}

void TestMoveFlow::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestMoveFlow::refusals_data()
{
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("pool");
    QTest::addColumn<QString>("text");
    QTest::newRow("already there") << "" << "edge-02" << "pool-3" << "Already in pool-3.";
    QTest::newRow("viewer") << "viewer" << "edge-02" << "pool-7" << "You are viewer; moving nodes needs superadmin.";
    QTest::newRow("operator") << "operator" << "edge-02" << "pool-7" << "You are operator; moving nodes needs superadmin.";
    QTest::newRow("locked") << "locked" << "edge-02" << "pool-7" << "Changes are locked. Unlock with Ctrl+L.";
    QTest::newRow("gone") << "" << "edge-77" << "pool-7" << "edge-77 no longer exists.";
    QTest::newRow("no such pool") << "" << "edge-02" << "pool-77" << "pool-77 no longer exists.";
    QTest::newRow("moving") << "moving" << "edge-02" << "pool-5" << "edge-02 is already being moved by you (3 s ago).";
    QTest::newRow("stale") << "stale" << "edge-02" << "pool-7" << "";
}

void TestMoveFlow::refusals()
{
    QFETCH(QString, state);
    QFETCH(QString, node);
    QFETCH(QString, pool);
    QFETCH(QString, text);
    if (state == QLatin1String("viewer") || state == QLatin1String("operator")) {
        m_client->role = state == QLatin1String("viewer") ? AccessRole::Viewer : AccessRole::Operator;
    } else if (state == QLatin1String("locked")) {
        m_store->setLocked(true);
    } else if (state == QLatin1String("moving")) {
        m_client->answersAtOnce = false;
        m_flow->move({node}, QStringLiteral("pool-7"), MoveSource::Keyboard);
        m_client->answerAll();
        m_client->advance(3000);
    } else if (state == QLatin1String("stale")) {
        m_client->setState(ControlPlaneClient::State::Stale);
        text = QStringLiteral("Disconnected since %1; moves are off until data is live.").arg(m_times->time(m_store->staleSinceMs()));
    }
    QCOMPARE(m_flow->refusal({node}, pool), text);
    const qsizetype calls = m_client->calls.size();
    m_flow->move({node}, pool, MoveSource::Drag);
    QCOMPARE(m_client->calls.size(), calls);
    QCOMPARE(lastText(), text);
    QCOMPARE(m_reports.last().tone, MessageTone::Refused);
}

void TestMoveFlow::aSafeMoveIsSentAtOnceWithItsToken()
{
    QSignalSpy moving(m_flow, &MoveFlow::movingChanged);
    m_flow->move({QStringLiteral("edge-05"), QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Keyboard);
    QTRY_COMPARE(m_reports.size(), 1);
    QCOMPARE(m_client->calls.mid(m_client->calls.size() - 2),
        QStringList({QStringLiteral("preview edge-02>pool-7(pool-3) edge-05>pool-7(pool-3)"), QStringLiteral("move edge-02>pool-7(pool-3) edge-05>pool-7(pool-3) token 41 by keyboard")}));
    QCOMPARE(lastText(), QStringLiteral("Moved 2 node(s) to pool-7 from pool-3."));
    QVERIFY(m_reports.last().undoable);
    QCOMPARE(moving.count(), 2);
    QVERIFY(m_flow->dialog() == nullptr);
}

// Rows of others come at most four times a second; those that somebody moved here are shown when the plane confirms them.
void TestMoveFlow::movedRowsDoNotWaitForTheTick()
{
    m_client->answersAtOnce = false;
    m_flow->move({QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Keyboard);
    m_client->answerAll(); // the preview
    QSignalSpy flushed(m_store.get(), &FleetStore::flushed);
    ChangeBatch other;
    other.summary = m_store->summary();
    other.nodes = {*m_store->node(QStringLiteral("edge-05"))};
    m_client->send(other);
    QCOMPARE(flushed.size(), 0);
    ChangeBatch moved;
    moved.summary = m_store->summary();
    moved.nodes = {*m_store->node(QStringLiteral("edge-02"))};
    moved.nodes.first().pool = QStringLiteral("pool-7");
    m_client->send(moved);
    QCOMPARE(flushed.size(), 1);
    QCOMPARE(m_store->node(QStringLiteral("edge-02"))->pool, QStringLiteral("pool-7"));
}

void TestMoveFlow::nodesAlreadyThereStayOut()
{
    m_flow->move({QStringLiteral("edge-01"), QStringLiteral("edge-02")}, QStringLiteral("unassigned"), MoveSource::Drag);
    QCOMPARE(m_client->calls.last(), QStringLiteral("preview edge-02>unassigned(pool-3)"));
}

void TestMoveFlow::askedTwiceIsSentOnce()
{
    m_flow->move({QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Keyboard);
    m_flow->move({QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Keyboard);
    QTRY_COMPARE(m_reports.size(), 1);
    QCOMPARE(moves().size(), 1);
}

void TestMoveFlow::undoAndRedoExpectWhereTheMoveLeftThem()
{
    m_flow->move({QStringLiteral("edge-02"), QStringLiteral("edge-40")}, QStringLiteral("pool-7"), MoveSource::Drag);
    QTRY_VERIFY(m_flow->canUndo());
    m_actions->undo()->trigger();
    QTRY_VERIFY(m_flow->canRedo());
    QCOMPARE(moves().last(), QStringLiteral("move edge-02>pool-3(pool-7) edge-40>default(pool-7) token 41 by undo"));
    QVERIFY(!m_flow->canUndo());
    m_actions->redo()->trigger();
    QTRY_VERIFY(m_flow->canUndo());
    QCOMPARE(moves().last(), QStringLiteral("move edge-02>pool-7(pool-3) edge-40>pool-7(default) token 41 by redo"));
    QVERIFY(!m_flow->canRedo());
}

void TestMoveFlow::undoTellsWhoWasFaster()
{
    m_flow->move({QStringLiteral("edge-05")}, QStringLiteral("pool-7"), MoveSource::Drag);
    QTRY_VERIFY(m_flow->canUndo());
    m_client->refusal = {QStringLiteral("moved_meanwhile"), QStringLiteral("edge-05 is elsewhere."),
        {{QStringLiteral("edge-05"), QStringLiteral("pool-9"), QStringLiteral("admin-2"), m_client->wallMs - 20'000}}};
    m_flow->undo();
    QTRY_COMPARE(m_reports.size(), 2);
    QCOMPARE(lastText(), QStringLiteral("edge-05 was moved to pool-9 by admin-2 20 s ago; not undone."));
    QCOMPARE(m_reports.last().node, QStringLiteral("edge-05"));
    QVERIFY(!m_flow->canUndo());
    QVERIFY(!m_flow->canRedo());
}

void TestMoveFlow::undoPassesTheTiers()
{
    m_flow->move({QStringLiteral("edge-05")}, QStringLiteral("pool-7"), MoveSource::Drag);
    QTRY_VERIFY(m_flow->canUndo());
    m_client->impact = test::outageImpact();
    m_flow->undo();
    QTRY_VERIFY(m_flow->dialog() != nullptr);
    QCOMPARE(moves().size(), 1);
    m_flow->dialog()->reject();
    QVERIFY(m_flow->canUndo());
    QCOMPARE(moves().size(), 1);
}

void TestMoveFlow::changedImpactOpensTheDialogAgain()
{
    m_client->answersAtOnce = false;
    m_flow->move({QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Drag);
    m_client->refusal = {QStringLiteral("impact_changed"), QStringLiteral("changed"), {}, test::riskyImpact()};
    m_client->answerAll(); // the preview
    m_client->answerAll(); // the refused move
    QVERIFY(m_flow->dialog() != nullptr);
    QCOMPARE(m_flow->dialog()->impact().token, quint64(43));
    QVERIFY(m_flow->moving().isEmpty());
    m_client->refusal = {};
    m_flow->dialog()->accept();
    m_client->answerAll();
    QCOMPARE(moves().last(), QStringLiteral("move edge-02>pool-7(pool-3) token 43 by drag"));
}

void TestMoveFlow::failureGivesTheReasonAndTheRowsBack()
{
    m_client->answersAtOnce = false;
    m_flow->move({QStringLiteral("edge-02")}, QStringLiteral("pool-7"), MoveSource::Drag);
    m_client->refusal = {QStringLiteral("storage"), QStringLiteral("The store is full.")};
    m_client->answerAll();
    QCOMPARE(m_flow->moving(), QSet<QString>{QStringLiteral("edge-02")});
    m_client->answerAll();
    QVERIFY(m_flow->moving().isEmpty());
    QCOMPARE(lastText(), QStringLiteral("The store is full."));
    QVERIFY(!m_flow->canUndo());
}

void TestMoveFlow::cutSetLosesWhatIsGone()
{
    QSignalSpy notices(m_actions, &MoveActions::notice);
    m_nodes->setTargets({QStringLiteral("edge-02"), QStringLiteral("edge-03"), QStringLiteral("edge-04")});
    m_actions->cut()->trigger();
    QCOMPARE(notices.last().first().toString(), QStringLiteral("3 node(s) cut, Esc to cancel"));
    ChangeBatch batch; // deleted and made again under the same name: another node
    batch.removedNodes = QStringList{QStringLiteral("edge-03")};
    batch.nodes = {test::healthyNode(QStringLiteral("edge-03"), Role::Edge, QStringLiteral("pool-3"), m_client->wallMs, m_client->monoMs)};
    m_client->send(batch);
    m_store->flushNow();
    QCOMPARE(m_actions->cutNodes(), QStringList({QStringLiteral("edge-02"), QStringLiteral("edge-04")}));
    QCOMPARE(notices.last().first().toString(), QStringLiteral("1 of 3 cut node(s) is gone"));
    m_actions->setPool(QStringLiteral("pool-7"));
    m_actions->paste()->trigger();
    QCOMPARE(m_client->calls.last(), QStringLiteral("preview edge-02>pool-7(pool-3) edge-04>pool-7(pool-3)"));
}

void TestMoveFlow::pasteMovesWhatWasCut()
{
    m_nodes->setTargets({QStringLiteral("edge-02")});
    m_actions->cut()->trigger();
    QVERIFY(!m_actions->paste()->isEnabled());
    m_nodes->setTargets({});
    m_actions->setPool(QStringLiteral("pool-7"));
    m_actions->paste()->trigger();
    QTRY_COMPARE(moves().size(), 1);
    QCOMPARE(moves().last(), QStringLiteral("move edge-02>pool-7(pool-3) token 41 by keyboard"));
    QVERIFY(m_actions->cutNodes().isEmpty());
    m_nodes->setTargets({QStringLiteral("edge-03")});
    m_actions->cut()->trigger();
    QVERIFY(m_actions->cancelCut());
    QVERIFY(!m_actions->cancelCut());
    QVERIFY(!m_actions->paste()->isEnabled());
}

void TestMoveFlow::actionsSayWhyNot()
{
    QCOMPARE(m_actions->moveTo()->toolTip(), QStringLiteral("Select a node first."));
    m_nodes->setTargets({QStringLiteral("edge-02")});
    QVERIFY(m_actions->moveTo()->isEnabled());
    QVERIFY(m_actions->takeOut()->isEnabled());
    QCOMPARE(m_actions->addNodes()->toolTip(), QStringLiteral("Select one pool first."));
    QCOMPARE(m_actions->undo()->toolTip(), QStringLiteral("There is no move to undo."));
    m_client->role = AccessRole::Viewer;
    m_actions->refresh();
    for (const QAction* action : {m_actions->moveTo(), m_actions->takeOut(), m_actions->cut(), m_actions->paste(), m_actions->addNodes()}) {
        QVERIFY(!action->isEnabled());
        QCOMPARE(action->toolTip(), QStringLiteral("You are viewer; moving nodes needs superadmin."));
        QCOMPARE(action->statusTip(), action->toolTip());
    }
}

QTEST_MAIN(TestMoveFlow)
#include "TestMoveFlow.moc"
