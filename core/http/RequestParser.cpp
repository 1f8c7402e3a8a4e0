// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/RequestParser.h"

#include <algorithm>

namespace weir::http {
namespace {

// More is reserved only as it arrives: an announced length costs the sender nothing.
constexpr std::size_t kFirstReserve = 64U << 10U;

} // namespace

RequestParser::Step RequestParser::feed(std::string_view& input)
{
    return m_head ? readBody(input) : readHead(input);
}

// Goes line by line, so that a bare LF is refused when it arrives and every byte is looked at once.
RequestParser::HeadEnd RequestParser::findHeadEnd(std::string_view input)
{
    while (true) {
        const std::size_t newline = input.find('\n', m_scanned);
        if (std::min(newline, input.size()) >= m_maxHeader) {
            failWith("headers_too_large", "The request line and headers exceed " + std::to_string(m_maxHeader) + " bytes.");
            return HeadEnd::Failed;
        }
        if (newline == std::string_view::npos) {
            m_scanned = input.size();
            return HeadEnd::NotYet;
        }
        if (newline == 0 || input[newline - 1] != '\r') {
            failWith("malformed_request", "A line ends without CR.");
            return HeadEnd::Failed;
        }
        m_scanned = newline + 1;
        if (newline - 1 == m_lineStart) {
            return HeadEnd::Found;
        }
        m_lineStart = newline + 1;
    }
}

RequestParser::Step RequestParser::readHead(std::string_view& input)
{
    // One empty line before a request is forgiven (RFC 9112, 2.2).
    if (!m_skippedEmptyLine && m_scanned == 0 && input.starts_with("\r\n")) {
        m_skippedEmptyLine = true;
        input.remove_prefix(2);
    }
    if (input.empty() || (input == "\r" && !m_skippedEmptyLine)) {
        return Step::NeedMore;
    }
    if (!isTokenCharacter(input.front())) {
        return failWith("malformed_request", "This is not an HTTP request.");
    }
    const HeadEnd end = findHeadEnd(input);
    if (end != HeadEnd::Found) {
        return end == HeadEnd::NotYet ? Step::NeedMore : Step::Failed;
    }
    auto head = parseRequestHead(input.substr(0, m_lineStart));
    input.remove_prefix(m_scanned);
    if (!head) {
        m_error = std::move(head.error());
        return Step::Failed;
    }
    m_head = std::move(*head);
    if (m_head->expectation == RequestHead::Expectation::Unknown) {
        return failWith("expectation_failed", "The only expectation met is 100-continue.");
    }
    if (m_head->contentLength > m_maxBody) {
        return failWith("body_too_large", "The body exceeds " + std::to_string(m_maxBody) + " bytes.");
    }
    if (!m_head->hasBody()) {
        return Step::Complete;
    }
    if (m_head->isChunked) {
        m_chunked.emplace(m_maxBody, m_maxHeader);
    } else {
        m_body.reserve(std::min(static_cast<std::size_t>(m_head->contentLength), kFirstReserve));
    }
    return Step::BodyFollows;
}

RequestParser::Step RequestParser::readBody(std::string_view& input)
{
    if (!m_chunked) {
        const std::size_t count = std::min(input.size(), static_cast<std::size_t>(m_head->contentLength) - m_body.size());
        m_body.append(input.substr(0, count));
        input.remove_prefix(count);
        return m_body.size() == m_head->contentLength ? Step::Complete : Step::NeedMore;
    }
    switch (m_chunked->feed(input, m_body)) {
    case ChunkedBody::Status::NeedMore:
        return Step::NeedMore;
    case ChunkedBody::Status::Done:
        return Step::Complete;
    case ChunkedBody::Status::TooLarge:
        return failWith("body_too_large", "The body exceeds " + std::to_string(m_maxBody) + " bytes.");
    case ChunkedBody::Status::Malformed:
        break;
    }
    return failWith("malformed_request", "The chunked body is broken.");
}

RequestParser::Step RequestParser::failWith(std::string code, std::string message)
{
    m_error = Error{std::move(code), std::move(message)};
    return Step::Failed;
}

Request RequestParser::take()
{
    Request request;
    request.method = std::move(m_head->method);
    request.target = std::move(m_head->rawTarget);
    request.path = std::move(m_head->target.path);
    request.query = std::move(m_head->target.query);
    request.headers = std::move(m_head->headers);
    request.body = std::move(m_body);
    m_body = std::string();
    m_head.reset();
    m_chunked.reset();
    m_scanned = 0;
    m_lineStart = 0;
    m_skippedEmptyLine = false;
    return request;
}

} // namespace weir::http
