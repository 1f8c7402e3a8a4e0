// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/IpNetwork.h"
#include "core/base/Result.h"

#include <span>
#include <string>

namespace weir::plane {

/// Which of its addresses a node brought at registration.
enum class BroughtKind : unsigned char {
    Probed,    ///< `url`, `healthUrl`: Weir itself connects there
    Offered,   ///< `webrtcBaseUrl`: handed to clients
    Publishing ///< `publishUrl`: the same, `srt` and `rtmp` too
};

/// The limits of health.md "Prober" for an address that a node brings itself: its scheme, no user information, no link-local or cloud
/// metadata address in whatever spelling, and `allowed` where it is not empty. A host name can be checked against networks only by
/// resolving it, which its owner may change at any time; so names are refused for probed addresses while networks are set.
/// Error: `url_not_allowed` with `field`.
[[nodiscard]] Result<void> checkBroughtAddress(const char* field, const std::string& address, BroughtKind kind, std::span<const IpNetwork> allowed);

} // namespace weir::plane
