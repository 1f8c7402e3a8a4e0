// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace weir::http {

/// A listener's certificate and key. TLS 1.2 and later, HTTP/1.1 by ALPN. Any thread; not changed once loaded.
class TlsContext {
public:
    /// PEM files: the certificate with those above it, and its key without a password. Error: `invalid_certificate`, naming the file
    /// and what is wrong with it; its field is `certificate` or `key`.
    [[nodiscard]] static Result<std::shared_ptr<const TlsContext>> load(const std::string& certificateFile, const std::string& keyFile);

    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    ~TlsContext();

    /// The server's side of a session over a connected, non-blocking socket, which stays the caller's; the handshake is still to be made.
    /// The caller's, to be given to SSL_free(); null for want of memory. It keeps what it needs of this context.
    [[nodiscard]] ssl_st* newSession(int socket) const;

private:
    explicit TlsContext(ssl_ctx_st* context) : m_context(context) {}

    ssl_ctx_st* m_context;
};

/// Lets `session` read and write over a connected, non-blocking socket, which stays the caller's; a write to a peer that is gone raises no
/// signal. False for want of memory.
[[nodiscard]] bool attachSocket(ssl_st* session, int socket);

/// Whether a PEM file of authorities can be used. Error: `invalid_certificate`, naming the file and what is wrong with it. Any thread.
[[nodiscard]] Result<void> checkAuthorities(const std::string& file);

} // namespace weir::http
