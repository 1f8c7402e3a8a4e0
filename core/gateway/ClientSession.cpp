// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ClientSession.h"

#include "core/http/Problem.h"
#include "core/http/ResponseHead.h"
#include "core/http/Target.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstring>

namespace weir::gateway {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxLinger = 2U << 20U;
// Memory of a head that an idle client may keep for its next request.
constexpr std::size_t kKeptHead = 2048;
constexpr std::string_view kHealthPath = "/gateway-health";

} // namespace

ClientSession::ClientSession(std::shared_ptr<Engine> engine, std::string peer)
    : m_engine(std::move(engine))
    , m_stream(m_engine->poll(), *this)
    , m_forwarding(*this)
{
    m_client.peer = std::move(peer);
    m_trusted = m_engine->trusted();
    m_client.isTrusted = m_trusted.contains(m_client.peer);
    if (const auto& modules = m_engine->options().modules; modules && !modules->isEmpty(Point::Finish)) {
        m_modules = modules;
    }
}

ClientSession::~ClientSession() = default;

void ClientSession::start(int descriptor, bool isSurplus)
{
    if (!m_stream.adopt(descriptor)) {
        close();
        return;
    }
    if (isSurplus) {
        answerError(503, "too_many_connections", "The gateway has as many clients as it takes; try again later.", true);
        return;
    }
    const GatewayOptions& options = m_engine->options();
    if (options.proxyProtocol || options.tls) {
        m_phase = Phase::Greeting;
        m_proxyHeader = options.proxyProtocol ? std::make_unique<std::string>() : nullptr;
        setDeadline(options.headTimeout);
        watch();
        return;
    }
    awaitRequests();
}

void ClientSession::streamReadable()
{
    switch (m_phase) {
    case Phase::Greeting:
        greet();
        break;
    case Phase::Idle:
    case Phase::Head:
        readHead();
        break;
    case Phase::Forwarding:
        m_forwarding.clientReadable();
        break;
    case Phase::Lingering:
        linger();
        break;
    case Phase::Own:
    case Phase::Flushing:
        m_hasUnread = true;
        break;
    case Phase::Closed:
        break;
    }
}

void ClientSession::streamWritable()
{
    if (m_phase == Phase::Forwarding) {
        m_forwarding.clientWritable();
    } else if (m_phase == Phase::Flushing) {
        flush();
    } else if (m_phase == Phase::Greeting) {
        greet();
    } else if (m_phase == Phase::Lingering && m_stream.endSending() == Io::Status::Again) {
        waitWritable();
    }
}

void ClientSession::readHead()
{
    Flow flow;
    flow.block = m_engine->blocks().take();
    flow.begin = kFrontRoom;
    const Io io = m_stream.read(flow.data(), kReadSize);
    if (io.status == Io::Status::Again) {
        watch();
        return;
    }
    if (io.status != Io::Status::Ok) {
        close();
        return;
    }
    flow.end = flow.begin + io.count;
    takeHead(std::move(flow));
}

void ClientSession::takeHead(Flow flow)
{
    if (m_phase == Phase::Idle) {
        m_phase = Phase::Head;
        m_headStart = Engine::now();
        m_scanner.reset();
        m_skippedEmptyLine = false;
        m_head.clear();
        m_request.method = {}; // pointed into it
        m_request.isVersion11 = true;
    }
    // One empty line before a request is forgiven (RFC 9112, 2.2).
    if (!m_skippedEmptyLine && m_head.empty() && flow.view().starts_with("\r\n")) {
        m_skippedEmptyLine = true;
        flow.begin += 2;
    }
    const bool isWhole = m_head.empty();
    if (!isWhole) {
        m_head.append(flow.view());
        if (!m_skippedEmptyLine && m_head.starts_with("\r\n")) {
            m_skippedEmptyLine = true;
            m_head.erase(0, 2);
        }
    }
    const std::string_view text = isWhole ? flow.view() : std::string_view(m_head);
    const bool isText = text.empty() || http::isTokenCharacter(text.front()) || text == "\r";
    if (!isText) {
        refuse({400, "malformed_request", "This is not an HTTP request."});
        return;
    }
    switch (m_scanner.scan(text)) {
    case HeadScanner::Step::Failed:
        refuse(m_scanner.error());
        return;
    case HeadScanner::Step::NeedMore:
        if (isWhole) {
            m_head.assign(flow.view());
        }
        if (m_head.size() == flow.size()) { // the first piece
            setDeadline(m_engine->options().headTimeout);
        }
        if (text == "\r") {
            m_scanner.reset();
        }
        watch();
        return;
    case HeadScanner::Step::Found:
        break;
    }
    const std::size_t excess = text.size() - m_scanner.length();
    if (isWhole) {
        m_head.assign(text.substr(0, m_scanner.length()));
    } else {
        m_head.resize(m_scanner.length());
    }
    flow.begin = flow.end - excess;
    beginRequest(std::move(flow));
}

