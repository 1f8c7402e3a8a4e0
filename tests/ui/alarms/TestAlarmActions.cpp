// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/alarms/AlarmActions.h"

#include <QAction>
#include <QApplication>
#include <QDateTimeEdit>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAlarmActions : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void acknowledges();
    void silencesWithAReason();
    void silencesUntil();
    void endsASilence();
    void refusalsAreShown();
    void disabledWithAReason();

private:
    void target(const QStringList& ids) { m_actions->setTargets(ids); }
    /// Fills the dialog that `action` opens.
    void answerDialog(QAction* action, const std::function<void(QDialog& dialog)>& fill);
    [[nodiscard]] static QPushButton* confirm(const QDialog& dialog)
    {
        return dialog.findChild<QPushButton*>(QStringLiteral("reason.confirm"));
    }
    [[nodiscard]] static QLineEdit* reason(const QDialog& dialog) { return dialog.findChild<QLineEdit*>(QStringLiteral("reason.text")); }
    [[nodiscard]] QString lastCall() const { return m_client->calls.isEmpty() ? QString() : m_client->calls.last(); }

    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    AlarmActions* m_actions = nullptr;
    QStringList m_said;
};

void TestAlarmActions::init()
{
    m_times.setUtc(true);
    m_client = std::make_unique<test::RecordingClient>();
    m_client->role = AccessRole::Operator;
    m_store = std::make_unique<FleetStore>(*m_client);
    m_window = std::make_unique<QWidget>();
    m_actions = new AlarmActions(*m_store, m_times, *m_window);
    m_said.clear();
    connect(m_actions, &AlarmActions::message, this, [this](MessageTone, const QString& text) { m_said.append(text); });
    ChangeBatch batch;
    batch.reset = true;
    batch.alarms = test::sampleAlarms(m_client->wallMs);
    m_client->send(batch);
    m_store->flushNow();
}

void TestAlarmActions::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestAlarmActions::answerDialog(QAction* action, const std::function<void(QDialog& dialog)>& fill)
{
    bool seen = false;
    QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog != nullptr);
        seen = true;
        fill(*dialog);
        if (dialog->isVisible()) {
            dialog->reject();
        }
    });
    action->trigger();
    QVERIFY(seen);
}

void TestAlarmActions::acknowledges()
{
    target({QStringLiteral("2"), QStringLiteral("6"), QStringLiteral("7")}); // firing, acknowledged, cleared
    QVERIFY(m_actions->acknowledge()->isEnabled());
    QCOMPARE(m_actions->acknowledge()->shortcut(), QKeySequence(QStringLiteral("Ctrl+Shift+A")));
    m_actions->acknowledge()->trigger();
    QCOMPARE(m_client->calls, QStringList{QStringLiteral("acknowledge 2")});
    QTRY_COMPARE(m_said.size(), 1);
    QVERIFY2(m_said.first().contains(QStringLiteral("pool-9")), qPrintable(m_said.first()));
}

void TestAlarmActions::silencesWithAReason()
{
    target({QStringLiteral("2")});
    answerDialog(m_actions->silenceHalfHour(), [](QDialog& dialog) {
        QVERIFY(!confirm(dialog)->isEnabled()); // no reason yet
        QVERIFY(dialog.findChild<QDateTimeEdit*>() == nullptr);
        reason(dialog)->setText(QStringLiteral("disk swap"));
        confirm(dialog)->click();
    });
    QCOMPARE(
        lastCall(), QStringLiteral("silence pool_exhausted/origin/pool-9/app-14/ until %1 disk swap").arg(m_client->wallMs + 30 * 60'000));
    answerDialog(m_actions->silenceTwoHours(), [](QDialog& dialog) { dialog.reject(); });
    QCOMPARE(m_client->calls.size(), 1);
    // Two episodes of one condition: one silence.
    AlarmRow again = *m_store->alarm(QStringLiteral("2"));
    again.id = QStringLiteral("12");
    ChangeBatch batch;
    batch.alarms = {again};
    m_client->send(batch);
    m_store->flushNow();
    target({QStringLiteral("2"), QStringLiteral("12")});
    answerDialog(m_actions->silenceTwoHours(), [](QDialog& dialog) {
        reason(dialog)->setText(QStringLiteral("known"));
        confirm(dialog)->click();
    });
    QCOMPARE(m_client->calls.size(), 2);
    QVERIFY(lastCall().contains(QString::number(m_client->wallMs + 120 * 60'000)));
}

void TestAlarmActions::silencesUntil()
{
    target({QStringLiteral("1")});
    const QDateTime end = QDateTime::fromMSecsSinceEpoch(m_client->wallMs - m_client->wallMs % 60'000 + 5 * 3'600'000, Qt::UTC);
    answerDialog(m_actions->silenceUntil(), [&end](QDialog& dialog) {
        auto* until = dialog.findChild<QDateTimeEdit*>(QStringLiteral("silence.until"));
        QVERIFY(until != nullptr);
        QVERIFY(!until->accessibleName().isEmpty());
        until->setDateTime(end);
        reason(dialog)->setText(QStringLiteral("night shift"));
        confirm(dialog)->click();
    });
    QCOMPARE(lastCall(), QStringLiteral("silence node_flapping/worker/pool-4//gpu-01 until %1 night shift").arg(end.toMSecsSinceEpoch()));
}

void TestAlarmActions::endsASilence()
{
    target({QStringLiteral("2")});
    QVERIFY(!m_actions->endSilence()->isEnabled());
    target({QStringLiteral("5")});
    QVERIFY(m_actions->endSilence()->isEnabled());
    m_actions->endSilence()->trigger();
    QCOMPARE(lastCall(), QStringLiteral("end-silence s7"));
}

void TestAlarmActions::refusalsAreShown()
{
    m_client->refusal = {QStringLiteral("alarm_resolved"), QStringLiteral("Alarm 2 is resolved; there is nothing left to acknowledge.")};
    target({QStringLiteral("2")});
    m_actions->acknowledge()->trigger();
    QTRY_COMPARE(m_said.size(), 1);
    QVERIFY(m_said.first().contains(QStringLiteral("nothing left to acknowledge")));
}

void TestAlarmActions::disabledWithAReason()
{
    const auto check = [this](const QString& fragment) {
        for (const QAction* action :
            {m_actions->acknowledge(), m_actions->silenceHalfHour(), m_actions->silenceTwoHours(), m_actions->silenceUntil()}) {
            QVERIFY(!action->isEnabled());
            QVERIFY2(action->toolTip().contains(fragment), qPrintable(action->toolTip()));
            QCOMPARE(action->statusTip(), action->toolTip());
        }
    };
    check(QStringLiteral("Select an alarm"));
    target({QStringLiteral("7")});
    check(QStringLiteral("cleared"));
    target({QStringLiteral("2")});
    m_store->setLocked(true);
    check(QStringLiteral("locked"));
    m_store->setLocked(false);
    m_client->role = AccessRole::Viewer;
    m_actions->refresh();
    check(QStringLiteral("You are viewer"));
    m_client->role = AccessRole::Operator;
    m_client->setState(ControlPlaneClient::State::Stale);
    check(QStringLiteral("Disconnected"));
    m_client->setState(ControlPlaneClient::State::Live);
    QVERIFY(m_actions->acknowledge()->isEnabled());
}

QTEST_MAIN(TestAlarmActions)
#include "TestAlarmActions.moc"
