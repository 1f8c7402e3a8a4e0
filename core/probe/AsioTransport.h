// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTransport.h"

#include <memory>
#include <unordered_map>

namespace weir::probe {

class AsioEngine;

/// ProbeTransport on a thread and an io_context of its own, for large fleets: no limit per host, nothing kept between
/// exchanges. Answers come in batches, one at once and the next ones at most every 10 ms. Needs the event loop of the thread
/// that made it.
///
/// Beyond QnamTransport it sees every body that is cut off, and bounds the head of an answer (malformed).
class AsioTransport final : public ProbeTransport {
public:
    explicit AsioTransport(Clock& clock);
    ~AsioTransport() override;

    using ProbeTransport::start;
    std::uint64_t start(const std::string& url, Duration timeout, Callback callback, const ProbeTls& tls) override;
    void cancel(std::uint64_t id) override;
    [[nodiscard]] std::size_t underWay() const override { return m_callbacks.size(); }

private:
    void takeAnswers();

    std::unordered_map<std::uint64_t, Callback> m_callbacks;
    std::uint64_t m_lastId = 0;
    std::unique_ptr<AsioEngine> m_engine;
};

} // namespace weir::probe
