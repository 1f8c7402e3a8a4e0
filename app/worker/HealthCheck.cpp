// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/HealthCheck.h"

#include "core/probe/QnamTransport.h"

#include <algorithm>
#include <utility>

namespace weir::worker {
namespace {

constexpr Duration kLongestNotReady = std::chrono::seconds(1);

} // namespace

HealthCheck::HealthCheck(Settings settings, Clock& clock, Log& log, DiskReader::Ask askDisk)
    : m_settings(std::move(settings))
    , m_clock(clock)
    , m_log(log)
{
    m_findings.depsUp.resize(m_settings.deps.size());
    m_depsPending.resize(m_settings.deps.size());
    if (!m_settings.readyUrl.empty()) {
        m_transport = std::make_unique<probe::QnamTransport>(clock, 1);
    }
    if (m_settings.minFreeGb > 0) {
        DiskReader::Ask ask = askDisk ? std::move(askDisk) : [path = m_settings.diskPath] { return freeGbOf(path); };
        m_disk = std::make_unique<DiskReader>(std::move(ask), [this](FreeGb freeGb) { diskEnded(freeGb); });
    }
    m_deadline.setSingleShot(true);
    m_deadline.setTimerType(Qt::PreciseTimer);
    connect(&m_deadline, &QTimer::timeout, this, &HealthCheck::finish);
}

HealthCheck::~HealthCheck() = default;

void HealthCheck::ask(Answered answered)
{
    m_waiting.push_back(std::move(answered));
    if (!m_running) {
        m_running = true;
        QTimer::singleShot(0, this, &HealthCheck::begin);
    }
}

bool HealthCheck::isFresh(const std::optional<Instant>& at, Duration limit) const
{
    return at && m_clock.now() - *at < limit;
}

void HealthCheck::begin()
{
    ++m_checks;
    m_deadline.start(m_settings.depTimeout);
    if (m_disk) {
        m_diskPending = true;
        m_disk->read();
    }
    if (m_settings.checkDeps && !isFresh(m_depsAt, m_settings.depsCache)) {
        beginDependencies();
    }
    const Duration cache = m_settings.depsCache;
    if (m_transport && !isFresh(m_readyAt, m_findings.ready ? cache : std::min(cache, kLongestNotReady))) {
        beginReady();
    }
    finishIfDone();
}

void HealthCheck::beginDependencies()
{
    m_depsAt.reset();
    for (std::size_t i = 0; i < m_settings.deps.size(); ++i) {
        m_findings.depsUp[i] = false;
        m_depsPending[i] = std::make_unique<DependencyCheck>(m_settings.deps[i], [this, i](bool up) { dependencyEnded(i, up); }, nullptr);
    }
}

void HealthCheck::beginReady()
{
    m_readyAt.reset();
    m_findings.ready = false;
    m_readyRequest = m_transport->start(m_settings.readyUrl, m_settings.depTimeout, [this](probe::ProbeAnswer&& answer) { readyEnded(answer.failure.empty() && answer.status == 200); });
}

void HealthCheck::dependencyEnded(std::size_t index, bool up)
{
    m_findings.depsUp[index] = up;
    m_depsPending[index].release()->deleteLater(); // it is calling
    finishIfDone();
}

void HealthCheck::readyEnded(bool ready)
{
    m_readyRequest = 0;
    m_findings.ready = ready;
    finishIfDone();
}

void HealthCheck::diskEnded(FreeGb freeGb)
{
    // One that comes after its check's deadline is the newest there is, and serves the next check if one waits.
    m_findings.freeGb = freeGb;
    if (std::exchange(m_diskPending, false)) {
        finishIfDone();
    }
}

void HealthCheck::finishIfDone()
{
    const auto isPending = [](const std::unique_ptr<DependencyCheck>& check) { return check != nullptr; };
    if (m_running && !m_diskPending && m_readyRequest == 0 && std::none_of(m_depsPending.begin(), m_depsPending.end(), isPending)) {
        finish();
    }
}

void HealthCheck::finish()
{
    m_deadline.stop();
    const Instant now = m_clock.now();
    if (!m_depsAt) {
        m_depsAt = now;
    }
    if (!m_readyAt) {
        m_readyAt = now;
    }
    if (std::exchange(m_diskPending, false)) {
        m_findings.freeGb.reset();
    }
    if (m_readyRequest != 0) {
        m_transport->cancel(std::exchange(m_readyRequest, 0));
    }
    for (std::unique_ptr<DependencyCheck>& check : m_depsPending) {
        check.reset();
    }
    m_running = false;
    const Report answer = report(m_settings, m_findings);
    tell(answer);
    for (const Answered& answered : std::exchange(m_waiting, {})) {
        answered(answer);
    }
}

void HealthCheck::tell(const Report& report)
{
    const std::string now = report.state + (report.reason.empty() ? "" : ": " + report.reason);
    if (std::exchange(m_told, now) == now) {
        return;
    }
    m_log.write(report.status == 200 ? LogLevel::Info : LogLevel::Warning, "worker_state", "The worker is " + now + ".",
        {{"state", report.state}, {"reason", report.reason}, {"answer", report.body}});
}

} // namespace weir::worker
