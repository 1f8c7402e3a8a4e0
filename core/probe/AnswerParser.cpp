// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/AnswerParser.h"

#include <algorithm>

namespace weir::probe {
namespace {

constexpr std::string_view kVersion = "HTTP/1.";
constexpr std::size_t kMaxLengthDigits = 18;
constexpr std::size_t kMaxChunkDigits = 15;
/// A string that grew for one answer is not kept for all that follow.
constexpr std::size_t kKeptCapacity = 4096;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameName(std::string_view name, std::string_view lowered)
{
    return name.size() == lowered.size() && std::equal(name.begin(), name.end(), lowered.begin(), [](char a, char b) { return lower(a) == b; });
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

void clear(std::string& text)
{
    text.clear();
    if (text.capacity() > kKeptCapacity) {
        text.shrink_to_fit();
    }
}

} // namespace

void AnswerParser::reset()
{
    m_state = State::Head;
    m_status = 0;
    m_finalStatus = 0;
    m_hasStatusLine = false;
    m_lastWasFraming = false;
    m_framing = Framing::UntilClose;
    m_chunk = Chunk::Size;
    m_length.reset();
    m_isChunked = false;
    m_left = 0;
    m_headBudget = kMaxHeadBytes;
    m_overheadBudget = kMaxChunkOverhead;
    clear(m_line);
    clear(m_body);
}

AnswerParser::State AnswerParser::feed(std::string_view input)
{
    while (!input.empty() && m_state == State::Head) {
        feedHead(input);
    }
    while (!input.empty() && m_state == State::Body) {
        feedBody(input);
    }
    return m_state;
}

AnswerParser::State AnswerParser::end()
{
    if (m_state == State::Body && m_framing == Framing::UntilClose) {
        m_state = State::Done;
    }
    return m_state;
}

/// The next whole line without its end; false: it has not come whole, or it is longer than `longest` or than
/// `budget` allows (then malformed).
bool AnswerParser::takeLine(std::string_view& input, std::string_view& line, std::size_t& budget, std::size_t longest)
{
    const std::size_t end = input.find('\n');
    const std::size_t taken = end == std::string_view::npos ? input.size() : end + 1;
    if (taken > budget || m_line.size() + taken > longest) {
        fail();
        return false;
    }
    budget -= taken;
    if (end == std::string_view::npos) {
        m_line.append(input);
        input = {};
        return false;
    }
    if (m_line.empty()) {
        line = input.substr(0, end);
    } else {
        m_line.append(input.substr(0, end));
        line = m_line;
    }
    input.remove_prefix(taken);
    if (!line.empty() && line.back() == '\r') {
        line.remove_suffix(1);
    }
    return true;
}

void AnswerParser::feedHead(std::string_view& input)
{
    std::string_view line;
    if (takeLine(input, line, m_headBudget, kMaxHeadBytes)) {
        readHeadLine(line);
        m_line.clear();
    } else if (!m_hasStatusLine && m_state == State::Head) {
        // What is no HTTP may send no line at all: its first bytes tell.
        const std::size_t count = std::min(m_line.size(), kVersion.size());
        if (std::string_view(m_line).substr(0, count) != kVersion.substr(0, count)) {
            fail();
        }
    }
}

void AnswerParser::readHeadLine(std::string_view line)
{
    if (!m_hasStatusLine) {
        readStatusLine(line);
    } else if (line.empty()) {
        endHead();
    } else if (line.front() == ' ' || line.front() == '\t') {
        if (m_lastWasFraming) {
            fail();
        }
    } else {
        readField(line);
    }
}

void AnswerParser::readStatusLine(std::string_view line)
{
    constexpr std::size_t kStatusAt = 9;
    constexpr std::size_t kStatusEnd = 12;
    if (line.size() < kStatusEnd || !line.starts_with(kVersion) || !isDigit(line[7]) || line[8] != ' ' || (line.size() > kStatusEnd && line[kStatusEnd] != ' ')) {
        fail();
        return;
    }
    int status = 0;
    for (std::size_t i = kStatusAt; i < kStatusEnd; ++i) {
        if (!isDigit(line[i])) {
            fail();
            return;
        }
        status = status * 10 + (line[i] - '0');
    }
    if (status < 100) {
        fail();
        return;
    }
    m_status = status;
    m_hasStatusLine = true;
}

void AnswerParser::readField(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
        fail();
        return;
    }
    const std::string_view name = trimmed(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    m_lastWasFraming = false;
    if (sameName(name, "content-length")) {
        m_lastWasFraming = true;
        if (value.empty() || value.size() > kMaxLengthDigits || !std::all_of(value.begin(), value.end(), isDigit)) {
            fail();
            return;
        }
        std::uint64_t length = 0;
        for (const char c : value) {
            length = length * 10 + static_cast<std::uint64_t>(c - '0');
        }
        if (m_length && *m_length != length) {
            fail();
        }
        m_length = length;
    } else if (sameName(name, "transfer-encoding")) {
        m_lastWasFraming = true;
        const std::size_t comma = value.rfind(',');
        m_isChunked = sameName(trimmed(comma == std::string_view::npos ? value : value.substr(comma + 1)), "chunked");
    }
}

void AnswerParser::endHead()
{
    constexpr int kSwitchingProtocols = 101;
    if (m_status == kSwitchingProtocols) {
        fail(); // nobody asked for it
        return;
    }
    if (m_status < 200) {
        m_hasStatusLine = false; // an interim answer; the final one follows
        m_length.reset();
        m_isChunked = false;
        m_lastWasFraming = false;
        return;
    }
    m_state = State::Body;
    m_finalStatus = m_status;
    m_framing = m_isChunked ? Framing::Chunked : (m_length ? Framing::Length : Framing::UntilClose);
    m_left = m_framing == Framing::Length ? *m_length : 0;
    constexpr int kNoContent = 204;
    constexpr int kNotModified = 304;
    if (m_status == kNoContent || m_status == kNotModified || (m_framing == Framing::Length && m_left == 0)) {
        m_state = State::Done;
    }
}

void AnswerParser::addBody(std::string_view bytes)
{
    m_body.append(bytes.substr(0, kMaxBodyBytes - m_body.size()));
    if (m_body.size() == kMaxBodyBytes) {
        m_state = State::Done; // the rest is not waited for
    }
}

void AnswerParser::feedBody(std::string_view& input)
{
    switch (m_framing) {
    case Framing::UntilClose:
        addBody(input);
        input = {};
        return;
    case Framing::Length: {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, input.size()));
        m_left -= count;
        addBody(input.substr(0, count));
        input.remove_prefix(count);
        if (m_left == 0) {
            m_state = State::Done;
        }
        return;
    }
    case Framing::Chunked:
        feedChunked(input);
        return;
    }
}

