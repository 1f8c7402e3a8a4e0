// SPDX-License-Identifier: GPL-3.0-or-later
// Killed at any moment under a storm of changes: what was acknowledged is there afterwards, and the audit's chain holds. WEIR_KILLS sets how
// many times; 200 is the full storm.
#include "tests/support/ServerProcess.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QtTest>

#include <array>
#include <atomic>
#include <map>
#include <random>
#include <thread>

using namespace weir::test;

namespace {

constexpr int kUsualRounds = 12;
constexpr int kThreads = 4;
constexpr int kNodesEach = 4;

// What may stand in the store for one thing: what was acknowledged last, or what was asked for and never answered.
struct Fact {
    QByteArray acknowledged;
    QByteArray pending;

    [[nodiscard]] bool allows(const QByteArray& found) const { return found == acknowledged || (!pending.isEmpty() && found == pending); }
};

// One client: its own nodes and app, and what it knows about them.
struct Storm {
    int number = 0;
    std::map<QByteArray, Fact> pools;
    std::map<QByteArray, Fact> drains;
    Fact binding;
    int answered = 0;

    [[nodiscard]] QByteArray node(int i) const { return "n" + QByteArray::number(number) + "-" + QByteArray::number(i); }
    [[nodiscard]] QByteArray app() const { return "app-" + QByteArray::number(number); }

    // True when it was answered; an answer that is no success counts as a failure of the test.
    bool change(const HttpClient& client, Fact& fact, const QByteArray& wanted, const QByteArray& target, const QByteArray& body, std::atomic<int>& acknowledged, std::atomic<int>& refused)
    {
        fact.pending = wanted;
        const HttpAnswer answer = client.put(target, body);
        if (answer.status == 0) {
            return false;
        }
        if (answer.status == 503) {
            fact.pending.clear(); // shutting down never happens here; a store that fails would
        }
        if (answer.status != 200 && answer.status != 201) {
            ++refused;
            return false;
        }
        fact = {wanted, {}};
        ++answered;
        ++acknowledged;
        return true;
    }

    void run(const HttpClient& client, std::uint32_t seed, std::atomic<int>& acknowledged, std::atomic<int>& refused)
    {
        std::mt19937 random(seed);
        const std::array<QByteArray, 4> names{"default", "x", "y", "unassigned"};
        bool goesOn = true;
        while (goesOn) {
            const QByteArray id = node(static_cast<int>(random() % kNodesEach));
            const QByteArray& pool = names[random() % 4];
            switch (random() % 3) {
            case 0:
                goesOn = change(client, pools[id], pool, "/admin/mmx-nodes/" + id + "/pool", "{\"poolId\": \"" + pool + "\"}", acknowledged, refused);
                break;
            case 1: {
                const QByteArray draining = random() % 2 ? "true" : "false";
                goesOn = change(client, drains[id], draining, "/admin/mmx-nodes/" + id + "/draining", "{\"draining\": " + draining + "}", acknowledged, refused);
                break;
            }
            default: {
                const QByteArray bound = names[random() % 3];
                goesOn = change(client, binding, bound, "/admin/app-pool-bindings/" + app(), "{\"poolId\": \"" + bound + "\"}", acknowledged, refused);
                break;
            }
            }
        }
    }
};

struct Seqs {
    qint64 count = -1;
    qint64 first = 0;
    qint64 last = 0;
    qint64 audits = -1;
    qint64 lastAudit = 0;
};

Seqs seqsOf(const ServerProcess& server)
{
    Seqs seqs;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("seqs"));
        database.setDatabaseName(server.database());
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        QSqlQuery query;
        if (database.open()) {
            query = QSqlQuery(database);
            if (query.exec(QStringLiteral("SELECT COUNT(*), MIN(seq), MAX(seq) FROM events")) && query.next()) {
                seqs.count = query.value(0).toLongLong();
                seqs.first = query.value(1).toLongLong();
                seqs.last = query.value(2).toLongLong();
            }
            if (query.exec(QStringLiteral("SELECT COUNT(*), MAX(id) FROM audit")) && query.next()) {
                seqs.audits = query.value(0).toLongLong();
                seqs.lastAudit = query.value(1).toLongLong();
            }
        }
    }
    QSqlDatabase::removeDatabase(QStringLiteral("seqs"));
    return seqs;
}

// The exit code of the server's own check, on what the killed process left.
int verifyAudit(const ServerProcess& server)
{
    return QProcess::execute(QStringLiteral(WEIR_BIN_DIR "/weir-server"), {QStringLiteral("audit"), QStringLiteral("verify"), QStringLiteral("--data-dir"), server.dataDir()});
}

} // namespace

