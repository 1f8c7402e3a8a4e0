// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/BodyReader.h"
#include "core/gateway/Buffers.h"

#include <cstddef>

namespace weir::gateway {

/// Makes `size` bytes at `at` of the flow's block one chunk, with the last chunk and the trailers behind it where `body` is done; the flow
/// is then what is to be sent. Needs kFrontRoom before `at` and kBackRoom behind the bytes.
void frameChunk(Flow& flow, std::size_t at, std::size_t size, const BodyReader& body);

} // namespace weir::gateway
