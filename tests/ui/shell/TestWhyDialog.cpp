// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/support/SampleFleet.h"
#include "ui/shell/ExplanationText.h"
#include "ui/shell/WhyDialog.h"
#include "ui/widgets/Theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

namespace {

ExplanationView refusal()
{
    ExplanationView view;
    view.app = QStringLiteral("app-9");
    view.role = QStringLiteral("origin");
    view.pool = QStringLiteral("pool-3");
    view.because = QStringLiteral("binding");
    view.stages = {{QStringLiteral("pool-3"), 4, 0, {{QStringLiteral("draining"), 1}, {QStringLiteral("unhealthy"), 3}}}};
    view.nodes = {{QStringLiteral("o|1"), QStringLiteral("pool-3"), QStringLiteral("draining"), {QStringLiteral("no_capacity")}, QStringLiteral("by ops"), 0, 0, 1}};
    view.code = QStringLiteral("no_candidate");
    view.elsewhere = {{QStringLiteral("pool-1"), 3}};
    view.nextSteps = {{QStringLiteral("If app-9 resolved to pool-1: 3 candidates"), 3}};
    view.sentence = QStringLiteral("pool-3: 0 of 4 usable.");
    return view;
}

} // namespace

class TestWhyDialog : public QObject {
    Q_OBJECT

private slots:
    void asksForTheStarvedAppOfThePool();
    void showsTheWholeRecord();
    void showsRefusalInItsOwnWords();
    void figuresThatDoNotAddUpAreSaid();
};

void TestWhyDialog::asksForTheStarvedAppOfThePool()
{
    test::RecordingClient client;
    Theme theme;
    FleetStore store(client);
    client.send(test::sampleFleet(client.wallMs, client.monoMs));
    TimeDisplay times;
    WhyDialog dialog(store, times, theme, nullptr);
    dialog.setContext({{}, QStringLiteral("pool-9"), QStringLiteral("origin-21"), Role::Origin});
    QCOMPARE(client.calls.last(), QStringLiteral("explain app-2 0 1"));
    dialog.setContext({QStringLiteral("app-16"), {}, {}, Role::Edge});
    QCOMPARE(client.calls.last(), QStringLiteral("explain app-16 1 1"));
}

void TestWhyDialog::showsTheWholeRecord()
{
    test::RecordingClient client;
    client.explanation = refusal();
    Theme theme;
    FleetStore store(client);
    client.send(test::sampleFleet(client.wallMs, client.monoMs));
    TimeDisplay times;
    times.setUtc(true);
    WhyDialog dialog(store, times, theme, nullptr);
    QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("why.copy"))->isEnabled());
    dialog.setContext({QStringLiteral("app-9"), {}, QStringLiteral("o|1"), Role::Origin});
    auto* headline = dialog.findChild<QLabel*>(QStringLiteral("why.headline"));
    QTRY_COMPARE(headline->text(), QStringLiteral("pool-3: 0 of 4 usable."));
    auto* table = dialog.findChild<QTableView*>(QStringLiteral("why.nodes"));
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(table->selectionModel()->isRowSelected(0));
    const QString text = dialog.markdown();
    for (const char* part : {"app-9", "because a binding names it", "4 considered = 0 candidate", "1 draining", "o\\|1", "pool-1: 3", "3 candidates", "nothing sent"}) {
        QVERIFY2(text.contains(QLatin1String(part)), part);
    }
    QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("why.copy"))->isEnabled());
}

void TestWhyDialog::showsRefusalInItsOwnWords()
{
    test::RecordingClient client;
    client.refusal = {QStringLiteral("unknown_app"), QStringLiteral("No app is called app-77.")};
    Theme theme;
    FleetStore store(client);
    TimeDisplay times;
    WhyDialog dialog(store, times, theme, nullptr);
    dialog.setContext({QStringLiteral("app-77"), {}, {}, Role::Origin});
    QTRY_COMPARE(dialog.findChild<QLabel*>(QStringLiteral("why.headline"))->text(), QStringLiteral("No app is called app-77."));
    QVERIFY(!dialog.findChild<QPushButton*>(QStringLiteral("why.copy"))->isEnabled());
}

void TestWhyDialog::figuresThatDoNotAddUpAreSaid()
{
    ExplainedStage stage{QStringLiteral("pool-3"), 5, 1, {{QStringLiteral("draining"), 4}}};
    QVERIFY(ExplanationText::addsUp(stage));
    QVERIFY(!ExplanationText::stage(stage).contains(QLatin1String("do not add up")));
    stage.considered = 6;
    QVERIFY(ExplanationText::stage(stage).contains(QLatin1String("do not add up")));
}

QTEST_MAIN(TestWhyDialog)
#include "TestWhyDialog.moc"
