// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTransport.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::probe {

/// Reads one answer to a plain GET as it comes off the wire. Pure: no I/O, no time. Framing is by chunks, by length, or until
/// the connection ends (RFC 9112, 6.3); interim answers (1xx) are passed over. Lines may end with a bare LF, as Qt reads them;
/// what could be read in two ways is malformed. Bounded: 32 KiB for all heads together, kMaxBodyBytes of the body, 512 KiB for
/// what frames the chunks, in lines of at most 4 KiB.
class AnswerParser {
public:
    enum class State : unsigned char {
        Head,     ///< the head is not complete
        Body,     ///< the head is, the body is not
        Done,     ///< complete, or cut off at kMaxBodyBytes
        Malformed ///< not HTTP, or a head that never ends
    };

    static constexpr std::size_t kMaxHeadBytes = 32 * 1024;
    static constexpr std::size_t kMaxChunkOverhead = 512 * 1024;
    static constexpr std::size_t kMaxChunkLine = 4 * 1024;

    /// Takes all of `input`; what follows a complete answer is dropped.
    State feed(std::string_view input);

    /// The connection ended without an error. Done only where the end is what ends the body; otherwise the state stays, and
    /// the answer was cut off.
    State end();

    [[nodiscard]] State state() const { return m_state; }
    /// Of the final answer; 0 until its head is complete.
    [[nodiscard]] int status() const { return m_finalStatus; }
    [[nodiscard]] std::string takeBody() { return std::move(m_body); }
    /// Ready for another answer.
    void reset();

private:
    enum class Framing : unsigned char { UntilClose, Length, Chunked };
    enum class Chunk : unsigned char { Size, Data, DataEnd, Trailer };

    void feedHead(std::string_view& input);
    void feedBody(std::string_view& input);
    void feedChunked(std::string_view& input);
    bool takeLine(std::string_view& input, std::string_view& line, std::size_t& budget, std::size_t longest);
    void readHeadLine(std::string_view line);
    void readStatusLine(std::string_view line);
    void readField(std::string_view line);
    void endHead();
    void readChunkSize(std::string_view line);
    void addBody(std::string_view bytes);
    void fail() { m_state = State::Malformed; }

    State m_state = State::Head;
    int m_status = 0; ///< of the head that is being read, interim ones too
    int m_finalStatus = 0;
    bool m_hasStatusLine = false;
    bool m_lastWasFraming = false; ///< the field before decides the framing, so a folded line would change it
    Framing m_framing = Framing::UntilClose;
    Chunk m_chunk = Chunk::Size;
    std::optional<std::uint64_t> m_length;
    bool m_isChunked = false;
    std::uint64_t m_left = 0; ///< bytes of the body, or of the chunk
    std::size_t m_headBudget = kMaxHeadBytes;
    std::size_t m_overheadBudget = kMaxChunkOverhead;
    std::string m_line; ///< the beginning of a line whose end has not come
    std::string m_body;
};

} // namespace weir::probe
