// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Connection.h"

#include "core/http/Listener.h"
#include "core/http/Problem.h"
#include "core/http/ResponseHead.h"
#include "core/http/ResponseStream.h"
#include "core/http/SocketErrors.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <exception>

namespace weir::http {
namespace {

namespace asio = boost::asio;
using ErrorCode = boost::system::error_code;

// Up to here a body is copied behind its head: cheaper than a gathering write.
constexpr std::size_t kCopiedBody = 8U << 10U;

bool isSaneRequestId(std::string_view id)
{
    constexpr std::size_t kMaxLength = 64;
    return !id.empty() && id.size() <= kMaxLength && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
    });
}

std::string_view requestIdOf(const NamedValues& headers)
{
    for (const auto& [name, value] : headers) {
        if (name.size() == 12 && equalsIgnoringCase(name, "X-Request-Id")) {
            return isSaneRequestId(value) ? std::string_view(value) : std::string_view();
        }
    }
    return {};
}

Response internalProblem()
{
    return problem(500, Error{"internal", "The request met a defect of this program; its log says more."});
}

} // namespace

Connection::Connection(std::shared_ptr<Listener> listener, Socket socket, std::string peer, bool isSurplus, const std::shared_ptr<const TlsContext>& tls)
    : m_listener(std::move(listener))
    , m_socket(std::move(socket))
    , m_tls(tls ? std::make_unique<TlsSession>(*tls, m_socket.native_handle()) : nullptr)
    , m_timer(m_socket.get_executor())
    , m_parser(m_listener->options().maxBody, m_listener->options().maxHeader)
    , m_peer(std::move(peer))
    , m_isSurplus(isSurplus)
{
}

void Connection::start()
{
    if (m_isSurplus) {
        refuse(Error{"too_many_connections", "The server has as many connections as it takes; try again later."});
        return;
    }
    pump({});
}

std::size_t Connection::readSome(char* data, std::size_t size, ErrorCode& code)
{
    return m_tls ? m_tls->read(data, size, code) : m_socket.read_some(asio::buffer(data, size), code);
}

std::size_t Connection::writeSome(std::string_view data, ErrorCode& code)
{
    return m_tls ? m_tls->write(data, code) : m_socket.write_some(asio::buffer(data), code);
}

std::size_t Connection::writeBoth(std::string_view head, std::string_view body, ErrorCode& code)
{
    if (!m_tls) {
        const std::array<asio::const_buffer, 2> both{asio::buffer(head), asio::buffer(body)};
        return m_socket.write_some(both, code);
    }
    const std::size_t count = m_tls->write(head, code);
    if (code || count < head.size()) {
        return count;
    }
    const std::size_t more = m_tls->write(body, code);
    code = {}; // the head was taken; what is wrong shows at the next call
    return count + more;
}

// TLS may have to write before it can read, and the other way round.
asio::socket_base::wait_type Connection::readinessFor(asio::socket_base::wait_type usual) const
{
    if (!m_tls || m_phase == Phase::Draining) {
        return usual;
    }
    return m_tls->waitsToWrite() ? asio::socket_base::wait_write : asio::socket_base::wait_read;
}

void Connection::waitReadable()
{
    if (std::exchange(m_isWaiting, true)) {
        return;
    }
    if (!m_tls && (m_phase == Phase::Idle || m_phase == Phase::Head || m_phase == Phase::Body)) {
        receive();
        return;
    }
    m_socket.async_wait(readinessFor(asio::socket_base::wait_read), [self = shared_from_this()](const ErrorCode& code) {
        self->m_isWaiting = false;
        if (!code && self->m_phase != Phase::Closed) {
            self->onReadable();
        }
    });
}

// In the clear a request is received right into a small buffer of the connection's own: waiting for readiness first would cost one more
// system call for each request, since Asio arms its reactor anew for every wait, but not for a read.
void Connection::receive()
{
    m_socket.async_read_some(asio::buffer(m_first), [self = shared_from_this()](const ErrorCode& code, std::size_t count) {
        self->m_isWaiting = false;
        if (self->m_phase != Phase::Closed) {
            self->received(code, count);
        }
    });
}

void Connection::received(const ErrorCode& code, std::size_t count)
{
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Head:
    case Phase::Body:
        break;
    case Phase::Handling:
    case Phase::Writing:
        m_unread.append(m_first.data(), count); // asked for before a time-out
        return;
    case Phase::Streaming:
    case Phase::Draining:
        if (code) {
            close();
            return;
        }
        drop(count);
        if (m_phase != Phase::Closed) {
            waitReadable();
        }
        return;
    case Phase::Closed:
        return;
    }
    if (code) {
        close(); // the client is gone, or has given up in the middle of a request
        return;
    }
    if (count < m_first.size()) {
        take(std::string_view(m_first.data(), count));
        return;
    }
    auto& buffer = m_listener->readBuffer();
    std::copy(m_first.begin(), m_first.end(), buffer.begin());
    ErrorCode ignored; // an end shows again at the next read
    const std::size_t more = m_socket.read_some(asio::buffer(buffer) + count, ignored);
    take(std::string_view(buffer.data(), count + more));
}

