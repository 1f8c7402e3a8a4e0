// SPDX-License-Identifier: GPL-3.0-or-later
#include "StoreFixture.h"

#include "core/store/StoreReader.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <sys/stat.h>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::journal;
using namespace weir::store;

namespace {

NodeRecord fullNode()
{
    NodeRecord node;
    node.id = "gpu-1";
    node.role = "worker";
    node.owner = "7";
    node.pool = "canary";
    node.isStatic = true;
    node.url = "http://[::1]:9000";
    node.healthUrl = "http://127.0.0.1:9001/a";
    node.healthPath = "/health?x=1";
    node.expectedStatuses = {200, 204};
    node.webrtcBaseUrl = "https://example.test";
    node.publishUrl = "srt://example.test:7000";
    node.capacity = 1'000'000;
    node.weight = 10;
    node.region = "東京 – Zürich";
    node.version = "1.2";
    node.secretHash = "ab12";
    node.draining = true;
    node.drainReason = "disk swap; DROP TABLE nodes; --'\"";
    node.drainedBy = "token:ops";
    node.poolSince = kStart + 1ms;
    node.movedBy = "local:kim";
    node.createdAt = kStart - 1ms;
    node.declared = true;
    node.adminFields = {"pool", "a \"quoted\" 字段"};
    node.fileFields = R"({"pool":"default"})";
    node.tls = {"/etc/weir/ca.pem", "worker.test", false};
    return node;
}

Snapshot fullSnapshot()
{
    Snapshot all;
    NodeRecord bare; // everything empty but what must be there
    bare.id = "gpu-2";
    all.users = {{"7", "Ōe 😀"}, {"9", ""}};
    all.pools = {{"canary", "Canary", true, 0, 12.5}, {"other", "", false, std::nullopt, std::nullopt}};
    all.nodes = {fullNode(), bare};
    all.tombstones = {{"gpu-0"}};
    all.apps = {{"demo", "7", true}, {"plain", "", false}};
    all.bindings = {{"demo", "canary", true, true}, {"plain", "default", false, false}};
    all.tokens = {{"ops", std::string(64, 'f'), "operator", {"demo", "plain"}, kStart + 24h, kStart, true},
                  {"root", std::string(64, '0'), "superadmin", {}, std::nullopt, kStart, false}};
    all.settings = {{"health_check", R"({"cooldown_seconds":0})", "token:ops", kStart}};
    all.latestPoints = {{{"", ""}, {kStart + 2s, 0, 0, false}}, {{"pool-7", "worker"}, {kStart, 3, 4, true}}};
    all.lastAlive = kStart + 5s;
    return all;
}

template <typename Record>
Result<void> putAll(Writer& writer, const std::vector<Record>& records)
{
    Result<void> done;
    for (const Record& record : records) {
        done = done.and_then([&] { return writer.put(record); });
    }
    return done;
}

Result<void> write(Store& store, const Snapshot& all)
{
    return store.inTransaction([&all](Writer& writer) {
        return putAll(writer, all.users)
            .and_then([&] { return putAll(writer, all.pools); })
            .and_then([&] { return putAll(writer, all.nodes); })
            .and_then([&] { return putAll(writer, all.tombstones); })
            .and_then([&] { return putAll(writer, all.apps); })
            .and_then([&] { return putAll(writer, all.bindings); })
            .and_then([&] { return putAll(writer, all.tokens); })
            .and_then([&] { return putAll(writer, all.settings); })
            .and_then([&] { return writer.appendSeries(all.latestPoints); })
            .and_then([&] { return writer.markAlive(*all.lastAlive); });
    });
}

/// Runs statements past the store, on a connection of the test's own.
bool runBehind(const StoreFixture& fixture, const QStringList& statements)
{
    bool done = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("behind"));
        database.setDatabaseName(QString::fromStdString(fixture.databaseFile().string()));
        done = database.open();
        QSqlQuery query(database);
        for (const QString& statement : statements) {
            done = done && query.exec(statement);
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("behind"));
    return done;
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT
private slots:
    void everyRecordComesBack();
    void aRecordTakesThePlaceOfTheOldOne();
    void everyRecordCanBeRemoved();
    void emptyTextStaysEmptyAndAnEmptyPoolIsDefault();
    void allOrNone();
    void numbersOfARolledBackTransactionAreGivenAgain();
    void filesArePrivate();
    void theLastMarkIsKept();
    void aLockedFileIsAnErrorAndNoEnd();
    void oldEventsGoInSmallSteps();
};

