// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/live/PermutedTableModel.h"
#include "ui/moves/DragBadge.h"
#include "ui/moves/DropBar.h"
#include "ui/moves/MoveDialog.h"
#include "ui/moves/NodeDrag.h"
#include "ui/shell/MainWindow.h"
#include "ui/widgets/TableView.h"

#include <QDrag>
#include <QProcess>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

/// Real drags. QDrag::exec spins a loop of its own, so every later step is its own single shot, queued before the press, and an Escape
/// is always queued as the way out.
class TestMoveGestures : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void threeNodesOntoAPool();
    void rightClickCancels();
    void escapeCancels();
    void aDropThatNeedsCareAsksAfterTheDrag();
    void unassignedIsInReachAmongManyPools();
    void xdotoolDragsToo();

private:
    TableView& pools() const { return *m_window->findChild<TableView*>(QStringLiteral("pools.table")); }
    TableView& nodes() const { return *m_window->findChild<TableView*>(QStringLiteral("pools.nodes")); }
    NodeDrag& drag() const { return *m_window->findChild<NodeDrag*>(); }
    QPoint inWindow(TableView& view, const QPoint& at) const { return view.viewport()->mapTo(m_window.get(), at); }
    QPoint rowPoint(TableView& view, const QString& id) const;
    void selectThree();
    void at(int ms, const std::function<void()>& step) { QTimer::singleShot(ms, m_window.get(), step); }
    void beginDragAt(const QPoint& start);
    void runSteps(int ms);
    QStringList moves() const { return m_client->calls.filter(QRegularExpression(QStringLiteral("^move "))); }

    Theme m_theme;
    QTemporaryDir m_settings;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<MainWindow> m_window;
};

void TestMoveGestures::init()
{
    if (QGuiApplication::platformName() != QLatin1String("xcb")) {
        QSKIP("Real drags need an X display.");
    }
    m_client = std::make_unique<test::RecordingClient>();
    m_client->impact = test::safeImpact(3);
    MainWindowOptions options;
    options.settingsFile = m_settings.filePath(QString::fromLatin1(QTest::currentTestFunction()) + QStringLiteral(".ini"));
    options.language = QStringLiteral("en");
    m_window = std::make_unique<MainWindow>(*m_client, m_theme, options);
    m_window->move(0, 0);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
    m_window->store().flushNow();
    m_window->showPool(QStringLiteral("pool-3"));
    QTRY_VERIFY(nodes().model()->rowCount() > 10);
}

void TestMoveGestures::cleanup()
{
    m_window.reset();
    m_client.reset();
}

QPoint TestMoveGestures::rowPoint(TableView& view, const QString& id) const
{
    const auto* model = qobject_cast<PermutedTableModel*>(view.model());
    return inWindow(view, view.visualRect(model->index(model->rowOf(id), 0)).center());
}

