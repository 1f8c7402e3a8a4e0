// SPDX-License-Identifier: GPL-3.0-or-later
#include "StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

using namespace weir;
using namespace weir::store;

namespace {

/// Reads complete lines for as long as it takes until `count` of them are there; the last one.
QByteArray readLines(QProcess& process, int count)
{
    QByteArray last;
    while (count > 0) {
        if (!process.canReadLine() && !process.waitForReadyRead(30'000)) {
            return {};
        }
        while (process.canReadLine() && count > 0) {
            last = process.readLine().trimmed();
            --count;
        }
    }
    return last;
}

/// The last complete line that a process left behind.
QByteArray lastLine(QProcess& process, QByteArray last)
{
    while (process.canReadLine()) {
        last = process.readLine().trimmed();
    }
    return last;
}

/// Numbers of all events, read in pages, oldest first.
std::vector<std::int64_t> allNumbers(const std::filesystem::path& file)
{
    StoreReader reader(file);
    std::vector<std::int64_t> numbers;
    EventFilter filter;
    filter.newestFirst = false;
    filter.limit = kMostRows;
    for (;;) {
        filter.afterSeq = numbers.empty() ? 0 : numbers.back();
        const auto page = reader.events(filter);
        if (!page || page->empty()) {
            return numbers;
        }
        for (const journal::Event& event : *page) {
            numbers.push_back(event.seq);
        }
    }
}

/// Whether the store holds whole changes only, as store_writer makes them, and no number is missing.
bool isWhole(StoreFixture& fixture)
{
    const std::int64_t last = fixture.store().lastSeq();
    const Result<Snapshot> snapshot = fixture.store().load();
    StoreReader reader(fixture.databaseFile());
    AuditFilter newest;
    newest.limit = 1;
    const auto audit = reader.audit(newest);
    const std::vector<std::int64_t> numbers = allNumbers(fixture.databaseFile());
    if (!snapshot || !audit || static_cast<std::int64_t>(numbers.size()) != last) {
        return false;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != static_cast<std::int64_t>(i) + 1) {
            return false;
        }
    }
    return last % 3 == 0 && snapshot->nodes.at(0).capacity == last / 3 && audit->at(0).id == last / 3 &&
           snapshot->latestPoints.at(0).point.healthy == last / 3;
}

} // namespace

class TestStoreCrash : public QObject {
    Q_OBJECT
private slots:
    void nothingAcknowledgedIsLostWhenTheWriterIsKilled();
    void aFullDiskIsAnErrorThatPasses_data();
    void aFullDiskIsAnErrorThatPasses();
};

void TestStoreCrash::nothingAcknowledgedIsLostWhenTheWriterIsKilled()
{
    StoreFixture fixture;
    const quint32 seed = QRandomGenerator::system()->generate();
    qInfo("seed %u", seed);
    QRandomGenerator random(seed);
    std::int64_t before = 0;
    for (int round = 0; round < 20; ++round) {
        QProcess writer;
        writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        writer.start(QStringLiteral(STORE_WRITER), {QStringLiteral("storm"), QString::fromStdString(fixture.path().string())});
        const QByteArray seen = readLines(writer, random.bounded(1, 400));
        QVERIFY(!seen.isEmpty());
        writer.kill();
        QVERIFY(writer.waitForFinished(30'000));
        QCOMPARE(writer.exitStatus(), QProcess::CrashExit);
        const std::int64_t acknowledged = lastLine(writer, seen).toLongLong();
        QVERIFY(acknowledged > before);
        const Result<void> opened = fixture.open(); // with quick_check
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QVERIFY(fixture.store().lastSeq() >= acknowledged);
        QVERIFY(fixture.store().lastSeq() <= acknowledged + 3); // at most the one that was not yet answered
        QVERIFY(isWhole(fixture));
        before = fixture.store().lastSeq();
        fixture.close();
    }
}

void TestStoreCrash::aFullDiskIsAnErrorThatPasses_data()
{
    QTest::addColumn<QString>("mode");
    QTest::addColumn<QString>("text");
    QTest::newRow("limit of the file size") << QStringLiteral("fill") << QStringLiteral("disk I/O error");
    QTest::newRow("full file system") << QStringLiteral("tmpfs") << QStringLiteral("full");
}

void TestStoreCrash::aFullDiskIsAnErrorThatPasses()
{
    QFETCH(const QString, mode);
    QFETCH(const QString, text);
    StoreFixture fixture;
    std::filesystem::create_directories(fixture.path());
    QProcess writer;
    writer.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    writer.start(QStringLiteral(STORE_WRITER), {mode, QString::fromStdString(fixture.path().string())});
    QVERIFY(writer.waitForFinished(100'000));
    if (writer.exitCode() == 77) {
        QSKIP("mounting is not allowed here");
    }
    const QList<QByteArray> lines = writer.readAllStandardOutput().split('\n');
    QCOMPARE(writer.exitCode(), 0);
    const QList<QByteArray> full = lines.at(0).split(' ');
    QCOMPARE(full.at(0), QByteArray("full"));
    const std::int64_t acknowledged = full.at(1).toLongLong();
    QVERIFY(acknowledged > 100);
    QCOMPARE(full.at(2), QByteArray("store_failed"));
    QVERIFY2(QString::fromUtf8(lines.at(0)).contains(text), lines.at(0).constData());
    QCOMPARE(lines.at(1), QByteArray("again " + QByteArray::number(qlonglong{acknowledged} + 30)));
    if (mode == QStringLiteral("tmpfs")) {
        QCOMPARE(lines.at(2), QByteArray("holds " + QByteArray::number(qlonglong{acknowledged} + 30)));
        return;
    }
    QVERIFY(fixture.open());
    QCOMPARE(fixture.store().lastSeq(), acknowledged + 30);
    QVERIFY(isWhole(fixture));
}

QTEST_GUILESS_MAIN(TestStoreCrash)
#include "TestStoreCrash.moc"
