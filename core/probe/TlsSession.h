// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTypes.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <openssl/ssl.h>

namespace weir::probe {

/// Trust settings made once and shared by all sessions that use them; a CA file is read again when it changes. One thread.
class TlsContexts {
public:
    using Context = std::shared_ptr<SSL_CTX>;

    /// nullptr when the CA file cannot be used.
    [[nodiscard]] Context get(const ProbeTls& settings);

private:
    struct Entry {
        Context context;
        std::filesystem::file_time_type changed{};
    };
    std::map<std::pair<std::string, bool>, Entry> m_entries;
};

/// The client's side of one TLS connection, without a socket: what came goes in, what is to be sent comes out. TLS 1.2 and
/// later, no resumption.
class TlsSession {
public:
    enum class Step : unsigned char { NeedMore, Done, Closed, Failed };

    /// `host` is the address's; settings.serverName takes its place where it is not empty.
    TlsSession(TlsContexts::Context context, const ProbeTls& settings, const std::string& host);
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;
    ~TlsSession();

    void received(std::string_view bytes);
    /// Done: the peer is who it should be.
    [[nodiscard]] Step handshake();
    /// Encrypts; Failed when the session is over.
    [[nodiscard]] Step write(std::string_view bytes);
    /// Fills `buffer`; `count` says how much. NeedMore: nothing now.
    [[nodiscard]] Step read(char* buffer, std::size_t size, std::size_t& count);
    /// Takes what is to be sent.
    [[nodiscard]] std::string takeOutgoing();

private:
    [[nodiscard]] Step stepOf(int result);

    TlsContexts::Context m_context;
    SSL* m_ssl = nullptr;
    BIO* m_in = nullptr;  ///< owned by m_ssl
    BIO* m_out = nullptr; ///< owned by m_ssl
};

} // namespace weir::probe