class TestKillStorm : public QObject {
    Q_OBJECT

private slots:
    void everyAcknowledgedChangeIsThere();
};

void TestKillStorm::everyAcknowledgedChangeIsThere()
{
    const std::uint32_t seed = QRandomGenerator::global()->generate();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    ServerProcess server;
    QVERIFY2(server.start(), server.err().constData());
    std::vector<Storm> storms(kThreads);
    for (int t = 0; t < kThreads; ++t) {
        storms[static_cast<std::size_t>(t)].number = t;
    }
    {
        const HttpClient client = server.client();
        for (const char* pool : {"x", "y"}) {
            QCOMPARE(client.post("/admin/node-pools", QByteArray("{\"poolId\": \"") + pool + "\"}").status, 201);
        }
        for (Storm& storm : storms) {
            QCOMPARE(client.put("/admin/apps/" + storm.app(), "{}").status, 201);
            QCOMPARE(client.put("/admin/app-pool-bindings/" + storm.app(), R"({"poolId": "default"})").status, 201);
            storm.binding.acknowledged = "default";
            for (int i = 0; i < kNodesEach; ++i) {
                QCOMPARE(client.post("/admin/mmx-nodes", "{\"nodeId\": \"" + storm.node(i) + "\", \"role\": \"worker\"}").status, 201);
                storm.pools[storm.node(i)].acknowledged = "default";
                storm.drains[storm.node(i)].acknowledged = "false";
            }
        }
    }
    int total = 0;
    bool isNumber = false;
    const int asked = qEnvironmentVariableIntValue("WEIR_KILLS", &isNumber);
    const int rounds = isNumber ? asked : kUsualRounds;
    for (int round = 0; round < rounds; ++round) {
        std::atomic<int> acknowledged = 0;
        std::atomic<int> refused = 0;
        const HttpClient client = server.client();
        std::vector<std::thread> threads;
        for (Storm& storm : storms) {
            threads.emplace_back([&storm, &client, &acknowledged, &refused, threadSeed = static_cast<std::uint32_t>(random())] { storm.run(client, threadSeed, acknowledged, refused); });
        }
        const int enough = 10 + static_cast<int>(random() % 120);
        static_cast<void>(QTest::qWaitFor([&] { return acknowledged >= enough || refused > 0; }, 20'000)); // looked at below
        server.kill9();
        for (std::thread& thread : threads) {
            thread.join();
        }
        QCOMPARE(refused.load(), 0);
        QVERIFY(acknowledged >= enough);
        total += acknowledged;
        const Seqs seqs = seqsOf(server);
        QVERIFY(seqs.count > 0);
        QCOMPARE(seqs.last - seqs.first + 1, seqs.count);
        QCOMPARE(seqs.lastAudit, seqs.audits);
        QCOMPARE(verifyAudit(server), 0);
        QVERIFY2(server.start(), server.err().constData());
        const HttpClient again = server.client();
        for (Storm& storm : storms) {
            for (int i = 0; i < kNodesEach; ++i) {
                const QByteArray id = storm.node(i);
                const HttpAnswer row = again.get("/admin/mmx-nodes/" + id);
                const QByteArray pool = row.text("poolId").toUtf8();
                const QByteArray draining = row.flag("draining") ? "true" : "false";
                QVERIFY2(storm.pools[id].allows(pool), (id + " is in " + pool + ", acknowledged " + storm.pools[id].acknowledged).constData());
                QVERIFY2(storm.drains[id].allows(draining), (id + " draining " + draining + ", acknowledged " + storm.drains[id].acknowledged).constData());
                storm.pools[id] = {pool, {}};
                storm.drains[id] = {draining, {}};
            }
            const QByteArray bound = again.get("/admin/app-pool-bindings/" + storm.app()).text("poolId").toUtf8();
            QVERIFY2(storm.binding.allows(bound), (storm.app() + " is bound to " + bound).constData());
            storm.binding = {bound, {}};
        }
    }
    qInfo("%d changes acknowledged over %d kills", total, rounds);
    QCOMPARE(server.terminate(), 0);
    QCOMPARE(verifyAudit(server), 0);
    const Seqs seqs = seqsOf(server);
    QCOMPARE(seqs.last - seqs.first + 1, seqs.count);
}

QTEST_GUILESS_MAIN(TestKillStorm)
#include "TestKillStorm.moc"
