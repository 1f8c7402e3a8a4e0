// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/Forwarding.h"

#include "core/gateway/ClientSession.h"
#include "core/gateway/Engine.h"

#include <algorithm>
#include <span>

namespace weir::gateway {
namespace {

// A body that is known to fit here is kept until the answer begins, so that a kept connection that turns out to be dead costs nothing.
constexpr std::uint64_t kReplayable = kReadSize;
constexpr std::size_t kKeptHead = 4096;

std::string_view sentenceOf(std::string_view code)
{
    if (code == "connect_failed") {
        return "No connection to the worker could be made.";
    }
    return code == "node_timeout" ? "The worker did not answer in time." : "The worker did not answer properly.";
}

} // namespace

Engine& Forwarding::engine() const
{
    return m_session.engine();
}

void Forwarding::begin(Flow rest, Instant headStart)
{
    const RequestView& request = m_session.request();
    m_record.reset();
    m_record.headStart = headStart;
    m_record.headEnd = Engine::now();
    m_failed.clear();
    m_lastCode = {};
    m_changes.clear();
    m_outcome.clear();
    m_isReplaced = false;
    m_modules.begin(engine().options().modules, request, m_session.client(), clientAddress(request, m_session.client(), m_session.trusted()));
    if (!takeFirstBytes(std::move(rest)) || endedBy(m_modules.run(Point::BeforeLocation))) {
        return;
    }
    m_route = engine().router().route(request, m_session.client());
    m_record.routed = Engine::now();
    if (Turn* turn = m_modules.turn()) {
        turn->app = m_route.app;
        turn->cluster = m_route.cluster ? std::string_view(m_route.cluster->name) : std::string_view();
    }
    if (m_route.code != "no_product" && endedBy(m_modules.run(Point::FoundProduct))) {
        return;
    }
    if (!m_route.cluster) {
        const bool noProduct = m_route.code == "no_product";
        answerError(404, m_route.code, noProduct ? "No app answers for this host." : "No route fits this request.");
        return;
    }
    if (endedBy(m_modules.run(Point::AfterLocation))) {
        return;
    }
    m_cluster = engine().clusterState(*m_route.cluster);
    m_holdsNode = false;
    m_hasHead = false;
    const bool canRepeat = !request.hasBody() && (request.method == "GET" || request.method == "HEAD");
    m_plan.emplace(*m_route.cluster, canRepeat, false);
    m_traceparent.clear();
    if (!isTraceparent(request.field(FieldKind::Traceparent))) {
        makeTraceparent(m_traceparent, engine().random());
    }
    m_session.watch(); // for the client going away
    seekNode();
}

// The beginning of the body that came with the head; what lies behind the request is kept for the next one.
bool Forwarding::takeFirstBytes(Flow rest)
{
    const RequestView& request = m_session.request();
    m_upBody.begin(request.isChunked ? BodyReader::Kind::Chunked : request.hasLength ? BodyReader::Kind::Length : BodyReader::Kind::None, request.contentLength);
    m_up = std::move(rest);
    m_canReplay = true;
    m_isUploadDone = false;
    const std::size_t at = m_up.begin;
    const std::size_t count = m_up.size();
    m_up.end = at;
    m_replayFrom = at;
    if (count > 0 && !takeUp(at, count)) {
        return false;
    }
    if (m_up.isEmpty()) {
        m_up.reset();
    }
    return true;
}

void Forwarding::seekNode()
{
    const Role role = m_route.cluster->role;
    PickResult result = PickResult::NoCandidate;
    if (m_cluster->line.isEmpty()) {
        result = engine().gate().pick(role, m_route.app, m_failed, m_pick);
        if (result == PickResult::Picked) {
            m_holdsNode = true;
            startTry();
            return;
        }
    } else {
        result = engine().gate().look(role, m_route.app);
    }
    if (result == PickResult::NoCandidate) {
        refuseNoCandidate();
        return;
    }
    wait(!m_failed.empty());
}

void Forwarding::wait(bool first)
{
    const ClusterSettings& cluster = *m_route.cluster;
    m_cluster->line.setLimits(cluster.queueMax, cluster.queueTimeout);
    m_stage = Stage::Waiting;
    m_session.clearDeadline();
    if (first) {
        m_cluster->line.enterFirst(*this, m_route.app, Engine::now());
    } else if (!m_cluster->line.enter(*this, m_route.app, Engine::now())) {
        m_cluster->counters->count(m_cluster->counters->queueFull);
        engine().gate().refuse(cluster.role, m_route.app);
        answerError(503, "queue_full", "All workers are busy and the queue is full.");
        return;
    }
    m_cluster->counters->count(m_cluster->counters->waited);
    engine().serve();
}

WaitLine::Verdict Forwarding::offer()
{
    switch (engine().gate().pick(m_route.cluster->role, m_route.app, m_failed, m_pick)) {
    case PickResult::Picked:
        m_holdsNode = true;
        return WaitLine::Verdict::Served;
    case PickResult::Busy:
        return WaitLine::Verdict::NotNow;
    case PickResult::NoCandidate:
        break;
    }
    return WaitLine::Verdict::Refused;
}

void Forwarding::offered(WaitLine::Verdict verdict)
{
    const Duration waited = Engine::now() - since();
    m_record.waited += waited;
    m_cluster->counters->count(m_cluster->counters->waitMicroseconds, static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(waited).count()));
    if (verdict == WaitLine::Verdict::Served) {
        startTry();
    } else {
        refuseNoCandidate();
    }
}

