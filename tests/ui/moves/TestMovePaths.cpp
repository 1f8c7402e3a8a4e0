// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/live/PermutedTableModel.h"
#include "ui/moves/DragBadge.h"
#include "ui/moves/MoveDialog.h"
#include "ui/moves/NodeDrag.h"
#include "ui/shell/MainWindow.h"
#include "ui/widgets/MessageBar.h"
#include "ui/widgets/TableView.h"

#include <QAction>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

/// The ways into a move, in the real window: they end in the same request.
class TestMovePaths : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void everyWaySendsTheSameRequest_data();
    void everyWaySendsTheSameRequest();
    void aDropThatNeedsCareAsksFirst();
    void refusedDrops();
    void foreignDropsAreRefused();
    void pressOnASelectedRowArmsAfterWayAndTime();
    void pressOnAnUnselectedRowOnlySelects();
    void viewersCannotDrag();
    void keysWorkInTablesOnly();
    void messageStaysForTenLaterActions();
    void addNodesToAPool();
    void aNodeMadeAgainIsNotMoved();
    void escapeCancelsTheCut();
    void badgeTurnsAtTheEdges();

private:
    TableView& pools() const { return *m_window->findChild<TableView*>(QStringLiteral("pools.table")); }
    TableView& nodes() const { return *m_window->findChild<TableView*>(QStringLiteral("pools.nodes")); }
    NodeDrag& drag() const { return *m_window->findChild<NodeDrag*>(); }
    QStringList requests() const { return m_client->calls.filter(QRegularExpression(QStringLiteral("^(preview|move) "))); }
    QPoint rowPoint(TableView& view, const QString& id) const;
    void selectNodes(const QStringList& ids);
    void sendDrag(QEvent::Type type, TableView& view, const QPoint& at, const QMimeData& data, bool* accepted = nullptr);
    void dragTo(const QStringList& ids, const QString& pool);
    void pickPool(const QString& typed);

    Theme m_theme;
    QTemporaryDir m_settings;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<MainWindow> m_window;
};

void TestMovePaths::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_client->impact = test::safeImpact(3);
    MainWindowOptions options;
    options.settingsFile = m_settings.filePath(QString::fromLatin1(QTest::currentTestFunction()) + QStringLiteral(".ini"));
    options.language = QStringLiteral("en");
    m_window = std::make_unique<MainWindow>(*m_client, m_theme, options);
    m_window->show();
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
    m_window->store().flushNow();
    m_window->showPool(QStringLiteral("pool-3"));
    QTRY_VERIFY(nodes().model()->rowCount() > 10);
    m_window->activateWindow();
    nodes().setFocus();
    QTRY_VERIFY(nodes().hasFocus());
}

void TestMovePaths::cleanup()
{
    m_window.reset();
    m_client.reset();
}

QPoint TestMovePaths::rowPoint(TableView& view, const QString& id) const
{
    const auto* model = qobject_cast<PermutedTableModel*>(view.model());
    return view.visualRect(model->index(model->rowOf(id), 0)).center();
}

void TestMovePaths::selectNodes(const QStringList& ids)
{
    nodes().clearSelection();
    for (const QString& id : ids) {
        QTest::mouseClick(nodes().viewport(), Qt::LeftButton, id == ids.first() ? Qt::NoModifier : Qt::ControlModifier, rowPoint(nodes(), id));
    }
    QCOMPARE(nodes().selectionModel()->selectedRows().size(), ids.size());
}

