// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Result.h"

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

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

/// Whether a PEM file of authorities can be used. Error: `invalid_certificate`, naming the file and what is wrong with it. Any thread.
[[nodiscard]] Result<void> checkAuthorities(const std::string& file);

/// The server's side of TLS on one non-blocking socket, in the way of a socket: what would block says so, and the caller waits for the
/// socket. The first read does the handshake. Io thread only.
class TlsSession {
public:
    /// The socket stays the caller's and must outlive this.
    TlsSession(const TlsContext& context, int socket);
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;
    ~TlsSession();

    /// `would_block` when there is nothing yet; any other error ends the connection.
    [[nodiscard]] std::size_t read(char* data, std::size_t size, boost::system::error_code& code);
    /// Takes as much as the socket does; after `would_block` the next call must begin with the same bytes.
    [[nodiscard]] std::size_t write(std::string_view data, boost::system::error_code& code);
    /// Tells the client that no more comes. What it cannot take at once is dropped.
    void shutdown();

    /// What the last call that would have blocked waits for.
    [[nodiscard]] bool waitsToWrite() const { return m_waitsToWrite; }

private:
    [[nodiscard]] boost::system::error_code errorAfter(int result);

    ssl_st* m_ssl = nullptr;
    bool m_waitsToWrite = false;
};

} // namespace weir::http
