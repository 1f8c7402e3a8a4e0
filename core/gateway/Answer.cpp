// SPDX-License-Identifier: GPL-3.0-or-later
// Forwarding: the answer, from the node to the client.
#include "core/gateway/ChunkFrame.h"
#include "core/gateway/ClientSession.h"
#include "core/gateway/Engine.h"
#include "core/gateway/Forwarding.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace weir::gateway {
namespace {

// Bodies of many megabytes take turns with other connections after this many blocks.
constexpr int kRounds = 8;
constexpr unsigned kMostInterims = 16;
constexpr std::size_t kReadEnd = kFrontRoom + kReadSize;

} // namespace

void Forwarding::linkReadable()
{
    const auto keep = m_session.shared_from_this();
    if (m_stage == Stage::Tunnel) {
        pumpTunnelDown();
    } else if (m_stage == Stage::Exchanging) {
        pumpDown();
    }
}

void Forwarding::clientWritable()
{
    if (m_stage == Stage::Tunnel) {
        pumpTunnelDown();
    } else if (m_stage == Stage::Exchanging) {
        setProgressDeadline();
        pumpDown();
    }
}

void Forwarding::pumpDown()
{
    m_isDrained = false;
    for (int round = 0;; ++round) {
        if (!flushDown()) {
            return;
        }
        if (m_hasHead && m_downBody.isDone()) {
            finish();
            return;
        }
        if (m_isDrained || round == kRounds) {
            break; // only here: what was read is sent, and if it was the end nothing would wake this up again
        }
        if (!readDown()) {
            return;
        }
    }
    m_link->watch();
}

// False: the client takes no more at the moment, or is gone.
bool Forwarding::flushDown()
{
    while (m_answerHeadSent < m_answerHead.size() || (m_hasHead && !m_down.isEmpty())) {
        const std::string_view head = std::string_view(m_answerHead).substr(m_answerHeadSent);
        const Io io = m_session.stream().write(head, m_hasHead ? m_down.view() : std::string_view());
        if (io.status == Io::Status::Again) {
            m_session.waitWritable();
            return false;
        }
        if (io.status != Io::Status::Ok) {
            clientLeft();
            return false;
        }
        const std::size_t ofHead = std::min(io.count, head.size());
        m_answerHeadSent += ofHead;
        m_down.begin += io.count - ofHead;
        m_record.bytesOut += io.count;
    }
    if (m_hasHead) {
        m_down.reset();
    }
    if (m_encoder) { // packed bytes stood behind the head
        m_answerHead.clear();
        m_answerHeadSent = 0;
    }
    return true;
}

// False: nothing to read at the moment, or the try is over.
bool Forwarding::readDown()
{
    if (!m_down.block) {
        m_down.block = engine().blocks().take();
        m_down.begin = kFrontRoom;
        m_down.end = kFrontRoom;
    }
    const std::size_t at = m_down.end;
    const Io io = m_link->stream().read(m_down.block->bytes.data() + at, kReadEnd - at);
    if (io.status == Io::Status::Again) {
        if (m_down.isEmpty()) {
            m_down.reset();
        }
        m_link->watch();
        return false;
    }
    if (io.status != Io::Status::Ok) {
        linkEnded(io.status == Io::Status::Failed);
        return m_stage == Stage::Exchanging && m_hasHead && m_downBody.isDone();
    }
    m_isDrained = io.count < kReadEnd - at && !m_link->stream().hasPending();
    m_sawAnswer = true;
    if (!m_hasHead) {
        m_down.end += io.count;
        return takeAnswerHead();
    }
    setProgressDeadline();
    return takeDown(at, io.count);
}

void Forwarding::linkEnded(bool failed)
{
    const std::string_view outcome = failed ? "reset" : "incomplete";
    if (!m_hasHead) {
        if (m_sawAnswer) {
            tryFailed(FailedAt::Request, outcome, "bad_response");
        } else {
            linkDied(outcome);
        }
        return;
    }
    if (failed || m_downBody.end() != BodyReader::Status::Done) {
        cutShort(outcome);
        return;
    }
    if (m_encoder) {
        if (!encodeDown(kFrontRoom, 0)) {
            return;
        }
    } else if (m_frame.chunked) {
        frameChunk(m_down, kFrontRoom, 0, m_downBody);
    }
}

