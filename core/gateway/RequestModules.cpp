// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/RequestModules.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace weir::gateway {
namespace {

void addTo(HeadChanges& changes, const HeadEdits& edits)
{
    changes.removed.insert(changes.removed.end(), edits.removed.begin(), edits.removed.end());
    changes.added.insert(changes.added.end(), edits.added.begin(), edits.added.end());
}

void applyTo(http::Response& response, const HeadEdits& edits)
{
    const auto isRemoved = [&edits](const auto& field) {
        return std::any_of(edits.removed.begin(), edits.removed.end(),
            [&field](const std::string& name) { return http::equalsIgnoringCase(name, field.first); });
    };
    std::erase_if(response.headers, isRemoved);
    response.headers.insert(response.headers.end(), edits.added.begin(), edits.added.end());
}

// What is known of a connection, whatever it asks for; without who is at its other end.
void setConnection(Turn& turn, const ClientFacts& client)
{
    turn.request.vip = client.vip.empty() ? std::nullopt : IpAddress::parse(client.vip);
    turn.request.isTrusted = client.isTrusted;
    turn.request.tls.isSecure = client.isSecure;
    turn.request.tls.protocol = client.isSecure ? "https" : "";
    turn.request.tls.serverName = client.serverName;
    turn.request.context = &turn.context;
    turn.request.time = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    turn.now = Instant(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

void setClient(Turn& turn, const ClientFacts& client)
{
    setConnection(turn, client);
    turn.request.client = IpAddress::parse(client.peer);
    turn.request.peer = client.socketPeer.empty() ? turn.request.client : IpAddress::parse(client.socketPeer);
}

} // namespace

void RequestModules::begin(
    std::shared_ptr<ModuleChain> chain, const RequestView& request, const ClientFacts& client, std::string_view address)
{
    m_chain = std::move(chain);
    if (!m_chain) {
        return;
    }
    if (m_turn) {
        m_turn->reset();
    } else {
        m_turn = std::make_unique<Turn>();
    }
    Turn& turn = *m_turn;
    if (m_peerText != client.peer) {
        m_peerText = client.peer;
        m_peer = IpAddress::parse(client.peer);
    }
    const routing::TargetParts parts = routing::splitTarget(request.target, m_path);
    turn.request.method = request.method;
    turn.request.target = request.target;
    turn.request.path = parts.path;
    turn.request.query = request.query;
    turn.request.version = request.isVersion11 ? "HTTP/1.1" : "HTTP/1.0";
    turn.request.host = request.host;
    turn.request.headers = routing::HeaderFields(std::span<const FieldView>(request.fields));
    setConnection(turn, client);
    turn.request.client = address == m_peerText ? m_peer : IpAddress::parse(address);
    turn.request.peer = client.socketPeer.empty() ? m_peer : IpAddress::parse(client.socketPeer);
}

void RequestModules::changeRequest(HeadChanges& changes) const
{
    if (m_chain) {
        addTo(changes, m_turn->requestEdits);
        changes.target = m_turn->target;
    }
}

Verdict RequestModules::readAnswer(const ResponseView& answer, HeadChanges& changes)
{
    if (!m_chain) {
        return Verdict::goOn();
    }
    m_turn->responseEdits.clear(); // an earlier try's
    m_turn->encoding = Encoding::Identity;
    m_turn->response.status = static_cast<int>(answer.status);
    m_turn->response.headers = routing::HeaderFields(std::span<const FieldView>(answer.fields));
    m_turn->hasResponse = true;
    Verdict verdict = run(Point::ReadResponse);
    addTo(changes, m_turn->responseEdits);
    m_turn->response.headers = {}; // the head's bytes make room for the body
    return verdict;
}

void RequestModules::readOwn(http::Response& response)
{
    if (!m_chain) {
        return;
    }
    m_turn->responseEdits.clear();
    const http::NamedValues headers = response.headers;
    m_turn->response.status = static_cast<int>(response.status);
    m_turn->response.headers = routing::HeaderFields(std::span<const std::pair<std::string, std::string>>(headers));
    m_turn->hasResponse = true;
    Verdict verdict = run(Point::ReadResponse);
    if (verdict.kind == Verdict::Kind::Respond || verdict.kind == Verdict::Kind::Redirect) {
        response = responseOf(std::move(verdict.reply));
    }
    applyTo(response, m_turn->responseEdits);
    m_turn->response.headers = {};
}

bool RequestModules::closesAtAccept(ModuleChain& chain, std::string_view peer)
{
    if (chain.isEmpty(Point::Accept)) {
        return false;
    }
    Turn turn;
    turn.request.peer = IpAddress::parse(peer);
    turn.request.client = turn.request.peer;
    return chain.run(Point::Accept, turn).kind == Verdict::Kind::Close;
}

bool RequestModules::closesAtHandshake(ModuleChain& chain, const ClientFacts& client)
{
    if (chain.isEmpty(Point::Handshake)) {
        return false;
    }
    Turn turn;
    setClient(turn, client);
    return chain.run(Point::Handshake, turn).kind == Verdict::Kind::Close;
}

void RequestModules::finish(ModuleChain& chain, const ClientFacts& client)
{
    Turn turn;
    setClient(turn, client);
    (void)chain.run(Point::Finish, turn);
}

http::Response RequestModules::responseOf(ModuleReply reply)
{
    http::Response response;
    response.status = reply.status;
    response.contentType = std::move(reply.contentType);
    response.body = std::move(reply.body);
    response.headers = std::move(reply.headers);
    return response;
}

} // namespace weir::gateway