void TestStore::everyRecordComesBack()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    const Snapshot all = fullSnapshot();
    QVERIFY(write(fixture.store(), all));
    for (int round = 0; round < 2; ++round) {
        const Result<Snapshot> loaded = fixture.store().load();
        QVERIFY(loaded);
        QVERIFY(loaded->users == all.users);
        QVERIFY(loaded->pools == all.pools);
        QVERIFY(loaded->nodes == all.nodes);
        QVERIFY(loaded->tombstones == all.tombstones);
        QVERIFY(loaded->apps == all.apps);
        QVERIFY(loaded->bindings == all.bindings);
        QVERIFY(loaded->tokens == all.tokens);
        QVERIFY(loaded->settings == all.settings);
        QVERIFY(loaded->latestPoints == all.latestPoints);
        QVERIFY(loaded->lastAlive == all.lastAlive);
        QCOMPARE(loaded->lastSeq, 0);
        QVERIFY(fixture.open()); // the second round reads what a restart reads
    }
}

void TestStore::aRecordTakesThePlaceOfTheOldOne()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(write(fixture.store(), fullSnapshot()));
    Snapshot changed = fullSnapshot();
    changed.users[0].name = "";
    changed.pools[0] = {"canary", "", false, std::nullopt, std::nullopt};
    changed.nodes[0] = NodeRecord{};
    changed.nodes[0].id = "gpu-1";
    changed.apps[0].owner = "9";
    changed.bindings[0].pool = "other";
    changed.tokens[0].expires.reset();
    changed.settings[0].json = "{}";
    changed.latestPoints[1].point.healthy = 1; // the same millisecond: the later one holds
    QVERIFY(write(fixture.store(), changed));
    const Result<Snapshot> loaded = fixture.store().load();
    QVERIFY(loaded);
    QVERIFY(loaded->users == changed.users);
    QVERIFY(loaded->pools == changed.pools);
    QVERIFY(loaded->nodes == changed.nodes);
    QVERIFY(loaded->tombstones == changed.tombstones);
    QVERIFY(loaded->apps == changed.apps);
    QVERIFY(loaded->bindings == changed.bindings);
    QVERIFY(loaded->tokens == changed.tokens);
    QVERIFY(loaded->settings == changed.settings);
    QVERIFY(loaded->latestPoints == changed.latestPoints);
}

void TestStore::everyRecordCanBeRemoved()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(write(fixture.store(), fullSnapshot()));
    QVERIFY(fixture.store().inTransaction([](Writer& writer) {
        return writer.removeUser("7")
            .and_then([&] { return writer.removePool("canary"); })
            .and_then([&] { return writer.removeNode("gpu-1"); })
            .and_then([&] { return writer.removeTombstone("gpu-0"); })
            .and_then([&] { return writer.removeApp("demo"); })
            .and_then([&] { return writer.removeBinding("demo"); })
            .and_then([&] { return writer.removeToken("ops"); })
            .and_then([&] { return writer.removeSetting("health_check"); })
            .and_then([&] { return writer.removeNode("never there"); });
    }));
    const Result<Snapshot> loaded = fixture.store().load();
    QVERIFY(loaded);
    QCOMPARE(loaded->users.size(), 1U);
    QCOMPARE(loaded->pools.at(0).id, "other");
    QCOMPARE(loaded->nodes.at(0).id, "gpu-2");
    QVERIFY(loaded->tombstones.empty());
    QCOMPARE(loaded->apps.at(0).id, "plain");
    QCOMPARE(loaded->bindings.at(0).app, "plain");
    QCOMPARE(loaded->tokens.at(0).name, "root");
    QVERIFY(loaded->settings.empty());
}