void TestMoveGestures::selectThree()
{
    nodes().clearSelection();
    const auto* model = qobject_cast<PermutedTableModel*>(nodes().model());
    for (const char* id : {"edge-02", "edge-05", "origin-11"}) {
        nodes().selectionModel()->select(model->index(model->rowOf(QString::fromLatin1(id)), 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
}

// Press at once, first moves after the hold time; the drag runs from about 260 ms on.
void TestMoveGestures::beginDragAt(const QPoint& start)
{
    QWindow* window = m_window->windowHandle();
    at(0, [window, start] { QTest::mousePress(window, Qt::LeftButton, Qt::NoModifier, start); });
    at(200, [window, start] { QTest::mouseMove(window, start - QPoint(10, 0)); });
    at(260, [window, start] { QTest::mouseMove(window, start - QPoint(30, 2)); });
    at(5000, [window] {
        QTest::keyClick(window, Qt::Key_Escape); // the way out
    });
}

void TestMoveGestures::runSteps(int ms)
{
    bool over = false;
    QTimer::singleShot(ms, this, [&over] { over = true; });
    QTRY_VERIFY_WITH_TIMEOUT(over && !drag().isDragging(), ms + 6000);
}

void TestMoveGestures::threeNodesOntoAPool()
{
    selectThree();
    QWindow* window = m_window->windowHandle();
    const QPoint target = rowPoint(pools(), QStringLiteral("pool-7"));
    bool dragging = false;
    bool badge = false;
    int framed = -1;
    beginDragAt(rowPoint(nodes(), QStringLiteral("edge-05")));
    at(400, [window, target] { QTest::mouseMove(window, target); });
    at(500, [window, target] { QTest::mouseMove(window, target + QPoint(4, 0)); });
    at(700, [&] {
        dragging = drag().isDragging();
        badge = drag().badge().isVisible() && drag().badge().pool() == QLatin1String("pool-7");
        framed = pools().targetRow();
    });
    at(800, [window, target] { QTest::mouseRelease(window, Qt::LeftButton, Qt::NoModifier, target + QPoint(4, 0)); });
    runSteps(1000);
    QVERIFY(dragging);
    QVERIFY(badge);
    QCOMPARE(framed, qobject_cast<PermutedTableModel*>(pools().model())->rowOf(QStringLiteral("pool-7")));
    QTRY_COMPARE(moves(), QStringList{QStringLiteral("move edge-02>pool-7(pool-3) edge-05>pool-7(pool-3) origin-11>pool-7(pool-3) token 41 by drag")});
    QCOMPARE(pools().targetRow(), -1);
    QVERIFY(!drag().badge().isVisible());
}

void TestMoveGestures::rightClickCancels()
{
    selectThree();
    QWindow* window = m_window->windowHandle();
    const QPoint target = rowPoint(pools(), QStringLiteral("pool-7"));
    bool dragging = false;
    bool after = true;
    beginDragAt(rowPoint(nodes(), QStringLiteral("edge-05")));
    at(400, [window, target] { QTest::mouseMove(window, target); });
    at(600, [&] { dragging = drag().isDragging(); });
    at(700, [window, target] { QTest::mousePress(window, Qt::RightButton, Qt::NoModifier, target); });
    at(800, [&] { after = drag().isDragging(); });
    at(900, [window, target] { QTest::mouseRelease(window, Qt::RightButton, Qt::NoModifier, target); });
    at(950, [window, target] { QTest::mouseRelease(window, Qt::LeftButton, Qt::NoModifier, target); });
    runSteps(1100);
    QVERIFY(dragging);
    QVERIFY(!after);
    QVERIFY(m_client->calls.filter(QStringLiteral("move ")).isEmpty());
}

void TestMoveGestures::escapeCancels()
{
    selectThree();
    QWindow* window = m_window->windowHandle();
    const QPoint target = rowPoint(pools(), QStringLiteral("pool-7"));
    bool dragging = false;
    beginDragAt(rowPoint(nodes(), QStringLiteral("edge-05")));
    at(400, [window, target] { QTest::mouseMove(window, target); });
    at(600, [&] { dragging = drag().isDragging(); });
    at(700, [window] { QTest::keyClick(window, Qt::Key_Escape); });
    at(900, [window, target] { QTest::mouseRelease(window, Qt::LeftButton, Qt::NoModifier, target); });
    runSteps(1000);
    QVERIFY(dragging);
    QVERIFY(moves().isEmpty());
}

void TestMoveGestures::aDropThatNeedsCareAsksAfterTheDrag()
{
    m_client->impact = test::outageImpact();
    selectThree();
    QWindow* window = m_window->windowHandle();
    const QPoint target = rowPoint(pools(), QStringLiteral("pool-7"));
    beginDragAt(rowPoint(nodes(), QStringLiteral("edge-05")));
    at(400, [window, target] { QTest::mouseMove(window, target); });
    at(500, [window, target] { QTest::mouseMove(window, target + QPoint(4, 0)); });
    at(800, [window, target] { QTest::mouseRelease(window, Qt::LeftButton, Qt::NoModifier, target + QPoint(4, 0)); });
    runSteps(1000);
    MoveDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = m_window->findChild<MoveDialog*>()) != nullptr);
    QVERIFY(!drag().isDragging());
    QTest::keyClick(dialog, Qt::Key_Return);
    QTRY_VERIFY(m_window->findChild<MoveDialog*>() == nullptr);
    QVERIFY(moves().isEmpty());
}

void TestMoveGestures::unassignedIsInReachAmongManyPools()
{
    ChangeBatch batch;
    for (int i = 100; i < 300; ++i) {
        batch.pools.append(test::poolRow(QStringLiteral("pool-%1").arg(i), {1, 2, -1}, 3, 1, PoolVerdict::Ok));
    }
    m_client->send(batch);
    m_window->store().flushNow();
    QTRY_VERIFY(pools().model()->rowCount() > 200);
    QTRY_VERIFY(pools().verticalScrollBar()->maximum() > 1000);
    pools().scrollToTop();
    selectThree();
    QWindow* window = m_window->windowHandle();
    // Looked up when needed: with so many rows the viewport makes room for scroll bars.
    const auto bar = [this] { return inWindow(pools(), {200, pools().viewport()->height() - DropBar::kHeight / 2}); };
    bool shown = false;
    beginDragAt(rowPoint(nodes(), QStringLiteral("edge-02")));
    at(400, [window, bar] { QTest::mouseMove(window, bar() - QPoint(0, 200)); });
    at(500, [window, bar] { QTest::mouseMove(window, bar()); });
    at(700, [&] { shown = m_window->findChild<QWidget*>(QStringLiteral("drop.unassigned"))->isVisible(); });
    at(800, [window, bar] { QTest::mouseRelease(window, Qt::LeftButton, Qt::NoModifier, bar()); });
    runSteps(1000);
    QVERIFY(shown);
    QTRY_COMPARE(m_client->calls.last(), QStringLiteral("preview edge-02>unassigned(pool-3) edge-05>unassigned(pool-3) origin-11>unassigned(pool-3)"));
    MoveDialog* dialog = nullptr; // they have streams
    QTRY_VERIFY((dialog = m_window->findChild<MoveDialog*>()) != nullptr);
    dialog->reject();
    QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("drop.unassigned"))->isVisible());
}

