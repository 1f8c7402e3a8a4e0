// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <openssl/types.h>
#include <string>

namespace weir::gateway {

struct TlsSessionFree {
    void operator()(SSL* session) const noexcept;
};
using TlsSession = std::unique_ptr<SSL, TlsSessionFree>;

/// TLS towards nodes: TLS 1.2 and later, the system's authorities, the name in the node's URL checked.
class TlsClient {
public:
    TlsClient();
    ~TlsClient();
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;

    /// A session over a connected, non-blocking socket; null when the library refuses (no memory, no authorities to be had).
    [[nodiscard]] TlsSession open(int descriptor, const std::string& host) const;

private:
    struct ContextFree {
        void operator()(SSL_CTX* context) const noexcept;
    };
    std::unique_ptr<SSL_CTX, ContextFree> m_context;
};

} // namespace weir::gateway
