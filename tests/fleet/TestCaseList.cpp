// SPDX-License-Identifier: GPL-3.0-or-later
// Every case of tests/data/fleet-cases.json is tested under its own name.
#include <QTest>

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

class TestCaseList : public QObject {
    Q_OBJECT

private slots:
    void nothingIsForgotten();

private:
    static QSet<QString> casesOfTheFile();
    static QSet<QString> testedCases();
};

QSet<QString> TestCaseList::casesOfTheFile()
{
    QFile file(QStringLiteral(WEIR_SOURCE_DIR "/tests/data/fleet-cases.json"));
    QSet<QString> ids;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QJsonValue& entry : QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("cases")).toArray()) {
            ids.insert(entry.toObject().value(QLatin1String("id")).toString());
        }
    }
    return ids;
}

// A case is tested where a test function has its name.
QSet<QString> TestCaseList::testedCases()
{
    static const QRegularExpression definition(QStringLiteral("^void Test\\w+::fc(B?\\d+)\\(\\)$"), QRegularExpression::MultilineOption);
    QSet<QString> ids;
    QDirIterator files(QStringLiteral(WEIR_SOURCE_DIR "/tests"), {QStringLiteral("Test*Cases.cpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QString source = QString::fromUtf8(file.readAll());
        for (auto match = definition.globalMatch(source); match.hasNext();) {
            ids.insert(QLatin1String("FC-") + match.next().captured(1));
        }
    }
    return ids;
}

void TestCaseList::nothingIsForgotten()
{
    const QSet<QString> tested = testedCases();
    const QSet<QString> listed = casesOfTheFile();
    QVERIFY(!listed.isEmpty());
    for (const QString& id : listed) {
        QVERIFY2(tested.contains(id), qPrintable(id + QLatin1String(" is not tested")));
    }
    QCOMPARE(tested.size(), listed.size()); // and none that the file does not have
}

QTEST_GUILESS_MAIN(TestCaseList)
#include "TestCaseList.moc"