void TestMovePaths::sendDrag(QEvent::Type type, TableView& view, const QPoint& at, const QMimeData& data, bool* accepted)
{
    std::unique_ptr<QDropEvent> event;
    if (type == QEvent::DragEnter) {
        event = std::make_unique<QDragEnterEvent>(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    } else if (type == QEvent::DragMove) {
        event = std::make_unique<QDragMoveEvent>(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    } else {
        event = std::make_unique<QDropEvent>(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    }
    QApplication::sendEvent(view.viewport(), event.get());
    if (accepted != nullptr) {
        *accepted = event->isAccepted();
    }
}

void TestMovePaths::dragTo(const QStringList& ids, const QString& pool)
{
    const std::unique_ptr<QMimeData> data(drag().mimeFor(ids));
    const QPoint at = rowPoint(pools(), pool);
    sendDrag(QEvent::DragEnter, pools(), at, *data);
    sendDrag(QEvent::DragMove, pools(), at, *data);
    sendDrag(QEvent::Drop, pools(), at, *data);
}

void TestMovePaths::pickPool(const QString& typed)
{
    QVERIFY(nodes().hasFocus());
    QVERIFY2(m_window->findChild<QAction*>(QStringLiteral("action.moveTo"))->isEnabled(), "no");
    QTest::keyClick(&nodes(), Qt::Key_M, Qt::ControlModifier);
    QLineEdit* field = nullptr;
    QTRY_VERIFY((field = m_window->findChild<QLineEdit*>(QStringLiteral("movepick.text"))) != nullptr);
    QTest::keyClicks(field, typed);
    QTest::keyClick(field, Qt::Key_Return);
}

void TestMovePaths::everyWaySendsTheSameRequest_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<QString>("source");
    QTest::newRow("drop") << "drop" << "drag";
    QTest::newRow("Ctrl+M") << "pick" << "dialog";
    QTest::newRow("Ctrl+X, Ctrl+V") << "paste" << "keyboard";
}

void TestMovePaths::everyWaySendsTheSameRequest()
{
    QFETCH(QString, way);
    QFETCH(QString, source);
    const QStringList ids{QStringLiteral("origin-11"), QStringLiteral("edge-02"), QStringLiteral("edge-05")};
    selectNodes(ids);
    if (way == QLatin1String("drop")) {
        dragTo(ids, QStringLiteral("pool-7"));
    } else if (way == QLatin1String("pick")) {
        pickPool(QStringLiteral("pool-7"));
    } else {
        QTest::keyClick(&nodes(), Qt::Key_X, Qt::ControlModifier);
        m_window->showPool(QStringLiteral("pool-7"));
        pools().setFocus();
        QTest::keyClick(&pools(), Qt::Key_V, Qt::ControlModifier);
    }
    const QString moves = QStringLiteral("edge-02>pool-7(pool-3) edge-05>pool-7(pool-3) origin-11>pool-7(pool-3)");
    QTRY_VERIFY(!m_client->calls.filter(QStringLiteral("move ")).isEmpty());
    QTRY_COMPARE(requests().last(), QStringLiteral("move %1 token 41 by %2").arg(moves, source));
    QVERIFY(requests().contains(QStringLiteral("preview ") + moves));
    auto* bar = m_window->findChild<MessageBar*>(QStringLiteral("message.moved"));
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(bar->message(), QStringLiteral("Moved 3 nodes to pool-7 from pool-3."));
}

void TestMovePaths::aDropThatNeedsCareAsksFirst()
{
    m_client->impact = test::outageImpact();
    const int rows = nodes().model()->rowCount();
    dragTo({QStringLiteral("edge-02"), QStringLiteral("origin-11")}, QStringLiteral("pool-7"));
    QVERIFY(m_window->findChild<MoveDialog*>() == nullptr); // not inside the drop
    MoveDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<MoveDialog*>()) != nullptr);
    QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("scrim"))->isVisible());
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(m_window->findChild<MoveDialog*>() == nullptr);
    QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("scrim"))->isVisible());
    QVERIFY(m_client->calls.filter(QStringLiteral("move ")).isEmpty());
    QCOMPARE(nodes().model()->rowCount(), rows); // a drop edits no model
}

void TestMovePaths::refusedDrops()
{
    const std::unique_ptr<QMimeData> data(drag().mimeFor({QStringLiteral("edge-02")}));
    bool accepted = true;
    sendDrag(QEvent::DragEnter, pools(), rowPoint(pools(), QStringLiteral("pool-3")), *data);
    sendDrag(QEvent::DragMove, pools(), rowPoint(pools(), QStringLiteral("pool-3")), *data, &accepted);
    QVERIFY(!accepted);
    QCOMPARE(drag().badge().line().text, QStringLiteral("Already in pool-3."));
    QCOMPARE(m_window->findChild<QWidget*>(QStringLiteral("announcer"))->accessibleName(), QStringLiteral("Already in pool-3."));
    QCOMPARE(pools().targetRow(), -1);
    sendDrag(QEvent::DragMove, pools(), rowPoint(pools(), QStringLiteral("pool-7")), *data, &accepted);
    QVERIFY(accepted);
    QCOMPARE(pools().targetRow(), qobject_cast<PermutedTableModel*>(pools().model())->rowOf(QStringLiteral("pool-7")));
    QTRY_COMPARE(drag().badge().line().text, QStringLiteral("OK – pool-3 keeps 2 origins, 4 edges"));
    sendDrag(QEvent::DragEnter, nodes(), rowPoint(nodes(), QStringLiteral("edge-05")), *data);
    sendDrag(QEvent::DragMove, nodes(), rowPoint(nodes(), QStringLiteral("edge-05")), *data, &accepted);
    QVERIFY(!accepted);
    QCOMPARE(drag().badge().line().text, QStringLiteral("Drop nodes on a pool, not on a node."));
    QCOMPARE(pools().targetRow(), -1);
    m_client->role = AccessRole::Viewer;
    sendDrag(QEvent::DragEnter, pools(), rowPoint(pools(), QStringLiteral("pool-7")), *data);
    sendDrag(QEvent::DragMove, pools(), rowPoint(pools(), QStringLiteral("pool-7")), *data, &accepted);
    QVERIFY(!accepted);
    QCOMPARE(drag().badge().line().text, QStringLiteral("You are viewer; moving nodes needs superadmin."));
    QVERIFY(m_client->calls.filter(QStringLiteral("move ")).isEmpty());
}

