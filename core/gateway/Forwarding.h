// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/BodyReader.h"
#include "core/gateway/Buffers.h"
#include "core/gateway/FleetGate.h"
#include "core/gateway/HeadParser.h"
#include "core/gateway/HeadWriter.h"
#include "core/gateway/NodeLinks.h"
#include "core/gateway/RequestModules.h"
#include "core/gateway/RequestRecord.h"
#include "core/gateway/RetryPlan.h"
#include "core/gateway/Route.h"
#include "core/gateway/WaitLine.h"
#include "core/gateway/modules/BodyEncoder.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::gateway {

class ClientSession;
class Engine;
struct ClusterState;

/// The way of one request: route, node (perhaps after a wait), tries, both bodies, outcome. Belongs to a session and is used for each
/// of its requests in turn.
///
/// Both directions are driven by readiness: a pump writes what it holds, and only when that is gone it reads on, so that a slow side
/// holds the fast one back and no more than one block is held in each direction.
class Forwarding final : private LinkOwner, public WaitLine::Waiter {
public:
    explicit Forwarding(ClientSession& session) : m_session(session) {}

    /// `rest`: what arrived behind the head.
    void begin(Flow rest, Instant headStart);
    void clientReadable();
    void clientWritable();
    void deadlineCame();
    /// The session is closed: the try ends, and is nobody's failure.
    void cancel();

    // For the line.
    [[nodiscard]] WaitLine::Verdict offer();
    void offered(WaitLine::Verdict verdict);
    void waitedTooLong();

private:
    enum class Stage : unsigned char { None, Waiting, Connecting, Exchanging, Tunnel };

    void linkConnected(std::string_view failure) override;
    void linkReadable() override;
    void linkWritable() override;

    // Forwarding.cpp: from the head to a node, and the end of tries
    [[nodiscard]] bool takeFirstBytes(Flow rest);
    void seekNode();
    void wait(bool first);
    void refuseNoCandidate();
    void answerError(unsigned status, std::string_view code, std::string_view detail);
    void startTry();
    void connect();
    void sendRequest();
    void tryFailed(FailedAt at, std::string_view outcome, std::string_view code);
    void linkDied(std::string_view outcome);
    void endTry(std::string_view result);
    void leaveNode(bool clean);
    FleetGate::Judgement judge(std::string_view error);
    [[nodiscard]] bool endedBy(Verdict verdict);
    void answerOwn(http::Response response);
    void writeAccessLine() const;
    void clientLeft();
    void finish();
    void endRequest();
    void setProgressDeadline();
    [[nodiscard]] Engine& engine() const;

    // Upload.cpp: the request's body
    void pumpUp();
    [[nodiscard]] bool flushUp();
    [[nodiscard]] bool takeUp(std::size_t at, std::size_t count);
    void uploadSent();
    void sendContinue();

    // Answer.cpp: the answer
    void pumpDown();
    [[nodiscard]] bool flushDown();
    [[nodiscard]] bool readDown();
    void linkEnded(bool failed);
    [[nodiscard]] bool takeAnswerHead();
    [[nodiscard]] bool takeInterim();
    [[nodiscard]] bool beginAnswer(std::size_t bodyAt);
    void frameAnswer();
    [[nodiscard]] bool takeDown(std::size_t at, std::size_t count);
    void chooseEncoder();
    [[nodiscard]] bool encodeDown(std::size_t at, std::size_t count);
    void replaceAnswer(Verdict verdict);
    void badAnswer();
    void cutShort(std::string_view outcome);

    // Tunnel.cpp: after 101
    void beginTunnel(std::size_t bodyAt);
    void pumpTunnelUp();
    void pumpTunnelDown();
    [[nodiscard]] bool flushTunnel(Stream& to, Flow& flow, bool isUp);
    void tunnelSideEnded();
    void endTunnel();

    ClientSession& m_session;
    Stage m_stage = Stage::None;
    Routed m_route;
    std::shared_ptr<ClusterState> m_cluster;
    std::optional<RetryPlan> m_plan;
    Pick m_pick;
    bool m_holdsNode = false; ///< counted in its requests in flight
    std::shared_ptr<NodeLink> m_link;
    std::vector<NodeHandle> m_failed; ///< nodes that this request has failed on
    std::string_view m_lastCode;      ///< of the last failed try
    unsigned m_lastStatus = 0;
    std::string m_traceparent;
    RequestModules m_modules;
    HeadChanges m_changes;
    std::string m_outcome; ///< of the last try that counts, for the access log
    RequestRecord m_record;
    Instant m_sentAt{};

    // Request to node.
    std::string m_upHead;
    std::size_t m_upHeadSent = 0;
    Flow m_up;
    BodyReader m_upBody;
    std::size_t m_replayFrom = 0;  ///< where the body begins in the block, while all of it that was read is there
    bool m_canReplay = true;
    bool m_isUploadDone = false;
    bool m_isUploadStopped = false; ///< the node takes no more; its answer may still come
    bool m_owesContinue = false;

    // Answer to client.
    HeadScanner m_answerScanner;
    ResponseView m_answer;
    std::string m_answerHead;
    std::size_t m_answerHeadSent = 0;
    Flow m_down;
    BodyReader m_downBody;
    AnswerFrame m_frame;
    HeadChanges m_answerChanges;
    std::unique_ptr<BodyEncoder> m_encoder; ///< packs the body on its way
    http::NamedValues m_seenHeaders;        ///< of the answer, where there are outcome rules: its head is gone when its body ends
    std::string m_seenBody;                 ///< its beginning, where outcome rules look at it
    bool m_seesBody = false;
    unsigned m_interims = 0;
    bool m_sawAnswer = false;  ///< a byte of it
    bool m_hasHead = false;    ///< read, and given to the client's side
    bool m_isJudged = false;
    bool m_isReplaced = false; ///< the kept connection of this try had died
    bool m_linkIsSpoilt = false; ///< it has sent more than the answer
    bool m_isDrained = false;    ///< the last read took all there was

    bool m_upEnded = false; ///< tunnel: the client sends no more
    bool m_downEnded = false;
    bool m_upShut = false;
    bool m_downShut = false;
};

} // namespace weir::gateway
