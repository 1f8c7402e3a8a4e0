// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/modules/AccessEntry.h"
#include "core/gateway/modules/AccessLog.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace weir;
using namespace weir::gateway;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestAccessLog : public QObject {
    Q_OBJECT

private slots:
    void aLine();
    void oddTexts();
    void linesOfManyThreads();
    void rotatesBySize();
    void reopensAFileThatWasMoved();
    void dropsWhatTheDiskDoesNotTake();
    void aPathThatCannotBeOpened();

private:
    static AccessLog::Options optionsFor(const QTemporaryDir& dir)
    {
        AccessLog::Options options;
        options.path = dir.filePath(QStringLiteral("access.log")).toStdString();
        return options;
    }
};

void TestAccessLog::aLine()
{
    AccessEntry entry;
    entry.time = WallTime(std::chrono::milliseconds(1700000000123));
    entry.requestId = "r1";
    entry.client = "10.0.0.7";
    entry.app = "demo";
    entry.method = "POST";
    entry.path = "/v1/images";
    entry.node = "gpu-2";
    const std::array tries{
        AccessTry{"gpu-1", "refused", std::chrono::milliseconds(2)}, AccessTry{"gpu-2", "200", std::chrono::milliseconds(31)}};
    entry.tries = tries;
    entry.status = 200;
    entry.bytesIn = 10;
    entry.bytesOut = 20;
    entry.stages = {std::chrono::microseconds(5), std::chrono::microseconds(6), Duration(-1), std::chrono::microseconds(7),
        std::chrono::microseconds(8), std::chrono::microseconds(9)};
    entry.outcome = "ok";
    std::string line;
    appendAccessLine(line, entry);
    QVERIFY(line.ends_with("}\n"));
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
    QCOMPARE(json.value(QLatin1String("time")).toString(), QStringLiteral("2023-11-14T22:13:20.123Z"));
    QCOMPARE(json.value(QLatin1String("app")).toString(), QStringLiteral("demo"));
    QCOMPARE(json.value(QLatin1String("tries")).toArray().size(), 2);
    QCOMPARE(json.value(QLatin1String("tries")).toArray().at(1).toObject().value(QLatin1String("ms")).toInt(), 31);
    QCOMPARE(json.value(QLatin1String("status")).toInt(), 200);
    QCOMPARE(json.value(QLatin1String("bytes_out")).toInt(), 20);
    const QJsonObject stages = json.value(QLatin1String("us")).toObject();
    QCOMPARE(stages.keys(),
        (QStringList{
            QStringLiteral("body"), QStringLiteral("connect"), QStringLiteral("head"), QStringLiteral("header"), QStringLiteral("route")}));
}

void TestAccessLog::oddTexts()
{
    AccessEntry entry;
    entry.path = std::string_view("/\"\\\n\0\xFF\xC3\xA4\x7f", 9);
    const std::string longHost(5000, 'h');
    entry.host = longHost;
    std::string line;
    appendAccessLine(line, entry);
    QCOMPARE(std::count(line.begin(), line.end(), '\n'), 1);
    QJsonParseError error;
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(line), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(json.value(QLatin1String("host")).toString().size(), 2048);
    QVERIFY(json.value(QLatin1String("path")).toString().startsWith(QStringLiteral("/\"\\\n")));
}

void TestAccessLog::linesOfManyThreads()
{
    const QTemporaryDir dir;
    {
        auto log = AccessLog::open(optionsFor(dir));
        QVERIFY(log);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&log] {
                for (int i = 0; i < 1000; ++i) {
                    (*log)->write("{\"a\":1}\n");
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    } // the end writes what waits
    const QByteArray content = contentOf(dir.filePath(QStringLiteral("access.log")));
    QCOMPARE(content.count("{\"a\":1}\n"), 4000);
    QCOMPARE(content.size(), qsizetype(4000 * 8));
}

void TestAccessLog::rotatesBySize()
{
    const QTemporaryDir dir;
    AccessLog::Options options = optionsFor(dir);
    options.rotateBytes = 100;
    options.keep = 2;
    std::uint64_t rotated = 0;
    {
        auto log = AccessLog::open(options);
        for (int i = 0; i < 100; ++i) {
            QVERIFY((*log)->write("123456789\n"));
        }
        QTRY_COMPARE((*log)->written(), std::uint64_t{100});
        rotated = (*log)->rotated();
    }
    QVERIFY2(rotated >= 8 && rotated <= 10, qPrintable(QString::number(rotated)));
    QVERIFY(!QFile::exists(dir.filePath(QStringLiteral("access.log.3"))));
    for (const QString& name : {QStringLiteral("access.log"), QStringLiteral("access.log.1"), QStringLiteral("access.log.2")}) {
        const QByteArray content = contentOf(dir.filePath(name));
        QVERIFY2(content.size() <= 110 && content.size() % 10 == 0, qPrintable(name)); // whole lines
    }
}

void TestAccessLog::reopensAFileThatWasMoved()
{
    const QTemporaryDir dir;
    auto log = AccessLog::open(optionsFor(dir));
    (*log)->write("one\n");
    QTRY_COMPARE((*log)->written(), std::uint64_t{1});
    QVERIFY(QFile::rename(dir.filePath(QStringLiteral("access.log")), dir.filePath(QStringLiteral("moved"))));
    (*log)->reopen();
    QTRY_VERIFY(QFile::exists(dir.filePath(QStringLiteral("access.log"))));
    (*log)->write("two\n");
    QTRY_COMPARE(contentOf(dir.filePath(QStringLiteral("access.log"))), QByteArray("two\n"));
    QCOMPARE(contentOf(dir.filePath(QStringLiteral("moved"))), QByteArray("one\n"));
}

void TestAccessLog::dropsWhatTheDiskDoesNotTake()
{
    const QTemporaryDir dir;
    AccessLog::Options options = optionsFor(dir);
    options.mostWaiting = 10;
    auto log = AccessLog::open(options);
    QVERIFY(!(*log)->write("longer than ten bytes\n"));
    QCOMPARE((*log)->dropped(), std::uint64_t{1});
    QVERIFY((*log)->write("short\n"));
    QTRY_COMPARE((*log)->written(), std::uint64_t{1});
}

void TestAccessLog::aPathThatCannotBeOpened()
{
    const QTemporaryDir dir;
    AccessLog::Options options;
    options.path = dir.filePath(QStringLiteral("no/such/folder/access.log")).toStdString();
    const auto log = AccessLog::open(options);
    QVERIFY(!log);
    QCOMPARE(log.error().code, std::string("log_failed"));
    // A device that takes nothing: what is lost is counted.
    options.path = "/dev/full";
    options.rotateBytes = 0;
    auto full = AccessLog::open(options);
    QVERIFY(full);
    (*full)->write("a\n");
    QTRY_COMPARE((*full)->dropped(), std::uint64_t{1});
}

QTEST_GUILESS_MAIN(TestAccessLog)
#include "TestAccessLog.moc"
