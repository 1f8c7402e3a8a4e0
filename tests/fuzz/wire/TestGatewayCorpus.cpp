// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that the fuzzers of the gateway's parsers start from, and what they once found.
#include "tests/fuzz/wire/FuzzGateway.h"

#include <QDir>
#include <QFile>
#include <QTest>

class TestGatewayCorpus : public QObject {
    Q_OBJECT

private slots:
    void holds_data();
    void holds();
};

void TestGatewayCorpus::holds_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("file");
    for (const QString& kind : {QStringLiteral("gateway_request"), QStringLiteral("gateway_answer"), QStringLiteral("gateway_body")}) {
        const QDir directory(QStringLiteral(WEIR_SOURCE_DIR "/tests/fuzz/corpus/") + kind);
        const QStringList files = directory.entryList(QDir::Files);
        QVERIFY2(files.size() >= 10, qPrintable(directory.path()));
        for (const QString& file : files) {
            QTest::newRow(qPrintable(kind + QStringLiteral("/") + file)) << kind << directory.filePath(file);
        }
    }
}

void TestGatewayCorpus::holds()
{
    QFETCH(QString, kind);
    QFETCH(QString, file);
    QFile in(file);
    QVERIFY(in.open(QIODevice::ReadOnly));
    const QByteArray bytes = in.readAll();
    QVERIFY(!bytes.isEmpty());
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const auto check = kind == QStringLiteral("gateway_request") ? weir::fuzz::checkGatewayRequest
        : kind == QStringLiteral("gateway_answer")               ? weir::fuzz::checkGatewayAnswer
                                                                 : weir::fuzz::checkGatewayBody;
    // A broken rule ends the program with its name. Every beginning is an input of its own.
    check(text);
    for (std::size_t end = 0; end < text.size() && end < 400; ++end) {
        check(text.substr(0, end));
    }
}

QTEST_APPLESS_MAIN(TestGatewayCorpus)
#include "TestGatewayCorpus.moc"
