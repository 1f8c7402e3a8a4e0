// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/Engine.h"
#include "core/gateway/Forwarding.h"
#include "core/gateway/HeadParser.h"
#include "core/http/Message.h"

#include <memory>
#include <string>

namespace weir::gateway {

/// One client: reads its requests one after another, hands them to Forwarding, and writes the gateway's own answers. An idle one holds
/// no buffer. Io thread only; the engine owns it until close().
class ClientSession final : public std::enable_shared_from_this<ClientSession>, private DeadlineWheel::Entry, private StreamOwner {
public:
    ClientSession(std::shared_ptr<Engine> engine, std::string peer);
    ~ClientSession() override;

    /// `descriptor` becomes the session's. `isSurplus`: beyond the limit, told 503 and closed.
    void start(int descriptor, bool isSurplus);
    void closeIfIdle();
    void close();

    // For Forwarding.
    [[nodiscard]] Engine& engine() { return *m_engine; }
    [[nodiscard]] Stream& stream() { return m_stream; }
    [[nodiscard]] const RequestView& request() const { return m_request; }
    [[nodiscard]] const ClientFacts& client() const { return m_client; }
    /// As it was when the request began.
    [[nodiscard]] const TrustedProxies& trusted() const { return m_trusted; }
    [[nodiscard]] bool isClosed() const { return m_phase == Phase::Closed; }
    void setDeadline(Duration fromNow) { m_engine->setDeadline(*this, Engine::now() + fromNow); }
    void clearDeadline() { DeadlineWheel::clear(*this); }
    void watch() { m_stream.waitReadable(); }
    void waitWritable() { m_stream.waitWritable(); }
    /// Bytes behind the request's end: the next request's.
    void keepUnread(std::string_view bytes) { m_kept.append(bytes); }
    [[nodiscard]] std::string takeUnread() { return std::exchange(m_kept, std::string()); }
    void noteUnread() { m_hasUnread = true; }
    /// An answer of our own to the request under way.
    void answerError(unsigned status, std::string_view code, std::string_view detail, bool closes);
    /// A whole answer that a module or the gateway made.
    void answer(http::Response response, bool closes) { respond(std::move(response), closes); }
    [[nodiscard]] static http::Response errorResponse(unsigned status, std::string_view code, std::string_view detail);
    /// The node's answer is out.
    void answered(bool keepAlive);
    /// The answer cannot be completed; the client must not take it for whole.
    void abort();

private:
    enum class Phase : unsigned char { Greeting, Idle, Head, Own, Forwarding, Flushing, Lingering, Closed };

    // ClientGreeting.cpp: what comes before the first request
    void greet();
    [[nodiscard]] bool takeProxyHeader();
    void shakeHands();
    [[nodiscard]] bool makeTls();
    void tlsFailed();
    void greetingTimedOut();
    void awaitRequests();

    void deadlineCame() override;
    void streamReadable() override;
    void streamWritable() override;
    [[nodiscard]] std::shared_ptr<void> hold() override { return shared_from_this(); }
    void readHead();
    void takeHead(Flow flow);
    void beginRequest(Flow rest);
    void beginOwn(const Flow& rest);
    void refuse(const HeadError& error);
    void respond(http::Response response, bool closes);
    void flush();
    void nextRequest();
    void beginLinger();
    void linger();
    void closeIdle();
    void closeStream(bool isAbort);

    std::shared_ptr<Engine> m_engine;
    std::shared_ptr<ModuleChain> m_modules; ///< that want to hear of the end; null: none
    Stream m_stream;
    ClientFacts m_client;
    TrustedProxies m_trusted; ///< what m_client goes by
    RequestView m_request;
    HeadScanner m_scanner;
    std::string m_head; ///< of the request under way; m_request points into it
    std::unique_ptr<std::string> m_proxyHeader; ///< as much of it as has come; null: none is awaited
    std::string m_kept; ///< bytes behind it
    std::string m_out;  ///< an answer of our own
    std::size_t m_outSent = 0;
    Instant m_headStart{};
    std::size_t m_lingered = 0;
    std::uint64_t m_ownSerial = 0; ///< tells a late answer of `own` from one to this request
    Phase m_phase = Phase::Idle;
    bool m_hasUnread = false; ///< the socket has bytes that nobody waits for
    bool m_keepAlive = false;
    bool m_skippedEmptyLine = false;
    Forwarding m_forwarding;
};

} // namespace weir::gateway
