// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/modules/Turn.h"

#include <memory>
#include <string>
#include <string_view>

namespace weir::gateway {

/// Packs a body on its way, piece by piece. What comes in is flushed out at once, so that a slow stream is not held back.
class BodyEncoder {
public:
    BodyEncoder() = default;
    BodyEncoder(const BodyEncoder&) = delete;
    BodyEncoder& operator=(const BodyEncoder&) = delete;
    virtual ~BodyEncoder() = default;

    /// Appends the packed form of `bytes` to `out`; with `last` also the end, after which nothing may come. False: the library failed, and
    /// the answer cannot be completed.
    [[nodiscard]] virtual bool encode(std::string_view bytes, bool last, std::string& out) = 0;

    /// Null for Identity, or when the library has no memory. Levels: gzip 1 to 9, brotli 0 to 11.
    [[nodiscard]] static std::unique_ptr<BodyEncoder> make(Encoding encoding, int level);
};

[[nodiscard]] std::string_view contentCoding(Encoding encoding) noexcept;

} // namespace weir::gateway
