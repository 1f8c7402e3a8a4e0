// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/BodyReader.h"

#include "core/gateway/HeadParser.h"
#include "core/http/Message.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace weir::gateway {
namespace {

constexpr unsigned kMaxSizeDigits = 15; // stays within 64 bits
constexpr std::size_t kMaxExtension = 1024;

bool isValueByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

} // namespace

void BodyReader::begin(Kind kind, std::uint64_t length)
{
    m_kind = kind;
    m_state = State::Size;
    m_left = kind == Kind::Length ? length : 0;
    m_isDone = kind == Kind::None || (kind == Kind::Length && length == 0);
    m_digits = 0;
    m_overhead = 0;
    m_line.clear();
    m_trailers.clear();
}

BodyReader::Status BodyReader::end()
{
    m_isDone = m_isDone || m_kind == Kind::UntilClose;
    return m_isDone ? Status::Done : Status::Malformed;
}

BodyReader::Taken BodyReader::take(char* bytes, std::size_t size)
{
    if (m_isDone) {
        return {Status::Done, 0, 0};
    }
    if (m_kind == Kind::Chunked) {
        return takeChunked(bytes, size);
    }
    if (m_kind == Kind::UntilClose) {
        return {Status::More, size, size};
    }
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, size));
    m_left -= count;
    m_isDone = m_left == 0;
    return {m_isDone ? Status::Done : Status::More, count, count};
}

BodyReader::Taken BodyReader::takeChunked(char* bytes, std::size_t size)
{
    Taken taken;
    while (taken.consumed < size && !m_isDone) {
        if (m_state == State::Data) {
            const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, size - taken.consumed));
            if (taken.data != taken.consumed) {
                std::memmove(bytes + taken.data, bytes + taken.consumed, count);
            }
            taken.data += count;
            taken.consumed += count;
            m_left -= count;
            if (m_left == 0) {
                m_state = State::DataCr;
            }
            continue;
        }
        if (!takeByte(bytes[taken.consumed])) {
            taken.status = Status::Malformed;
            return taken;
        }
        ++taken.consumed;
    }
    taken.status = m_isDone ? Status::Done : Status::More;
    return taken;
}

bool BodyReader::takeByte(char c)
{
    switch (m_state) {
    case State::Size:
    case State::SizeMore:
        return takeSizeByte(c);
    case State::Extension:
        return c == '\r' ? moveTo(State::SizeLf) : isValueByte(c) && ++m_overhead <= kMaxExtension;
    case State::SizeLf:
        m_overhead = 0;
        return c == '\n' && moveTo(m_left == 0 ? State::TrailerStart : State::Data);
    case State::Data:
        return false;
    case State::DataCr:
        return c == '\r' && moveTo(State::DataLf);
    case State::DataLf:
        return c == '\n' && moveTo(State::Size);
    case State::TrailerStart:
        if (c == '\r') {
            return moveTo(State::EndLf);
        }
        m_line.clear();
        m_state = State::TrailerLine;
        [[fallthrough]];
    case State::TrailerLine:
        if (c == '\r') {
            m_overhead += 2; // with its CRLF, which is kept too
            return m_overhead <= kMaxTrailers && endTrailerLine() && moveTo(State::TrailerLf);
        }
        m_line.push_back(c);
        return isValueByte(c) && ++m_overhead <= kMaxTrailers;
    case State::TrailerLf:
        return c == '\n' && moveTo(State::TrailerStart);
    case State::EndLf:
        m_isDone = c == '\n';
        return m_isDone;
    }
    return false;
}

bool BodyReader::takeSizeByte(char c)
{
    unsigned digit = 0;
    if (c >= '0' && c <= '9') {
        digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
        digit = static_cast<unsigned>(c - 'a') + 10U;
    } else if (c >= 'A' && c <= 'F') {
        digit = static_cast<unsigned>(c - 'A') + 10U;
    } else if (m_state == State::SizeMore && c == ';') {
        return moveTo(State::Extension);
    } else if (m_state == State::SizeMore && c == '\r') {
        return moveTo(State::SizeLf);
    } else {
        return false;
    }
    if (m_state == State::Size) {
        m_left = 0;
        m_digits = 0;
    }
    if (++m_digits > kMaxSizeDigits) {
        return false;
    }
    m_left = m_left * 16 + digit;
    return moveTo(State::SizeMore);
}

bool BodyReader::endTrailerLine()
{
    const std::size_t colon = m_line.find(':');
    const std::string_view name = std::string_view(m_line).substr(0, colon);
    if (colon == std::string::npos || name.empty() || !std::all_of(name.begin(), name.end(), http::isTokenCharacter)) {
        return false;
    }
    if (isForwardableTrailer(name)) {
        m_trailers += m_line;
        m_trailers += "\r\n";
    }
    return true;
}

} // namespace weir::gateway
