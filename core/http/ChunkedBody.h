// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weir::http {

/// Decodes a chunked body piece by piece. Extensions and trailers are checked for form, bounded together, and dropped.
class ChunkedBody {
public:
    enum class Status : unsigned char { NeedMore, Done, Malformed, TooLarge };

    /// `maxOverhead` bounds the bytes that are not data.
    ChunkedBody(std::size_t maxBody, std::size_t maxOverhead)
        : m_maxBody(maxBody)
        , m_overheadLeft(maxOverhead)
    {
    }

    /// Takes from the front of `input` and appends data to `body`; what follows the end of the body stays in `input`.
    Status feed(std::string_view& input, std::string& body);

private:
    enum class State : unsigned char {
        Size,
        SizeMore,
        Extension,
        SizeLf,
        Data,
        DataCr,
        DataLf,
        TrailerStart,
        TrailerName,
        TrailerValue,
        TrailerLf,
        EndLf
    };

    Status takeByte(char c, const std::string& body);
    Status takeSizeByte(char c);
    Status endSizeLine(const std::string& body);
    Status moveTo(State state)
    {
        m_state = state;
        return Status::NeedMore;
    }

    std::size_t m_maxBody;
    std::size_t m_overheadLeft;
    std::size_t m_chunkLeft = 0;
    unsigned m_digits = 0;
    State m_state = State::Size;
};

} // namespace weir::http
