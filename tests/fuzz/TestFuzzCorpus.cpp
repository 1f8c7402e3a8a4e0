// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs that the fuzz targets begin with, each run once: what was found there stays found.
#include "tests/fuzz/FuzzCondition.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <string>

class TestFuzzCorpus : public QObject {
    Q_OBJECT

private slots:
    void condition_data() { rows("condition"); }
    void condition();

private:
    static void rows(const char* target);
};

void TestFuzzCorpus::rows(const char* target)
{
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(WEIR_SOURCE_DIR "/tests/fuzz/corpus/") + QLatin1String(target));
    const QStringList names = folder.entryList(QDir::Files);
    QVERIFY(names.size() >= 10);
    for (const QString& name : names) {
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
}

void TestFuzzCorpus::condition()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    // Aborts where something is wrong; that it comes back is the test.
    weir::fuzz::fuzzCondition(file.readAll().toStdString());
    QVERIFY(file.size() > 0);
}

QTEST_GUILESS_MAIN(TestFuzzCorpus)
#include "TestFuzzCorpus.moc"
