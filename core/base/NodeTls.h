// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace weir {

/// How a node that is spoken to by https proves who it is (configuration.md `nodes[].tls`), to requests and to probes alike.
struct NodeTls {
    std::string caFile;     ///< PEM certificates to trust instead of the system's; empty: the system's
    std::string serverName; ///< the name asked for (SNI) and expected in the certificate; empty: the host of the address
    bool verify = true;     ///< false: any certificate will do

    friend bool operator==(const NodeTls&, const NodeTls&) = default;
};

} // namespace weir
