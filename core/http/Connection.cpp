// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Connection.h"

#include "core/http/Listener.h"
#include "core/http/Problem.h"
#include "core/http/ResponseHead.h"
#include "core/http/ResponseStream.h"

#include <algorithm>
#include <exception>

namespace weir::http {
namespace {

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

Connection::Connection(std::shared_ptr<Listener> listener, std::string peer, bool isSurplus)
    : m_listener(std::move(listener))
    , m_socket(m_listener->poll(), *this)
    , m_timer(m_listener->context().get_executor())
    , m_parser(m_listener->options().maxBody, m_listener->options().maxHeader)
    , m_peer(std::move(peer))
    , m_isSurplus(isSurplus)
{
}

void Connection::start(int descriptor, const TlsContext* tls)
{
    bool isReady = m_socket.adopt(descriptor);
    if (isReady && tls != nullptr) {
        m_socket.useTls(TlsSession(tls->newSession(descriptor))); // the first read does the handshake
        isReady = m_socket.isSecure();
    }
    if (!isReady) {
        close(); // no memory
    } else if (m_isSurplus) {
        refuse(Error{"too_many_connections", "The server has as many connections as it takes; try again later."});
    } else {
        pump({});
    }
}

// As much as the client takes; a record of TLS is no more than a piece. The status is that of the last piece.
Io Connection::writeAll(std::string_view head, std::string_view body)
{
    Io all;
    while (all.status == Io::Status::Ok && !(head.empty() && body.empty())) {
        const Io io = m_socket.write(head, body);
        const std::size_t ofHead = std::min(io.count, head.size());
        head.remove_prefix(ofHead);
        body.remove_prefix(io.count - ofHead);
        all.count += io.count;
        all.status = io.status;
    }
    return all;
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

void Connection::streamReadable()
{
    switch (m_phase) {
    case Phase::Idle:
    case Phase::Head:
    case Phase::Body:
        break;
    case Phase::Draining:
    case Phase::Streaming:
        drain();
        return;
    case Phase::Handling:
    case Phase::Writing: // asked for before a time-out; what has come is read when the answer is out
    case Phase::Closed:
        return;
    }
    auto& buffer = m_listener->readBuffer();
    const Io io = m_socket.read(buffer.data(), buffer.size());
    switch (io.status) {
    case Io::Status::Ok:
        take(std::string_view(buffer.data(), io.count));
        break;
    case Io::Status::Again:
        m_socket.waitReadable();
        break;
    case Io::Status::End:
    case Io::Status::Failed:
        close(); // the client is gone, or has given up in the middle of a request
        break;
    }
}

void Connection::streamWritable()
{
    m_isBlocked = false;
    if (m_phase == Phase::Streaming) {
        streamMore();
    } else if (m_phase == Phase::Writing) {
        writeMore();
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
        m_socket.waitReadable();
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
    const Io io = writeAll(kContinue, {});
    if (isBroken(io.status) || (io.count > 0 && io.count < kContinue.size())) {
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

    auto pending = std::make_shared<PendingReply>(m_listener->gate(), weak_from_this());
    Log* log = m_listener->options().log;
    const auto report = [&](std::string_view what) {
        if (log) {
            log->write(LogLevel::Error, "handler_threw", "A request handler threw an exception.",
                {{"request", m_requestId}, {"what", std::string(what)}});
        }
        pending->answer(internalProblem());
    };
    try {
        m_listener->root()(std::move(request), Reply(pending));
    } catch (const std::exception& exception) {
        report(exception.what());
    } catch (...) {
        report("not a std::exception");
    }
    if (m_inlineAnswer && m_phase == Phase::Handling) {
        respond(*std::exchange(m_inlineAnswer, std::nullopt));
    }
}

void Connection::answer(Response&& response)
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

void Connection::respond(Response&& response)
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
    const Io io = writeAll(out, bodyApart ? std::string_view(response.body) : std::string_view());
    if (isBroken(io.status)) {
        close();
        return;
    }
    if (io.count == out.size() + (bodyApart ? response.body.size() : 0)) {
        finishAnswer();
        return;
    }
    keepUnwritten(io.count, response, bodyApart);
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
    m_socket.waitWritable();
}

void Connection::writeMore()
{
    const Io io = writeAll(std::string_view(m_unwritten).substr(m_unwrittenOffset), {});
    m_unwrittenOffset += io.count;
    if (isBroken(io.status)) {
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
    if (m_phase == Phase::Idle) {
        if (m_socket.peek() != Io::Status::Ok) {
            close();
        } else {
            m_socket.waitReadable(); // peeking may have taken the bytes off the socket, into TLS
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
    m_socket.close();
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