void TestMoveGestures::xdotoolDragsToo()
{
    const QString xdotool = QStandardPaths::findExecutable(QStringLiteral("xdotool"));
    if (xdotool.isEmpty()) {
        QSKIP("xdotool is not installed.");
    }
    selectThree();
    const QPoint start = m_window->mapToGlobal(rowPoint(nodes(), QStringLiteral("edge-05")));
    const QPoint end = m_window->mapToGlobal(rowPoint(pools(), QStringLiteral("pool-7")));
    const auto place = [](const QPoint& point) { return QStringList{QStringLiteral("mousemove"), QString::number(point.x()), QString::number(point.y())}; };
    const QStringList rest{QStringLiteral("sleep"), QStringLiteral("0.25")};
    const QStringList script = place(start) + QStringList{QStringLiteral("mousedown"), QStringLiteral("1")} + rest + place(start - QPoint(20, 0)) + rest
        + place(start - QPoint(40, 4)) + rest + place(end - QPoint(6, 0)) + rest + place(end) + rest + QStringList{QStringLiteral("mouseup"), QStringLiteral("1")};
    QWindow* window = m_window->windowHandle();
    at(6000, [window] { QTest::keyClick(window, Qt::Key_Escape); });
    QProcess process;
    process.start(xdotool, script);
    QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, 8000);
    QCOMPARE(process.exitCode(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(moves(), QStringList{QStringLiteral("move edge-02>pool-7(pool-3) edge-05>pool-7(pool-3) origin-11>pool-7(pool-3) token 41 by drag")}, 3000);
}

int main(int argc, char** argv)
{
    // Tests run offscreen, where drags end at once; this one is about the real thing.
    qputenv("QT_QPA_PLATFORM", qEnvironmentVariableIsSet("DISPLAY") ? "xcb" : "offscreen");
    QApplication app(argc, argv);
    TestMoveGestures test;
    return QTest::qExec(&test, argc, argv);
}

#include "TestMoveGestures.moc"
