// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/Prober.h"

#include "core/probe/ProbeBody.h"
#include "core/probe/ProbeSchedule.h"
#include "core/probe/ProbeTransport.h"
#include "core/probe/TransportSet.h"

#include <QThread>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>

#include <sys/resource.h>

namespace weir::probe {
namespace {

/// The clock may run faster than real time and the machine may be suspended, so the timer never sleeps for long.
constexpr auto kLongestSleep = std::chrono::milliseconds(100);
/// What becomes due close together is started together: at 1,250 probes a second a wake-up for each would cost more than it
/// is worth.
constexpr auto kPumpGap = std::chrono::milliseconds(10);
constexpr std::size_t kLeastDescriptors = 16;

/// Half of the open-file limit: listeners, clients and the store need the others.
std::size_t openFileCap()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return kLeastDescriptors;
    }
    return std::max(kLeastDescriptors, static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1U << 20U)) / 2);
}

Duration readClock(clockid_t id)
{
    timespec time{};
    ::clock_gettime(id, &time);
    return std::chrono::seconds(time.tv_sec) + Duration(time.tv_nsec);
}

Duration suspendedSinceBoot()
{
    return readClock(CLOCK_BOOTTIME) - readClock(CLOCK_MONOTONIC);
}

} // namespace

class Prober::Loop {
public:
    Loop(Clock& clock, Log& log, ProbeSink& sink, ProberOptions options)
        : m_clock(clock)
        , m_log(log)
        , m_sink(sink)
        , m_options(std::move(options))
        , m_schedule(m_options.maxInFlight, openFileCap())
    {
        if (!m_options.suspendedTime) {
            m_options.suspendedTime = suspendedSinceBoot;
        }
        m_thread.setObjectName(QStringLiteral("probe"));
    }

    void start();
    void stop();

    /// Runs `change` on the schedule, now and in the caller's thread, so that questions asked next see it; the probe thread
    /// then acts on it.
    template <typename Change>
    void apply(Change change)
    {
        {
            const std::scoped_lock lock(m_mutex);
            change(m_schedule, m_clock.now());
        }
        wake();
    }

    template <typename Question>
    auto ask(Question question) const
    {
        const std::scoped_lock lock(m_mutex);
        return question(m_schedule);
    }

    bool firstRoundOver() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_schedule.firstRoundOver() && !m_lastOfRound;
    }

private:
    void wake();
    void begin();
    void end();
    void pump();
    void startProbe(ProbeTransport& transport, const ProbeSchedule::Start& start);
    void onAnswer(NodeHandle node, std::uint64_t ticket, ProbeAnswer&& answer);
    bool noticeSuspension(Instant now);
    void tellStalls(const std::vector<ProbeSchedule::StallChange>& changes);

    Clock& m_clock;
    Log& m_log;
    ProbeSink& m_sink;
    ProberOptions m_options;

    mutable std::mutex m_mutex; ///< guards m_schedule and m_context
    ProbeSchedule m_schedule;
    bool m_lastOfRound = false; ///< the result that ends the first round has not reached the sink yet
    QObject* m_context = nullptr; ///< lives on the probe thread while it runs
    std::atomic<bool> m_wakePosted = false;

    std::mutex m_lifeMutex; ///< start() and stop() one after the other
    QThread m_thread;

    // Only the probe thread touches these.
    std::unique_ptr<QTimer> m_timer;
    struct Exchange {
        ProbeTransport* transport = nullptr;
        std::uint64_t id = 0;
    };
    std::unique_ptr<TransportSet> m_transports;
    std::unordered_map<std::uint64_t, Exchange> m_exchanges; ///< by ticket
    std::chrono::steady_clock::time_point m_lastPump{};
    Duration m_suspended{};
};