void ClientSession::beginRequest(Flow rest)
{
    clearDeadline();
    if (!m_trusted.isSameAs(m_engine->trusted())) { // a reload, while the connection was kept
        m_trusted = m_engine->trusted();
        m_client.isTrusted = m_trusted.contains(m_client.peer);
    }
    if (const HeadError error = parseRequest(m_head, m_request)) {
        refuse(error);
        return;
    }
    m_keepAlive = m_request.keepAlive;
    if (m_request.path == kHealthPath && m_engine->options().own) {
        beginOwn(rest);
        return;
    }
    m_phase = Phase::Forwarding;
    m_forwarding.begin(std::move(rest), m_headStart);
}

// `/gateway-health` comes before routing and is never traffic.
void ClientSession::beginOwn(const Flow& rest)
{
    m_phase = Phase::Own;
    if (m_request.hasBody()) {
        m_keepAlive = false; // nobody reads it
    } else {
        keepUnread(rest.view());
    }
    http::Request request;
    request.method = m_request.method;
    request.target = m_request.target;
    request.path = m_request.path;
    request.peer = m_client.peer;
    for (const FieldView& field : m_request.fields) {
        request.headers.emplace_back(field.name, field.value);
    }
    const std::uint64_t serial = ++m_ownSerial;
    m_engine->options().own(std::move(request), [weak = weak_from_this(), executor = m_engine->executor(), serial](http::Response response) {
        asio::post(executor, [weak, serial, response = std::move(response)]() mutable {
            const auto self = weak.lock();
            if (self && self->m_phase == Phase::Own && self->m_ownSerial == serial) {
                self->respond(std::move(response), !self->m_keepAlive);
            }
        });
    });
}

// An answer to what could not be read as a request; it ends the connection.
void ClientSession::refuse(const HeadError& error)
{
    m_engine->counters().refusedHeads.fetch_add(1, std::memory_order_relaxed);
    answerError(error.status, error.code, error.detail, true);
}

void ClientSession::answerError(unsigned status, std::string_view code, std::string_view detail, bool closes)
{
    respond(errorResponse(status, code, detail), closes);
}

