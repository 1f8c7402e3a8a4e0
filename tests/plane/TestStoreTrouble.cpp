// SPDX-License-Identifier: GPL-3.0-or-later
// A store that cannot be written stops no decision and no answer: events wait, within bounds, and come when it can be again.
#include "core/plane/ControlPlane.h"
#include "core/store/AuditCheck.h"
#include "core/store/StoreReader.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QtTest>

#include <future>

using namespace weir;
using namespace std::chrono_literals;

namespace {

constexpr int kSoon = 20000;

// Holds the database's write lock, as a program that is stuck in the middle of a write does.
class Locker {
public:
    explicit Locker(const std::string& file)
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("locker"));
        database.setDatabaseName(QString::fromStdString(file));
        m_holds = database.open() && QSqlQuery(database).exec(QStringLiteral("BEGIN IMMEDIATE"));
    }
    ~Locker() { release(); }
    void release()
    {
        if (m_holds) {
            QSqlQuery(QSqlDatabase::database(QStringLiteral("locker"))).exec(QStringLiteral("ROLLBACK"));
            m_holds = false;
        }
        QSqlDatabase::removeDatabase(QStringLiteral("locker"));
    }
    [[nodiscard]] bool holds() const { return m_holds; }

private:
    bool m_holds = false;
};

std::vector<journal::Event> eventsOf(int count)
{
    std::vector<journal::Event> events(static_cast<std::size_t>(count));
    for (journal::Event& event : events) {
        event.at = WallTime(1s);
        event.kind = journal::EventKind::NodeOnline;
        event.nodeId = "gpu-1";
        event.sentence = "test";
    }
    return events;
}

} // namespace

class TestStoreTrouble : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aLockedFileStopsNoDecision();
    void whatDoesNotFitIsCountedAndTold();

private:
    Result<bool> putUser(const std::string& id)
    {
        std::promise<Result<bool>> done;
        m_plane->apps().putUser(UserId::trusted(id), std::nullopt, {"token:test", {}, {}, "api"}, [&done](Result<bool> result) { done.set_value(std::move(result)); });
        return done.get_future().get();
    }
    int events(journal::EventKind kind)
    {
        std::promise<int> count;
        m_plane->read([&](store::StoreReader& reader) {
            store::EventFilter filter;
            filter.kinds = {kind};
            filter.limit = 10000;
            const auto found = reader.events(filter);
            count.set_value(found ? static_cast<int>(found->size()) : -1);
        });
        return count.get_future().get();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
    SystemClock m_clock;
    NullLog m_log;
    std::unique_ptr<plane::ControlPlane> m_plane;
};

void TestStoreTrouble::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    auto directory = store::DataDirectory::open(m_dir->filePath(QStringLiteral("data")).toStdString());
    QVERIFY(directory.has_value());
    auto plane = plane::ControlPlane::open(m_clock, m_log, std::move(*directory), {});
    QVERIFY(plane.has_value());
    m_plane = std::move(*plane);
    m_plane->start();
}

void TestStoreTrouble::cleanup()
{
    m_plane->stop();
    const auto report = store::checkAudit(m_plane->directory().databaseFile());
    QVERIFY2(report.has_value(), report ? "" : report.error().message.c_str());
    m_plane.reset();
}

void TestStoreTrouble::aLockedFileStopsNoDecision()
{
    QVERIFY(putUser("before").has_value());
    Locker locker(m_plane->directory().databaseFile().string());
    QVERIFY(locker.holds());
    const auto refused = putUser("during");
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().code, std::string("store_failed"));
    m_plane->storeThread().append(eventsOf(3), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_plane->storeThread().waitingSince().has_value(), kSoon);
    // Decisions do not wait for the store.
    const auto decision = m_plane->fleet().with([](fleet::Fleet& fleet, Instant now) { return fleet.decide({Role::Worker, "any-app", 1, Endpoint::Any}, now); });
    QVERIFY(decision.code == fleet::Code::NoCandidate);
    QVERIFY(m_plane->fleet().read([](const fleet::Fleet& fleet, Instant) { return !fleet.findUser("during"); })); // as it was
    locker.release();
    QTRY_VERIFY_WITH_TIMEOUT(!m_plane->storeThread().waitingSince().has_value(), kSoon);
    QCOMPARE(events(journal::EventKind::NodeOnline), 3);
    QVERIFY(putUser("after").has_value());
    // The change that failed is in the audit too, as failed.
    std::promise<std::vector<store::AuditRow>> rows;
    m_plane->read([&](store::StoreReader& reader) {
        store::AuditFilter filter;
        filter.outcome = "failed";
        rows.set_value(reader.audit(filter).value_or(std::vector<store::AuditRow>()));
    });
    const auto failed = rows.get_future().get();
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed.front().target, std::string("during"));
}

void TestStoreTrouble::whatDoesNotFitIsCountedAndTold()
{
    Locker locker(m_plane->directory().databaseFile().string());
    QVERIFY(locker.holds());
    constexpr int kMore = 5000;
    m_plane->storeThread().append(eventsOf(static_cast<int>(plane::StoreThread::kMaxPendingEvents) + kMore), {});
    QTRY_VERIFY_WITH_TIMEOUT(m_plane->storeThread().lostEvents() >= kMore, kSoon);
    QVERIFY(m_plane->storeThread().isBehind()); // lost ones are told at once, without waiting ten seconds
    const auto refused = putUser("during");
    QVERIFY(!refused.has_value());
    locker.release();
    QTRY_VERIFY_WITH_TIMEOUT(!m_plane->storeThread().waitingSince().has_value(), kSoon);
    QTRY_COMPARE_WITH_TIMEOUT(events(journal::EventKind::EventsLost), 1, kSoon);
    QVERIFY(putUser("after").has_value());
    QTRY_VERIFY_WITH_TIMEOUT(!m_plane->storeThread().isBehind(), kSoon);
}

QTEST_GUILESS_MAIN(TestStoreTrouble)
#include "TestStoreTrouble.moc"
