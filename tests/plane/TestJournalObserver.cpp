// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/ChangeFlow.h"
#include "core/plane/JournalObserver.h"
#include "core/plane/NodeHistory.h"
#include "core/plane/StoreThread.h"
#include "core/store/DataDirectory.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <mutex>

using namespace weir;
using namespace weir::plane;

namespace {

// Counts refusals, answers each with an event, and keeps the count in a row.
class RefusalCounter final : public JournalObserver {
public:
    JournalEntries restore(const store::Snapshot& snapshot, store::StoreReader& reader, WallTime) override
    {
        for (const store::SettingRecord& setting : snapshot.settings) {
            if (setting.key == "refusals") {
                m_count = std::stoi(setting.json);
            }
        }
        const auto events = reader.events({});
        restoredEvents = events ? static_cast<int>(events->size()) : -1;
        return {};
    }

    JournalEntries observe(const JournalTurn& turn) override
    {
        JournalEntries entries;
        for (const fleet::FleetChange& change : turn.changes) {
            if (change.kind != fleet::ChangeKind::PoolExhausted) {
                continue;
            }
            ++m_count;
            journal::Event event;
            event.at = turn.wall;
            event.kind = journal::EventKind::AlarmFired;
            event.sentence = std::to_string(m_count);
            entries.events.push_back(event);
            const store::SettingRecord row{"refusals", std::to_string(m_count), "test", turn.wall};
            entries.rows.push_back({"refusals", [row](store::Writer& writer) { return writer.put(row); }});
        }
        const std::scoped_lock lock(m_mutex);
        m_committed.insert(m_committed.end(), turn.committed.begin(), turn.committed.end());
        sawLast = sawLast || turn.last;
        return entries;
    }

    std::vector<journal::Event> committed() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_committed;
    }
    int count() const { return m_count; }

    std::atomic<int> restoredEvents{0};
    std::atomic<bool> sawLast{false};

private:
    mutable std::mutex m_mutex;
    std::vector<journal::Event> m_committed;
    int m_count = 0;
};

// The journal side of a plane on a database of its own.
struct Journal {
    explicit Journal(const std::string& path)
        : directory(*store::DataDirectory::open(path))
        , reader(directory.databaseFile())
        , store(fleet, clock, log, [this](std::vector<journal::Event> events, bool atOnce) { flow.committed(std::move(events), atOnce); })
        , flow(fleet, clock, log, store, history, {[](NodeHandle) { return std::nullopt; }, [] { return true; }, [] { return std::uint64_t{1}; }})
    {
        flow.addObserver(observer);
        const auto snapshot = store.start(directory);
        if (snapshot) {
            flow.restoreObservers(*snapshot, reader);
        }
        opened = snapshot.has_value();
        flow.start();
    }
    ~Journal()
    {
        flow.stop();
        reader.close();
        store.stop();
    }

    SystemClock clock;
    NullLog log;
    store::DataDirectory directory;
    store::StoreReader reader;
    live::LiveFleet fleet{clock, {}, {}};
    NodeHistory history;
    RefusalCounter observer;
    StoreThread store;
    ChangeFlow flow;
    bool opened = false;
};

void refuse(live::LiveFleet& fleet, int times)
{
    for (int i = 0; i < times; ++i) {
        fleet::Request request;
        request.app = "demo";
        static_cast<void>(fleet.decide(request));
    }
}

int answers(const std::vector<journal::Event>& events)
{
    return static_cast<int>(std::count_if(events.begin(), events.end(), [](const journal::Event& event) { return event.kind == journal::EventKind::AlarmFired; }));
}

} // namespace

// What alarms and incidents hang on: facts unfolded, committed events in order, rows that are as durable as the events.
class TestJournalObserver : public QObject {
    Q_OBJECT

private slots:
    void sessionsAreContinued()
    {
        QTemporaryDir directory;
        const std::string path = directory.path().toStdString() + "/data";
        {
            Journal journal(path);
            QVERIFY(journal.opened);
            refuse(journal.fleet, 3);
            QTRY_COMPARE(answers(journal.observer.committed()), 3);
            const auto committed = journal.observer.committed();
            for (std::size_t i = 1; i < committed.size(); ++i) {
                QCOMPARE(committed[i].seq, committed[i - 1].seq + 1);
            }
            refuse(journal.fleet, 2); // may still be in the ring when it stops
            journal.flow.stop();
            QVERIFY(journal.observer.sawLast);
            QCOMPARE(journal.observer.count(), 5);
        }
        {
            Journal journal(path);
            QVERIFY(journal.opened);
            QVERIFY(journal.observer.restoredEvents >= 5);
            refuse(journal.fleet, 1);
            QTRY_COMPARE(answers(journal.observer.committed()), 1);
            QCOMPARE(journal.observer.count(), 6);
        }
    }
};

QTEST_GUILESS_MAIN(TestJournalObserver)
#include "TestJournalObserver.moc"