void TestStore::emptyTextStaysEmptyAndAnEmptyPoolIsDefault()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    NodeRecord node;
    node.id = "gpu-1";
    node.pool = "";
    BindingRecord binding{"demo", "", false, false};
    std::vector<Event> events(1);
    std::vector<AuditRow> rows(1);
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) {
        return writer.put(node)
            .and_then([&] { return writer.put(binding); })
            .and_then([&] { return writer.appendEvents(events); })
            .and_then([&] { return writer.appendAudit(rows); });
    }));
    QVERIFY(runBehind(fixture, {QStringLiteral("INSERT INTO bindings (app, pool, allow_fallback, declared) VALUES ('null', NULL, 0, 0)")}));
    const Result<Snapshot> loaded = fixture.store().load();
    QVERIFY(loaded);
    QCOMPARE(loaded->nodes.at(0).pool, "default");
    QCOMPARE(loaded->nodes.at(0).owner, "");
    QCOMPARE(loaded->bindings.at(0).pool, "default");
    QCOMPARE(loaded->bindings.at(1).pool, "default");
    StoreReader reader(fixture.databaseFile());
    QVERIFY(reader.events({}) == events);
    QVERIFY(reader.audit({}) == rows);
    QCOMPARE(rows[0].id, 1);
}

void TestStore::allOrNone()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(write(fixture.store(), fullSnapshot()));
    const Result<void> refused = fixture.store().inTransaction([](Writer& writer) -> Result<void> {
        std::vector<Event> events{eventOf(EventKind::NodeMoved, "gpu-1")};
        std::vector<AuditRow> rows(2);
        const std::vector<SeriesChange> points{{{"new", ""}, {kStart, 1, 1, true}}};
        const Result<void> done = writer.removeNode("gpu-1")
                                      .and_then([&] { return writer.put(UserRecord{"new", "x"}); })
                                      .and_then([&] { return writer.appendEvents(events); })
                                      .and_then([&] { return writer.appendSeries(points); })
                                      .and_then([&] { return writer.appendAudit(rows); })
                                      .and_then([&] { return writer.markAlive(kStart + 1h); });
        return done ? fail("moved_meanwhile", "no") : done;
    });
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, "moved_meanwhile");
    const Result<Snapshot> loaded = fixture.store().load();
    QVERIFY(loaded);
    QVERIFY(loaded->nodes == fullSnapshot().nodes);
    QVERIFY(loaded->users == fullSnapshot().users);
    QVERIFY(loaded->latestPoints == fullSnapshot().latestPoints);
    QVERIFY(loaded->lastAlive == fullSnapshot().lastAlive);
    StoreReader reader(fixture.databaseFile());
    QVERIFY(reader.events({})->empty());
    QVERIFY(reader.audit({})->empty());
    // A transaction in a transaction is refused and spoils neither.
    const Result<void> outer = fixture.store().inTransaction([&fixture](Writer& writer) -> Result<void> {
        const Result<void> inner = fixture.store().inTransaction([](Writer&) { return Result<void>(); });
        if (inner) {
            return fail("nested", "was allowed");
        }
        return writer.removeNode("gpu-1");
    });
    QVERIFY(outer);
    QCOMPARE(fixture.store().load()->nodes.size(), 1U);
}

void TestStore::numbersOfARolledBackTransactionAreGivenAgain()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<std::int64_t> committed;
    for (int round = 0; round < 40; ++round) {
        std::vector<Event> events(100, eventOf(EventKind::NodeOnline, "gpu-1", kStart + std::chrono::seconds(round)));
        std::vector<AuditRow> rows(1);
        const bool keeps = round % 3 != 1;
        const Result<void> done = fixture.store().inTransaction([&](Writer& writer) -> Result<void> {
            const Result<void> written = writer.appendEvents(events).and_then([&] { return writer.appendAudit(rows); });
            return written && !keeps ? fail("no", "no") : written;
        });
        QCOMPARE(done.has_value(), keeps);
        if (keeps) {
            for (const Event& event : events) {
                committed.push_back(event.seq);
            }
            QCOMPARE(rows[0].id, static_cast<std::int64_t>(committed.size() / 100));
        }
        if (round == 20) {
            QVERIFY(fixture.open());
        }
        QCOMPARE(fixture.store().lastSeq(), static_cast<std::int64_t>(committed.size()));
    }
    QCOMPARE(committed.size(), 2'700U);
    for (std::size_t i = 0; i < committed.size(); ++i) {
        QCOMPARE(committed[i], static_cast<std::int64_t>(i) + 1);
    }
    StoreReader reader(fixture.databaseFile());
    EventFilter filter;
    filter.limit = kMostRows;
    filter.newestFirst = false;
    const auto stored = reader.events(filter);
    QVERIFY(stored);
    QCOMPARE(stored->size(), committed.size());
    for (std::size_t i = 0; i < stored->size(); ++i) {
        QCOMPARE((*stored)[i].seq, committed[i]);
    }
    // Blocks of numbers were rolled back with the rest: times are found exactly.
    filter.since = kStart + 19s;
    filter.until = kStart + 20s;
    QCOMPARE(reader.events(filter)->size(), 100U); // 19 was rolled back
}

