// SPDX-License-Identifier: GPL-3.0-or-later
// The stored audit: chained, checked, brought forward, pruned only after its export; and copies of the whole store.
#include "StoreFixture.h"

#include "core/store/AuditCheck.h"
#include "core/store/AuditTable.h"
#include "core/store/Backup.h"
#include "core/store/StoreReader.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <fstream>

#include <sys/stat.h>

using namespace weir;
using namespace weir::store;
using namespace std::chrono_literals;

namespace {

std::vector<AuditRow> rowsOf(int count, WallTime at = kStart)
{
    std::vector<AuditRow> rows;
    for (int i = 0; i < count; ++i) {
        AuditRow row;
        row.at = at + i * 1s;
        row.actor = "token:a";
        row.action = "node.move";
        row.target = "gpu-" + std::to_string(i);
        row.before = "{\"pool\":\"default\"}";
        row.outcome = "done";
        rows.push_back(row);
    }
    return rows;
}

Result<void> append(Store& store, std::vector<AuditRow> rows)
{
    return store.inTransaction([&](Writer& writer) { return writer.appendAudit(rows); });
}

// Behind the store's back.
bool execIn(const std::filesystem::path& file, const QString& sql)
{
    bool done = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("forge"));
        database.setDatabaseName(QString::fromStdString(file.string()));
        if (database.open()) {
            QSqlQuery query(database);
            done = query.exec(sql);
            if (!done) {
                qWarning("%s", qPrintable(query.lastError().text()));
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("forge"));
    return done;
}

std::string verdict(const std::filesystem::path& file, const std::optional<journal::AuditChain::Head>& expected = {})
{
    const auto report = checkAudit(file, expected);
    return report ? "holds, " + std::to_string(report->rows) + " rows" : report.error().code + ": " + report.error().message;
}

} // namespace

class TestAudit : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenHolds();
    void forgeriesAreNamed_data();
    void forgeriesAreNamed();
    void aNotedHeadShowsACutTail();
    void rolledBackRowsLeaveNoTrace();
    void olderRowsAreChained();
    void onlyWhatWasExportedIsPruned();
    void aBackupIsWholeAndPrivate();
    void aBackupTakesNoFilesPlace();
    void restoringKeepsTheOld();
    void whatIsNoBackupIsRefused_data();
    void whatIsNoBackupIsRefused();
};

void TestAudit::whatIsWrittenHolds()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 0 rows"));
    QVERIFY(append(fixture.store(), rowsOf(5)));
    QVERIFY(fixture.open()); // closed and opened again
    QVERIFY(append(fixture.store(), rowsOf(5000)));
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 5005 rows"));
    const auto report = checkAudit(fixture.databaseFile());
    QVERIFY(report->head == fixture.store().auditHead());
    QCOMPARE(report->head.id, std::int64_t{5005});
}

void TestAudit::forgeriesAreNamed_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("says");
    QTest::newRow("changed") << "UPDATE audit SET actor = 'token:b' WHERE id = 7" << "audit_broken: Row 7 does not have the hash";
    QTest::newRow("empty for missing text") << "UPDATE audit SET value_before = '' WHERE id = 1" << "audit_broken: Row 1 does not have the hash";
    QTest::newRow("time") << "UPDATE audit SET at = at + 1 WHERE id = 20" << "audit_broken: Row 20 does not have the hash";
    QTest::newRow("removed") << "DELETE FROM audit WHERE id = 7" << "audit_broken: Row 7 is missing";
    QTest::newRow("removed from the front") << "DELETE FROM audit WHERE id < 4" << "audit_broken: Row 1 is missing";
    QTest::newRow("tail cut off") << "DELETE FROM audit WHERE id > 12" << "audit_broken: Row 13 is missing";
    QTest::newRow("all of it") << "DELETE FROM audit" << "audit_broken: Row 1 is missing";
    QTest::newRow("added") << "INSERT INTO audit SELECT 21, at, actor, origin, action, target, value_before, value_after, reason, outcome, request_id, source, hash, hash FROM audit WHERE id = 20"
                           << "audit_broken: Row 21 does not have the hash";
    QTest::newRow("swapped") << "UPDATE audit SET id = CASE id WHEN 7 THEN -8 ELSE -7 END WHERE id IN (7, 8)" << "audit_broken: Row -8 comes where row 1";
}

