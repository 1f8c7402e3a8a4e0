// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "tests/ui/moves/SampleImpact.h"
#include "ui/moves/ImpactTable.h"
#include "ui/moves/MoveDialog.h"
#include "ui/widgets/Theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestMoveDialog : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void cancelIsDefaultFocusedAndEscape_data();
    void cancelIsDefaultFocusedAndEscape();
    void confirmNamesVerbObjectAndCount();
    void riskyNeedsNoReason();
    void outageNeedsEveryTickAndAReason();
    void enterInTheReasonDoesNothing();
    void changedRowsAreMarkedAndConfirmRests();
    void freeCapacityAloneStopsNobody();
    void anotherNumberIsAnotherConsequence();
    void impossibleMoveCannotBeConfirmed();

private:
    MoveDialog& open(const MoveImpact& impact);
    QPushButton* confirm() const { return m_dialog->findChild<QPushButton*>(QStringLiteral("move.confirm")); }
    QPushButton* cancel() const { return m_dialog->findChild<QPushButton*>(QStringLiteral("move.cancel")); }
    QLineEdit* reason() const { return m_dialog->findChild<QLineEdit*>(QStringLiteral("move.reason")); }
    QString hint() const { return m_dialog->findChild<QWidget*>(QStringLiteral("move.hint"))->accessibleName(); }
    QList<QCheckBox*> ticks() const
    {
        auto all = m_dialog->findChildren<QCheckBox*>(QStringLiteral("move.consequence"));
        all.removeIf([](const QCheckBox* tick) { return tick->isHidden(); });
        return all;
    }
    void change(const MoveImpact& impact);

    Theme m_theme;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<MoveDialog> m_dialog;
};

void TestMoveDialog::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_client->send(test::sampleFleet(m_client->wallMs, m_client->monoMs));
    m_store->flushNow();
}

void TestMoveDialog::cleanup()
{
    m_dialog.reset();
    m_store.reset();
    m_client.reset();
}

MoveDialog& TestMoveDialog::open(const MoveImpact& impact)
{
    m_client->impact = impact;
    m_dialog = std::make_unique<MoveDialog>(*m_store, m_theme, test::sampleMove(), impact, nullptr);
    m_dialog->open();
    m_dialog->activateWindow();
    return *m_dialog;
}

void TestMoveDialog::change(const MoveImpact& impact)
{
    m_client->impact = impact;
    NodeRow row = *m_store->node(QStringLiteral("edge-02"));
    row.free -= 1;
    ChangeBatch batch;
    batch.nodes = {row};
    m_client->send(batch);
    m_store->flushNow();
    QTRY_COMPARE(m_dialog->impact().token, impact.token);
}

void TestMoveDialog::cancelIsDefaultFocusedAndEscape_data()
{
    QTest::addColumn<MoveImpact>("impact");
    QTest::addColumn<int>("key");
    QTest::newRow("risky, Enter") << test::riskyImpact() << int(Qt::Key_Return);
    QTest::newRow("risky, Escape") << test::riskyImpact() << int(Qt::Key_Escape);
    QTest::newRow("outage, Enter") << test::outageImpact() << int(Qt::Key_Enter);
    QTest::newRow("outage, Escape") << test::outageImpact() << int(Qt::Key_Escape);
}

void TestMoveDialog::cancelIsDefaultFocusedAndEscape()
{
    QFETCH(MoveImpact, impact);
    QFETCH(int, key);
    MoveDialog& dialog = open(impact);
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    QSignalSpy rejected(&dialog, &QDialog::rejected);
    QTRY_VERIFY(cancel()->hasFocus());
    QVERIFY(cancel()->isDefault());
    QVERIFY(!confirm()->isDefault());
    QVERIFY(!confirm()->autoDefault());
    QTest::keyClick(&dialog, static_cast<Qt::Key>(key));
    QCOMPARE(rejected.count(), 1);
    QCOMPARE(accepted.count(), 0);
    QVERIFY(m_client->calls.filter(QStringLiteral("move ")).isEmpty());
}

void TestMoveDialog::confirmNamesVerbObjectAndCount()
{
    open(test::outageImpact());
    QCOMPARE(confirm()->text(), QStringLiteral("Move 3 node(s) to pool-7"));
    QCOMPARE(m_dialog->findChild<QLabel*>(QStringLiteral("move.title"))->text(), confirm()->text());
    QCOMPARE(m_dialog->findChild<QLabel*>(QStringLiteral("move.lead"))->text(),
        QStringLiteral("Leaves pool-3 with 0 available origin(s); 5 app(s) fail closed. 74 stream(s) are on the moved nodes."));
}

