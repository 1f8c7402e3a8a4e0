// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::gateway {

/// Takes a body's framing off, piece by piece and in place. No I/O, no copy of the body but what closing the gaps between chunks takes.
class BodyReader {
public:
    enum class Kind : unsigned char { None, Length, Chunked, UntilClose };
    enum class Status : unsigned char { More, Done, Malformed };

    struct Taken {
        Status status = Status::More;
        std::size_t consumed = 0; ///< bytes of the input that belong to the body; what follows does not
        std::size_t data = 0;     ///< bytes of the body itself, now at the front of the input
    };

    void begin(Kind kind, std::uint64_t length = 0);
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool isDone() const { return m_isDone; }
    /// The end of the stream: Done where that ends the body, else Malformed (it is cut short).
    Status end();

    /// Takes body bytes from the front of `bytes`, as many as there are of them.
    Taken take(char* bytes, std::size_t size);

    /// Trailer lines that may be passed on, each with its CRLF; at most kMaxTrailers bytes.
    [[nodiscard]] const std::string& trailers() const { return m_trailers; }

    static constexpr std::size_t kMaxTrailers = 8U << 10U;

private:
    enum class State : unsigned char { Size, SizeMore, Extension, SizeLf, Data, DataCr, DataLf, TrailerStart, TrailerLine, TrailerLf, EndLf };

    Taken takeChunked(char* bytes, std::size_t size);
    bool takeByte(char c);
    bool takeSizeByte(char c);
    bool moveTo(State state)
    {
        m_state = state;
        return true;
    }
    bool endTrailerLine();

    Kind m_kind = Kind::None;
    State m_state = State::Size;
    bool m_isDone = true;
    std::uint64_t m_left = 0; ///< of the length, or of the chunk
    unsigned m_digits = 0;
    std::size_t m_overhead = 0; ///< bytes of this chunk's extension, or of all trailers
    std::string m_line;
    std::string m_trailers;
};

} // namespace weir::gateway
