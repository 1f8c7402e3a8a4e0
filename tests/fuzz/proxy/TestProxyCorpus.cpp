// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the fuzzer of PROXY headers starts from, and what it once found.
#include "FuzzProxyHeader.h"

#include <QDir>
#include <QFile>
#include <QTest>

class TestProxyCorpus : public QObject {
    Q_OBJECT

private slots:
    void holds_data();
    void holds();
};

void TestProxyCorpus::holds_data()
{
    QTest::addColumn<QString>("file");
    const QDir directory(QStringLiteral(WEIR_SOURCE_DIR "/tests/fuzz/corpus/proxy_header"));
    const QStringList files = directory.entryList(QDir::Files);
    QVERIFY2(files.size() >= 10, qPrintable(directory.path()));
    for (const QString& file : files) {
        QTest::newRow(qPrintable(file)) << directory.filePath(file);
    }
}

void TestProxyCorpus::holds()
{
    QFETCH(QString, file);
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray bytes = in.readAll();
    QVERIFY(!bytes.isEmpty());
    // A broken rule ends the program with its name.
    weir::fuzz::checkProxyHeader({bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QTEST_APPLESS_MAIN(TestProxyCorpus)
#include "TestProxyCorpus.moc"
