// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/apps/AppsFleet.h"
#include "ui/live/TimeDisplay.h"
#include "ui/pages/apps/AppActions.h"
#include "ui/pages/apps/BindingDialog.h"
#include "ui/pages/apps/OwnerDialog.h"
#include "ui/pages/apps/PreviewTableModel.h"
#include "ui/widgets/Theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestAppDialogs : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void cancelIsTheDefault();
    void poolsOffered();
    void showsBeforeAndAfter();
    void previewIsLive();
    void fallbackSwitch();
    void confirmCallsExactly();
    void enterChangesNothing();
    void removesABinding();
    void ownersOfSeveral();
    void offForOtherRoles();
    void refusalIsTold();

private:
    /// Runs `action` and hands the dialog that it opens to `play`.
    void run(QAction* action, const std::function<void(QDialog&)>& play);
    [[nodiscard]] QStringList commands() const;
    static QPushButton* button(QDialog& dialog, const char* name) { return dialog.findChild<QPushButton*>(dialog.objectName() + QLatin1Char('.') + QLatin1String(name)); }

    Theme m_theme;
    TimeDisplay m_times;
    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<FleetStore> m_store;
    std::unique_ptr<QWidget> m_window;
    AppActions* m_actions = nullptr;
};

void TestAppDialogs::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_store = std::make_unique<FleetStore>(*m_client);
    m_client->bindingPreview.rows = {{QStringLiteral("app-2"), Role::Origin, QStringLiteral("pool-1"), {0, 0, AppVerdict::FailsClosed, 0}, {2, 160, AppVerdict::Ok, 0}, true},
        {QStringLiteral("app-2"), Role::Edge, QStringLiteral("pool-1"), {8, 640, AppVerdict::Ok, 0}, {6, 480, AppVerdict::Ok, 0}, true},
        {QStringLiteral("app-2"), Role::Worker, QStringLiteral("pool-1"), {}, {}, false}};
    m_client->send(test::appsFleet());
    m_store->flushNow();
    m_window = std::make_unique<QWidget>();
    m_actions = new AppActions(*m_store, m_times, m_theme, *m_window);
    m_actions->setTargets({QStringLiteral("app-2")});
}

void TestAppDialogs::cleanup()
{
    m_window.reset();
    m_store.reset();
    m_client.reset();
}

void TestAppDialogs::run(QAction* action, const std::function<void(QDialog&)>& play)
{
    bool played = false;
    QTimer::singleShot(0, this, [&] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (dialog != nullptr) {
            QTRY_VERIFY(dialog->findChild<QWidget*>() != nullptr);
            QTest::qWait(1); // the preview answers by the event loop
            play(*dialog);
            played = true;
            if (dialog->isVisible()) {
                dialog->reject();
            }
        }
    });
    action->trigger();
    QVERIFY(played);
    QCoreApplication::processEvents();
}

QStringList TestAppDialogs::commands() const
{
    QStringList commands;
    for (const QString& call : m_client->calls) {
        if (!call.startsWith(QLatin1String("preview-binding"))) {
            commands.append(call);
        }
    }
    return commands;
}

void TestAppDialogs::cancelIsTheDefault()
{
    BindingDialog bind(*m_store, m_theme, BindingDialog::Mode::Bind, QStringLiteral("app-2"), nullptr);
    BindingDialog unbind(*m_store, m_theme, BindingDialog::Mode::Remove, QStringLiteral("app-12"), nullptr);
    OwnerDialog owner(*m_store, m_theme, {QStringLiteral("news")}, nullptr);
    for (QDialog* dialog : {static_cast<QDialog*>(&bind), static_cast<QDialog*>(&unbind), static_cast<QDialog*>(&owner)}) {
        QPushButton* cancel = button(*dialog, "cancel");
        QPushButton* confirm = button(*dialog, "confirm");
        QVERIFY(cancel->isDefault() && !confirm->isDefault() && !confirm->autoDefault());
        dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        QTRY_VERIFY(cancel->hasFocus());
        QVERIFY(!confirm->accessibleName().isEmpty());
        dialog->hide(); // modal: the next one would never become active
    }
    QCOMPARE(button(unbind, "confirm")->text(), QStringLiteral("Remove binding of app-12"));
}