void TestMovePaths::foreignDropsAreRefused()
{
    QMimeData text;
    text.setText(QStringLiteral("edge-02"));
    bool accepted = true;
    const QPoint at = rowPoint(pools(), QStringLiteral("pool-7"));
    sendDrag(QEvent::DragEnter, pools(), at, text);
    sendDrag(QEvent::DragMove, pools(), at, text, &accepted);
    QVERIFY(!accepted);
    QCOMPARE(drag().badge().line().text, QStringLiteral("Only nodes can be dropped here."));
    sendDrag(QEvent::Drop, pools(), at, text, &accepted);
    QVERIFY(!accepted);
    QCoreApplication::processEvents();
    QVERIFY(requests().isEmpty());
}

void TestMovePaths::pressOnASelectedRowArmsAfterWayAndTime()
{
    selectNodes({QStringLiteral("edge-02"), QStringLiteral("edge-05")});
    QSignalSpy active(&drag(), &NodeDrag::dragActive);
    QWidget* port = nodes().viewport();
    const QPoint start = rowPoint(nodes(), QStringLiteral("edge-05"));
    const auto moveBy = [&](const QPoint& way) {
        QMouseEvent move(QEvent::MouseMove, start + way, port->mapToGlobal(start + way), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(port, &move);
    };
    QElapsedTimer pressed;
    QTest::mousePress(port, Qt::LeftButton, Qt::NoModifier, start);
    pressed.start();
    QCOMPARE(nodes().selectionModel()->selectedRows().size(), 2); // the press keeps what it would drag
    moveBy({40, 0});
    if (pressed.elapsed() < NodeDrag::kLeastMs) {
        QCOMPARE(active.count(), 0); // far enough, not long enough
    }
    QTRY_VERIFY(pressed.elapsed() > NodeDrag::kLeastMs + 20);
    moveBy({5, 0});
    QCOMPARE(active.count(), 0); // long enough, not far enough
    moveBy({20, 0});
    QCOMPARE(active.count(), 2); // began, and offscreen ended at once
    QCOMPARE(nodes().selectionModel()->selectedRows().size(), 2);
    QVERIFY(requests().isEmpty());
}

void TestMovePaths::pressOnAnUnselectedRowOnlySelects()
{
    selectNodes({QStringLiteral("edge-02")});
    QSignalSpy active(&drag(), &NodeDrag::dragActive);
    QWidget* port = nodes().viewport();
    const QPoint start = rowPoint(nodes(), QStringLiteral("edge-05"));
    QElapsedTimer pressed;
    QTest::mousePress(port, Qt::LeftButton, Qt::NoModifier, start);
    pressed.start();
    QTRY_VERIFY(pressed.elapsed() > NodeDrag::kLeastMs + 20);
    QMouseEvent move(QEvent::MouseMove, start + QPoint(40, 0), port->mapToGlobal(start + QPoint(40, 0)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(port, &move);
    QTest::mouseRelease(pools().viewport(), Qt::LeftButton, Qt::NoModifier, rowPoint(pools(), QStringLiteral("pool-7")));
    QCOMPARE(active.count(), 0);
    QVERIFY(requests().isEmpty());
    QVERIFY(nodes().selectionModel()->isRowSelected(nodes().indexAt(start).row()));
}

void TestMovePaths::viewersCannotDrag()
{
    selectNodes({QStringLiteral("edge-02")});
    m_client->role = AccessRole::Viewer;
    QSignalSpy active(&drag(), &NodeDrag::dragActive);
    QSignalSpy notice(&drag(), &NodeDrag::notice);
    QWidget* port = nodes().viewport();
    const QPoint start = rowPoint(nodes(), QStringLiteral("edge-02"));
    QElapsedTimer pressed;
    QTest::mousePress(port, Qt::LeftButton, Qt::NoModifier, start);
    pressed.start();
    QTRY_VERIFY(pressed.elapsed() > NodeDrag::kLeastMs + 20);
    QMouseEvent move(QEvent::MouseMove, start + QPoint(40, 0), port->mapToGlobal(start + QPoint(40, 0)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(port, &move);
    QCOMPARE(active.count(), 0);
    QCOMPARE(notice.count(), 1);
    QCOMPARE(notice.first().first().toString(), QStringLiteral("You are viewer; moving nodes needs superadmin."));
}

void TestMovePaths::keysWorkInTablesOnly()
{
    selectNodes({QStringLiteral("edge-02")});
    auto* filter = m_window->findChild<QLineEdit*>(QStringLiteral("pools.filter"));
    filter->setFocus();
    QTest::keyClick(filter, Qt::Key_Delete);
    QTest::keyClick(filter, Qt::Key_M, Qt::ControlModifier);
    QCoreApplication::processEvents();
    QVERIFY(requests().isEmpty());
    QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("movepick.dialog")) == nullptr);
    nodes().setFocus();
    QTest::keyClick(&nodes(), Qt::Key_Delete);
    QTRY_COMPARE(requests().size(), 1);
    QCOMPARE(requests().first(), QStringLiteral("preview edge-02>unassigned(pool-3)"));
    MoveDialog* dialog = nullptr; // it has streams: out of scheduling asks
    QTRY_VERIFY((dialog = m_window->findChild<MoveDialog*>()) != nullptr);
    dialog->reject();
}

void TestMovePaths::messageStaysForTenLaterActions()
{
    dragTo({QStringLiteral("edge-02")}, QStringLiteral("pool-7"));
    auto* bar = m_window->findChild<MessageBar*>(QStringLiteral("message.moved"));
    QTRY_VERIFY(bar->isVisible());
    QAction* copy = m_window->findChild<QAction*>(QStringLiteral("action.copy"));
    selectNodes({QStringLiteral("edge-03")});
    for (int i = 0; i < 9; ++i) {
        copy->trigger();
    }
    QVERIFY(bar->isVisible());
    copy->trigger();
    QVERIFY(!bar->isVisible());
    m_window->showPage(QStringLiteral("nodes"));
    QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier); // the stack outlives bar and page
    QTRY_COMPARE(requests().last(), QStringLiteral("move edge-02>pool-3(pool-7) token 41 by undo"));
}

void TestMovePaths::addNodesToAPool()
{
    m_window->showPool(QStringLiteral("pool-7"));
    m_window->findChild<QPushButton*>(QStringLiteral("button.addNodes"))->click();
    QWidget* dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<QWidget*>(QStringLiteral("addnodes.dialog"))) != nullptr);
    auto* table = dialog->findChild<TableView*>();
    auto* confirm = dialog->findChild<QPushButton*>(QStringLiteral("addnodes.confirm"));
    QVERIFY(!confirm->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("addnodes.filter")), QStringLiteral("edge-40"));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    table->selectRow(0);
    QCOMPARE(confirm->text(), QStringLiteral("Add 1 node to pool-7"));
    QTRY_COMPARE(requests().last(), QStringLiteral("preview edge-40>pool-7(default)"));
    confirm->click();
    QTRY_COMPARE(requests().last(), QStringLiteral("move edge-40>pool-7(default) token 41 by dialog"));
}

