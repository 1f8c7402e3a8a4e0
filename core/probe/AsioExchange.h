// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/AnswerParser.h"
#include "core/probe/HostResolver.h"
#include "core/probe/ProbeUrl.h"
#include "core/probe/TlsSession.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace weir::probe {

class AsioEngine;

/// One GET of AsioEngine, from the name to the answer; used again for other ones. Waits for the socket to be ready and then
/// calls the system itself: a probe is five of those calls. Engine's thread only.
class AsioExchange {
public:
    explicit AsioExchange(AsioEngine& engine);
    AsioExchange(const AsioExchange&) = delete;
    AsioExchange& operator=(const AsioExchange&) = delete;

    /// Ends, also before it returns, with AsioEngine::finish().
    void begin(std::uint64_t id, const std::string& url, Duration timeout, const ProbeTls& tls);
    /// Lets go of everything without a word.
    void drop();
    /// The deadline has come, or the one of this address.
    void expire(Instant now);

    [[nodiscard]] std::uint64_t id() const { return m_id; } ///< 0: not in use
    /// Calls to this object are still to come, if only to be ignored.
    [[nodiscard]] bool hasHandlers() const { return m_handlers > 0; }

private:
    using Descriptor = boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;
    enum class Phase : unsigned char { Resolving, Connecting, Handshake, Answer };

    void onAddresses(const HostResolver::Addresses& addresses);
    void connectNext();
    [[nodiscard]] int openSocket(const boost::asio::ip::address& address);
    void await(Descriptor::wait_type what);
    void onReady();
    void onConnected();
    void handshake();
    void send();
    void receive();
    void decrypt();
    void onPeerClosed();
    void onParsed();
    void goOn();
    void onSystemError(int error);
    void end(const char* failure, bool localError = false);
    void closeSocket();
    void skipFarewell();
    void appendRequest(std::string& bytes) const;

    AsioEngine& m_engine;
    Descriptor m_socket;
    AnswerParser m_parser;
    std::unique_ptr<TlsSession> m_session;
    HostResolver::Addresses m_addresses;
    std::size_t m_nextAddress = 0;
    ProbeUrl m_url;
    std::string m_target;
    ProbeTls m_tls;
    std::string m_unsent;
    std::size_t m_sent = 0;
    Instant m_started;
    Instant m_deadline;
    Instant m_attemptDeadline;
    std::uint64_t m_id = 0;
    unsigned m_attempt = 0;
    unsigned m_handlers = 0;
    Phase m_phase = Phase::Resolving;
};

} // namespace weir::probe
