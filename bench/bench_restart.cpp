// SPDX-License-Identifier: GPL-3.0-or-later
// How long a start takes whose incidents have not seen the end of the journal: what a crash under load leaves, at its worst. The journal
// is written by the store's own code, then the server that lies beside this program starts on it, twice: with events that incidents have
// not seen, and with none. Then the first page of the incident with the most events is read over HTTP.
//
// bench_restart [events] [pools]     default: 100,000 over 40
#include "core/base/Sentence.h"
#include "core/store/DataDirectory.h"
#include "core/store/Store.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using journal::Event;
using journal::EventKind;

constexpr int kNodes = 400;
constexpr int kApps = 120;
constexpr int kBatch = 5'000;
constexpr int kEndMs = 120'000;
constexpr auto kApart = std::chrono::milliseconds(100);

std::string named(const char* what, int number)
{
    return what + std::to_string(number);
}

// A fleet in trouble: nodes of all pools go out and come back, apps are refused, alarms fire, people move nodes.
Event eventAt(int i, WallTime at, int pools)
{
    static constexpr std::array kKinds{EventKind::NodeOffline, EventKind::QuarantineStarted, EventKind::PoolExhausted,
        EventKind::AlarmFired, EventKind::PoolFallback, EventKind::QuarantineOver, EventKind::NodeOnline, EventKind::PoolExhausted,
        EventKind::AlarmResolved, EventKind::NodeMoved};
    const int turn = i / static_cast<int>(kKinds.size());
    Event event;
    event.at = at;
    event.kind = kKinds[static_cast<std::size_t>(i) % kKinds.size()];
    event.severity = journal::Severity::Warning;
    event.role = "origin";
    event.poolId = named("pool-", turn % pools);
    const bool aboutApp = event.kind == EventKind::PoolExhausted || event.kind == EventKind::PoolFallback;
    const bool aboutAlarm = event.kind == EventKind::AlarmFired || event.kind == EventKind::AlarmResolved;
    if (aboutApp) {
        event.appId = named("app-", turn % kApps);
        event.sentence = sentence("No origin for app %1: %2: 0 of 10 usable: 10 quarantined.", {event.appId, event.poolId});
    } else if (aboutAlarm) {
        const std::string number = std::to_string(turn + 1);
        event.detail = R"({"alarm":")" + number + R"(","kind":"pool_down","count":1})";
        event.sentence = sentence("pool_down: None of the 10 origins of %1 is available.", {event.poolId});
    } else {
        event.nodeId = named("node-", turn % kNodes);
        event.sentence = sentence("%1 is out of rotation after 2 failed probes (last: timeout).", {event.nodeId});
        event.detail = event.kind == EventKind::NodeMoved ? R"({"from":"default"})" : R"({"cause":"probe","outcome":"timeout"})";
        event.actor = event.kind == EventKind::NodeMoved ? "token:ops" : "";
    }
    return event;
}

bool fill(const std::string& directory, int count, int pools)
{
    const auto opened = store::DataDirectory::open(directory);
    if (!opened) {
        return false;
    }
    auto store = store::Store::open(*opened);
    if (!store) {
        return false;
    }
    WallTime at = SystemClock().wall() - kApart * count;
    for (int from = 0; from < count; from += kBatch) {
        std::vector<Event> events;
        for (int i = from; i < std::min(count, from + kBatch); ++i) {
            at += kApart;
            events.push_back(eventAt(i, at, pools));
        }
        const auto written = (*store)->inTransaction([&](store::Writer& writer) -> Result<void> {
            if (auto done = writer.appendEvents(events); !done) {
                return done;
            }
            return from == 0 ? writer.putMark("incidents_seen", 0) : Result<void>();
        });
        if (!written) {
            std::fprintf(stderr, "%s\n", written.error().message.c_str());
            return false;
        }
    }
    return true;
}

// Starts it and waits for its ready line. Seconds until then; below 0: it did not come.
double start(QProcess& server, const QString& directory)
{
    server.setProgram(QCoreApplication::applicationDirPath() + QStringLiteral("/weir-server"));
    server.setArguments({QStringLiteral("--data-dir"), directory, QStringLiteral("--admin-listen"), QStringLiteral("127.0.0.1:0"),
        QStringLiteral("--gateway-listen"), QStringLiteral("127.0.0.1:0")});
    server.setStandardErrorFile(QProcess::nullDevice());
    QElapsedTimer timer;
    timer.start();
    server.start();
    while (!server.canReadLine() && timer.elapsed() < kEndMs && server.waitForReadyRead(kEndMs)) {
    }
    return server.canReadLine() ? static_cast<double>(timer.elapsed()) / 1000 : -1;
}