void TestMovePaths::aNodeMadeAgainIsNotMoved()
{
    selectNodes({QStringLiteral("edge-02"), QStringLiteral("edge-03"), QStringLiteral("edge-05")});
    ChangeBatch batch; // another node under the same name
    batch.removedNodes = QStringList{QStringLiteral("edge-03")};
    batch.nodes = {test::healthyNode(QStringLiteral("edge-03"), Role::Edge, QStringLiteral("pool-3"), m_client->wallMs, m_client->monoMs)};
    m_client->send(batch);
    m_window->store().flushNow();
    QCOMPARE(nodes().selectionModel()->selectedRows().size(), 2);
    pickPool(QStringLiteral("pool-7"));
    QTRY_COMPARE(requests().last(), QStringLiteral("move edge-02>pool-7(pool-3) edge-05>pool-7(pool-3) token 41 by dialog"));
}

void TestMovePaths::escapeCancelsTheCut()
{
    selectNodes({QStringLiteral("edge-02")});
    QTest::keyClick(&nodes(), Qt::Key_X, Qt::ControlModifier);
    QTest::keyClick(&nodes(), Qt::Key_Escape);
    m_window->showPool(QStringLiteral("pool-7"));
    pools().setFocus();
    QTest::keyClick(&pools(), Qt::Key_V, Qt::ControlModifier);
    QCoreApplication::processEvents();
    QVERIFY(requests().isEmpty());
}

void TestMovePaths::badgeTurnsAtTheEdges()
{
    const QRect screen(0, 0, 1000, 800);
    const QSize size(300, 50);
    QCOMPARE(DragBadge::placeFor({100, 100}, size, screen), QPoint(118, 120));
    QCOMPARE(DragBadge::placeFor({900, 100}, size, screen), QPoint(582, 120));
    QCOMPARE(DragBadge::placeFor({100, 780}, size, screen), QPoint(118, 710));
}

QTEST_MAIN(TestMovePaths)
#include "TestMovePaths.moc"