// True: go on reading, or the body has begun; false: the try is over or has become a tunnel.
bool Forwarding::takeAnswerHead()
{
    while (true) {
        switch (m_answerScanner.scan(m_down.view())) {
        case HeadScanner::Step::Failed:
            badAnswer();
            return false;
        case HeadScanner::Step::NeedMore:
            if (m_down.end == kReadEnd) {
                badAnswer(); // over 64 KiB
                return false;
            }
            return true;
        case HeadScanner::Step::Found:
            break;
        }
        const std::size_t length = m_answerScanner.length();
        if (parseResponse(m_down.view().substr(0, length), m_answer)) {
            badAnswer();
            return false;
        }
        if (m_answer.status >= 200 || m_answer.status == 101) {
            return beginAnswer(m_down.begin + length);
        }
        if (!takeInterim()) {
            return false;
        }
        m_down.begin += length;
        m_answerScanner.reset();
        if (m_down.isEmpty()) {
            m_down.reset();
            return true;
        }
    }
}

// 100 Continue, 103 Early Hints and their like; HTTP/1.0 knows none.
bool Forwarding::takeInterim()
{
    if (++m_interims > kMostInterims) {
        badAnswer();
        return false;
    }
    if (m_answer.status == 100) {
        if (m_owesContinue) {
            sendContinue();
        }
        return m_stage == Stage::Exchanging;
    }
    if (m_session.request().isVersion11) {
        AnswerFrame frame;
        appendAnswerHead(m_answerHead, m_answer, frame);
    }
    return true;
}

bool Forwarding::beginAnswer(std::size_t bodyAt)
{
    m_record.headerRead = Engine::now();
    const auto status = m_answer.status;
    if (status == 101) {
        if (m_session.request().upgrade.empty()) {
            badAnswer();
        } else {
            beginTunnel(bodyAt);
        }
        return false;
    }
    m_seenBody.clear();
    m_seenHeaders.clear();
    if (engine().gate().isPassive(static_cast<int>(status))) {
        judge({}); // at once, without its body
    } else if (engine().gate().hasRules()) {
        for (const FieldView& field : m_answer.fields) {
            m_seenHeaders.emplace_back(field.name, field.value);
        }
    }
    if (m_route.cluster->retryStatus.test(status) && m_plan->after(FailedAt::Status) != RetryPlan::Next::Stop) {
        m_failed.push_back(m_pick.node->handle);
        m_lastCode = "bad_response";
        m_lastStatus = 502;
        endTry(std::to_string(status));
        m_cluster->counters->count(m_cluster->counters->retries);
        seekNode();
        return false;
    }
    m_answerChanges.clear();
    if (Verdict verdict = m_modules.readAnswer(m_answer, m_answerChanges); verdict.kind != Verdict::Kind::GoOn) {
        replaceAnswer(std::move(verdict));
        return false;
    }
    m_hasHead = true;
    m_owesContinue = false;
    m_record.status = status;
    m_seesBody = !m_isJudged && engine().gate().needsBody();
    if (m_isUploadDone) {
        m_up.reset();
    }
    frameAnswer();
    appendAnswerHead(m_answerHead, m_answer, m_frame);
    setProgressDeadline();
    const std::size_t count = m_down.end - bodyAt;
    m_down.begin = bodyAt;
    m_down.end = bodyAt;
    return takeDown(bodyAt, count);
}

// How the body comes and how it goes out.
void Forwarding::frameAnswer()
{
    const RequestView& request = m_session.request();
    const bool isHead = request.method == "HEAD";
    const bool hasBody = !isHead && m_answer.status != 204 && m_answer.status != 304;
    const BodyReader::Kind kind = !hasBody ? BodyReader::Kind::None
        : m_answer.isChunked               ? BodyReader::Kind::Chunked
        : m_answer.hasLength               ? BodyReader::Kind::Length
                                           : BodyReader::Kind::UntilClose;
    m_downBody.begin(kind, m_answer.contentLength);
    const bool isOpen = kind == BodyReader::Kind::Chunked || kind == BodyReader::Kind::UntilClose;
    m_frame = AnswerFrame();
    m_frame.changes = &m_answerChanges;
    m_frame.chunked = request.isVersion11 && (isOpen || (isHead && m_answer.isChunked));
    m_frame.hasLength = m_answer.hasLength && m_answer.status != 204;
    m_frame.length = m_answer.contentLength;
    // A body that the client is still sending would be taken for its next request.
    m_frame.closes = !request.keepAlive || engine().isClosing() || !m_upBody.isDone() || (isOpen && !request.isVersion11);
    m_frame.saysKeepAlive = !m_frame.closes && !request.isVersion11;
    m_encoder.reset();
    if (m_modules.isOn() && kind != BodyReader::Kind::None) {
        chooseEncoder();
    }
}