void TestAppDialogs::poolsOffered()
{
    BindingDialog dialog(*m_store, m_theme, BindingDialog::Mode::Bind, QStringLiteral("app-2"), nullptr);
    auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
    QStringList ids;
    for (int i = 0; i < pool->count(); ++i) {
        ids.append(pool->itemData(i).toString());
    }
    QCOMPARE(ids, (QStringList{QStringLiteral("default"), QStringLiteral("pool-1"), QStringLiteral("pool-2"), QStringLiteral("pool-7"), QStringLiteral("pool-10")}));
    QCOMPARE(dialog.pool(), QStringLiteral("pool-1")); // where it is now
    bool told = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>()) {
        told = told || label->text().startsWith(QLatin1String("unassigned is not offered"));
    }
    QVERIFY(told);
}

void TestAppDialogs::showsBeforeAndAfter()
{
    BindingDialog dialog(*m_store, m_theme, BindingDialog::Mode::Bind, QStringLiteral("app-2"), nullptr);
    QTRY_COMPARE(dialog.preview().rowCount(), 2); // the role without nodes is left out
    const auto cell = [&dialog](int row, int column) { return dialog.preview().index(row, column).data().toString(); };
    QCOMPARE(cell(0, PreviewTableModel::Role), QStringLiteral("origin"));
    QCOMPARE(cell(0, PreviewTableModel::AvailableBefore), QStringLiteral("0"));
    QCOMPARE(cell(0, PreviewTableModel::AvailableAfter), QStringLiteral("2"));
    QCOMPARE(cell(0, PreviewTableModel::FreeAfter), QStringLiteral("160"));
    QCOMPARE(cell(0, PreviewTableModel::VerdictBefore), QStringLiteral("Fails closed"));
    QCOMPARE(cell(0, PreviewTableModel::VerdictAfter), QStringLiteral("OK"));
}

void TestAppDialogs::previewIsLive()
{
    BindingDialog dialog(*m_store, m_theme, BindingDialog::Mode::Bind, QStringLiteral("app-2"), nullptr);
    QTRY_COMPARE(dialog.preview().rowCount(), 2);
    QCOMPARE(m_client->calls.last(), QStringLiteral("preview-binding app-2 pool-1 0"));
    m_client->calls.clear();
    auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
    pool->setCurrentIndex(pool->findData(QStringLiteral("pool-7")));
    QCOMPARE(m_client->calls, QStringList{QStringLiteral("preview-binding app-2 pool-7 0")});
    QCoreApplication::processEvents();
    // And again when the fleet changes.
    m_client->bindingPreview.rows[0].after.candidates = 1;
    ChangeBatch batch;
    batch.summary = m_store->summary();
    batch.pools = {*m_store->pool(QStringLiteral("pool-7"))};
    m_client->send(batch);
    m_store->flushNow();
    QTRY_COMPARE(dialog.preview().index(0, PreviewTableModel::AvailableAfter).data().toString(), QStringLiteral("1"));
}

void TestAppDialogs::fallbackSwitch()
{
    BindingDialog dialog(*m_store, m_theme, BindingDialog::Mode::Bind, QStringLiteral("app-12"), nullptr);
    auto* fallback = dialog.findChild<QCheckBox*>(QStringLiteral("binding.fallback"));
    QVERIFY(fallback->isChecked()); // as it is bound
    QCOMPARE(fallback->text(), QStringLiteral("If pool-7 has no candidate, use shared pool default (recorded, breaks isolation)"));
    QVERIFY(!button(dialog, "confirm")->isEnabled()); // nothing would change
    QVERIFY(button(dialog, "confirm")->toolTip().contains(QStringLiteral("already")));
    fallback->setChecked(false);
    QVERIFY(button(dialog, "confirm")->isEnabled());
    auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
    fallback->setChecked(true);
    pool->setCurrentIndex(pool->findData(QStringLiteral("default")));
    QVERIFY(!fallback->isEnabled() && !fallback->toolTip().isEmpty());
    QVERIFY(!dialog.allowFallback());
}