void Forwarding::waitedTooLong()
{
    m_record.waited += Engine::now() - since();
    engine().gate().refuse(m_route.cluster->role, m_route.app);
    answerError(503, "queue_timeout", "No worker became free in time.");
}

void Forwarding::refuseNoCandidate()
{
    engine().gate().refuse(m_route.cluster->role, m_route.app);
    if (m_lastCode.empty()) {
        answerError(503, "no_candidate", "No worker can take this request now.");
    } else {
        answerError(m_lastStatus, m_lastCode, sentenceOf(m_lastCode));
    }
}

// An answer of our own. What the client still sends of its body is not waited for.
void Forwarding::answerError(unsigned status, std::string_view code, std::string_view detail)
{
    m_record.code = code;
    answerOwn(ClientSession::errorResponse(status, code, detail));
}

void Forwarding::answerOwn(http::Response response)
{
    m_modules.readOwn(response);
    m_record.status = response.status;
    m_record.bytesOut += response.body.size();
    const bool closes = !m_upBody.isDone();
    endRequest();
    m_session.answer(std::move(response), closes);
}

// True: a module has ended the request.
bool Forwarding::endedBy(Verdict verdict)
{
    switch (verdict.kind) {
    case Verdict::Kind::GoOn:
        return false;
    case Verdict::Kind::Respond:
    case Verdict::Kind::Redirect:
        m_record.code = "module";
        answerOwn(RequestModules::responseOf(std::move(verdict.reply)));
        break;
    case Verdict::Kind::Close:
    case Verdict::Kind::Finish:
        m_session.close();
        break;
    }
    return true;
}

void Forwarding::startTry()
{
    m_record.picked = Engine::now();
    if (Turn* turn = m_modules.turn()) {
        turn->node = m_pick.node->id;
    }
    m_record.fallback = m_pick.fallback;
    m_record.tries.push_back({m_pick.node->handle, m_pick.node->id, m_pick.pool, m_record.picked, {}, {}});
    if (Verdict verdict = m_modules.run(Point::Forward); verdict.kind != Verdict::Kind::GoOn) {
        endTry("module"); // its node was not asked
        (void)endedBy(std::move(verdict));
        return;
    }
    m_cluster->counters->count(m_cluster->counters->tries);
    m_isJudged = false;
    m_isReplaced = false;
    m_stage = Stage::Connecting;
    // What could not be sent again goes over a connection that cannot have died while it was kept.
    const RequestView& request = m_session.request();
    const bool fits = m_upBody.isDone() || (!request.isChunked && request.contentLength <= kReplayable);
    if (fits && m_canReplay) {
        m_link = NodeLink::takeKept(*m_pick.node, *this);
    }
    if (m_link) {
        sendRequest();
        return;
    }
    connect();
}

void Forwarding::connect()
{
    m_session.setDeadline(m_route.cluster->connectTimeout);
    m_link = std::make_shared<NodeLink>(engine().executor(), engine().poll(), engine().tls(), m_pick.node);
    m_link->connect(*this);
}

void Forwarding::linkConnected(std::string_view failure)
{
    const auto keep = m_session.shared_from_this();
    if (failure.empty()) {
        sendRequest();
        return;
    }
    tryFailed(FailedAt::Connect, failure, "connect_failed");
}

