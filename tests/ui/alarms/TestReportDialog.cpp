// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/RecordingClient.h"
#include "tests/ui/alarms/AlarmsFleet.h"
#include "ui/shell/ReportDialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QtTest>

using namespace weir;
using namespace weir::ui;

class TestReportDialog : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void newestFirst();
    void savesAndRemembersTheFolder();
    void copies();
    void demoSaysSo();
    void theLastChoiceCounts();
    void withoutIncidents();
    void failuresAreSaid();

private:
    void open(bool demo = false, const QString& folder = {});
    template <typename T>
    T* find(const char* name) const
    {
        return m_dialog->findChild<T*>(QLatin1String(name));
    }
    [[nodiscard]] QString shown() const { return find<QTextBrowser>("report.preview")->toPlainText(); }
    void click(const char* name) { find<QPushButton>(name)->click(); }

    std::unique_ptr<test::RecordingClient> m_client;
    std::unique_ptr<ReportDialog> m_dialog;
    QStringList m_taken;
    QTemporaryDir m_dir;
};

void TestReportDialog::init()
{
    m_client = std::make_unique<test::RecordingClient>();
    m_client->incidents = test::sampleIncidents(m_client->wallMs);
    m_client->reports = {
        {42, QStringLiteral("# Incident 42\n\n| A | B |\n| --- | --- |\n| one | two |\n")}, {41, QStringLiteral("# Incident 41\n")}};
    m_taken.clear();
}

void TestReportDialog::cleanup()
{
    m_dialog.reset();
    m_client.reset();
}

void TestReportDialog::open(bool demo, const QString& folder)
{
    m_dialog = std::make_unique<ReportDialog>(*m_client, demo, folder, nullptr);
    connect(m_dialog.get(), &ReportDialog::taken, this, [this](const QString& sentence) { m_taken.append(sentence); });
}

void TestReportDialog::newestFirst()
{
    open();
    QVERIFY(!find<QPushButton>("report.save")->isEnabled()); // nothing is there yet
    QTRY_VERIFY(shown().startsWith(QStringLiteral("Incident 42")));
    auto* incidents = find<QComboBox>("report.incident");
    QCOMPARE(incidents->count(), 2);
    QVERIFY(incidents->itemText(0).startsWith(QStringLiteral("#42")));
    QVERIFY(!shown().contains(QStringLiteral("---"))); // rendered, not as it is written
    incidents->setCurrentIndex(1);
    QTRY_VERIFY(shown().startsWith(QStringLiteral("Incident 41")));
    m_dialog->choose(42);
    QTRY_VERIFY(shown().startsWith(QStringLiteral("Incident 42")));
    for (const char* name : {"report.incident", "report.preview", "report.save", "report.copy", "report.close"}) {
        QVERIFY2(!find<QWidget>(name)->accessibleName().isEmpty(), name);
    }
}

void TestReportDialog::savesAndRemembersTheFolder()
{
    open(false, m_dir.path());
    QTRY_VERIFY(find<QPushButton>("report.save")->isEnabled());
    QString suggested;
    m_dialog->setFileChooser([&](const QString& path) {
        suggested = path;
        return QString();
    });
    click("report.save");
    QCOMPARE(suggested, m_dir.filePath(QStringLiteral("incident-42.md")));
    QVERIFY(m_taken.isEmpty()); // nothing was chosen
    QVERIFY(QDir(m_dir.path()).mkdir(QStringLiteral("reports")));
    const QString target = m_dir.filePath(QStringLiteral("reports/mine.md"));
    m_dialog->setFileChooser([&](const QString&) { return target; });
    click("report.save");
    QFile file(target);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), m_client->reports.value(42));
    QCOMPARE(m_taken.size(), 1);
    QVERIFY(m_taken.first().contains(target));
    QCOMPARE(m_dialog->folder(), m_dir.filePath(QStringLiteral("reports")));
    QCOMPARE(find<QLabel>("report.result")->text(), m_taken.first());
}

void TestReportDialog::copies()
{
    open();
    QTRY_VERIFY(find<QPushButton>("report.copy")->isEnabled());
    click("report.copy");
    QCOMPARE(QApplication::clipboard()->text(), m_client->reports.value(42));
    QCOMPARE(m_taken.size(), 1);
}

void TestReportDialog::demoSaysSo()
{
    open(true, m_dir.path());
    QTRY_VERIFY(shown().startsWith(QStringLiteral("DEMO")));
    QVERIFY(m_dialog->windowTitle().startsWith(QStringLiteral("DEMO")));
    QString suggested;
    m_dialog->setFileChooser([&](const QString& path) {
        suggested = path;
        return path;
    });
    click("report.save");
    QCOMPARE(QFileInfo(suggested).fileName(), QStringLiteral("DEMO-incident-42.md"));
    QFile file(suggested);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("**DEMO**"));
}

void TestReportDialog::theLastChoiceCounts()
{
    open();
    QTRY_VERIFY(shown().startsWith(QStringLiteral("Incident 42")));
    m_client->answersAtOnce = false;
    find<QComboBox>("report.incident")->setCurrentIndex(1);
    find<QComboBox>("report.incident")->setCurrentIndex(0);
    m_client->answerAll();
    QVERIFY(shown().startsWith(QStringLiteral("Incident 42")));
}

void TestReportDialog::withoutIncidents()
{
    m_client->incidents.clear();
    open();
    QTRY_VERIFY(shown().startsWith(QStringLiteral("There is no incident yet")));
    for (const char* name : {"report.save", "report.copy"}) {
        QVERIFY(!find<QPushButton>(name)->isEnabled());
        QVERIFY(!find<QPushButton>(name)->toolTip().isEmpty());
    }
}

void TestReportDialog::failuresAreSaid()
{
    open(false, m_dir.path());
    QTRY_VERIFY(find<QPushButton>("report.save")->isEnabled());
    m_dialog->setFileChooser([this](const QString&) { return m_dir.filePath(QStringLiteral("no/such/folder/x.md")); });
    click("report.save");
    QVERIFY(m_taken.isEmpty());
    QVERIFY(find<QLabel>("report.result")->text().startsWith(QStringLiteral("Not saved")));
    m_client->refusal = {QStringLiteral("store_failed"), QStringLiteral("The store cannot be read.")};
    find<QComboBox>("report.incident")->setCurrentIndex(1);
    QTRY_COMPARE(shown(), QStringLiteral("The store cannot be read."));
    QVERIFY(!find<QPushButton>("report.save")->isEnabled()); // never the report of another incident
}

QTEST_MAIN(TestReportDialog)
#include "TestReportDialog.moc"