void TestMoveDialog::riskyNeedsNoReason()
{
    MoveDialog& dialog = open(test::riskyImpact());
    QVERIFY(ticks().isEmpty());
    QVERIFY(confirm()->isEnabled());
    reason()->setText(QStringLiteral("  for tonight "));
    QCOMPARE(dialog.reason(), QStringLiteral("for tonight"));
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    confirm()->click();
    QCOMPARE(accepted.count(), 1);
}

void TestMoveDialog::outageNeedsEveryTickAndAReason()
{
    open(test::outageImpact());
    QCOMPARE(ticks().size(), 2);
    QVERIFY(!confirm()->isEnabled());
    reason()->setText(QStringLiteral("move capacity to user 7"));
    QVERIFY(!confirm()->isEnabled());
    QCOMPARE(hint(), QStringLiteral("Tick every consequence to enable the move."));
    ticks()[0]->click();
    QVERIFY(!confirm()->isEnabled());
    ticks()[1]->click();
    QVERIFY(confirm()->isEnabled());
    reason()->setText(QStringLiteral("   "));
    QVERIFY(!confirm()->isEnabled());
    QCOMPARE(confirm()->toolTip(), QStringLiteral("Give a reason to enable the move."));
}

void TestMoveDialog::enterInTheReasonDoesNothing()
{
    MoveDialog& dialog = open(test::riskyImpact());
    QSignalSpy finished(&dialog, &QDialog::finished);
    reason()->setFocus();
    QTest::keyClicks(reason(), QStringLiteral("for tonight"));
    QTest::keyClick(reason(), Qt::Key_Return);
    QCOMPARE(finished.count(), 0);
    QCOMPARE(dialog.reason(), QStringLiteral("for tonight"));
}

void TestMoveDialog::changedRowsAreMarkedAndConfirmRests()
{
    MoveDialog& dialog = open(test::riskyImpact());
    QVERIFY(confirm()->isEnabled());
    MoveImpact now = test::riskyImpact();
    now.token = 99;
    now.apps[0].after.candidates = 0;
    change(now);
    auto* table = dialog.findChild<ImpactTable*>();
    QVERIFY(table->isMarked(QStringLiteral("pool-3/edge/0")));
    QVERIFY(!table->isMarked(QStringLiteral("pool-7")));
    QVERIFY(!confirm()->isEnabled());
    QCOMPARE(hint(), QStringLiteral("The figures have just changed."));
    QTRY_VERIFY_WITH_TIMEOUT(confirm()->isEnabled(), 3000);
}

void TestMoveDialog::freeCapacityAloneStopsNobody()
{
    MoveDialog& dialog = open(test::riskyImpact());
    MoveImpact now = test::riskyImpact();
    now.token = 99;
    now.apps[0].before.free -= 7;
    now.apps[0].after.free -= 7;
    change(now);
    auto* table = dialog.findChild<ImpactTable*>();
    QCOMPARE(table->rows().at(1).after.free, now.apps[0].after.free);
    QVERIFY(!table->isMarked(QStringLiteral("pool-3/edge/0")));
    QVERIFY(confirm()->isEnabled());
}

void TestMoveDialog::anotherNumberIsAnotherConsequence()
{
    open(test::outageImpact());
    ticks()[0]->click();
    ticks()[1]->click();
    MoveImpact now = test::outageImpact();
    now.token = 99;
    now.failClosedCount = 6;
    now.failClosed.append(QStringLiteral("app-38"));
    change(now);
    QCOMPARE(ticks().size(), 2);
    QVERIFY(!ticks()[0]->isChecked());
    QVERIFY(ticks()[1]->isChecked());
}

void TestMoveDialog::impossibleMoveCannotBeConfirmed()
{
    open(test::riskyImpact());
    m_client->refusal = {QStringLiteral("unknown_node"), QStringLiteral("There is no node 'edge-02'.")};
    ChangeBatch batch;
    batch.removedNodes = QStringList{QStringLiteral("edge-02")};
    m_client->send(batch);
    m_store->flushNow();
    QTRY_VERIFY(!confirm()->isEnabled());
    QCOMPARE(m_dialog->findChild<QLabel*>(QStringLiteral("move.note"))->text(), QStringLiteral("There is no node 'edge-02'."));
    QCOMPARE(hint(), QStringLiteral("This move is no longer possible."));
}

QTEST_MAIN(TestMoveDialog)
#include "TestMoveDialog.moc"