void Connection::take(std::string_view bytes)
{
    if (m_unread.empty()) {
        pump(bytes);
        return;
    }
    m_unread.append(bytes);
    pumpKept();
}

void Connection::onReadable()
{
    if (m_phase == Phase::Draining) {
        drain();
        return;
    }
    if (m_phase == Phase::Streaming) {
        readWhileStreaming();
        return;
    }
    if (m_phase == Phase::Handling || m_phase == Phase::Writing) {
        return; // a wait from before a time-out; what has come is read when the answer is out
    }
    auto& buffer = m_listener->readBuffer();
    ErrorCode code;
    const std::size_t count = readSome(buffer.data(), buffer.size(), code);
    if (isPassing(code)) {
        waitReadable();
    } else if (code) {
        close(); // the client is gone, or has given up in the middle of a request
    } else {
        take(std::string_view(buffer.data(), count));
    }
}

void Connection::pumpKept()
{
    const std::string kept = std::exchange(m_unread, std::string());
    pump(kept);
}

// Goes on with `input` until it is used up, a request waits for its answer, or the connection ends.
void Connection::pump(std::string_view input)
{
    m_isPumping = true;
    bool needsMore = false;
    while (!needsMore && (m_phase == Phase::Idle || m_phase == Phase::Head || m_phase == Phase::Body)) {
        if (input.empty()) {
            break;
        }
        if (m_phase == Phase::Idle) {
            m_phase = Phase::Head;
        }
        switch (m_parser.feed(input)) {
        case RequestParser::Step::NeedMore:
            needsMore = true;
            break;
        case RequestParser::Step::BodyFollows:
            beginBody(input);
            break;
        case RequestParser::Step::Complete:
            dispatch();
            break;
        case RequestParser::Step::Failed:
            refuse(m_parser.error());
            break;
        }
    }
    m_isPumping = false;
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Head:
    case Phase::Body: {
        const ServerOptions& options = m_listener->options();
        m_unread.assign(input);
        if (m_timedPhase != m_phase) {
            m_timedPhase = m_phase;
            setDeadline(m_phase == Phase::Idle ? options.idleTimeout
                    : m_phase == Phase::Head   ? options.headerTimeout
                                               : options.bodyTimeout);
        }
        waitReadable();
        break;
    }
    case Phase::Handling:
    case Phase::Writing:
    case Phase::Streaming:
        m_unread.assign(input);
        break;
    case Phase::Draining:
        drop(input.size());
        break;
    case Phase::Closed:
        break;
    }
}

void Connection::beginBody(std::string_view input)
{
    m_phase = Phase::Body;
    if (m_parser.head()->expectation != RequestHead::Expectation::Continue || !input.empty()) {
        return;
    }
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    ErrorCode code;
    const std::size_t count = writeSome(kContinue, code);
    if ((code && !isPassing(code)) || (count > 0 && count < kContinue.size())) {
        close(); // a client that cannot take 25 bytes now; a piece of them would spoil the stream
    }
}

void Connection::dispatch()
{
    const RequestHead& head = *m_parser.head();
    m_isHead = head.method == "HEAD";
    m_keepAlive = head.keepAlive;
    m_isVersion11 = head.isVersion11;
    Request request = m_parser.take();
    m_requestId = requestIdOf(request.headers);
    if (m_requestId.empty()) {
        m_requestId = m_listener->makeRequestId();
    }
    request.requestId = m_requestId;
    request.peer = m_peer;
    m_phase = Phase::Handling;
    m_timedPhase = Phase::Closed;
    clearDeadline();

    const auto pending = std::make_shared<PendingReply>(m_listener->gate(), weak_from_this());
    Log* log = m_listener->options().log;
    const auto report = [&](std::string_view what) {
        if (log) {
            log->write(LogLevel::Error, "handler_threw", "A request handler threw an exception.",
                {{"request", m_requestId}, {"what", std::string(what)}});
        }
        pending->answer(internalProblem());
    };
    try {
        m_listener->root()(std::move(request), [pending](Response response) { pending->answer(std::move(response)); });
    } catch (const std::exception& exception) {
        report(exception.what());
    } catch (...) {
        report("not a std::exception");
    }
    if (m_inlineAnswer && m_phase == Phase::Handling) {
        respond(*std::exchange(m_inlineAnswer, std::nullopt));
    }
}

void Connection::answer(Response response)
{
    if (m_phase != Phase::Handling) {
        return;
    }
    if (m_isPumping) {
        m_inlineAnswer = std::move(response);
        return;
    }
    respond(std::move(response));
    if (m_phase == Phase::Idle) {
        pumpKept();
    }
}

// An answer to what could not be read as a request; it ends the connection.
void Connection::refuse(const Error& error)
{
    const auto& head = m_parser.head();
    m_requestId = head ? requestIdOf(head->headers) : std::string_view();
    if (m_requestId.empty()) {
        m_requestId = m_listener->makeRequestId();
    }
    m_isHead = head && head->method == "HEAD";
    m_keepAlive = false;
    m_phase = Phase::Handling;
    respond(problem(error));
}

