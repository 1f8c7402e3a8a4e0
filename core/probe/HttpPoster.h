// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::probe {

struct HttpPost {
    std::string url;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
};

struct HttpPostResult {
    int status = 0;    ///< 0: no answer
    std::string error; ///< why there was none

    [[nodiscard]] bool isSuccess() const { return status >= 200 && status < 300; }
};

/// Sends POST requests, each on a connection of its own, on a thread of its own (an event loop; needs a QCoreApplication while it runs).
/// Certificates are verified against the system's authorities, or those of the file that SSL_CERT_FILE names; no proxy, no redirects, no cookies; the answer's body is dropped.
class HttpPoster {
public:
    using Done = std::function<void(const HttpPostResult&)>;

    /// `userAgent`: `weir/1.0`. `timeout` is one deadline for a whole exchange, in real time.
    HttpPoster(std::string userAgent, std::chrono::milliseconds timeout);
    HttpPoster(const HttpPoster&) = delete;
    HttpPoster& operator=(const HttpPoster&) = delete;
    ~HttpPoster();

    void start();
    /// Drops what is under way and joins; no `done` is called after it returned. Idempotent.
    void stop();

    /// Any thread, between start() and stop(); `done` is called on this object's thread. Otherwise it is not called.
    void post(HttpPost post, Done done);

private:
    class Loop;
    std::unique_ptr<Loop> m_loop;
};

} // namespace weir::probe
