// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/ChunkedBody.h"

#include "core/http/Message.h"

#include <algorithm>

namespace weir::http {
namespace {

constexpr unsigned kMaxDigits = 8;

bool isValueByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
}

} // namespace

ChunkedBody::Status ChunkedBody::feed(std::string_view& input, std::string& body)
{
    while (!input.empty()) {
        if (m_state == State::Data) {
            const std::size_t count = std::min(m_chunkLeft, input.size());
            body.append(input.substr(0, count));
            input.remove_prefix(count);
            m_chunkLeft -= count;
            if (m_chunkLeft == 0) {
                m_state = State::DataCr;
            }
            continue;
        }
        if (m_overheadLeft-- == 0) {
            m_overheadLeft = 0;
            return Status::Malformed;
        }
        const char c = input.front();
        input.remove_prefix(1);
        if (const Status status = takeByte(c, body); status != Status::NeedMore) {
            return status;
        }
    }
    return Status::NeedMore;
}

ChunkedBody::Status ChunkedBody::takeByte(char c, const std::string& body)
{
    switch (m_state) {
    case State::Size:
    case State::SizeMore:
        return takeSizeByte(c);
    case State::Extension:
        if (c == '\r') {
            return moveTo(State::SizeLf);
        }
        return isValueByte(c) ? Status::NeedMore : Status::Malformed;
    case State::SizeLf:
        return c == '\n' ? endSizeLine(body) : Status::Malformed;
    case State::Data:
        return Status::Malformed;
    case State::DataCr:
        return c == '\r' ? moveTo(State::DataLf) : Status::Malformed;
    case State::DataLf:
        return c == '\n' ? moveTo(State::Size) : Status::Malformed;
    case State::TrailerStart:
        if (c == '\r') {
            return moveTo(State::EndLf);
        }
        return isTokenCharacter(c) ? moveTo(State::TrailerName) : Status::Malformed;
    case State::TrailerName:
        if (c == ':') {
            return moveTo(State::TrailerValue);
        }
        return isTokenCharacter(c) ? Status::NeedMore : Status::Malformed;
    case State::TrailerValue:
        if (c == '\r') {
            return moveTo(State::TrailerLf);
        }
        return isValueByte(c) ? Status::NeedMore : Status::Malformed;
    case State::TrailerLf:
        return c == '\n' ? moveTo(State::TrailerStart) : Status::Malformed;
    case State::EndLf:
        return c == '\n' ? Status::Done : Status::Malformed;
    }
    return Status::Malformed;
}

ChunkedBody::Status ChunkedBody::takeSizeByte(char c)
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
        return Status::Malformed;
    }
    if (m_state == State::Size) {
        m_chunkLeft = 0;
        m_digits = 0;
    }
    if (++m_digits > kMaxDigits) {
        return Status::Malformed;
    }
    m_chunkLeft = m_chunkLeft * 16 + digit;
    return moveTo(State::SizeMore);
}

ChunkedBody::Status ChunkedBody::endSizeLine(const std::string& body)
{
    if (m_chunkLeft > m_maxBody - std::min(m_maxBody, body.size())) {
        return Status::TooLarge;
    }
    return moveTo(m_chunkLeft == 0 ? State::TrailerStart : State::Data);
}

} // namespace weir::http
