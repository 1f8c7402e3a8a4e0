// SPDX-License-Identifier: GPL-3.0-or-later
// ClientSession: what comes before the first request.
#include "core/gateway/ClientSession.h"
#include "core/gateway/ProxyHeader.h"

#include <array>
#include <utility>

namespace weir::gateway {

// How slowly it comes does not matter: there is one limit for all of it.
void ClientSession::greet()
{
    if (m_proxyHeader && !takeProxyHeader()) {
        return;
    }
    if (m_engine->options().tls) {
        shakeHands();
    } else {
        awaitRequests();
    }
}

// True: the header is there, and not a byte more was taken off the socket, since those are for TLS.
bool ClientSession::takeProxyHeader()
{
    std::array<char, ProxyHeader::kMostV2> bytes; // left as it is
    const Io io = m_stream.lookAhead(bytes.data(), bytes.size());
    if (io.status == Io::Status::Again) {
        watch();
        return false;
    }
    const std::size_t before = m_proxyHeader->size();
    if (io.status != Io::Status::Ok) {
        if (before > 0) { // a balancer's check may well connect and say nothing
            m_engine->refusedProxyHeader(m_client.peer, "it ended in the midst of one");
        }
        close();
        return false;
    }
    m_proxyHeader->append(bytes.data(), io.count);
    const ProxyHeader header = readProxyHeader(*m_proxyHeader);
    if (header.step == ProxyHeader::Step::Failed) {
        m_engine->refusedProxyHeader(m_client.peer, header.fault);
        close();
        return false;
    }
    const std::size_t own = header.step == ProxyHeader::Step::Done ? header.length - before : io.count;
    (void)m_stream.read(bytes.data(), own);
    if (header.step == ProxyHeader::Step::NeedMore) {
        watch();
        return false;
    }
    m_proxyHeader.reset();
    if (header.source) {
        m_client.socketPeer = std::exchange(m_client.peer, header.source->text());
        m_client.vip = header.destination->text();
        m_client.isTrusted = m_trusted.contains(m_client.peer);
    }
    return true;
}

// A client that says nothing costs no session of TLS.
void ClientSession::shakeHands()
{
    if (!m_stream.isSecure() && !makeTls()) {
        close();
        return;
    }
    switch (m_stream.handshake()) {
    case Io::Status::Ok:
        m_engine->counters().handshakes.fetch_add(1, std::memory_order_relaxed);
        m_client.isSecure = true;
        m_client.serverName = m_stream.serverName();
        if (const auto& modules = m_engine->options().modules; modules && RequestModules::closesAtHandshake(*modules, m_client)) {
            closeIdle();
        } else {
            awaitRequests();
        }
        break;
    case Io::Status::Again:
        if (m_stream.wantsToWrite()) {
            waitWritable();
        } else {
            watch();
        }
        break;
    case Io::Status::End:
    case Io::Status::Failed:
        tlsFailed();
        if (Stream::sawPlainHttp()) {
            m_stream.useTls(nullptr);
            answerError(400, "tls_required", "This port speaks TLS: begin the address with https://.", true);
        } else {
            close();
        }
        break;
    }
}

bool ClientSession::makeTls()
{
    TlsSession session(m_engine->options().tls->newSession(m_stream.descriptor()));
    if (!session) {
        return false; // no memory
    }
    m_stream.useTls(std::move(session));
    return true;
}

void ClientSession::tlsFailed()
{
    m_engine->counters().failedHandshakes.fetch_add(1, std::memory_order_relaxed);
}

void ClientSession::greetingTimedOut()
{
    if (m_proxyHeader) {
        m_engine->refusedProxyHeader(m_client.peer, "none came in time");
    } else {
        tlsFailed();
    }
    close();
}

void ClientSession::awaitRequests()
{
    m_phase = Phase::Idle;
    setDeadline(m_engine->options().idleTimeout);
    watch();
}

} // namespace weir::gateway