void AnswerParser::feedChunked(std::string_view& input)
{
    if (m_chunk == Chunk::Data) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, input.size()));
        m_left -= count;
        addBody(input.substr(0, count));
        input.remove_prefix(count);
        if (m_left == 0) {
            m_chunk = Chunk::DataEnd;
        }
        return;
    }
    std::string_view line;
    if (!takeLine(input, line, m_overheadBudget, kMaxChunkLine)) {
        return;
    }
    switch (m_chunk) {
    case Chunk::Size:
        readChunkSize(line);
        break;
    case Chunk::DataEnd:
        m_chunk = Chunk::Size;
        if (!line.empty()) {
            fail();
        }
        break;
    case Chunk::Trailer:
        if (line.empty()) {
            m_state = State::Done;
        }
        break;
    case Chunk::Data:
        break;
    }
    m_line.clear();
}

void AnswerParser::readChunkSize(std::string_view line)
{
    line = trimmed(line.substr(0, line.find(';')));
    if (line.empty() || line.size() > kMaxChunkDigits) {
        fail();
        return;
    }
    m_left = 0;
    for (const char c : line) {
        const char digit = lower(c);
        if (!isDigit(digit) && (digit < 'a' || digit > 'f')) {
            fail();
            return;
        }
        m_left = m_left * 16 + static_cast<std::uint64_t>(isDigit(digit) ? digit - '0' : digit - 'a' + 10);
    }
    m_chunk = m_left == 0 ? Chunk::Trailer : Chunk::Data;
}

} // namespace weir::probe
