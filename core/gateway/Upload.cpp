// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding: the request's body, from the client to the node.
#include "core/gateway/ChunkFrame.h"
#include "core/gateway/ClientSession.h"
#include "core/gateway/Engine.h"
#include "core/gateway/Forwarding.h"

#include <algorithm>

namespace weir::gateway {
namespace {

// Bodies of many megabytes take turns with other connections after this many blocks.
constexpr int kRounds = 8;

} // namespace

// Takes `count` bytes read at `at` of the block as body. False: they are not one, and the request is over.
bool Forwarding::takeUp(std::size_t at, std::size_t count)
{
    char* bytes = m_up.block->bytes.data() + at;
    m_record.bytesIn += count;
    const BodyReader::Taken taken = m_upBody.take(bytes, count);
    if (taken.status == BodyReader::Status::Malformed) {
        const bool isTrying = m_stage != Stage::None;
        if (isTrying) {
            endTry("left"); // the client's fault
        }
        if (isTrying && m_hasHead) {
            m_session.abort();
        } else {
            answerError(400, "malformed_request", "The chunked body is broken.");
        }
        return false;
    }
    if (taken.consumed < count) {
        m_session.keepUnread(std::string_view(bytes + taken.consumed, count - taken.consumed));
    }
    if (m_upBody.kind() == BodyReader::Kind::Chunked) {
        frameChunk(m_up, at, taken.data, m_upBody);
        m_replayFrom = m_up.begin;
    } else {
        m_up.end = at + taken.data;
    }
    return true;
}

void Forwarding::pumpUp()
{
    for (int round = 0;; ++round) {
        if (!flushUp()) {
            return;
        }
        if (m_upBody.isDone()) {
            uploadSent();
            return;
        }
        if (round == kRounds) {
            break; // only here: what was read is sent, and if it was the end nothing would wake this up again
        }
        const bool isKept = m_canReplay && m_session.request().hasLength && m_session.request().contentLength <= kReadSize && m_up.block
            && m_up.end + (m_session.request().contentLength - m_record.bytesIn) <= m_up.block->bytes.size();
        if (!isKept) {
            m_canReplay = m_canReplay && (!m_up.block || m_up.end == m_replayFrom);
            m_up.reset();
            m_up.block = engine().blocks().take();
            m_up.begin = kFrontRoom;
            m_up.end = kFrontRoom;
            m_replayFrom = kFrontRoom;
        }
        const std::size_t at = m_up.end;
        const std::size_t room = isKept ? m_up.block->bytes.size() - at : kReadSize;
        const Io io = m_session.stream().read(m_up.block->bytes.data() + at, room);
        if (io.status == Io::Status::Again) {
            if (!isKept) {
                m_up.reset();
                m_replayFrom = 0;
            }
            m_session.watch();
            return;
        }
        if (io.status != Io::Status::Ok) {
            clientLeft();
            return;
        }
        m_up.begin = at;
        if (!takeUp(at, io.count)) {
            return;
        }
        m_owesContinue = false; // it did not wait for it
        setProgressDeadline();
    }
    m_session.watch();
}

// False: the node takes no more at the moment, or for good.
bool Forwarding::flushUp()
{
    while (m_upHeadSent < m_upHead.size() || !m_up.isEmpty()) {
        const std::string_view head = std::string_view(m_upHead).substr(m_upHeadSent);
        const Io io = m_link->stream().write(head, m_up.view());
        if (io.status == Io::Status::Again) {
            m_link->waitWritable();
            return false;
        }
        if (io.status != Io::Status::Ok) {
            // It may have answered before it closed; what it said is still there to be read.
            m_isUploadStopped = true;
            pumpDown();
            return false;
        }
        const std::size_t ofHead = std::min(io.count, head.size());
        m_upHeadSent += ofHead;
        m_up.begin += io.count - ofHead;
    }
    return true;
}

void Forwarding::uploadSent()
{
    if (std::exchange(m_isUploadDone, true)) {
        return;
    }
    m_sentAt = Engine::now();
    if (m_upBody.kind() != BodyReader::Kind::None) {
        if (!m_canReplay) {
            m_up.reset();
        }
        setProgressDeadline();
        m_session.watch();
    } else {
        setProgressDeadline();
    }
}

// The node has not said whether it wants the body; a client that waits for ever would never send it.
void Forwarding::sendContinue()
{
    m_owesContinue = false;
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    const Io io = m_session.stream().write(kContinue);
    if (io.status != Io::Status::Ok || io.count != kContinue.size()) {
        clientLeft(); // a client that cannot take 25 bytes now; a piece of them would spoil the stream
        return;
    }
    setProgressDeadline();
}

void Forwarding::clientReadable()
{
    if (m_stage == Stage::Tunnel) {
        pumpTunnelUp();
        return;
    }
    if (m_stage == Stage::Exchanging && !m_upBody.isDone() && !m_isUploadStopped) {
        pumpUp();
        return;
    }
    switch (m_session.stream().peek()) {
    case Io::Status::Ok:
        m_session.noteUnread(); // the next request, or a body that nobody takes yet
        break;
    case Io::Status::Again:
        m_session.watch();
        break;
    case Io::Status::End:
    case Io::Status::Failed:
        clientLeft();
        break;
    }
}

void Forwarding::linkWritable()
{
    const auto keep = m_session.shared_from_this();
    if (m_stage == Stage::Tunnel) {
        pumpTunnelUp();
    } else if (m_stage == Stage::Exchanging && !m_isUploadStopped) {
        pumpUp();
    }
}

} // namespace weir::gateway
