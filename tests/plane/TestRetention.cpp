// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plane/StoreThread.h"
#include "core/store/DataDirectory.h"
#include "core/store/StoreReader.h"

#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace std::chrono_literals;
using namespace weir;
using namespace weir::plane;

namespace {

// A store thread on a database and a clock of its own.
struct Keeper {
    explicit Keeper(const std::string& path)
        : directory(*store::DataDirectory::open(path))
        , store(fleet, clock, log, [](const std::vector<journal::Event>&, bool) {})
        , reader(directory.databaseFile())
    {
        opened = store.start(directory).has_value();
    }
    ~Keeper()
    {
        reader.close();
        store.stop();
    }

    void append(std::size_t count, const std::string& sentence = "A fact.")
    {
        journal::Event event;
        event.at = clock.wall();
        event.kind = journal::EventKind::NodeOnline;
        event.sentence = sentence;
        store.append(std::vector<journal::Event>(count, event), {});
        std::promise<void> written;
        store.afterWrites([&written] { written.set_value(); });
        written.get_future().wait();
    }
    std::vector<journal::Event> events()
    {
        store::EventFilter all;
        all.limit = store::kMostRows;
        return reader.events(all).value_or(std::vector<journal::Event>());
    }

    ManualClock clock;
    NullLog log;
    store::DataDirectory directory;
    live::LiveFleet fleet{clock, {}, {}};
    StoreThread store;
    store::StoreReader reader;
    bool opened = false;
};

} // namespace

class TestRetention : public QObject {
    Q_OBJECT

private slots:
    void whatIsTooOldGoes();
    void whatIsTooMuchGoes();
};

void TestRetention::whatIsTooOldGoes()
{
    const QTemporaryDir dir;
    Keeper keeper(dir.filePath(QStringLiteral("data")).toStdString());
    QVERIFY(keeper.opened);
    keeper.append(2000);
    keeper.clock.advance(24h * 29);
    keeper.append(10);
    QCOMPARE(keeper.events().size(), 2010U);
    keeper.clock.advance(24h * 2);
    QTRY_COMPARE_WITH_TIMEOUT(keeper.events().size(), 10U, 10000);
    QCOMPARE(keeper.events().back().seq, std::int64_t{2001}); // numbers go on
    keeper.append(1);
    QCOMPARE(keeper.events().front().seq, std::int64_t{2011});
    keeper.store.setRetention({1h, std::int64_t(1) << 30U});
    keeper.clock.advance(2h);
    QTRY_COMPARE_WITH_TIMEOUT(keeper.events().size(), 1U, 10000); // the newest stays: the next number comes from it
}

void TestRetention::whatIsTooMuchGoes()
{
    const QTemporaryDir dir;
    Keeper keeper(dir.filePath(QStringLiteral("data")).toStdString());
    QVERIFY(keeper.opened);
    keeper.append(4000, std::string(1000, 'x'));
    keeper.clock.advance(1h);
    keeper.append(100);
    keeper.store.setRetention({24h * 30, 2000000});
    keeper.clock.advance(2min);
    QTRY_VERIFY_WITH_TIMEOUT(keeper.events().size() < 3000U, 20000);
    QVERIFY(keeper.events().size() > 100U); // and no more than needed
    QCOMPARE(keeper.events().front().seq, std::int64_t{4100});
}

QTEST_GUILESS_MAIN(TestRetention)
#include "TestRetention.moc"
