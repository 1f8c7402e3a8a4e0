// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"
#include "core/http/RequestParser.h"
#include "core/http/Tls.h"

#include <array>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace weir::http {

class Listener;

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;
using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
    boost::asio::io_context::executor_type>;

/// One client. Waits for readiness and then reads into the listener's buffer, so that an idle connection costs a few hundred
/// bytes. Io thread only; the listener owns it until close().
class Connection : public std::enable_shared_from_this<Connection> {
public:
    /// `isSurplus`: beyond the limit, told 503 and closed. `tls`: null for a connection in the clear.
    Connection(std::shared_ptr<Listener> listener, Socket socket, std::string peer, bool isSurplus, const std::shared_ptr<const TlsContext>& tls);

    void start();
    /// The answer to the request under way; nothing happens when there is none.
    void answer(Response response);
    /// The stream of the answer has something to say.
    void onStream();
    /// At shutdown: idle connections and streams end.
    void closeIfIdle();
    void close();
    [[nodiscard]] bool isSurplus() const { return m_isSurplus; }

private:
    enum class Phase : unsigned char { Idle, Head, Body, Handling, Writing, Streaming, Draining, Closed };
    using Instant = std::chrono::steady_clock::time_point;

    [[nodiscard]] std::size_t readSome(char* data, std::size_t size, boost::system::error_code& code);
    [[nodiscard]] std::size_t writeSome(std::string_view data, boost::system::error_code& code);
    [[nodiscard]] std::size_t writeBoth(std::string_view head, std::string_view body, boost::system::error_code& code);
    [[nodiscard]] boost::asio::socket_base::wait_type readinessFor(boost::asio::socket_base::wait_type usual) const;
    void waitReadable();
    void receive();
    void received(const boost::system::error_code& code, std::size_t count);
    void onReadable();
    void take(std::string_view bytes);
    void pump(std::string_view input);
    void pumpKept();
    void beginBody(std::string_view input);
    void dispatch();
    void refuse(const Error& error);
    void respond(Response response);
    void write(Response& response, bool withBody);
    void keepUnwritten(std::size_t written, Response& response, bool bodyApart);
    void beginStream(Response& response);
    void streamMore();
    void readWhileStreaming();
    void waitWritable();
    void onWritable();
    void finishAnswer();
    void beginDrain();
    void drain();
    void drop(std::size_t count);

    void setDeadline(std::chrono::nanoseconds fromNow);
    void clearDeadline() { m_deadline = Instant::max(); }
    void armTimer();
    void onTimer();
    void onDeadline();

    std::shared_ptr<Listener> m_listener;
    Socket m_socket;
    std::unique_ptr<TlsSession> m_tls;
    Timer m_timer;
    Instant m_deadline = Instant::max();
    Instant m_timerExpiry = Instant::max(); // max: not armed
    RequestParser m_parser;
    std::string m_peer;
    std::string m_requestId;
    std::array<char, 1024> m_first; // where bytes arrive; uninitialised
    std::string m_unread;           // bytes of requests not yet parsed
    std::string m_unwritten; // rest of an answer the socket did not take
    std::size_t m_unwrittenOffset = 0;
    std::shared_ptr<ResponseStream> m_stream;
    std::size_t m_drained = 0;
    std::optional<Response> m_inlineAnswer; // given before the handler returned
    Phase m_phase = Phase::Idle;
    Phase m_timedPhase = Phase::Closed; // the reading phase that m_deadline is for
    bool m_isSurplus;
    bool m_isPumping = false;
    bool m_isWaiting = false; // for the socket to be readable
    bool m_isBlocked = false; // waits for the socket to be writable
    bool m_streamEnds = false; // m_unwritten is the last of it
    bool m_isHead = false;
    bool m_keepAlive = false;
    bool m_isVersion11 = true;
};

} // namespace weir::http
