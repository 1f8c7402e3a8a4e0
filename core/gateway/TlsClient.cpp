// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/TlsClient.h"

#include "core/base/IpAddress.h"

#include <csignal>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <vector>

namespace weir::gateway {
namespace {

// What SSL_set_tlsext_host_name() does; that macro casts in the old way.
bool setServerName(SSL* session, const std::string& host)
{
    std::vector<char> name(host.begin(), host.end());
    name.push_back(0);
    return SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1; // copies it
}

} // namespace

void TlsSessionFree::operator()(SSL* session) const noexcept
{
    SSL_free(session);
}

void TlsClient::ContextFree::operator()(SSL_CTX* context) const noexcept
{
    SSL_CTX_free(context);
}

TlsClient::TlsClient()
    : m_context(SSL_CTX_new(TLS_client_method()))
{
    // OpenSSL writes to sockets without MSG_NOSIGNAL: a node that goes away meanwhile must not end the program.
    (void)std::signal(SIGPIPE, SIG_IGN);
    if (m_context && (SSL_CTX_set_default_verify_paths(m_context.get()) != 1 || SSL_CTX_set_min_proto_version(m_context.get(), TLS1_2_VERSION) != 1)) {
        m_context.reset();
    }
    if (m_context) {
        SSL_CTX_set_verify(m_context.get(), SSL_VERIFY_PEER, nullptr);
        SSL_CTX_set_mode(m_context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    }
}

TlsClient::~TlsClient() = default;

TlsSession TlsClient::open(int descriptor, const std::string& host) const
{
    TlsSession session(m_context ? SSL_new(m_context.get()) : nullptr);
    if (!session || SSL_set_fd(session.get(), descriptor) != 1) {
        return nullptr;
    }
    bool isNamed = false;
    if (IpAddress::parse(host)) {
        isNamed = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), host.c_str()) == 1;
    } else {
        isNamed = SSL_set1_host(session.get(), host.c_str()) == 1 && setServerName(session.get(), host);
    }
    if (!isNamed) {
        return nullptr;
    }
    SSL_set_connect_state(session.get());
    return session;
}

} // namespace weir::gateway
