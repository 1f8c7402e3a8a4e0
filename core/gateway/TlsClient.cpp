// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/gateway/TlsClient.h"

#include "core/base/IpAddress.h"
#include "core/http/Tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <system_error>
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

void TlsClient::ContextFree::operator()(SSL_CTX* context) const noexcept
{
    SSL_CTX_free(context);
}

TlsClient::TlsClient() = default;
TlsClient::~TlsClient() = default;

SSL_CTX* TlsClient::contextFor(const NodeTls& settings)
{
    const bool usesFile = settings.verify && !settings.caFile.empty();
    Trust& trust = m_trusts[{usesFile ? settings.caFile : std::string(), settings.verify}];
    std::filesystem::file_time_type changed{};
    if (usesFile) {
        std::error_code error;
        changed = std::filesystem::last_write_time(settings.caFile, error);
        if (error) {
            return nullptr;
        }
    }
    if (trust.context && trust.changed == changed) {
        return trust.context.get();
    }
    trust.context.reset(SSL_CTX_new(TLS_client_method()));
    trust.changed = changed;
    SSL_CTX* context = trust.context.get();
    if (context == nullptr) {
        return nullptr;
    }
    SSL_CTX_set_verify(context, settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    const int trusted = usesFile ? SSL_CTX_load_verify_file(context, settings.caFile.c_str()) : SSL_CTX_set_default_verify_paths(context);
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 || (settings.verify && trusted != 1)) {
        trust.context.reset();
    }
    ERR_clear_error();
    return trust.context.get();
}

TlsSession TlsClient::open(int descriptor, const std::string& host, const NodeTls& settings)
{
    SSL_CTX* context = contextFor(settings);
    TlsSession session(context != nullptr ? SSL_new(context) : nullptr);
    if (!session || !http::attachSocket(session.get(), descriptor)) {
        return nullptr;
    }
    const std::string& name = settings.serverName.empty() ? host : settings.serverName;
    bool isNamed = false;
    if (IpAddress::parse(name)) {
        isNamed = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), name.c_str()) == 1;
    } else {
        SSL_set_hostflags(session.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        isNamed = SSL_set1_host(session.get(), name.c_str()) == 1 && setServerName(session.get(), name);
    }
    if (!isNamed) {
        return nullptr;
    }
    SSL_set_connect_state(session.get());
    return session;
}

} // namespace weir::gateway
