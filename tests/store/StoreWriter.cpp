// SPDX-License-Identifier: GPL-3.0-or-later
// store_writer hold|storm|fill|tmpfs DIRECTORY: a process that a test can kill (storm), starve of disk (fill, tmpfs) or let
// hold the lock (hold). Every line on standard output is something that it was promised.
#include "core/store/DataDirectory.h"
#include "core/store/Store.h"
#include "core/store/StoreReader.h"

#include <QCoreApplication>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace weir;
using namespace weir::store;

namespace {

void say(const std::string& line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// One change as the plane makes it: a record, its audit row, a series point and three events, all or none.
Result<void> change(Store& store, std::size_t padding = 0)
{
    return store.inTransaction([&store, padding](Writer& writer) -> Result<void> {
        std::vector<journal::Event> events(3);
        for (journal::Event& event : events) {
            event.kind = journal::EventKind::NodeMoved;
            event.nodeId = "gpu-1";
            event.detail = std::string(padding, 'x');
        }
        const int number = static_cast<int>(store.lastSeq() / 3) + 1;
        NodeRecord node;
        node.id = "gpu-1";
        node.capacity = number;
        std::vector<AuditRow> rows(1);
        rows[0].action = "move";
        const std::vector<journal::SeriesChange> points{{{}, {WallTime(std::chrono::milliseconds(number)), number, number, true}}};
        return writer.put(node)
            .and_then([&] { return writer.appendEvents(events); })
            .and_then([&] { return writer.appendAudit(rows); })
            .and_then([&] { return writer.appendSeries(points); });
    });
}

int storm(Store& store)
{
    for (;;) {
        if (Result<void> done = change(store); !done) {
            std::fprintf(stderr, "%s\n", done.error().message.c_str());
            return 1;
        }
        say(std::to_string(store.lastSeq()));
    }
}

/// Writes until the disk is full, then three times more, then with room again.
template <typename MakeRoom>
int fill(Store& store, MakeRoom makeRoom)
{
    Result<void> done;
    while ((done = change(store, 500))) {
    }
    const std::int64_t acknowledged = store.lastSeq();
    say("full " + std::to_string(acknowledged) + " " + done.error().code + " " + done.error().message);
    for (int i = 0; i < 3; ++i) {
        if (change(store, 500) || store.lastSeq() != acknowledged || !store.load()) {
            return 1;
        }
    }
    makeRoom();
    for (int i = 0; i < 10; ++i) {
        if (done = change(store, 500); !done) {
            std::fprintf(stderr, "%s\n", done.error().message.c_str());
            return 1;
        }
    }
    say("again " + std::to_string(store.lastSeq()));
    return store.lastSeq() == acknowledged + 30 ? 0 : 1;
}

int fillUnderLimit(Store& store)
{
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 2 * 1024 * 1024;
    setrlimit(RLIMIT_FSIZE, &limit);
    return fill(store, [&limit, before] {
        limit.rlim_cur = before;
        setrlimit(RLIMIT_FSIZE, &limit);
    });
}

/// Puts a disk of 2 MiB under `directory`, in a mount namespace of this process only.
bool mountSmallDisk(const std::string& directory)
{
    return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("tmpfs", directory.c_str(), "tmpfs", 0, "size=2m,mode=0700") == 0;
}

int fillSmallDisk(Store& store, const DataDirectory& directory)
{
    const std::string ballast = (directory.path() / "ballast").string();
    std::ofstream(ballast) << std::string(512 * 1024, 'x');
    const int outcome = fill(store, [&ballast] { ::unlink(ballast.c_str()); });
    // The disk goes with this process: what it holds is looked at from here.
    StoreReader reader(directory.databaseFile());
    EventFilter filter;
    filter.limit = kMostRows;
    const Result<std::vector<journal::Event>> events = reader.events(filter);
    if (!events || static_cast<std::int64_t>(events->size()) != store.lastSeq()) {
        return 1;
    }
    say("holds " + std::to_string(events->size()));
    return outcome;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    if (argc != 3) {
        return 2;
    }
    constexpr int kNotAllowed = 77;
    const std::string mode = argv[1];
    if (mode == "tmpfs" && !mountSmallDisk(argv[2])) {
        return kNotAllowed;
    }
    const Result<DataDirectory> directory = DataDirectory::open(argv[2]);
    if (!directory) {
        say(directory.error().code + " " + directory.error().message);
        return 3;
    }
    if (mode == "hold") {
        say("held");
        return std::getchar() == EOF ? 0 : 1;
    }
    const Result<std::unique_ptr<Store>> store = Store::open(*directory);
    if (!store) {
        say(store.error().code + " " + store.error().message);
        return 3;
    }
    if (mode == "storm") {
        return storm(**store);
    }
    return mode == "fill" ? fillUnderLimit(**store) : fillSmallDisk(**store, *directory);
}