void TestAudit::forgeriesAreNamed()
{
    QFETCH(QString, sql);
    QFETCH(QString, says);
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(20)));
    fixture.close();
    QVERIFY(execIn(fixture.databaseFile(), sql));
    const QString found = QString::fromStdString(verdict(fixture.databaseFile()));
    QVERIFY2(found.startsWith(says), qPrintable(found));
}

void TestAudit::aNotedHeadShowsACutTail()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(20)));
    const journal::AuditChain::Head noted = fixture.store().auditHead();
    fixture.close();
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("DELETE FROM audit WHERE id > 12")));
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("UPDATE audit_marks SET row_id = 12, hash = (SELECT hash FROM audit WHERE id = 12) WHERE id = 'head'")));
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 12 rows")); // whoever may write the store can do that
    QVERIFY(QString::fromStdString(verdict(fixture.databaseFile(), noted)).startsWith(QStringLiteral("audit_broken: Row 13 is missing")));
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(20))); // and grow it again
    QVERIFY(QString::fromStdString(verdict(fixture.databaseFile(), noted)).startsWith(QStringLiteral("audit_broken: Row 20 does not have the hash that was noted")));
}

void TestAudit::rolledBackRowsLeaveNoTrace()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(3)));
    auto rows = rowsOf(3);
    QVERIFY(!fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
        return writer.appendAudit(rows).and_then([]() -> Result<void> { return fail("test", "no"); });
    }));
    QVERIFY(append(fixture.store(), rowsOf(3)));
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 6 rows"));
}

void TestAudit::olderRowsAreChained()
{
    StoreFixture fixture;
    const std::vector<Migration> all = migrations();
    // A store of the first version, made by its own statements.
    std::filesystem::create_directories(fixture.path());
    for (const QString& statement : all.front().statements) {
        QVERIFY(execIn(fixture.databaseFile(), statement));
    }
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("PRAGMA user_version=1")));
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("PRAGMA application_id=%1").arg(0x57656972)));
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500) "
                                                          "INSERT INTO audit SELECT i, 1700000000000 + i, 'token:a', '127.0.0.1', 'node.move', 'gpu-' || i, '', '', '', 'done', '', 'api' FROM n")));
    QCOMPARE(verdict(fixture.databaseFile()).substr(0, 11), std::string("store_older"));
    QVERIFY(fixture.open());
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 2500 rows"));
    QVERIFY(append(fixture.store(), rowsOf(2)));
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 2502 rows"));
    QVERIFY(std::filesystem::exists(fixture.path() / "weir.db.backup-v1"));
}

void TestAudit::onlyWhatWasExportedIsPruned()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(20)));
    const WallTime late = kStart + 1h;
    const auto prune = [&](WallTime before, std::int64_t limit) {
        std::int64_t count = -1;
        const auto done = fixture.store().inTransaction([&](Writer& writer) { return writer.pruneAudit(before, limit).map([&](std::int64_t gone) { count = gone; }); });
        return done ? count : -2;
    };
    QCOMPARE(prune(late, 100), 0); // nothing was exported
    QVERIFY(fixture.store().inTransaction([](Writer& writer) { return writer.markAuditExported(10); }));
    QCOMPARE(prune(kStart, 100), 0); // nothing is old
    QCOMPARE(prune(kStart + 3s, 100), 3);
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 17 rows"));
    QCOMPARE(prune(late, 4), 4); // small steps
    QCOMPARE(prune(late, 100), 3);
    QCOMPARE(prune(late, 100), 0);
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 10 rows"));
    QVERIFY(fixture.store().inTransaction([](Writer& writer) { return writer.markAuditExported(20); }));
    QCOMPARE(prune(late, 100), 9); // the newest row always stays
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(1)));
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 2 rows"));
    fixture.close();
    QVERIFY(execIn(fixture.databaseFile(), QStringLiteral("DELETE FROM audit WHERE id = 20")));
    QVERIFY(QString::fromStdString(verdict(fixture.databaseFile())).startsWith(QStringLiteral("audit_broken: Row 20 is missing")));
}