void Connection::respond(Response response)
{
    if (response.status < 200 || response.status > 599) {
        response = internalProblem();
    }
    m_keepAlive = m_keepAlive && !m_listener->isClosing();
    if (response.stream) {
        beginStream(response);
        return;
    }
    const bool withBody = mayHaveBody(response.status) && !m_isHead;
    write(response, withBody);
}

void Connection::write(Response& response, bool withBody)
{
    std::string& out = m_listener->writeBuffer();
    out.clear();
    appendHead(out, response, ResponseFrame{m_requestId, !m_keepAlive, m_keepAlive && !m_isVersion11});
    const bool bodyApart = withBody && response.body.size() > kCopiedBody;
    if (withBody && !bodyApart) {
        out += response.body;
    }
    ErrorCode code;
    const std::size_t count = bodyApart ? writeBoth(out, response.body, code) : writeSome(out, code);
    if (code && !isPassing(code)) {
        close();
        return;
    }
    if (count == out.size() + (bodyApart ? response.body.size() : 0)) {
        finishAnswer();
        return;
    }
    keepUnwritten(count, response, bodyApart);
    m_phase = Phase::Writing;
    setDeadline(m_listener->options().idleTimeout);
    waitWritable();
}

void Connection::keepUnwritten(std::size_t written, Response& response, bool bodyApart)
{
    const std::string& out = m_listener->writeBuffer();
    m_unwrittenOffset = 0;
    if (!bodyApart) {
        m_unwritten = out.substr(written);
    } else if (written < out.size()) {
        m_unwritten = out.substr(written) + response.body;
    } else {
        m_unwritten = std::move(response.body);
        m_unwrittenOffset = written - out.size();
    }
}

void Connection::waitWritable()
{
    m_isBlocked = true;
    m_socket.async_wait(readinessFor(asio::socket_base::wait_write), [self = shared_from_this()](const ErrorCode& code) {
        self->m_isBlocked = false;
        if (!code && self->m_phase == Phase::Streaming) {
            self->streamMore();
        } else if (!code && self->m_phase == Phase::Writing) {
            self->onWritable();
        }
    });
}

void Connection::onWritable()
{
    ErrorCode code;
    m_unwrittenOffset += writeSome(std::string_view(m_unwritten).substr(m_unwrittenOffset), code);
    if (code && !isPassing(code)) {
        close();
        return;
    }
    if (m_unwrittenOffset < m_unwritten.size()) {
        setDeadline(m_listener->options().idleTimeout);
        waitWritable();
        return;
    }
    m_unwritten = std::string();
    finishAnswer();
    if (m_phase == Phase::Idle) {
        pumpKept();
    }
}

void Connection::finishAnswer()
{
    m_timedPhase = Phase::Closed;
    if (m_keepAlive && !m_listener->isClosing()) {
        m_phase = Phase::Idle;
    } else {
        beginDrain();
    }
}

void Connection::closeIfIdle()
{
    // A request that has arrived but not been read is under way.
    ErrorCode code;
    if (m_phase == Phase::Idle && m_socket.available(code) == 0) {
        if (m_isWaiting && !m_tls) {
            m_socket.cancel(code); // where its bytes have been received already, their handler comes; else this closes
        } else {
            close();
        }
        return;
    }
    if (m_phase == Phase::Streaming) {
        m_stream->end();
        if (!m_isBlocked) {
            streamMore(); // the end of the body, where the client takes it
        }
        close();
    }
}

void Connection::close()
{
    if (m_phase == Phase::Closed) {
        return;
    }
    m_phase = Phase::Closed;
    m_stream.reset();
    m_timer.cancel();
    ErrorCode ignored;
    m_socket.close(ignored);
    m_listener->forget(shared_from_this());
}

void Connection::setDeadline(std::chrono::nanoseconds fromNow)
{
    // Deadlines mostly move later; the timer is then left alone and looks again when it fires.
    m_deadline = std::chrono::steady_clock::now() + fromNow;
    if (m_deadline < m_timerExpiry) {
        armTimer();
    }
}

void Connection::armTimer()
{
    m_timerExpiry = m_deadline;
    m_timer.expires_at(m_deadline);
    m_timer.async_wait([self = shared_from_this()](const ErrorCode& code) {
        if (!code && self->m_phase != Phase::Closed) {
            self->onTimer();
        }
    });
}

void Connection::onTimer()
{
    m_timerExpiry = Instant::max();
    if (m_deadline == Instant::max()) {
        return;
    }
    if (std::chrono::steady_clock::now() < m_deadline) {
        armTimer();
        return;
    }
    onDeadline();
}

void Connection::onDeadline()
{
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Writing:
    case Phase::Streaming:
    case Phase::Draining:
        close();
        break;
    case Phase::Head:
    case Phase::Body:
        refuse(Error{"request_timeout", "The request did not arrive in time."});
        break;
    case Phase::Handling:
    case Phase::Closed:
        break;
    }
}

} // namespace weir::http
