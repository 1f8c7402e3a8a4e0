// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the fuzzers start from, and what they once found.
#include "FuzzWire.h"

#include <QDir>
#include <QFile>
#include <QTest>

class TestWireCorpus : public QObject {
    Q_OBJECT

private slots:
    void holds_data();
    void holds();
};

void TestWireCorpus::holds_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("file");
    for (const QString& kind : {QStringLiteral("http_request"), QStringLiteral("probe_answer"), QStringLiteral("health_body")}) {
        const QDir directory(QStringLiteral(WEIR_SOURCE_DIR "/tests/fuzz/corpus/") + kind);
        const QStringList files = directory.entryList(QDir::Files);
        QVERIFY2(files.size() >= 5, qPrintable(directory.path()));
        for (const QString& file : files) {
            QTest::newRow(qPrintable(kind + QStringLiteral("/") + file)) << kind << directory.filePath(file);
        }
    }
}

void TestWireCorpus::holds()
{
    QFETCH(QString, kind);
    QFETCH(QString, file);
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray bytes = in.readAll();
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    // A broken rule ends the program with its name.
    if (kind == QStringLiteral("http_request")) {
        weir::fuzz::checkHttpRequest(text);
    } else if (kind == QStringLiteral("probe_answer")) {
        weir::fuzz::checkProbeAnswer(text);
    } else {
        weir::fuzz::checkHealthBody(text);
    }
    // And none of it depends on where the bytes end: every beginning is an input of its own.
    const std::string_view half = text.substr(0, text.size() / 2);
    weir::fuzz::checkHttpRequest(half);
    weir::fuzz::checkProbeAnswer(half);
    weir::fuzz::checkHealthBody(half);
}

QTEST_APPLESS_MAIN(TestWireCorpus)
#include "TestWireCorpus.moc"
