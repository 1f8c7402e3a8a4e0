// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/QnamTransport.h"

#include "core/probe/QnamExchange.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>

#include <algorithm>

namespace weir::probe {
namespace {

constexpr int kLaneWidth = 6; // Qt's limit per host and port; a setting only since 6.5
constexpr std::size_t kMaxManagers = 32;
/// A manager that has made this many requests is replaced: whatever Qt keeps per host cannot pile up under churn.
constexpr std::size_t kRequestsPerManager = 10'000;
/// The clock may run faster than real time, so the timer never sleeps for long while a deadline is open.
constexpr auto kLongestSleep = std::chrono::milliseconds(50);

bool isSecure(const QUrl& url)
{
    return url.scheme() == QLatin1String("https");
}

} // namespace

QnamTransport::QnamTransport(Clock& clock, std::size_t managers)
    : m_clock(clock)
    , m_baseManagers(std::clamp<std::size_t>(managers, 1, kMaxManagers))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_root, [this] { expireDue(); });
}

QnamTransport::~QnamTransport()
{
    for (auto& [id, probe] : m_probes) {
        delete probe.exchange;
    }
}

std::uint64_t QnamTransport::start(const std::string& url, Duration timeout, Callback callback, const ProbeTls& tls)
{
    const std::uint64_t id = ++m_lastId;
    Probe& probe = m_probes[id];
    probe.url = QUrl::fromEncoded(QByteArray::fromStdString(url), QUrl::TolerantMode);
    probe.timeout = timeout;
    probe.callback = std::move(callback);
    if (!isSecure(probe.url)) {
        launch(id, probe, 0);
        return id;
    }
    probe.tls = tls;
    // Other trust, other connection: the settings are part of what may share one.
    probe.authority = probe.url.host().toStdString() + ":" + std::to_string(probe.url.port(443)) + " " + tls.serverName + " " + tls.caFile + (tls.verify ? "" : " any");
    Authority& authority = m_authorities[probe.authority];
    if (const std::optional<std::size_t> lane = freeLane(authority)) {
        ++authority.lanes[*lane];
        launch(id, probe, *lane);
    } else {
        authority.waiting.push_back(id);
    }
    return id;
}

std::optional<std::size_t> QnamTransport::freeLane(Authority& authority)
{
    const auto free = std::find_if(authority.lanes.begin(), authority.lanes.end(), [](int used) { return used < kLaneWidth; });
    if (free != authority.lanes.end()) {
        return static_cast<std::size_t>(free - authority.lanes.begin());
    }
    if (authority.lanes.size() >= kMaxManagers) {
        return std::nullopt;
    }
    authority.lanes.push_back(0);
    return authority.lanes.size() - 1;
}

std::size_t QnamTransport::managerIndex(std::uint64_t id, const Probe& probe) const
{
    if (probe.authority.empty()) {
        return id % m_baseManagers;
    }
    return probe.lane < m_baseManagers ? (std::hash<std::string>{}(probe.authority) + probe.lane) % m_baseManagers : probe.lane;
}

std::shared_ptr<QNetworkAccessManager> QnamTransport::managerAt(std::size_t index)
{
    if (index >= m_managers.size()) {
        m_managers.resize(index + 1);
    }
    ManagerSlot& slot = m_managers[index];
    if (slot.manager && slot.used >= kRequestsPerManager) {
        slot.manager.reset(); // the last exchange that uses it lets it go
        ++m_managersReplaced;
    }
    if (!slot.manager) {
        slot.manager = std::shared_ptr<QNetworkAccessManager>(new QNetworkAccessManager(&m_root), [](QNetworkAccessManager* old) { old->deleteLater(); });
        slot.manager->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
        slot.manager->setAutoDeleteReplies(false);
        slot.used = 0;
    }
    ++slot.used;
    return slot.manager;
}

void QnamTransport::launch(std::uint64_t id, Probe& probe, std::size_t lane)
{
    probe.lane = lane;
    probe.started = m_clock.now();
    QString name;
    if (probe.authority.empty()) {
        name = QStringLiteral("probe-%1").arg(id);
    }
    probe.exchange = new QnamExchange(managerAt(managerIndex(id, probe)), probe.url, name, probe.tls, [this, id](ProbeAnswer&& answer) { finish(id, std::move(answer)); }, &m_root);
    m_deadlines.add(probe.started + probe.timeout, id);
    armTimer();
}

void QnamTransport::leaveLane(const Probe& probe)
{
    if (probe.authority.empty()) {
        return;
    }
    const auto at = m_authorities.find(probe.authority);
    Authority& authority = at->second;
    --authority.lanes[probe.lane];
    while (!authority.waiting.empty()) {
        const std::uint64_t next = authority.waiting.front();
        authority.waiting.pop_front();
        const auto waiting = m_probes.find(next);
        if (waiting != m_probes.end()) {
            ++authority.lanes[probe.lane];
            launch(next, waiting->second, probe.lane);
            return;
        }
    }
    while (!authority.lanes.empty() && authority.lanes.back() == 0) {
        authority.lanes.pop_back();
    }
    if (authority.lanes.empty()) {
        m_authorities.erase(at);
    }
}

void QnamTransport::finish(std::uint64_t id, ProbeAnswer&& answer)
{
    auto node = m_probes.extract(id);
    if (node.empty()) {
        return;
    }
    Probe& probe = node.mapped();
    probe.exchange->deleteLater();
    answer.started = probe.started;
    answer.ended = m_clock.now();
    leaveLane(probe);
    probe.callback(std::move(answer));
}

void QnamTransport::cancel(std::uint64_t id)
{
    auto node = m_probes.extract(id);
    if (node.empty()) {
        return;
    }
    const Probe& probe = node.mapped();
    if (probe.exchange != nullptr) {
        probe.exchange->stop();
        probe.exchange->deleteLater();
        leaveLane(probe);
    }
}

void QnamTransport::expireDue()
{
    while (const std::optional<std::uint64_t> due = m_deadlines.takeDue(m_clock.now())) {
        const auto at = m_probes.find(*due);
        if (at != m_probes.end()) {
            at->second.exchange->expire();
        }
    }
    armTimer();
}

void QnamTransport::armTimer()
{
    if (m_probes.empty()) {
        m_timer.stop();
        return;
    }
    const std::optional<Instant> next = m_deadlines.next();
    if (!next) {
        return;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - m_clock.now());
    const auto sleep = std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(kLongestSleep));
    if (!m_timer.isActive() || m_timer.remainingTime() > sleep.count()) {
        m_timer.start(sleep);
    }
}

} // namespace weir::probe
