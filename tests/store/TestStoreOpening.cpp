// SPDX-License-Identifier: GPL-3.0-or-later
#include "StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <fstream>
#include <iterator>

#include <sys/stat.h>

using namespace weir;
using namespace weir::journal;
using namespace weir::store;

namespace {

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& content)
{
    std::ofstream(path, std::ios::binary) << content;
}

/// The schema and two steps after it, the second with what `last` says.
std::vector<Migration> laterSteps(const QString& last = QStringLiteral("INSERT INTO extra (a, b) SELECT id, 'from ' || name FROM users"))
{
    std::vector<Migration> steps = migrations();
    const int version = steps.back().version;
    steps.push_back({version + 1, {QStringLiteral("CREATE TABLE extra (a TEXT PRIMARY KEY)")}});
    steps.push_back({version + 2, {QStringLiteral("ALTER TABLE extra ADD COLUMN b TEXT"), last}});
    return steps;
}

/// First column of the first row, through a connection of the test's own.
QString valueIn(const std::filesystem::path& file, const QString& sql)
{
    QString value = QStringLiteral("(failed)");
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("look"));
        database.setDatabaseName(QString::fromStdString(file.string()));
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (database.open()) {
            QSqlQuery query(database);
            if (query.exec(sql) && query.next()) {
                value = query.value(0).toString();
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("look"));
    return value;
}

Result<void> fillSome(Store& store)
{
    std::vector<Event> events(3'000, eventOf(EventKind::NodeOnline, "gpu-1"));
    return store.inTransaction([&](Writer& writer) {
        return writer.put(UserRecord{"7", "Kim"}).and_then([&] { return writer.appendEvents(events); });
    });
}

} // namespace

class TestStoreOpening : public QObject {
    Q_OBJECT
private slots:
    void aNewStoreHasTheNewestVersionAndNoBackup();
    void theConnectionIsDurable();
    void anOlderStoreIsCopiedAndBroughtForward();
    void aFailingStepChangesNothing();
    void aNewerStoreIsRefused();
    void damageIsRefusedAndLeftAlone_data();
    void damageIsRefusedAndLeftAlone();
    void damageNamesTheNewestBackup();
    void aForeignDatabaseIsRefused();
    void anEmptyFileIsNewOnlyWhereNothingElseIs();
    void aMissingDatabaseBesideItsBackupIsNotMadeAnew();
};

void TestStoreOpening::aNewStoreHasTheNewestVersionAndNoBackup()
{
    StoreFixture fixture;
    QVERIFY(fixture.open(laterSteps()));
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("PRAGMA user_version")).toInt(), laterSteps().back().version);
    QVERIFY(fixture.open(laterSteps()));
    for (const auto& entry : std::filesystem::directory_iterator(fixture.path())) {
        QVERIFY(entry.path().filename().string().find("backup") == std::string::npos);
    }
}

void TestStoreOpening::theConnectionIsDurable()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("PRAGMA journal_mode")), QStringLiteral("wal"));
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("PRAGMA application_id")).toInt(), 0x57656972);
}

void TestStoreOpening::anOlderStoreIsCopiedAndBroughtForward()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fillSome(fixture.store()));
    const int version = migrations().back().version;
    QVERIFY(fixture.open(laterSteps()));
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("PRAGMA user_version")).toInt(), version + 2);
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("SELECT b FROM extra WHERE a = '7'")), QStringLiteral("from Kim"));
    QCOMPARE(fixture.store().lastSeq(), 3'000);

    const std::filesystem::path backup = fixture.path() / ("weir.db.backup-v" + std::to_string(version));
    QVERIFY(std::filesystem::exists(backup));
    QVERIFY(!std::filesystem::exists(backup.string() + ".new"));
    struct stat status {};
    QCOMPARE(::stat(backup.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 07777U, 0600U);
    QCOMPARE(valueIn(backup, QStringLiteral("PRAGMA user_version")).toInt(), version);
    QCOMPARE(valueIn(backup, QStringLiteral("SELECT COUNT(*) FROM events")).toInt(), 3'000);

    // The copy is a store: put in place of the file it opens.
    fixture.close();
    std::filesystem::copy_file(backup, fixture.databaseFile(), std::filesystem::copy_options::overwrite_existing);
    QVERIFY(fixture.open());
    QCOMPARE(fixture.store().load()->users.at(0).name, "Kim");
}

void TestStoreOpening::aFailingStepChangesNothing()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fillSome(fixture.store()));
    const Result<void> refused = fixture.open(laterSteps(QStringLiteral("INSERT INTO nowhere VALUES (1)")));
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_failed");
    QVERIFY(refused.error().message.find("nowhere") != std::string::npos);
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("PRAGMA user_version")).toInt(), migrations().back().version);
    QCOMPARE(valueIn(fixture.databaseFile(), QStringLiteral("SELECT COUNT(*) FROM sqlite_master WHERE name = 'extra'")).toInt(), 0);
    QVERIFY(fixture.open());
    QCOMPARE(fixture.store().lastSeq(), 3'000);
    QVERIFY(fixture.open(laterSteps()));
}

