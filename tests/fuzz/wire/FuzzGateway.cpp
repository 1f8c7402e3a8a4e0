// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/wire/FuzzGateway.h"

#include "core/gateway/BodyReader.h"
#include "core/gateway/ChunkFrame.h"
#include "core/gateway/ClientFacts.h"
#include "core/gateway/HeadParser.h"
#include "core/gateway/HeadWriter.h"
#include "core/http/Message.h"
#include "tests/fuzz/wire/FuzzRule.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace weir::fuzz {
namespace {

using namespace weir::gateway;

constexpr std::string_view kBase = "/base";
constexpr std::string_view kPeer = "192.0.2.1";
constexpr std::array<std::size_t, 3> kPieces{1, 3, 64};

struct Scan {
    HeadScanner::Step step = HeadScanner::Step::NeedMore;
    std::size_t length = 0; ///< where one was found
    unsigned status = 0;

    friend bool operator==(const Scan&, const Scan&) = default;
};

Scan scan(std::string_view bytes, std::size_t piece)
{
    HeadScanner scanner;
    Scan result;
    for (std::size_t end = 0; result.step == HeadScanner::Step::NeedMore && end < bytes.size();) {
        end = std::min(bytes.size(), end + piece);
        result.step = scanner.scan(bytes.substr(0, end));
        require(result.step != HeadScanner::Step::Found || scanner.length() <= end, "a head ends within what has arrived");
    }
    if (result.step == HeadScanner::Step::Found) {
        result.length = scanner.length();
    }
    result.status = scanner.error().status;
    return result;
}

// The head at the front of `bytes`; empty where there is none.
std::string_view headOf(std::string_view bytes)
{
    const Scan whole = scan(bytes, bytes.size() + 1);
    for (const std::size_t piece : kPieces) {
        require(scan(bytes, piece) == whole, "a head in pieces is the head as a whole");
    }
    require((whole.step == HeadScanner::Step::Failed) == (whole.status != 0), "a refused head has a status, and only that");
    require(whole.step != HeadScanner::Step::Found || whole.length <= HeadScanner::kMaxHead, "a head is within its bound");
    return whole.step == HeadScanner::Step::Found ? bytes.substr(0, whole.length) : std::string_view();
}

bool isClean(std::string_view text)
{
    return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

void checkFields(const std::vector<FieldView>& fields)
{
    for (const FieldView& field : fields) {
        require(!field.name.empty() && std::all_of(field.name.begin(), field.name.end(), http::isTokenCharacter), "a name is a token");
        require(isClean(field.value), "a value has no CR, LF or NUL");
    }
}

// A head that was written here: the one that was meant, and nothing behind it. False: it has become too large for another reader.
template <typename Head>
bool readAgain(std::string_view out, Head& into, HeadError (*parse)(std::string_view, Head&))
{
    const Scan again = scan(out, out.size() + 1);
    if (again.status == 431) {
        return false;
    }
    require(again.step == HeadScanner::Step::Found && again.length == out.size(), "what is sent is one head");
    const HeadError error = parse(out, into);
    require(!error || error.status == 431, "what is sent is accepted");
    if (error) {
        return false;
    }
    checkFields(into.fields);
    const auto isForOneHop = [](const FieldView& field) { return field.kind == FieldKind::HopByHop; };
    require(std::none_of(into.fields.begin(), into.fields.end(), isForOneHop), "what is for one hop is not sent on");
    return true;
}

void checkSentRequest(const RequestView& request, const ClientFacts& client, const TrustedProxies& proxies)
{
    RequestFrame frame;
    frame.basePath = kBase;
    frame.host = request.host;
    frame.realIp = clientAddress(request, client, proxies);
    require(isClean(frame.realIp), "an address has no CR, LF or NUL");
    std::string out;
    appendRequestHead(out, request, client, frame);
    RequestView again;
    if (!readAgain(out, again, parseRequest)) {
        return;
    }
    require(again.method == request.method, "the method stays");
    require(again.path == (request.path == "*" ? "*" : std::string(kBase).append(request.path)), "the path stays");
    require(again.hasQuery == request.hasQuery && again.query == request.query, "the query stays");
    require(again.host == request.host, "the host stays");
    require(again.isChunked == request.isChunked && again.contentLength == request.contentLength, "the body's framing stays");
    require(again.upgrade == request.upgrade, "an upgrade stays, and none is made");
    require(again.expectsContinue == request.expectsContinue && again.keepAlive, "the node keeps the connection");
    if (!client.isTrusted) {
        require(again.field(FieldKind::ForwardedFor) == kPeer && again.field(FieldKind::RealIp) == kPeer, "nobody else's word is sent on");
        require(again.field(FieldKind::ForwardedOther).empty(), "nor any of its like");
    }
}

void checkSentAnswer(const ResponseView& answer, const AnswerFrame& frame)
{
    std::string out;
    appendAnswerHead(out, answer, frame);
    ResponseView again;
    if (!readAgain(out, again, parseResponse)) {
        return;
    }
    require(again.status == answer.status && again.reason == answer.reason, "the status stays");
    require(again.isChunked == frame.chunked, "the body is framed as it is sent");
    require(again.hasLength == (frame.hasLength && !frame.chunked), "a length is said once");
    require(!again.hasLength || again.contentLength == frame.length, "and is the right one");
    require(again.keepAlive == !frame.closes, "the connection ends when it is said to");
}

struct Reading {
    BodyReader::Status status = BodyReader::Status::More;
    std::size_t consumed = 0;
    std::string data;
    std::string trailers;

    friend bool operator==(const Reading&, const Reading&) = default;
};

// Reads `bytes` in pieces as they would come from a socket. Into `framed`: what is sent on in chunks.
Reading readBody(BodyReader::Kind kind, std::uint64_t length, std::string_view bytes, std::size_t piece, std::string& framed)
{
    static BlockPool pool;
    BodyReader body;
    body.begin(kind, length);
    Reading reading;
    reading.status = body.isDone() ? BodyReader::Status::Done : BodyReader::Status::More;
    bool isNearTheEnd = false;
    for (std::size_t at = 0; at < bytes.size() && reading.status == BodyReader::Status::More;) {
        const std::size_t count = std::min({piece, kReadSize, bytes.size() - at});
        Flow flow;
        flow.block = pool.take();
        const std::size_t place = isNearTheEnd ? kFrontRoom + kReadSize - count : kFrontRoom; // where a head came before it
        isNearTheEnd = !isNearTheEnd;
        char* const front = flow.block->bytes.data() + place;
        std::memcpy(front, bytes.data() + at, count);
        const BodyReader::Taken taken = body.take(front, count);
        require(taken.consumed <= count && taken.data <= taken.consumed, "no more is taken than there is");
        require(taken.status != BodyReader::Status::More || taken.consumed == count, "what is not the end is taken whole");
        require((taken.status == BodyReader::Status::Done) == body.isDone(), "the end is told once it is reached");
        reading.status = taken.status;
        reading.consumed += taken.consumed;
        reading.data.append(front, taken.data);
        if (taken.status != BodyReader::Status::Malformed) {
            frameChunk(flow, place, taken.data, body);
            require(flow.end <= flow.block->bytes.size(), "a chunk stays within its block");
            framed += flow.view();
        }
        at += count;
    }
    if (reading.status == BodyReader::Status::More && kind == BodyReader::Kind::UntilClose) {
        reading.status = body.end();
        Flow flow;
        flow.block = pool.take();
        frameChunk(flow, kFrontRoom, 0, body);
        framed += flow.view();
    } else if (reading.status == BodyReader::Status::More) {
        require(body.end() == BodyReader::Status::Malformed, "a body that is cut short is not whole");
    }
    require(body.trailers().size() <= BodyReader::kMaxTrailers, "trailers are within their bound");
    reading.trailers = body.trailers();
    return reading;
}

void checkFraming(const Reading& reading, std::string_view framed)
{
    for (const std::size_t piece : {framed.size(), std::size_t(7)}) {
        std::string ignored;
        const Reading again = readBody(BodyReader::Kind::Chunked, 0, framed, piece, ignored);
        require(again.status == BodyReader::Status::Done && again.consumed == framed.size(), "what is sent on is one whole body");
        require(again.data == reading.data && again.trailers == reading.trailers, "and the same one");
    }
}

BodyReader::Kind kindOf(char c)
{
    constexpr std::array kKinds{BodyReader::Kind::Length, BodyReader::Kind::UntilClose, BodyReader::Kind::None, BodyReader::Kind::Chunked};
    return kKinds[static_cast<unsigned char>(c) & 3U];
}

} // namespace

void checkGatewayRequest(std::string_view bytes)
{
    const std::string_view head = headOf(bytes);
    RequestView request;
    if (head.empty()) {
        return;
    }
    if (const HeadError error = parseRequest(head, request)) {
        constexpr std::array<unsigned, 6> kStatuses{400, 405, 417, 431, 501, 505};
        require(std::find(kStatuses.begin(), kStatuses.end(), error.status) != kStatuses.end(), "a refusal has one of its statuses");
        require(!error.code.empty() && !error.detail.empty(), "a refusal says why");
        return;
    }
    checkFields(request.fields);
    require(
        isClean(request.method) && isClean(request.path) && isClean(request.query) && isClean(request.host), "parts have no CR, LF or NUL");
    require(!(request.isChunked && request.hasLength), "a body has one framing");
    ClientFacts client;
    client.peer = kPeer;
    checkSentRequest(request, client, {});
    client.isTrusted = true;
    client.isSecure = true;
    checkSentRequest(request, client, TrustedProxies::parse({"192.0.2.0/24", "10.0.0.0/8"}).value());
}

void checkGatewayAnswer(std::string_view bytes)
{
    const std::string_view head = headOf(bytes);
    ResponseView answer;
    if (head.empty() || parseResponse(head, answer)) {
        return;
    }
    checkFields(answer.fields);
    require(isClean(answer.reason) && isClean(answer.upgrade), "parts have no CR, LF or NUL");
    require(answer.status >= 100 && answer.status <= 599, "a status is one of HTTP");
    require(!(answer.isChunked && answer.hasLength), "a body has one framing");
    for (const bool closes : {false, true}) {
        AnswerFrame frame;
        frame.closes = closes;
        checkSentAnswer(answer, frame);
        frame.chunked = true;
        checkSentAnswer(answer, frame);
        frame.chunked = false;
        frame.hasLength = true;
        frame.length = answer.contentLength;
        checkSentAnswer(answer, frame);
    }
}

void checkGatewayBody(std::string_view bytes)
{
    if (bytes.size() < 2) {
        return;
    }
    const BodyReader::Kind kind = kindOf(bytes[0]);
    const std::size_t cut = static_cast<unsigned char>(bytes[1]);
    bytes.remove_prefix(2);
    std::string framed;
    const Reading whole = readBody(kind, cut, bytes, bytes.size() + 1, framed);
    require(whole.consumed <= bytes.size() && isClean(whole.trailers.substr(0, whole.trailers.find('\r'))), "trailers are lines");
    if (whole.status == BodyReader::Status::Done && !framed.empty()) {
        checkFraming(whole, framed);
    }
    for (const std::size_t piece : {std::size_t(1), std::size_t(3), std::size_t(64), cut + 1}) {
        std::string pieces;
        require(readBody(kind, cut, bytes, piece, pieces) == whole, "a body in pieces is the body as a whole");
        if (whole.status == BodyReader::Status::Done && !pieces.empty()) {
            checkFraming(whole, pieces);
        }
    }
}

} // namespace weir::fuzz