http::Response ClientSession::errorResponse(unsigned status, std::string_view code, std::string_view detail)
{
    http::Response response = http::problem(status, Error{std::string(code), std::string(detail), {}});
    response.headers.emplace_back("X-Weir-Error", std::string(code));
    if (status == 503) {
        response.headers.emplace_back("Retry-After", "1");
    }
    if (status == 405) {
        response.headers.emplace_back("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    }
    return response;
}

void ClientSession::respond(http::Response response, bool closes)
{
    m_keepAlive = !closes && m_keepAlive && !m_engine->isClosing();
    std::string id = m_engine->makeRequestId();
    for (const auto& [name, value] : response.headers) {
        if (http::equalsIgnoringCase(name, "X-Request-Id")) {
            id = value; // a module's, which the access log names too
        }
    }
    m_out.clear();
    m_outSent = 0;
    http::appendHead(m_out, response, {id, !m_keepAlive, m_keepAlive && !m_request.isVersion11});
    if (http::mayHaveBody(response.status) && m_request.method != "HEAD") {
        m_out += response.body;
    }
    m_phase = Phase::Flushing;
    flush();
}

void ClientSession::flush()
{
    while (m_outSent < m_out.size()) {
        const Io io = m_stream.write(std::string_view(m_out).substr(m_outSent));
        if (io.status == Io::Status::Again) {
            setDeadline(m_engine->options().idleTimeout);
            waitWritable();
            return;
        }
        if (io.status != Io::Status::Ok) {
            close();
            return;
        }
        m_outSent += io.count;
        m_engine->counters().bytesOut.fetch_add(io.count, std::memory_order_relaxed);
    }
    m_out = std::string();
    if (m_keepAlive) {
        nextRequest();
    } else {
        beginLinger();
    }
}

void ClientSession::answered(bool keepAlive)
{
    m_keepAlive = keepAlive && !m_engine->isClosing();
    if (m_keepAlive) {
        nextRequest();
    } else {
        beginLinger();
    }
}

void ClientSession::nextRequest()
{
    m_phase = Phase::Idle;
    if (m_head.capacity() > kKeptHead) {
        m_head = std::string();
    }
    setDeadline(m_engine->options().idleTimeout);
    if (m_kept.empty()) {
        if (std::exchange(m_hasUnread, false)) {
            asio::post(m_engine->executor(), [self = shared_from_this()] {
                if (self->m_phase == Phase::Idle) {
                    self->readHead();
                }
            });
        } else {
            watch();
        }
        return;
    }
    // Posted: a client that pipelines a thousand requests must not be answered a thousand calls deep.
    asio::post(m_engine->executor(), [self = shared_from_this()] {
        if (self->m_phase != Phase::Idle) {
            return;
        }
        Flow flow;
        flow.block = self->m_engine->blocks().take();
        flow.begin = kFrontRoom;
        const std::size_t count = std::min(self->m_kept.size(), kReadSize);
        std::memcpy(flow.data(), self->m_kept.data(), count);
        flow.end = flow.begin + count;
        self->m_kept.erase(0, count);
        self->takeHead(std::move(flow));
    });
}

// A close with unread bytes resets the connection, and a reset may reach the client before it has read its answer.
void ClientSession::beginLinger()
{
    m_phase = Phase::Lingering;
    if (m_stream.endSending() == Io::Status::Again) {
        waitWritable();
    }
    m_lingered = m_kept.size();
    m_kept = std::string();
    setDeadline(m_engine->options().lingerTimeout);
    linger();
}

void ClientSession::linger()
{
    Flow flow;
    flow.block = m_engine->blocks().take();
    while (m_lingered <= kMaxLinger) {
        const Io io = m_stream.read(flow.data(), kReadSize);
        if (io.status == Io::Status::Again) {
            watch();
            return;
        }
        if (io.status != Io::Status::Ok) {
            break;
        }
        m_lingered += io.count;
    }
    close();
}

void ClientSession::deadlineCame()
{
    const auto self = shared_from_this();
    switch (m_phase) {
    case Phase::Head:
        refuse({408, "request_timeout", "The head of the request did not arrive in time."});
        break;
    case Phase::Forwarding:
        m_forwarding.deadlineCame();
        break;
    case Phase::Greeting:
        greetingTimedOut();
        break;
    case Phase::Idle:
        closeIdle();
        break;
    case Phase::Flushing:
    case Phase::Lingering:
        close();
        break;
    case Phase::Own:
    case Phase::Closed:
        break;
    }
}

void ClientSession::closeIfIdle()
{
    // A request that has arrived but not been read is under way.
    if (m_phase == Phase::Greeting) {
        close();
    } else if (m_phase == Phase::Idle && m_kept.empty()) {
        if (m_stream.peek() != Io::Status::Ok) {
            closeIdle();
        } else {
            watch(); // peeking may have taken the bytes off the socket, into TLS
        }
    }
}

// A client of TLS can tell the end from a connection that was cut.
void ClientSession::closeIdle()
{
    if (m_stream.isSecure()) {
        m_stream.endSending();
    }
    close();
}

void ClientSession::abort()
{
    closeStream(true);
}

void ClientSession::close()
{
    closeStream(false);
}

void ClientSession::closeStream(bool isAbort)
{
    if (m_phase == Phase::Closed) {
        return;
    }
    const auto self = shared_from_this();
    const bool wasForwarding = m_phase == Phase::Forwarding;
    m_phase = Phase::Closed;
    clearDeadline();
    if (isAbort) {
        m_stream.abort();
    } else {
        m_stream.close();
    }
    if (wasForwarding) {
        m_forwarding.cancel();
    }
    if (m_modules) {
        RequestModules::finish(*m_modules, m_client);
    }
    m_engine->forget(self);
}

} // namespace weir::gateway