void Forwarding::sendRequest()
{
    m_stage = Stage::Exchanging;
    m_record.connected = Engine::now();
    const RequestView& request = m_session.request();
    const ClusterSettings& cluster = *m_route.cluster;
    RequestFrame frame;
    frame.basePath = m_link->address().basePath;
    frame.host = cluster.fixedHost.empty() ? request.host : std::string_view(cluster.fixedHost);
    frame.realIp = clientAddress(request, m_session.client(), m_session.trusted());
    frame.traceparent = m_traceparent;
    m_changes.clear();
    m_modules.changeRequest(m_changes);
    frame.changes = &m_changes;
    m_upHead.clear();
    m_upHeadSent = 0;
    appendRequestHead(m_upHead, request, m_session.client(), frame);
    m_up.begin = m_up.block ? m_replayFrom : 0;
    m_isUploadDone = false;
    m_isUploadStopped = false;
    m_owesContinue = request.expectsContinue;
    m_answerScanner.reset();
    m_answerHead.clear();
    m_answerHeadSent = 0;
    m_down.reset();
    m_interims = 0;
    m_sawAnswer = false;
    m_hasHead = false;
    m_linkIsSpoilt = false;
    setProgressDeadline();
    m_link->watch();
    pumpUp();
}

void Forwarding::setProgressDeadline()
{
    const ClusterSettings& cluster = *m_route.cluster;
    Duration limit = cluster.idleTimeout;
    if (m_owesContinue && m_up.isEmpty()) {
        limit = std::min<Duration>(limit, std::chrono::seconds(1)); // then the client is told by us
    } else if (m_isUploadDone && !m_hasHead) {
        limit = cluster.responseHeaderTimeout - (Engine::now() - m_sentAt);
    }
    if (cluster.totalTimeout > Duration::zero()) {
        limit = std::min(limit, m_record.headEnd + cluster.totalTimeout - Engine::now());
    }
    m_session.setDeadline(limit);
}

void Forwarding::deadlineCame()
{
    const ClusterSettings& cluster = *m_route.cluster;
    const bool isTotal = cluster.totalTimeout > Duration::zero() && Engine::now() >= m_record.headEnd + cluster.totalTimeout;
    if (m_stage == Stage::Connecting) {
        tryFailed(FailedAt::Connect, "timeout", "connect_failed");
    } else if (m_stage == Stage::Tunnel) {
        endTunnel();
    } else if (m_stage == Stage::Exchanging && isTotal) {
        // The limit is the cluster's; it says nothing about the node.
        endTry("timeout");
        if (m_hasHead) {
            m_session.abort();
        } else {
            answerError(504, "node_timeout", "The request took longer than its cluster allows.");
        }
    } else if (m_stage == Stage::Exchanging && ((m_hasHead && !m_down.isEmpty()) || m_answerHeadSent < m_answerHead.size())) {
        clientLeft(); // it takes nothing of its answer
    } else if (m_stage == Stage::Exchanging && m_owesContinue && m_up.isEmpty()) {
        sendContinue();
    } else if (m_stage == Stage::Exchanging && !m_isUploadDone && !m_isUploadStopped && m_up.isEmpty() && m_upHeadSent == m_upHead.size()) {
        endTry("left");
        if (m_hasHead) {
            m_session.abort();
        } else {
            answerError(408, "request_timeout", "The body of the request did not arrive in time.");
        }
    } else if (m_stage == Stage::Exchanging && m_hasHead) {
        cutShort("timeout");
    } else if (m_stage == Stage::Exchanging) {
        tryFailed(FailedAt::Request, "timeout", "node_timeout");
    }
}

// A kept connection that dies before any byte of the answer is replaced once, uncounted (gateway.md "Forwarding").
void Forwarding::linkDied(std::string_view outcome)
{
    if (m_link->isKept() && !m_sawAnswer && !m_isReplaced && m_canReplay) {
        m_isReplaced = true;
        m_cluster->counters->count(m_cluster->counters->replacedLinks);
        m_link->close();
        m_stage = Stage::Connecting;
        connect();
        return;
    }
    tryFailed(FailedAt::Request, outcome, "bad_response");
}

void Forwarding::tryFailed(FailedAt at, std::string_view outcome, std::string_view code)
{
    if (outcome != "local") { // nothing was sent, for reasons of ours
        judge(outcome);
    }
    m_failed.push_back(m_pick.node->handle);
    m_lastCode = code;
    m_lastStatus = code == "node_timeout" ? 504 : 502;
    endTry(outcome);
    const bool mayRepeat = at == FailedAt::Connect ? m_canReplay : true;
    if (mayRepeat && m_plan->after(at) != RetryPlan::Next::Stop) {
        m_cluster->counters->count(m_cluster->counters->retries);
        seekNode();
        return;
    }
    answerError(m_lastStatus, code, sentenceOf(code));
}

