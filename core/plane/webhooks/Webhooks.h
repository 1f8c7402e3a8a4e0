// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/config/Config.h"
#include "core/plane/StoreThread.h"
#include "core/plane/alarms/AlarmBoard.h"
#include "core/plane/webhooks/WebhookMessage.h"
#include "core/plane/webhooks/WebhookQueue.h"
#include "core/probe/HttpPoster.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace weir::plane {

/// Tells receivers of alarms: at least once and in order for each, again and again for an hour while one does not answer, over a
/// restart too. A receiver that is down costs its own queue and nothing else. Calls may come from any thread; those of AlarmDelivery come
/// from the journal thread.
class Webhooks final : public AlarmDelivery {
public:
    using Post = std::function<void(probe::HttpPost, probe::HttpPoster::Done)>;

    /// `post` sends without waiting and calls back from another thread; it must be stopped before this object ends.
    Webhooks(const Clock& clock, Log& log, StoreThread& store, Post post);

    /// The receivers from now on. One whose name stays keeps what waits for it; what waited for one that is gone is dropped.
    void configure(const std::vector<config::WebhookEntry>& receivers);

    void restore(const store::Snapshot& snapshot, WallTime wall) override;
    void turnBegins(const journal::Moment& at) override;
    [[nodiscard]] std::vector<RowWrite> deliver(const std::vector<journal::AlarmNotice>& notices, const journal::Moment& at) override;
    void remind(const std::vector<journal::Alarm>& firing) override;

    /// Sends a made-up alert to the receiver of that name, or at that place in the file (from 0), past its queue; its status when it took
    /// it. Errors: `unknown_webhook`; `webhook_failed`.
    void test(const std::string& receiver, Done<int> done);

    /// Deliveries that wait for this receiver.
    [[nodiscard]] std::size_t waiting(const std::string& receiver) const;

private:
    struct Receiver {
        config::WebhookEntry entry;
        WebhookQueue queue;
        std::deque<boost::json::array> reminders; ///< of format alertmanager
        bool reminding = false;
        std::uint64_t lost = 0; ///< given up or without room, not said yet
        Instant lostSaidAt = Instant::min();
    };

    void pump(const std::string& name, Receiver& receiver);
    void answered(const std::string& name, const probe::HttpPostResult& result);
    void reminded(const std::string& name, bool success);
    void sayLost(const std::string& name, Receiver& receiver, Instant now);
    void say(const std::string& name, std::string sentence, std::uint64_t count);
    static RowWrite removalOf(std::uint64_t id);

    const Clock& m_clock;
    Log& m_log;
    StoreThread& m_store;
    Post m_post;

    mutable std::mutex m_mutex;
    std::map<std::string, Receiver> m_receivers;
    std::vector<std::string> m_order; ///< names as the file has them
    std::uint64_t m_nextId = 1;
    std::uint64_t m_readyUpTo = 0;
};

} // namespace weir::plane