void Prober::Loop::start()
{
    const std::scoped_lock life(m_lifeMutex);
    if (m_thread.isRunning()) {
        return;
    }
    m_thread.start();
    auto* context = new QObject;
    context->moveToThread(&m_thread);
    QMetaObject::invokeMethod(context, [this] { begin(); }, Qt::QueuedConnection);
    const std::scoped_lock lock(m_mutex);
    m_schedule.allDueNow(m_clock.now());
    m_context = context;
}

void Prober::Loop::stop()
{
    const std::scoped_lock life(m_lifeMutex);
    if (!m_thread.isRunning()) {
        return;
    }
    QObject* context = nullptr;
    {
        const std::scoped_lock lock(m_mutex);
        context = std::exchange(m_context, nullptr);
    }
    QMetaObject::invokeMethod(context, [this] { end(); }, Qt::BlockingQueuedConnection);
    context->deleteLater();
    m_thread.quit();
    m_thread.wait();
    m_wakePosted = false;
}

void Prober::Loop::wake()
{
    const std::scoped_lock lock(m_mutex);
    if (m_context != nullptr && !m_wakePosted.exchange(true)) {
        QMetaObject::invokeMethod(m_context, [this] { pump(); }, Qt::QueuedConnection);
    }
}

void Prober::Loop::begin()
{
    m_suspended = m_options.suspendedTime();
    m_transports = std::make_unique<TransportSet>(m_clock, m_log, m_options);
    m_timer = std::make_unique<QTimer>();
    m_timer->setSingleShot(true);
    m_timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(m_timer.get(), &QTimer::timeout, m_timer.get(), [this] { pump(); });
    pump();
}

void Prober::Loop::end()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_schedule.dropAll();
        (void)m_schedule.takeDropped();
        (void)m_schedule.takeStallChanges();
    }
    m_timer.reset();
    m_transports.reset();
    m_exchanges.clear();
}

bool Prober::Loop::noticeSuspension(Instant now)
{
    const Duration suspended = m_options.suspendedTime();
    const Duration away = suspended - std::exchange(m_suspended, suspended);
    {
        const std::scoped_lock lock(m_mutex);
        if (away <= m_schedule.timings().interval) {
            return false;
        }
        // Connections from before are as good as broken: what they would say is about us, not about the nodes.
        m_schedule.allDueNow(now);
    }
    m_log.write(LogLevel::Info, "resumed_from_suspend", "the machine was suspended; every node is probed before any is judged",
        {{"seconds", std::to_string(static_cast<long long>(toSeconds(away)))}});
    return true;
}

void Prober::Loop::pump()
{
    if (!m_transports) {
        return;
    }
    const auto real = std::chrono::steady_clock::now(); // the plane's clock may stand still
    if (const auto early = m_lastPump + kPumpGap - real; early > Duration::zero()) {
        m_timer->start(std::chrono::ceil<std::chrono::milliseconds>(early)); // m_wakePosted stays: the timer is the wake-up
        return;
    }
    m_lastPump = real;
    m_wakePosted = false;
    const Instant now = m_clock.now();
    noticeSuspension(now);
    std::vector<ProbeSchedule::Start> starts;
    std::vector<std::uint64_t> dropped;
    std::vector<ProbeSchedule::StallChange> stalls;
    std::optional<Instant> next;
    std::size_t targets = 0;
    {
        const std::scoped_lock lock(m_mutex);
        targets = m_schedule.targets();
        starts = m_schedule.takeStarts(now);
        dropped = m_schedule.takeDropped();
        stalls = m_schedule.takeStallChanges();
        next = m_schedule.nextTick();
    }
    for (const std::uint64_t ticket : dropped) {
        const auto at = m_exchanges.find(ticket);
        if (at != m_exchanges.end()) {
            at->second.transport->cancel(at->second.id);
            m_exchanges.erase(at);
        }
    }
    if (!starts.empty()) {
        ProbeTransport& transport = m_transports->current(targets);
        for (const ProbeSchedule::Start& start : starts) {
            startProbe(transport, start);
        }
        m_transports->releaseIdle();
    }
    const auto left = next ? std::chrono::ceil<std::chrono::milliseconds>(*next - now) : std::chrono::milliseconds(kLongestSleep);
    m_timer->start(std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(kLongestSleep)));
    tellStalls(stalls);
}

