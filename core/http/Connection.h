// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Message.h"
#include "core/http/RequestParser.h"
#include "core/http/Stream.h"
#include "core/http/Tls.h"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace weir::http {

class Listener;

using Timer = boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
    boost::asio::io_context::executor_type>;

/// One client. Waits for readiness and then reads into the listener's buffer, so that an idle connection costs a few hundred
/// bytes. Io thread only; the listener owns it until close().
class Connection final : public std::enable_shared_from_this<Connection>, private StreamOwner {
public:
    /// `isSurplus`: beyond the limit, told 503 and closed.
    Connection(std::shared_ptr<Listener> listener, std::string peer, bool isSurplus);

    /// `descriptor` becomes the connection's. `tls`: null for a connection in the clear.
    void start(int descriptor, const TlsContext* tls);
    /// The answer to the request under way; nothing happens when there is none.
    void answer(Response&& response);
    /// The stream of the answer has something to say.
    void onStream();
    /// At shutdown: idle connections and streams end.
    void closeIfIdle();
    void close();
    [[nodiscard]] bool isSurplus() const { return m_isSurplus; }

private:
    enum class Phase : unsigned char { Idle, Head, Body, Handling, Writing, Streaming, Draining, Closed };
    using Instant = std::chrono::steady_clock::time_point;

    void streamReadable() override;
    void streamWritable() override;
    [[nodiscard]] std::shared_ptr<void> hold() override { return shared_from_this(); }
    [[nodiscard]] static bool isBroken(Io::Status status) { return status == Io::Status::End || status == Io::Status::Failed; }
    [[nodiscard]] Io writeAll(std::string_view head, std::string_view body);
    void take(std::string_view bytes);
    void pump(std::string_view input);
    void pumpKept();
    void beginBody(std::string_view input);
    void dispatch();
    void refuse(const Error& error);
    void respond(Response&& response);
    void write(Response& response, bool withBody);
    void keepUnwritten(std::size_t written, Response& response, bool bodyApart);
    void beginStream(Response& response);
    void streamMore();
    void waitWritable();
    void writeMore();
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
    Stream m_socket;
    Timer m_timer;
    Instant m_deadline = Instant::max();
    Instant m_timerExpiry = Instant::max(); // max: not armed
    RequestParser m_parser;
    std::string m_peer;
    std::string m_requestId;
    std::string m_unread;    // bytes of requests not yet parsed
    std::string m_unwritten; // rest of an answer the socket did not take
    std::size_t m_unwrittenOffset = 0;
    std::shared_ptr<ResponseStream> m_stream;
    std::size_t m_drained = 0;
    std::optional<Response> m_inlineAnswer; // given before the handler returned
    Phase m_phase = Phase::Idle;
    Phase m_timedPhase = Phase::Closed; // the reading phase that m_deadline is for
    bool m_isSurplus;
    bool m_isPumping = false;
    bool m_isBlocked = false; // waits for the socket to be writable
    bool m_streamEnds = false; // m_unwritten is the last of it
    bool m_isHead = false;
    bool m_keepAlive = false;
    bool m_isVersion11 = true;
};

} // namespace weir::http
