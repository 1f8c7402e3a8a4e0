// SPDX-License-Identifier: GPL-3.0-or-later
// Every case of tests/data/fleet-cases.json is tested under its own name, or named below with the part that it belongs to.
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
    void elsewhere_data();
    void elsewhere();
    void nothingIsForgotten();

private:
    static QSet<QString> casesOfTheFile();
    static QSet<QString> testedHere();
    static QMap<QString, QStringList> partsOfOthers();
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
QSet<QString> TestCaseList::testedHere()
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

QMap<QString, QStringList> TestCaseList::partsOfOthers()
{
    const auto ids = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    return {
        {QStringLiteral("journal"), ids("FC-063 FC-066 FC-069 FC-112 FC-113")},
        {QStringLiteral("console"), ids("FC-111")},
    };
}

void TestCaseList::elsewhere_data()
{
    QTest::addColumn<QStringList>("ids");
    const auto parts = partsOfOthers();
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        QTest::newRow(qPrintable(part.key())) << part.value();
    }
}

// What is left to another part is a case of the file, and not tested here after all.
void TestCaseList::elsewhere()
{
    QFETCH(QStringList, ids);
    const QSet<QString> listed = casesOfTheFile();
    const QSet<QString> here = testedHere();
    for (const QString& id : ids) {
        QVERIFY2(listed.contains(id), qPrintable(id));
        QVERIFY2(!here.contains(id), qPrintable(id));
    }
}

void TestCaseList::nothingIsForgotten()
{
    QSet<QString> known = testedHere();
    qsizetype count = known.size();
    for (const QStringList& ids : partsOfOthers()) {
        count += ids.size();
        known.unite(QSet<QString>(ids.begin(), ids.end()));
    }
    const QSet<QString> listed = casesOfTheFile();
    QVERIFY(!listed.isEmpty());
    for (const QString& id : listed) {
        QVERIFY2(known.contains(id), qPrintable(id + QLatin1String(" is in no list")));
    }
    QCOMPARE(count, listed.size()); // none twice, and none that the file does not have
}

QTEST_GUILESS_MAIN(TestCaseList)
#include "TestCaseList.moc"