void Prober::Loop::startProbe(ProbeTransport& transport, const ProbeSchedule::Start& start)
{
    const std::uint64_t id = transport.start(
        start.target.url, start.timeout,
        [this, node = start.target.node, ticket = start.ticket](ProbeAnswer&& answer) { onAnswer(node, ticket, std::move(answer)); }, start.target.tls);
    m_exchanges[start.ticket] = {&transport, id};
}

void Prober::Loop::onAnswer(NodeHandle node, std::uint64_t ticket, ProbeAnswer&& answer)
{
    m_exchanges.erase(ticket);
    noticeSuspension(answer.ended);
    std::optional<ProbeTarget> target;
    {
        const std::scoped_lock lock(m_mutex);
        const bool wasOver = m_schedule.firstRoundOver();
        target = m_schedule.finish(node, ticket, answer.ended);
        m_lastOfRound = target && !wasOver && m_schedule.firstRoundOver();
    }
    if (target) {
        ProbeResult result;
        result.node = node;
        result.generation = target->generation;
        result.started = answer.started;
        result.ended = answer.ended;
        result.at = m_clock.wall();
        result.status = answer.status;
        result.localError = answer.localError;
        const bool expected = std::find(target->expectedStatuses.begin(), target->expectedStatuses.end(), answer.status) != target->expectedStatuses.end();
        result.success = answer.failure.empty() && expected;
        result.reason = !answer.failure.empty() || expected ? std::move(answer.failure) : "status:" + std::to_string(answer.status);
        result.body = readProbeBody(answer.body);
        m_sink.probeEnded(result);
        const std::scoped_lock lock(m_mutex);
        m_lastOfRound = false;
    }
    wake(); // not pump(): many answers in one turn of the loop share one
}

void Prober::Loop::tellStalls(const std::vector<ProbeSchedule::StallChange>& changes)
{
    for (const ProbeSchedule::StallChange& change : changes) {
        if (change.stalled) {
            m_log.write(LogLevel::Warning, "probe_stalled", "no probe of a node has ended for three intervals",
                {{"node", std::to_string(change.node.value())}});
        }
        m_sink.probeStalled(change.node, change.stalled);
    }
}

Prober::Prober(Clock& clock, Log& log, ProbeSink& sink, ProberOptions options)
    : m_loop(std::make_unique<Loop>(clock, log, sink, std::move(options)))
{
}

Prober::~Prober()
{
    m_loop->stop();
}

void Prober::start()
{
    m_loop->start();
}

void Prober::stop()
{
    m_loop->stop();
}

void Prober::setTimings(ProbeTimings timings)
{
    m_loop->apply([&](ProbeSchedule& schedule, Instant now) { schedule.setTimings(timings, now); });
}

void Prober::setTarget(ProbeTarget target)
{
    m_loop->apply([&](ProbeSchedule& schedule, Instant now) { schedule.setTarget(std::move(target), now); });
}

void Prober::removeTarget(NodeHandle node)
{
    m_loop->apply([&](ProbeSchedule& schedule, Instant) { schedule.removeTarget(node); });
}

void Prober::probeNow(NodeHandle node)
{
    m_loop->apply([&](ProbeSchedule& schedule, Instant now) { schedule.probeNow(node, now); });
}

std::optional<Instant> Prober::nextProbe(NodeHandle node) const
{
    return m_loop->ask([&](const ProbeSchedule& schedule) { return schedule.nextProbe(node); });
}

bool Prober::firstRoundOver() const
{
    return m_loop->firstRoundOver();
}

} // namespace weir::probe