void TestAppDialogs::confirmCallsExactly()
{
    QSignalSpy messages(m_actions, &AppActions::message);
    run(m_actions->bind(), [](QDialog& dialog) {
        auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
        pool->setCurrentIndex(pool->findData(QStringLiteral("pool-7")));
        dialog.findChild<QCheckBox*>(QStringLiteral("binding.fallback"))->setChecked(true);
        QCOMPARE(button(dialog, "confirm")->text(), QStringLiteral("Bind app-2 to pool-7"));
        button(dialog, "confirm")->click();
    });
    QCOMPARE(commands(), QStringList{QStringLiteral("bind app-2 pool-7 1")});
    QTRY_COMPARE(messages.size(), 1);
    QCOMPARE(messages.first().at(1).toString(), QStringLiteral("app-2 is bound to pool-7."));
}

void TestAppDialogs::enterChangesNothing()
{
    run(m_actions->bind(), [](QDialog& dialog) {
        auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
        pool->setCurrentIndex(pool->findData(QStringLiteral("pool-7")));
        QTest::keyClick(pool, Qt::Key_Return);
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
        QVERIFY(!dialog.isVisible());
    });
    QCOMPARE(commands(), QStringList());
}

void TestAppDialogs::removesABinding()
{
    QVERIFY(!m_actions->removeBinding()->isEnabled());
    QCOMPARE(m_actions->removeBinding()->toolTip(), QStringLiteral("app-2 has no binding."));
    m_actions->setTargets({QStringLiteral("app-12")});
    run(m_actions->removeBinding(), [](QDialog& dialog) { button(dialog, "confirm")->click(); });
    QCOMPARE(commands(), QStringList{QStringLiteral("unbind app-12")});
    QVERIFY(m_client->calls.contains(QStringLiteral("preview-binding app-12  0")));
}

void TestAppDialogs::ownersOfSeveral()
{
    m_actions->setTargets({QStringLiteral("news"), QStringLiteral("app-5")});
    QVERIFY(!m_actions->bind()->isEnabled()); // a binding is for one app
    run(m_actions->setOwner(), [](QDialog& dialog) {
        QVERIFY(!button(dialog, "confirm")->isEnabled() || dialog.findChild<QComboBox*>(QStringLiteral("owner.user"))->currentIndex() == 0);
        auto* user = dialog.findChild<QComboBox*>(QStringLiteral("owner.user"));
        user->setCurrentIndex(user->findData(QStringLiteral("1")));
        QCOMPARE(button(dialog, "confirm")->text(), QStringLiteral("Set owner of news, app-5 to user 1"));
        button(dialog, "confirm")->click();
    });
    QCOMPARE(commands(), (QStringList{QStringLiteral("owner news 1"), QStringLiteral("owner app-5 1")}));
    // User 1 has no node in this store, so their pool would let apps fall back.
    QVERIFY(m_client->calls.contains(QStringLiteral("preview-binding news pool-1 1")));
}

void TestAppDialogs::offForOtherRoles()
{
    for (const AccessRole role : {AccessRole::Viewer, AccessRole::Operator}) {
        m_client->role = role;
        m_actions->refresh();
        QVERIFY(!m_actions->bind()->isEnabled() && !m_actions->setOwner()->isEnabled());
        QVERIFY(m_actions->bind()->toolTip().endsWith(QStringLiteral("this needs superadmin.")));
        BindingDialog dialog(*m_store, m_theme, BindingDialog::Mode::Remove, QStringLiteral("app-12"), nullptr);
        QVERIFY(!button(dialog, "confirm")->isEnabled());
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("unbind.dialog.note"))->text().contains(QStringLiteral("superadmin")));
    }
}

void TestAppDialogs::refusalIsTold()
{
    QSignalSpy messages(m_actions, &AppActions::message);
    run(m_actions->bind(), [this](QDialog& dialog) {
        auto* pool = dialog.findChild<QComboBox*>(QStringLiteral("binding.pool"));
        pool->setCurrentIndex(pool->findData(QStringLiteral("pool-2")));
        m_client->refusal = {QStringLiteral("store_failed"), QStringLiteral("The disk is full."), {}, {}, {}};
        button(dialog, "confirm")->click();
    });
    QTRY_COMPARE(messages.size(), 1);
    QCOMPARE(messages.first().at(0).value<MessageTone>(), MessageTone::Refused);
    QCOMPARE(messages.first().at(1).toString(), QStringLiteral("The disk is full."));
}

QTEST_MAIN(TestAppDialogs)
#include "TestAppDialogs.moc"
