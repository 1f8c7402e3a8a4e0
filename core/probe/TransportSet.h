// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTransport.h"

#include <array>
#include <functional>
#include <memory>

namespace weir {
class Log;
}

namespace weir::probe {

/// The transports of one prober, made when they are needed. A fleet that grows or shrinks past the limits of TransportChoice
/// changes over while it runs: new probes go to the other transport, those under way end where they began, and a transport
/// that has nothing to do any more is let go. Belongs to the probe thread.
class TransportSet {
public:
    static constexpr std::size_t kQnamTargets = 1'000; ///< more go to Asio
    static constexpr std::size_t kBackTargets = 900;   ///< so few come back

    TransportSet(Clock& clock, Log& log, const ProberOptions& options);

    /// Where a probe of a fleet of `targets` is started.
    [[nodiscard]] ProbeTransport& current(std::size_t targets);
    void releaseIdle();

private:
    enum Kind : std::size_t { Small, Large };

    [[nodiscard]] std::unique_ptr<ProbeTransport> make(Kind kind) const;

    Clock& m_clock;
    Log& m_log;
    const ProberOptions& m_options;
    Kind m_kind;
    std::array<std::unique_ptr<ProbeTransport>, 2> m_transports;
};

} // namespace weir::probe