// What a module decided of the packing of the body. Its length is not known before the end, so it goes out in chunks.
void Forwarding::chooseEncoder()
{
    const Turn& turn = *m_modules.turn();
    if (turn.encoding == Encoding::Identity) {
        return;
    }
    m_encoder = BodyEncoder::make(turn.encoding, turn.compressionLevel);
    if (!m_encoder) { // no memory: as it is, and nothing said
        std::erase_if(m_answerChanges.added, [](const auto& field) { return http::equalsIgnoringCase(field.first, "Content-Encoding"); });
        return;
    }
    m_frame.chunked = true;
    m_frame.hasLength = false;
}

// Takes `count` bytes read at `at` of the block as body. False: they are not one, and the try is over.
bool Forwarding::takeDown(std::size_t at, std::size_t count)
{
    const BodyReader::Taken taken = m_downBody.take(m_down.block->bytes.data() + at, count);
    if (taken.status == BodyReader::Status::Malformed) {
        if (m_record.bytesOut == 0) {
            m_hasHead = false; // the client has not seen any of it
            m_answerHead.clear();
            badAnswer();
        } else {
            cutShort("incomplete");
        }
        return false;
    }
    m_linkIsSpoilt = m_linkIsSpoilt || taken.consumed < count;
    if (m_seesBody && m_seenBody.size() < routing::kMaxSeenResponseBody) {
        m_seenBody.append(m_down.block->bytes.data() + at, std::min(taken.data, routing::kMaxSeenResponseBody - m_seenBody.size()));
    }
    if (m_encoder) {
        return encodeDown(at, taken.data);
    }
    if (m_frame.chunked && m_downBody.kind() != BodyReader::Kind::None) {
        frameChunk(m_down, at, taken.data, m_downBody);
    } else {
        m_down.begin = at;
        m_down.end = at + taken.data;
    }
    return true;
}

// Packs bytes of the block and puts them, as a chunk, behind the head: what is sent from there is bounded by one block's worth.
bool Forwarding::encodeDown(std::size_t at, std::size_t count)
{
    const bool isLast = m_downBody.isDone();
    std::string packed;
    const bool isFine = m_encoder->encode({m_down.block->bytes.data() + at, count}, isLast, packed);
    m_down.begin = at;
    m_down.end = at;
    if (!isFine) {
        endTry("local");
        m_session.close(); // in the middle of the chunks: the client does not take it for whole
        return false;
    }
    if (!packed.empty()) {
        std::array<char, 20> size;
        const auto end = std::to_chars(size.data(), size.data() + size.size(), packed.size(), 16).ptr;
        m_answerHead.append(size.data(), end).append("\r\n").append(packed).append("\r\n");
    }
    if (isLast) {
        m_answerHead.append("0\r\n").append(m_downBody.trailers()).append("\r\n");
    }
    return true;
}

// A module answers in the node's place. The rest of the node's answer is not waited for.
void Forwarding::replaceAnswer(Verdict verdict)
{
    if (!m_isJudged) {
        judge({});
    }
    endTry(std::to_string(m_answer.status));
    if (verdict.kind == Verdict::Kind::Close || verdict.kind == Verdict::Kind::Finish) {
        m_session.close();
        return;
    }
    http::Response response = RequestModules::responseOf(std::move(verdict.reply));
    response.headers.insert(response.headers.end(), m_answerChanges.added.begin(), m_answerChanges.added.end());
    m_record.status = response.status;
    m_record.bytesOut += response.body.size();
    const bool closes = !m_upBody.isDone();
    endRequest();
    m_session.answer(std::move(response), closes);
}

void Forwarding::badAnswer()
{
    tryFailed(FailedAt::Request, "incomplete", "bad_response");
}

// The client has a part of the answer and will not get the rest.
void Forwarding::cutShort(std::string_view outcome)
{
    if (!m_record.isPassiveFailure) {
        judge(outcome);
    }
    const bool needsReset = !m_frame.chunked && !m_frame.hasLength;
    endTry(outcome);
    if (needsReset) {
        m_session.abort(); // an end alone would make it look whole
    } else {
        m_session.close();
    }
}

} // namespace weir::gateway
