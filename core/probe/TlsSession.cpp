// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/TlsSession.h"

#include <algorithm>
#include <limits>

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

namespace weir::probe {
namespace {

bool isNumeric(const std::string& host)
{
    unsigned char bytes[sizeof(in6_addr)];
    return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

} // namespace

TlsContexts::Context TlsContexts::get(const ProbeTls& settings)
{
    Entry& entry = m_entries[{settings.caFile, settings.verify}];
    const bool usesFile = settings.verify && !settings.caFile.empty();
    std::filesystem::file_time_type changed{};
    if (usesFile) {
        std::error_code error;
        changed = std::filesystem::last_write_time(settings.caFile, error);
        if (error) {
            return nullptr;
        }
    }
    if (entry.context && entry.changed == changed) {
        return entry.context;
    }
    entry.context = nullptr;
    const Context context(SSL_CTX_new(TLS_client_method()), [](SSL_CTX* old) { SSL_CTX_free(old); });
    if (!context) {
        return nullptr;
    }
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_verify(context.get(), settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    const int trusted = usesFile ? SSL_CTX_load_verify_locations(context.get(), settings.caFile.c_str(), nullptr) : SSL_CTX_set_default_verify_paths(context.get());
    ERR_clear_error();
    if (trusted != 1 && settings.verify) {
        return nullptr;
    }
    entry = {context, changed};
    return context;
}

TlsSession::TlsSession(TlsContexts::Context context, const ProbeTls& settings, const std::string& host)
    : m_context(std::move(context))
    , m_ssl(SSL_new(m_context.get()))
    , m_in(BIO_new(BIO_s_mem()))
    , m_out(BIO_new(BIO_s_mem()))
{
    SSL_set_bio(m_ssl, m_in, m_out);
    SSL_set_connect_state(m_ssl);
    const std::string& name = settings.serverName.empty() ? host : settings.serverName;
    if (isNumeric(name)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(m_ssl), name.c_str());
    } else {
        // What SSL_set_tlsext_host_name() is, without its old-style cast; the name is only read.
        SSL_ctrl(m_ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(name.c_str()));
        SSL_set_hostflags(m_ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        SSL_set1_host(m_ssl, name.c_str());
    }
}

TlsSession::~TlsSession()
{
    SSL_free(m_ssl);
}

void TlsSession::received(std::string_view bytes)
{
    BIO_write(m_in, bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max())));
}

TlsSession::Step TlsSession::stepOf(int result)
{
    const int error = SSL_get_error(m_ssl, result);
    ERR_clear_error();
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        return Step::NeedMore;
    }
    return error == SSL_ERROR_ZERO_RETURN ? Step::Closed : Step::Failed;
}

TlsSession::Step TlsSession::handshake()
{
    const int result = SSL_do_handshake(m_ssl);
    return result == 1 ? Step::Done : stepOf(result);
}

TlsSession::Step TlsSession::write(std::string_view bytes)
{
    const int result = SSL_write(m_ssl, bytes.data(), static_cast<int>(bytes.size()));
    return result > 0 ? Step::Done : stepOf(result);
}

TlsSession::Step TlsSession::read(char* buffer, std::size_t size, std::size_t& count)
{
    const int result = SSL_read_ex(m_ssl, buffer, size, &count);
    if (result == 1) {
        return Step::Done;
    }
    count = 0;
    return stepOf(result);
}

std::string TlsSession::takeOutgoing()
{
    char* data = nullptr;
    const long size = BIO_get_mem_data(m_out, &data);
    std::string bytes(data, static_cast<std::size_t>(std::max(size, 0L)));
    (void)BIO_reset(m_out);
    return bytes;
}

} // namespace weir::probe
