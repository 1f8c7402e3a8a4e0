// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTypes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace weir::probe {

/// Bytes of a body that are read; a longer one is cut off and its connection dropped, and the status decides alone.
inline constexpr std::size_t kMaxBodyBytes = 64 * 1024;

/// What a transport saw of one exchange. `failure` is empty after a complete answer, whatever its status; otherwise it is a
/// reason of ProbeResult. The Prober judges the status.
struct ProbeAnswer {
    Instant started;
    Instant ended;
    int status = 0;
    std::string failure;
    bool localError = false;
    std::string body;
};

/// One plain GET on a fresh connection: no proxy, cookies, credentials, redirects, compression or HTTP/2.
/// A transport belongs to the thread that made it; callbacks come on that thread, never from inside start() or cancel().
class ProbeTransport {
public:
    using Callback = std::function<void(ProbeAnswer&&)>;

    ProbeTransport() = default;
    ProbeTransport(const ProbeTransport&) = delete;
    ProbeTransport& operator=(const ProbeTransport&) = delete;
    /// Drops what is under way without a callback.
    virtual ~ProbeTransport() = default;

    /// Asks `url` (canonical, see joinHealthUrl). `callback` is called once, at the latest shortly after `timeout`, which
    /// counts from ProbeAnswer::started. `tls` is of https only.
    virtual std::uint64_t start(const std::string& url, Duration timeout, Callback callback, const ProbeTls& tls) = 0;
    std::uint64_t start(const std::string& url, Duration timeout, Callback callback) { return start(url, timeout, std::move(callback), ProbeTls()); }

    /// Drops one exchange; its callback is never called. An id that is unknown or over is ignored.
    virtual void cancel(std::uint64_t id) = 0;

    /// Exchanges whose callback is still to come.
    [[nodiscard]] virtual std::size_t underWay() const = 0;
};

} // namespace weir::probe
