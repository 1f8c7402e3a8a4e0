// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/TimerQueue.h"
#include "core/probe/ProbeTransport.h"

#include <QObject>
#include <QTimer>
#include <QUrl>

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

class QNetworkAccessManager;

namespace weir::probe {

class QnamExchange;

/// ProbeTransport on Qt's QNetworkAccessManager. Needs a QCoreApplication and the event loop of its thread.
///
/// Qt keeps connections and opens at most six to one host and port per manager; further requests wait and their timeout runs.
/// With plain http every exchange therefore carries a name of its own, which Qt uses only as a key of its connections there:
/// always a fresh connection, any number at once. With https that name would be verified, so exchanges with one host and port
/// are put into lanes of six, each another manager, made when needed, at most 32: 192 at once. Further ones wait here, and
/// their timeout begins when they start; an https server that ignores `Connection: close` while several nodes share its
/// address may see a connection used twice. Host names are resolved by Qt's 20 lookup threads: a resolver that hangs delays
/// other names.
///
/// What Qt hides: a chunked body that breaks off may look complete, so that its status decides; after a body that ends with the
/// connection Qt may send the request once more before it lets go. Qt bounds no answer's head: one that never ends fails at
/// its deadline, but keeps the thread of its manager busy as long as it flows. Other nodes of that manager may then time out
/// too, and stopping waits up to 5 s for the thread.
class QnamTransport final : public ProbeTransport {
public:
    QnamTransport(Clock& clock, std::size_t managers);
    ~QnamTransport() override;

    using ProbeTransport::start;
    std::uint64_t start(const std::string& url, Duration timeout, Callback callback, const ProbeTls& tls) override;
    void cancel(std::uint64_t id) override;
    [[nodiscard]] std::size_t underWay() const override { return m_probes.size(); }

    /// Managers made so far to replace worn ones; for tests and figures.
    [[nodiscard]] std::size_t managersReplaced() const { return m_managersReplaced; }

private:
    struct Probe {
        QUrl url;
        std::string authority; ///< empty for plain http
        ProbeTls tls;
        Duration timeout{};
        Callback callback;
        Instant started;
        QnamExchange* exchange = nullptr; ///< none while it waits for a lane
        std::size_t lane = 0;
    };
    struct Authority {
        std::vector<int> lanes; ///< exchanges in each
        std::deque<std::uint64_t> waiting;
    };
    struct ManagerSlot {
        std::shared_ptr<QNetworkAccessManager> manager;
        std::size_t used = 0;
    };

    [[nodiscard]] static std::optional<std::size_t> freeLane(Authority& authority);
    [[nodiscard]] std::size_t managerIndex(std::uint64_t id, const Probe& probe) const;
    std::shared_ptr<QNetworkAccessManager> managerAt(std::size_t index);
    void launch(std::uint64_t id, Probe& probe, std::size_t lane);
    void finish(std::uint64_t id, ProbeAnswer&& answer);
    void leaveLane(const Probe& probe);
    void expireDue();
    void armTimer();

    Clock& m_clock;
    std::size_t m_baseManagers;
    QObject m_root; ///< parent of managers and exchanges, so that none outlives the transport
    QTimer m_timer;
    TimerQueue<std::uint64_t> m_deadlines;
    std::unordered_map<std::uint64_t, Probe> m_probes;
    std::unordered_map<std::string, Authority> m_authorities;
    std::vector<ManagerSlot> m_managers;
    std::uint64_t m_lastId = 0;
    std::size_t m_managersReplaced = 0;
};

} // namespace weir::probe