void TestStoreOpening::aNewerStoreIsRefused()
{
    StoreFixture fixture;
    QVERIFY(fixture.open(laterSteps()));
    QVERIFY(fillSome(fixture.store()));
    fixture.close();
    const std::string before = contentOf(fixture.databaseFile());
    const Result<void> refused = fixture.open();
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_newer");
    QVERIFY(refused.error().message.find("version " + std::to_string(migrations().back().version + 2)) != std::string::npos);
    QVERIFY(contentOf(fixture.databaseFile()) == before);
    QVERIFY(fixture.open(laterSteps()));
}

void TestStoreOpening::damageIsRefusedAndLeftAlone_data()
{
    QTest::addColumn<QString>("damage");
    for (const char* damage : {"garbage", "short garbage", "truncated", "cut to one page", "page overwritten", "header overwritten"}) {
        QTest::newRow(damage) << QString::fromLatin1(damage);
    }
}

void TestStoreOpening::damageIsRefusedAndLeftAlone()
{
    QFETCH(const QString, damage);
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fillSome(fixture.store()));
    fixture.close();
    std::string content = contentOf(fixture.databaseFile());
    QVERIFY(content.size() > 100'000U);
    if (damage == QStringLiteral("garbage")) {
        content.assign(content.size(), 'G');
    } else if (damage == QStringLiteral("short garbage")) {
        content = "not a database";
    } else if (damage == QStringLiteral("truncated")) {
        content.resize(content.size() / 2);
    } else if (damage == QStringLiteral("cut to one page")) {
        content.resize(4096);
    } else if (damage == QStringLiteral("page overwritten")) {
        content.replace(content.size() / 4096 / 2 * 4096, 4096, 4096, '\x5a');
    } else {
        content.replace(0, 100, 100, '\0');
    }
    write(fixture.databaseFile(), content);
    for (int attempt = 0; attempt < 2; ++attempt) {
        const Result<void> refused = fixture.open();
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, "store_damaged");
        QVERIFY(refused.error().message.find("left as it is. There is no backup beside it.") != std::string::npos);
        QVERIFY(contentOf(fixture.databaseFile()) == content);
    }
}

void TestStoreOpening::damageNamesTheNewestBackup()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fixture.open(laterSteps()));
    fixture.close();
    const std::filesystem::path older = fixture.path() / "weir.db.backup-v0";
    write(older, "older");
    std::filesystem::last_write_time(older, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    write(fixture.databaseFile(), "garbage");
    const Result<void> refused = fixture.open(laterSteps());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_damaged");
    const std::string newest = (fixture.path() / ("weir.db.backup-v" + std::to_string(migrations().back().version))).string();
    QVERIFY(refused.error().message.ends_with("The newest backup is " + newest + "."));
}

void TestStoreOpening::aForeignDatabaseIsRefused()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    fixture.close();
    std::filesystem::remove(fixture.databaseFile());
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("foreign"));
        database.setDatabaseName(QString::fromStdString(fixture.databaseFile().string()));
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(QStringLiteral("CREATE TABLE photos (id INTEGER)")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("foreign"));
    const std::string before = contentOf(fixture.databaseFile());
    const Result<void> refused = fixture.open();
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_damaged");
    QVERIFY(refused.error().message.find("not one of Weir's") != std::string::npos);
    QVERIFY(contentOf(fixture.databaseFile()) == before);
}

void TestStoreOpening::anEmptyFileIsNewOnlyWhereNothingElseIs()
{
    StoreFixture fixture;
    std::filesystem::create_directories(fixture.path());
    write(fixture.databaseFile(), "");
    QVERIFY(fixture.open());
    fixture.close();
    write(fixture.databaseFile(), "");
    write(fixture.databaseFile().string() + "-wal", "what was not yet in the file");
    const Result<void> refused = fixture.open();
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_damaged");
    QCOMPARE(contentOf(fixture.databaseFile().string() + "-wal"), "what was not yet in the file");
}

void TestStoreOpening::aMissingDatabaseBesideItsBackupIsNotMadeAnew()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fixture.open(laterSteps()));
    fixture.close();
    std::filesystem::remove(fixture.databaseFile());
    const Result<void> refused = fixture.open(laterSteps());
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "store_damaged");
    QVERIFY(!std::filesystem::exists(fixture.databaseFile()));
}

QTEST_GUILESS_MAIN(TestStoreOpening)
#include "TestStoreOpening.moc"
