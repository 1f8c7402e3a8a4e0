// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/ChunkFrame.h"

#include <array>
#include <charconv>
#include <cstring>

namespace weir::gateway {

static_assert(kBackRoom >= BodyReader::kMaxTrailers + 16);

void frameChunk(Flow& flow, std::size_t at, std::size_t size, const BodyReader& body)
{
    char* bytes = flow.block->bytes.data();
    flow.begin = at;
    flow.end = at;
    if (size > 0) {
        std::array<char, 18> line{};
        char* end = std::to_chars(line.data(), line.data() + 16, size, 16).ptr;
        *end++ = '\r';
        *end++ = '\n';
        const auto length = static_cast<std::size_t>(end - line.data());
        flow.begin = at - length;
        std::memcpy(bytes + flow.begin, line.data(), length);
        std::memcpy(bytes + at + size, "\r\n", 2);
        flow.end = at + size + 2;
    }
    if (body.isDone()) {
        std::memcpy(bytes + flow.end, "0\r\n", 3);
        std::memcpy(bytes + flow.end + 3, body.trailers().data(), body.trailers().size());
        flow.end += 3 + body.trailers().size();
        std::memcpy(bytes + flow.end, "\r\n", 2);
        flow.end += 2;
    }
}

} // namespace weir::gateway
