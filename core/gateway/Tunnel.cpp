// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding: what follows a 101. Bytes go both ways as they come, until both sides have ended.
#include "core/gateway/ClientSession.h"
#include "core/gateway/Engine.h"
#include "core/gateway/Forwarding.h"

#include <algorithm>
#include <cstring>
#include <sys/socket.h>

namespace weir::gateway {
namespace {

constexpr int kRounds = 8;

void keepAlive(Stream& stream)
{
    const int on = 1;
    ::setsockopt(stream.descriptor(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

} // namespace

void Forwarding::beginTunnel(std::size_t bodyAt)
{
    m_stage = Stage::Tunnel;
    m_hasHead = true;
    m_record.status = 101;
    m_frame = AnswerFrame();
    m_frame.changes = &m_changes;
    m_frame.upgrade = m_answer.upgrade.empty() ? m_session.request().upgrade : m_answer.upgrade;
    appendAnswerHead(m_answerHead, m_answer, m_frame);
    m_down.begin = bodyAt;
    m_upEnded = m_downEnded = m_upShut = m_downShut = false;
    m_up.reset();
    if (const std::string early = m_session.takeUnread(); !early.empty()) {
        m_up.block = engine().blocks().take();
        m_up.begin = kFrontRoom;
        m_up.end = kFrontRoom + std::min(early.size(), kReadSize);
        std::memcpy(m_up.data(), early.data(), m_up.size());
    }
    keepAlive(m_session.stream());
    keepAlive(m_link->stream());
    m_session.setDeadline(engine().options().tunnelIdleTimeout);
    pumpTunnelDown();
    if (m_stage == Stage::Tunnel) {
        pumpTunnelUp();
    }
}

// False: the side it goes to takes no more at the moment, or is gone.
bool Forwarding::flushTunnel(Stream& to, Flow& flow, bool isUp)
{
    while (!flow.isEmpty() || (!isUp && m_answerHeadSent < m_answerHead.size())) {
        const std::string_view head = isUp ? std::string_view() : std::string_view(m_answerHead).substr(m_answerHeadSent);
        const Io io = to.write(head, flow.view());
        if (io.status == Io::Status::Again) {
            if (isUp) {
                m_link->waitWritable();
            } else {
                m_session.waitWritable();
            }
            return false;
        }
        if (io.status != Io::Status::Ok) {
            endTunnel();
            return false;
        }
        const std::size_t ofHead = std::min(io.count, head.size());
        m_answerHeadSent += ofHead;
        flow.begin += io.count - ofHead;
        (isUp ? m_record.bytesIn : m_record.bytesOut) += io.count;
    }
    flow.reset();
    return true;
}

void Forwarding::pumpTunnelUp()
{
    for (int round = 0;; ++round) {
        if (!flushTunnel(m_link->stream(), m_up, true)) {
            return;
        }
        if (m_upEnded) {
            if (!m_upShut) {
                if (m_link->stream().endSending() == Io::Status::Again) {
                    m_link->waitWritable();
                    return;
                }
                m_upShut = true;
                tunnelSideEnded();
            }
            return;
        }
        if (round == kRounds) {
            break;
        }
        m_up.block = engine().blocks().take();
        m_up.begin = m_up.end = kFrontRoom;
        const Io io = m_session.stream().read(m_up.data(), kReadSize);
        m_up.end += io.count;
        if (io.status == Io::Status::Failed) {
            endTunnel();
            return;
        }
        if (io.status == Io::Status::Again) {
            m_up.reset();
            break;
        }
        m_upEnded = io.status == Io::Status::End;
        m_session.setDeadline(engine().options().tunnelIdleTimeout);
    }
    m_session.watch();
}

void Forwarding::pumpTunnelDown()
{
    for (int round = 0;; ++round) {
        if (!flushTunnel(m_session.stream(), m_down, false)) {
            return;
        }
        if (m_downEnded) {
            if (!m_downShut) {
                if (m_session.stream().endSending() == Io::Status::Again) {
                    m_session.waitWritable();
                    return;
                }
                m_downShut = true;
                tunnelSideEnded();
            }
            return;
        }
        if (round == kRounds) {
            break;
        }
        m_down.block = engine().blocks().take();
        m_down.begin = m_down.end = kFrontRoom;
        const Io io = m_link->stream().read(m_down.data(), kReadSize);
        m_down.end += io.count;
        if (io.status == Io::Status::Failed) {
            endTunnel();
            return;
        }
        if (io.status == Io::Status::Again) {
            m_down.reset();
            break;
        }
        m_downEnded = io.status == Io::Status::End;
        m_session.setDeadline(engine().options().tunnelIdleTimeout);
    }
    m_link->watch();
}

// One side has said all it had to say; the other gets a while to end too.
void Forwarding::tunnelSideEnded()
{
    if (m_upShut && m_downShut) {
        endTunnel();
    } else {
        m_session.setDeadline(m_route.cluster->idleTimeout);
    }
}

void Forwarding::endTunnel()
{
    m_link->close();
    m_link.reset();
    m_stage = Stage::None;
    m_record.tries.back().result = "101";
    leaveNode(true);
    m_session.close();
}

} // namespace weir::gateway