FleetGate::Judgement Forwarding::judge(std::string_view error)
{
    m_isJudged = true;
    routing::ResponseView response;
    response.status = static_cast<int>(m_answer.status);
    response.headers = routing::HeaderFields(std::span<const std::pair<std::string, std::string>>(m_seenHeaders));
    response.body = m_seenBody;
    routing::Exchange exchange;
    exchange.request = m_modules.isOn() ? &m_modules.turn()->request : nullptr;
    exchange.response = error.empty() ? &response : nullptr;
    FleetGate::Judgement judgement = engine().gate().judge(*m_pick.node, exchange, error, m_route.app);
    if (judgement.isFailure) {
        m_record.isPassiveFailure = true;
        m_cluster->counters->count(m_cluster->counters->nodeFailures);
    }
    if (!judgement.text.empty()) {
        m_outcome = judgement.text;
    }
    return judgement;
}

// The connection, if there is one still, cannot be used again.
void Forwarding::endTry(std::string_view result)
{
    if (m_link) {
        m_link->close();
        m_link.reset();
    }
    m_stage = Stage::None;
    m_record.tries.back().result = result;
    leaveNode(false);
}

void Forwarding::leaveNode(bool clean)
{
    m_record.tries.back().end = Engine::now();
    if (std::exchange(m_holdsNode, false)) {
        engine().gate().release(*m_pick.node, clean);
        engine().serve();
    }
}

void Forwarding::clientLeft()
{
    engine().counters().clientsLeft.fetch_add(1, std::memory_order_relaxed);
    m_session.close(); // which cancels
}

void Forwarding::cancel()
{
    if (m_stage == Stage::Waiting && isWaiting()) {
        m_cluster->line.leave(*this);
    }
    if (m_stage == Stage::Connecting || m_stage == Stage::Exchanging || m_stage == Stage::Tunnel) {
        endTry(m_stage == Stage::Tunnel ? "101" : "left");
    }
    endRequest();
}

// The whole answer is with the client.
void Forwarding::finish()
{
    TryRecord& last = m_record.tries.back();
    last.result = std::to_string(m_answer.status);
    // A 204 or 304 that announces chunks may be followed by some; they must not be taken for the next answer.
    const bool isClear = m_downBody.kind() != BodyReader::Kind::UntilClose && (m_downBody.kind() != BodyReader::Kind::None || !m_answer.isChunked || m_session.request().method == "HEAD");
    const bool isReusable = m_isUploadDone && m_answer.keepAlive && !m_linkIsSpoilt && isClear;
    if (isReusable) {
        m_link->keep(engine().options().maxIdlePerNode, Engine::now());
    } else {
        m_link->close();
    }
    m_link.reset();
    bool clean = false;
    if (!m_isJudged) {
        clean = judge({}).isClean;
    }
    leaveNode(clean);
    const bool keepAlive = !m_frame.closes;
    endRequest();
    m_session.answered(keepAlive);
}

void Forwarding::endRequest()
{
    if (m_stage == Stage::None && m_record.finished != Instant::max()) {
        return;
    }
    m_stage = Stage::None;
    m_record.finished = Engine::now();
    if (m_modules.isOn()) {
        (void)m_modules.run(Point::RequestFinish);
    }
    writeAccessLine();
    m_encoder.reset();
    m_up.reset();
    m_down.reset();
    m_pick = Pick();
    for (std::string* head : {&m_upHead, &m_answerHead, &m_seenBody}) {
        if (head->capacity() > kKeptHead) {
            *head = std::string(); // an idle client keeps what its next request will need, not more
        }
    }
    if (m_cluster) {
        ClusterCounters& counters = *m_cluster->counters;
        counters.count(counters.requests[std::min<std::size_t>(m_record.status / 100, counters.requests.size() - 1)]);
        counters.countLatency(m_record.finished - m_record.headEnd);
    }
    engine().counters().bytesIn.fetch_add(m_record.bytesIn, std::memory_order_relaxed);
    engine().counters().bytesOut.fetch_add(m_record.bytesOut, std::memory_order_relaxed);
    m_cluster.reset();
    m_route = Routed();
}

} // namespace weir::gateway
