// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/NodeTls.h"
#include "core/http/Stream.h"

#include <filesystem>
#include <map>
#include <memory>
#include <openssl/types.h>
#include <string>
#include <utility>

namespace weir::gateway {

using http::TlsSession;

/// TLS towards nodes: TLS 1.2 and later, the system's authorities or those of a file, the name in the node's URL or another one
/// checked (configuration.md `nodes[].tls`). A file of authorities is read again when it changes. Io thread only.
class TlsClient {
public:
    TlsClient();
    ~TlsClient();
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;

    /// A session over a connected, non-blocking socket; null when the library refuses (no memory, no authorities to be had).
    [[nodiscard]] TlsSession open(int descriptor, const std::string& host, const NodeTls& settings);

private:
    struct ContextFree {
        void operator()(SSL_CTX* context) const noexcept;
    };
    struct Trust {
        std::unique_ptr<SSL_CTX, ContextFree> context;
        std::filesystem::file_time_type changed{};
    };

    [[nodiscard]] SSL_CTX* contextFor(const NodeTls& settings);

    std::map<std::pair<std::string, bool>, Trust> m_trusts; ///< by file of authorities, and whether anybody is checked
};

} // namespace weir::gateway
