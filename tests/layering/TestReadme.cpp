// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

namespace {

const QDir kRoot(QStringLiteral(WEIR_SOURCE_DIR));

QString read(const QString& path)
{
    QFile file(kRoot.filePath(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

struct Run {
    int exitCode = -1;
    QString out;
    QString err;
};

Run run(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(kRoot.path());
    process.start(program, arguments);
    process.closeWriteChannel();
    if (!process.waitForFinished(30'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return {};
    }
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

// Every X of a "./dev X" in a text.
QSet<QString> commandsIn(const QString& text)
{
    static const QRegularExpression kCommand(QStringLiteral(R"(\./dev\s+([a-z]+))"));
    QSet<QString> commands;
    for (auto it = kCommand.globalMatch(text); it.hasNext();) {
        commands.insert(it.next().captured(1));
    }
    return commands;
}

// What the usage of ./dev offers.
QSet<QString> offered(const QString& usage)
{
    static const QRegularExpression kLine(QStringLiteral(R"(^  ([a-z]+) )"), QRegularExpression::MultilineOption);
    QSet<QString> commands;
    for (auto it = kLine.globalMatch(usage); it.hasNext();) {
        commands.insert(it.next().captured(1));
    }
    return commands;
}

// The fenced blocks of one language.
QStringList blocks(const QString& text, const QString& language)
{
    const QRegularExpression fence(QStringLiteral("^```%1\\n(.*?)^```$").arg(language),
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    QStringList found;
    for (auto it = fence.globalMatch(text); it.hasNext();) {
        found.append(it.next().captured(1));
    }
    return found;
}

} // namespace

class TestReadme : public QObject {
    Q_OBJECT

private slots:
    void devRefusesWhatItDoesNotKnow();
    void devOffersEachCommandOnce();
    void documentsNameCommandsThatExist_data();
    void documentsNameCommandsThatExist();
    void linksLeadSomewhere_data();
    void linksLeadSomewhere();
    void theConfigurationIsAccepted();
};

void TestReadme::devRefusesWhatItDoesNotKnow()
{
    for (const QStringList& arguments :
        {QStringList{QStringLiteral("nonsense")}, QStringList{}, QStringList{QStringLiteral("fuzz"), QStringLiteral("soon")}}) {
        const Run result = run(kRoot.filePath(QStringLiteral("dev")), arguments);
        QCOMPARE(result.exitCode, 2);
        QVERIFY(!result.err.isEmpty());
        QCOMPARE(result.out, QString());
    }
}

void TestReadme::devOffersEachCommandOnce()
{
    const QString script = read(QStringLiteral("dev"));
    const Run help = run(kRoot.filePath(QStringLiteral("dev")), {QStringLiteral("help")});
    QCOMPARE(help.exitCode, 0);
    const QSet<QString> commands = offered(help.out);
    QVERIFY(commands.contains(QStringLiteral("test")));
    // Each is a function and a word of the case that calls it.
    const QString cases = script.section(QStringLiteral("case ${1:-} in\nsetup"), 1).section(QLatin1Char(')'), 0, 0);
    for (const QString& command : commands) {
        QCOMPARE(script.count(QStringLiteral("\ndo_%1() {").arg(command)), 1);
        QVERIFY2(command == QLatin1String("setup") || cases.contains(QStringLiteral("| %1").arg(command)), qPrintable(command));
    }
}

void TestReadme::documentsNameCommandsThatExist_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("mustName");
    QTest::newRow("README") << QStringLiteral("README.md") << QStringList{QStringLiteral("demo"), QStringLiteral("test")};
    QTest::newRow("CONTRIBUTING") << QStringLiteral("CONTRIBUTING.md") << QStringList{QStringLiteral("test"), QStringLiteral("lint")};
    QTest::newRow("architecture") << QStringLiteral("docs/architecture.md") << QStringList{};
    QTest::newRow("benchmarks") << QStringLiteral("docs/benchmarks.md") << QStringList{QStringLiteral("bench")};
    QTest::newRow("security") << QStringLiteral("docs/security.md") << QStringList{};
}

void TestReadme::documentsNameCommandsThatExist()
{
    QFETCH(QString, path);
    QFETCH(QStringList, mustName);
    const QString text = read(path);
    QVERIFY2(!text.isEmpty(), qPrintable(path));
    const QSet<QString> commands = offered(run(kRoot.filePath(QStringLiteral("dev")), {QStringLiteral("help")}).out);
    const QSet<QString> named = commandsIn(text);
    for (const QString& command : named) {
        QVERIFY2(commands.contains(command), qPrintable(path + QStringLiteral(" names ./dev ") + command));
    }
    for (const QString& command : mustName) {
        QVERIFY2(named.contains(command), qPrintable(path + QStringLiteral(" does not name ./dev ") + command));
    }
}

void TestReadme::linksLeadSomewhere_data()
{
    QTest::addColumn<QString>("path");
    for (const char* path : {"README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/benchmarks.md", "docs/operations.md", "docs/security.md"}) {
        QTest::newRow(path) << QString::fromLatin1(path);
    }
}

void TestReadme::linksLeadSomewhere()
{
    QFETCH(QString, path);
    // Links only: pictures are made by the program and may be absent from a tree that has never been built.
    static const QRegularExpression kLink(QStringLiteral(R"((?<!!)\[[^\]]*\]\(([^)#\s]+))"));
    const QDir folder = QFileInfo(kRoot.filePath(path)).dir();
    for (auto it = kLink.globalMatch(read(path)); it.hasNext();) {
        const QString target = it.next().captured(1);
        if (!target.contains(QStringLiteral("://"))) {
            QVERIFY2(folder.exists(target), qPrintable(path + QStringLiteral(" links to ") + target));
        }
    }
}

void TestReadme::theConfigurationIsAccepted()
{
    const QStringList files = blocks(read(QStringLiteral("README.md")), QStringLiteral("json"));
    QVERIFY2(!files.isEmpty(), "README shows no configuration file");
    const QByteArray text = files.first().toUtf8();
    QVERIFY(QJsonDocument::fromJson(text).isObject());
#ifdef WEIR_HAS_SERVER
    const QTemporaryDir scratch;
    QFile file(scratch.filePath(QStringLiteral("weir.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const Run check = run(QStringLiteral(WEIR_BIN_DIR "/weir-server"), {QStringLiteral("check-config"), file.fileName()});
    QVERIFY2(check.exitCode == 0, qPrintable(check.out + check.err));
    QCOMPARE(check.out.trimmed(), QStringLiteral("ok"));
#endif
}

QTEST_GUILESS_MAIN(TestReadme)
#include "TestReadme.moc"
