// SPDX-License-Identifier: GPL-3.0-or-later
// Connection: what ends a connection slowly. A streamed answer goes on for as long as its client reads; and the last answer of any
// connection is followed by a while in which what still comes is read and dropped.
#include "core/http/Connection.h"

#include "core/http/Listener.h"
#include "core/http/ResponseHead.h"
#include "core/http/ResponseStream.h"

#include <utility>

namespace weir::http {
namespace {

// Bytes of a stream that are taken out at a time; what the client is behind stays in the stream, where it is shared.
constexpr std::size_t kStreamPiece = 64U << 10U;

} // namespace

void Connection::beginStream(Response& response)
{
    m_keepAlive = false;
    const bool withBody = mayHaveBody(response.status) && !m_isHead;
    m_unwritten.clear();
    m_unwrittenOffset = 0;
    appendHead(m_unwritten, response, ResponseFrame{m_requestId, true, false, true, m_isVersion11 && mayHaveBody(response.status)});
    m_stream = std::move(response.stream);
    m_phase = Phase::Streaming;
    m_streamEnds = !withBody;
    if (m_listener->isClosing()) {
        m_stream->end();
    }
    m_stream->attach(m_listener->gate(), weak_from_this());
    drop(std::exchange(m_unread, std::string()).size());
    if (m_phase == Phase::Streaming) {
        m_socket.waitReadable(); // the only way to hear that the client has gone
        streamMore();
    }
}

void Connection::onStream()
{
    if (m_phase == Phase::Streaming && !m_isBlocked) {
        streamMore();
    }
}

// Writes what the stream has until that is all, or the client takes no more.
void Connection::streamMore()
{
    while (true) {
        if (m_unwrittenOffset == m_unwritten.size()) {
            m_unwritten.clear();
            m_unwrittenOffset = 0;
            const auto state = m_streamEnds ? ResponseStream::State::Ended : m_stream->take(m_unwritten, kStreamPiece, m_isVersion11);
            if (state == ResponseStream::State::Dropped) {
                // By a reset: what the kernel holds for it, which may be megabytes, goes as well.
                m_socket.abort();
                close();
                return;
            }
            const bool wasLast = std::exchange(m_streamEnds, state == ResponseStream::State::Ended);
            if (m_unwritten.empty() && (wasLast || m_streamEnds)) {
                m_stream.reset();
                beginDrain();
                return;
            }
            if (m_unwritten.empty()) {
                clearDeadline();
                return;
            }
        }
        const Io io = writeAll(std::string_view(m_unwritten).substr(m_unwrittenOffset), {});
        if (isBroken(io.status)) {
            close();
            return;
        }
        m_unwrittenOffset += io.count;
        if (m_unwrittenOffset < m_unwritten.size()) {
            setDeadline(m_listener->options().idleTimeout);
            waitWritable();
            return;
        }
    }
}

// Nothing that a client sends now is answered.
void Connection::drain()
{
    auto& buffer = m_listener->readBuffer();
    const Io io = m_socket.read(buffer.data(), buffer.size());
    if (isBroken(io.status)) {
        close();
        return;
    }
    drop(io.count);
    if (m_phase != Phase::Closed) {
        m_socket.waitReadable();
    }
}

// A close with unread bytes resets the connection, and a reset may reach the client before it has read its answer.
void Connection::beginDrain()
{
    if (m_socket.isSecure()) {
        static_cast<void>(m_socket.endSending()); // its farewell; what it cannot take at once is dropped
        m_socket.useTls(nullptr);                 // from here on what comes is counted, not read: the cipher text will do
    }
    static_cast<void>(m_socket.endSending());
    m_phase = Phase::Draining;
    setDeadline(m_listener->options().lingerTimeout);
    drop(std::exchange(m_unread, std::string()).size());
    if (m_phase == Phase::Draining) {
        m_socket.waitReadable();
    }
}

void Connection::drop(std::size_t count)
{
    m_drained += count;
    if (m_drained > m_listener->options().maxLinger) {
        close();
    }
}

} // namespace weir::http