// The same, and ends it in good order.
double startOnce(const QString& directory)
{
    QProcess server;
    const double seconds = start(server, directory);
    server.terminate();
    server.waitForFinished(kEndMs);
    return seconds;
}

/// A superadmin's GETs, one after another.
class Reader {
public:
    Reader(QString url, QByteArray token)
        : m_url(std::move(url))
        , m_token(std::move(token))
    {
    }

    QJsonObject get(const QString& path)
    {
        QNetworkRequest request(QUrl(m_url + path));
        request.setRawHeader("Authorization", "Bearer " + m_token);
        QElapsedTimer timer;
        timer.start();
        const std::unique_ptr<QNetworkReply> reply(m_network.get(request));
        QEventLoop loop;
        QObject::connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
        if (!reply->isFinished()) {
            loop.exec();
        }
        const QByteArray body = reply->readAll();
        m_milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        return QJsonDocument::fromJson(body).object();
    }
    /// Of the last get(), with its body.
    [[nodiscard]] double milliseconds() const { return m_milliseconds; }

private:
    QString m_url;
    QByteArray m_token;
    QNetworkAccessManager m_network;
    double m_milliseconds = 0;
};

// False: it could not be read.
bool readLargest(const QString& directory)
{
    constexpr int kReads = 21;
    QProcess server;
    bool isRead = start(server, directory) >= 0;
    QFile token(directory + QStringLiteral("/superadmin.token"));
    if (isRead && token.open(QIODevice::ReadOnly)) {
        Reader reader(QJsonDocument::fromJson(server.readLine()).object().value(QLatin1String("admin")).toString(), token.readAll().trimmed());
        QString largest;
        qint64 most = 0;
        for (const QJsonValue& incident : reader.get(QStringLiteral("/admin/incidents?limit=1000")).value(QLatin1String("items")).toArray()) {
            const qint64 events = incident[QLatin1String("counts")][QLatin1String("events")].toInteger();
            if (events > most) {
                most = events;
                largest = incident[QLatin1String("id")].toString();
            }
        }
        std::vector<double> times;
        qsizetype lines = 0;
        for (int i = 0; i < kReads; ++i) {
            lines = reader.get(QStringLiteral("/admin/incidents/%1/events").arg(largest)).value(QLatin1String("items")).toArray().size();
            times.push_back(reader.milliseconds());
        }
        const double first = times.front();
        std::sort(times.begin(), times.end());
        isRead = lines > 0;
        std::printf("incident %s, %lld events: first page, %lld lines, in %.1f ms the first time, median %.1f ms, most %.1f ms\n", qPrintable(largest),
            static_cast<long long>(most), static_cast<long long>(lines), first, times[times.size() / 2], times.back());
    }
    server.terminate();
    server.waitForFinished(kEndMs);
    return isRead;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int count = argc > 1 ? std::atoi(argv[1]) : 100'000;
    const int pools = argc > 2 ? std::max(1, std::atoi(argv[2])) : 40;
    if (count < 1 || count > 10'000'000) {
        std::fprintf(stderr, "bench_restart [events 1..10000000] [pools]\n");
        return 2;
    }
    const QTemporaryDir scratch;
    const QString directory = scratch.filePath(QStringLiteral("data"));
    QElapsedTimer filling;
    filling.start();
    if (!fill(directory.toStdString(), count, pools)) {
        std::fprintf(stderr, "the journal could not be written\n");
        return 1;
    }
    std::printf("%d events over %d pools written in %.1f s\n", count, pools, static_cast<double>(filling.elapsed()) / 1000);
    std::fflush(stdout);
    const double unseen = startOnce(directory);
    const double seen = startOnce(directory);
    std::printf("start to ready line: %.2f s with none of them seen, %.2f s with all of them seen\n", unseen, seen);
    return unseen >= 0 && seen >= 0 && readLargest(directory) ? 0 : 1;
}