void TestStore::filesArePrivate()
{
    StoreFixture fixture;
    const mode_t mask = ::umask(0);
    const Result<void> opened = fixture.open();
    const Result<void> written = opened ? write(fixture.store(), fullSnapshot()) : opened;
    ::umask(mask);
    QVERIFY(written);
    for (const char* suffix : {"", "-wal", "-shm"}) {
        struct stat status {};
        QCOMPARE(::stat((fixture.databaseFile().string() + suffix).c_str(), &status), 0);
        QCOMPARE(status.st_mode & 07777U, 0600U);
    }
}

void TestStore::theLastMarkIsKept()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    QVERIFY(fixture.store().lastAlive());
    QVERIFY(!*fixture.store().lastAlive());
    for (const auto offset : {0s, 5s, 10s}) {
        QVERIFY(fixture.store().inTransaction([offset](Writer& writer) { return writer.markAlive(kStart + offset); }));
    }
    QVERIFY(fixture.open());
    QVERIFY(*fixture.store().lastAlive() == kStart + 10s);
}

void TestStore::aLockedFileIsAnErrorAndNoEnd()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    {
        QSqlDatabase other = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("locker"));
        other.setDatabaseName(QString::fromStdString(fixture.databaseFile().string()));
        QVERIFY(other.open());
        QSqlQuery query(other);
        QVERIFY(query.exec(QStringLiteral("BEGIN IMMEDIATE")));
        bool ran = false;
        const Result<void> done = fixture.store().inTransaction([&ran](Writer&) {
            ran = true;
            return Result<void>();
        });
        QVERIFY(!done);
        QVERIFY(!ran);
        QCOMPARE(done.error().code, "store_failed");
        QVERIFY(done.error().message.find("locked") != std::string::npos);
        QVERIFY(fixture.store().load());
        QVERIFY(query.exec(QStringLiteral("COMMIT")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("locker"));
    QVERIFY(write(fixture.store(), fullSnapshot()));
}

void TestStore::oldEventsGoInSmallSteps()
{
    StoreFixture fixture;
    QVERIFY(fixture.open());
    std::vector<Event> events;
    for (int i = 0; i < 3'000; ++i) {
        events.push_back(eventOf(EventKind::NodeOnline, "gpu-1", kStart + std::chrono::seconds(i)));
    }
    QVERIFY(fixture.store().inTransaction([&](Writer& writer) { return writer.appendEvents(events); }));
    const auto prune = [&fixture](WallTime before, std::int64_t limit) {
        std::int64_t removed = -1;
        const Result<void> done = fixture.store().inTransaction([&](Writer& writer) {
            return writer.pruneEvents(before, limit).map([&removed](std::int64_t count) { removed = count; });
        });
        return done ? removed : -1;
    };
    const std::int64_t full = *fixture.store().usedBytes();
    QCOMPARE(prune(kStart + 1'500s, 1'000), 1'000);
    QCOMPARE(prune(kStart + 1'500s, 1'000), 500);
    QCOMPARE(prune(kStart + 1'500s, 1'000), 0);
    StoreReader reader(fixture.databaseFile());
    EventFilter oldest;
    oldest.newestFirst = false;
    oldest.limit = 1;
    oldest.since = kStart;
    QCOMPARE(reader.events(oldest)->at(0).seq, 1'501);
    // Whatever is asked, the number goes on after the last one, over a restart as well.
    QCOMPARE(prune(WallTime::max(), 5'000), 1'499);
    QCOMPARE(prune(WallTime::max(), 5'000), 0);
    QVERIFY(*fixture.store().usedBytes() < full);
    QVERIFY(fixture.open());
    QCOMPARE(fixture.store().lastSeq(), 3'000);
    QCOMPARE(prune(WallTime::min(), 5'000), 0);
}

QTEST_GUILESS_MAIN(TestStore)
#include "TestStore.moc"
