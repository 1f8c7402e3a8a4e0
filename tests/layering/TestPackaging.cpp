// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

const QDir kRoot(QStringLiteral(WEIR_SOURCE_DIR));
const QString kId = QStringLiteral("io.github.weir.Weir");

QByteArray read(const QString& path)
{
    QFile file(kRoot.filePath(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Text of every element of this name.
QStringList elements(const QByteArray& xml, const QString& name)
{
    QStringList texts;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == name) {
            texts.append(reader.readElementText(QXmlStreamReader::IncludeChildElements));
        }
    }
    return reader.hasError() ? QStringList() : texts;
}

} // namespace

class TestPackaging : public QObject {
    Q_OBJECT

private slots:
    void theToolsAgree_data();
    void theToolsAgree();
    void entryAndMetainfoBelongTogether();
    void theReleaseIsThisVersion();
    void theIconIsAnSvg();
    void theWorkersUnitIsFineAndTight();
};

void TestPackaging::theToolsAgree_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QStringList>("arguments");
    const QString packaging = kRoot.filePath(QStringLiteral("packaging/"));
    QTest::newRow("desktop entry") << QStringLiteral("desktop-file-validate")
                                   << QStringList{QStringLiteral("--warn-kde"), packaging + kId + QStringLiteral(".desktop")};
    QTest::newRow("AppStream") << QStringLiteral("appstreamcli")
                               << QStringList{QStringLiteral("validate"), QStringLiteral("--no-net"), QStringLiteral("--no-color"),
                                      packaging + kId + QStringLiteral(".metainfo.xml")};
}

void TestPackaging::theToolsAgree()
{
    QFETCH(QString, tool);
    QFETCH(QStringList, arguments);
    if (QStandardPaths::findExecutable(tool).isEmpty()) {
        QSKIP(qPrintable(tool + QStringLiteral(" is not installed")));
    }
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(tool, arguments);
    QVERIFY(process.waitForFinished(60'000));
    const QByteArray output = process.readAll();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, output.constData());
}

void TestPackaging::entryAndMetainfoBelongTogether()
{
    const QString entry = QString::fromUtf8(read(QStringLiteral("packaging/%1.desktop").arg(kId)));
    const QByteArray metainfo = read(QStringLiteral("packaging/%1.metainfo.xml").arg(kId));
    QCOMPARE(elements(metainfo, QStringLiteral("id")).value(0), kId);
    QCOMPARE(elements(metainfo, QStringLiteral("launchable")), QStringList(kId + QStringLiteral(".desktop")));
    QCOMPARE(elements(metainfo, QStringLiteral("project_license")), QStringList(QStringLiteral("GPL-3.0-or-later")));
    QVERIFY(entry.contains(QStringLiteral("\nIcon=%1\n").arg(kId)));
    QVERIFY(entry.contains(QStringLiteral("\nExec=weir\n")));
    QVERIFY(elements(metainfo, QStringLiteral("binary")).contains(QStringLiteral("weir")));
}

void TestPackaging::theReleaseIsThisVersion()
{
    static const QRegularExpression kProject(QStringLiteral(R"(project\(weir VERSION ([0-9.]+))"));
    static const QRegularExpression kRelease(QStringLiteral(R"re(<release version="([0-9.]+)")re"));
    const auto project = kProject.match(QString::fromUtf8(read(QStringLiteral("CMakeLists.txt"))));
    const auto release = kRelease.match(QString::fromUtf8(read(QStringLiteral("packaging/%1.metainfo.xml").arg(kId))));
    QVERIFY(project.hasMatch());
    QVERIFY(release.hasMatch());
    QCOMPARE(release.captured(1), project.captured(1));
}

void TestPackaging::theIconIsAnSvg()
{
    QXmlStreamReader reader(read(QStringLiteral("resources/icons/weir.svg")));
    QVERIFY(reader.readNextStartElement());
    QCOMPARE(reader.name().toString(), QStringLiteral("svg"));
    QVERIFY(reader.attributes().hasAttribute(QLatin1String("viewBox")));
    while (!reader.atEnd()) {
        reader.readNext();
        // An icon is self-contained: nothing is fetched, no script runs.
        QVERIFY(reader.name() != QLatin1String("script"));
        QVERIFY(reader.name() != QLatin1String("image"));
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

void TestPackaging::theWorkersUnitIsFineAndTight()
{
    const QString analyze = QStandardPaths::findExecutable(QStringLiteral("systemd-analyze"));
    if (analyze.isEmpty()) {
        QSKIP("systemd-analyze is not installed");
    }
    QByteArray unit = read(QStringLiteral("packaging/weir-worker.service.in"));
    QVERIFY(unit.contains("ExecStart=@CMAKE_INSTALL_FULL_BINDIR@/weir-worker --config "));
    unit.replace("@CMAKE_INSTALL_FULL_BINDIR@/weir-worker", "/bin/true"); // one that is there
    const QTemporaryDir scratch;
    QFile file(scratch.filePath(QStringLiteral("weir-worker.service")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(unit);
    file.close();
    for (const QStringList& arguments : {QStringList{QStringLiteral("verify")}, QStringList{QStringLiteral("security"), QStringLiteral("--offline=true"), QStringLiteral("--threshold=20")}}) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(analyze, arguments + QStringList{file.fileName()});
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray output = process.readAll();
        QVERIFY2(process.exitCode() == 0, output.constData());
    }
}

QTEST_GUILESS_MAIN(TestPackaging)
#include "TestPackaging.moc"