void TestAudit::aBackupIsWholeAndPrivate()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(20)));
    const std::filesystem::path copy = fixture.path().parent_path() / "copy.db";
    const auto report = backUpTo(fixture.path(), copy); // beside the open store
    QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
    QCOMPARE(report->audit.rows, std::int64_t{20});
    QVERIFY(report->bytes > 4096);
    struct stat state {};
    QCOMPARE(::stat(copy.c_str(), &state), 0);
    QCOMPARE(static_cast<int>(state.st_mode & 0777), 0600);
    QCOMPARE(verdict(copy), std::string("holds, 20 rows"));
    QVERIFY(append(fixture.store(), rowsOf(1))); // the store goes on
    for (const auto& entry : std::filesystem::directory_iterator(copy.parent_path())) {
        QVERIFY2(!entry.path().string().ends_with(".new"), entry.path().c_str());
    }
}

void TestAudit::aBackupTakesNoFilesPlace()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    const std::filesystem::path taken = fixture.path().parent_path() / "taken";
    std::ofstream(taken) << "mine";
    const auto report = backUpTo(fixture.path(), taken);
    QVERIFY(!report);
    QCOMPARE(report.error().code, std::string("file_exists"));
    QCOMPARE(std::filesystem::file_size(taken), std::uintmax_t{4});
}

void TestAudit::restoringKeepsTheOld()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(5)));
    const std::filesystem::path copy = fixture.path().parent_path() / "copy.db";
    QVERIFY(backUpTo(fixture.path(), copy));
    QVERIFY(append(fixture.store(), rowsOf(7)));
    fixture.close();
    {
        auto directory = DataDirectory::open(fixture.path());
        QVERIFY(directory.has_value());
        const auto report = restoreFrom(*directory, copy, kStart);
        QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
        QCOMPARE(report->audit.rows, std::int64_t{5});
        QCOMPARE(report->kept.size(), std::size_t{1});
        QCOMPARE(report->kept.front().filename().string(), std::string("weir.db.before-restore-20231114T221320Z"));
        QCOMPARE(verdict(report->kept.front()), std::string("holds, 12 rows"));
    }
    QVERIFY(fixture.open());
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 5 rows"));
    QVERIFY(std::filesystem::exists(copy)); // a copy was taken, not the file itself
}

void TestAudit::whatIsNoBackupIsRefused_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("code");
    QTest::newRow("missing") << "missing" << "store_missing";
    QTest::newRow("text") << "text" << "store_damaged";
    QTest::newRow("another program's database") << "foreign" << "store_damaged";
    QTest::newRow("newer") << "PRAGMA user_version=99" << "store_newer";
    QTest::newRow("forged") << "UPDATE audit SET actor = 'token:b' WHERE id = 2" << "audit_broken";
    QTest::newRow("cut") << "cut" << "store_damaged";
}

void TestAudit::whatIsNoBackupIsRefused()
{
    QFETCH(QString, what);
    QFETCH(QString, code);
    const std::string kind = what.toStdString();
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(append(fixture.store(), rowsOf(500)));
    const std::filesystem::path copy = fixture.path().parent_path() / "copy.db";
    if (kind == "text") {
        std::ofstream(copy) << std::string(20000, 'x');
    } else if (kind == "foreign") {
        QVERIFY(execIn(copy, QStringLiteral("CREATE TABLE a (b TEXT)")));
    } else if (kind != "missing") {
        QVERIFY(backUpTo(fixture.path(), copy));
        if (kind == "cut") {
            std::filesystem::resize_file(copy, std::filesystem::file_size(copy) / 2);
        } else {
            QVERIFY(execIn(copy, what));
        }
    }
    fixture.close();
    {
        auto directory = DataDirectory::open(fixture.path());
        QVERIFY(directory.has_value());
        const auto report = restoreFrom(*directory, copy, kStart);
        QVERIFY(!report);
        QCOMPARE(QString::fromStdString(report.error().code), code);
        QVERIFY2(report.error().message.find(copy.string()) != std::string::npos, report.error().message.c_str());
    }
    QVERIFY(fixture.open());
    QCOMPARE(verdict(fixture.databaseFile()), std::string("holds, 500 rows")); // untouched
    for (const auto& entry : std::filesystem::directory_iterator(fixture.path())) {
        QVERIFY2(entry.path().string().find("restor") == std::string::npos, entry.path().c_str());
    }
}

QTEST_GUILESS_MAIN(TestAudit)
#include "TestAudit.moc"
