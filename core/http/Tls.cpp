// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Tls.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <system_error>

namespace weir::http {
namespace {

// Of the first thing that went wrong: what follows in the queue tells only who had called.
std::string firstReason()
{
    const unsigned long number = ERR_peek_error();
    ERR_clear_error();
    if (ERR_GET_LIB(number) == ERR_LIB_SYS) {
        return std::generic_category().message(ERR_GET_REASON(number));
    }
    const char* reason = number != 0 ? ERR_reason_error_string(number) : nullptr;
    return reason != nullptr ? reason : "it cannot be read";
}

tl::unexpected<Error> invalid(const std::string& what, const std::string& file, const char* field)
{
    return fail("invalid_certificate", what + " " + file + " cannot be used: " + firstReason() + ".", field);
}

// A server must not ask at its terminal for the password of a key.
int noPassword(char*, int, int, void*)
{
    return 0;
}

int selectHttp11(SSL*, const unsigned char** out, unsigned char* outLength, const unsigned char* in, unsigned int inLength, void*)
{
    constexpr std::string_view kWanted = "http/1.1";
    for (unsigned int at = 0; at < inLength; at += 1U + in[at]) {
        const std::string_view name(reinterpret_cast<const char*>(in) + at + 1, std::min<std::size_t>(in[at], inLength - at - 1));
        if (name == kWanted) {
            *out = in + at + 1;
            *outLength = in[at];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

// That the name is taken makes it part of the session: a client that resumes one has it too.
int takeServerName(SSL*, int*, void*)
{
    return SSL_TLSEXT_ERR_OK;
}

// OpenSSL's own socket BIO writes with write(), which raises SIGPIPE when the client is gone.
int socketOf(BIO* bio)
{
    return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

bool isPassing(int number)
{
    return number == EAGAIN || number == EWOULDBLOCK || number == EINTR;
}

int socketWrite(BIO* bio, const char* data, int size)
{
    BIO_clear_retry_flags(bio);
    const ssize_t count = ::send(socketOf(bio), data, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (count < 0 && isPassing(errno)) {
        BIO_set_retry_write(bio);
    }
    return static_cast<int>(count);
}

int socketRead(BIO* bio, char* data, int size)
{
    BIO_clear_retry_flags(bio);
    const ssize_t count = ::recv(socketOf(bio), data, static_cast<std::size_t>(size), 0);
    if (count < 0 && isPassing(errno)) {
        BIO_set_retry_read(bio);
    }
    return static_cast<int>(count);
}

long socketControl(BIO*, int command, long, void*)
{
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD* socketMethod()
{
    static const std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)> method = [] {
        std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)> made(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "weir socket"), &BIO_meth_free);
        if (made) {
            BIO_meth_set_write(made.get(), socketWrite);
            BIO_meth_set_read(made.get(), socketRead);
            BIO_meth_set_ctrl(made.get(), socketControl);
        }
        return made;
    }();
    return method.get();
}

} // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const std::string& certificateFile, const std::string& keyFile)
{
    ERR_clear_error();
    std::shared_ptr<TlsContext> context(new TlsContext(SSL_CTX_new(TLS_server_method())));
    SSL_CTX* raw = context->m_context;
    if (raw == nullptr) {
        return invalid("TLS with", certificateFile, "certificate");
    }
    SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
    SSL_CTX_set_options(raw, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_mode(raw, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF); // clients resume by tickets
    SSL_CTX_set_default_passwd_cb(raw, noPassword);
    SSL_CTX_set_alpn_select_cb(raw, selectHttp11, nullptr);
    SSL_CTX_callback_ctrl(raw, SSL_CTRL_SET_TLSEXT_SERVERNAME_CB, reinterpret_cast<void (*)()>(takeServerName));
    if (SSL_CTX_use_certificate_chain_file(raw, certificateFile.c_str()) != 1) {
        return invalid("The certificate", certificateFile, "certificate");
    }
    if (SSL_CTX_use_PrivateKey_file(raw, keyFile.c_str(), SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(raw) != 1) {
        return invalid("The key", keyFile, "key");
    }
    return context;
}

Result<void> checkAuthorities(const std::string& file)
{
    ERR_clear_error();
    const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> authorities(X509_STORE_new(), &X509_STORE_free);
    if (!authorities || X509_STORE_load_file(authorities.get(), file.c_str()) != 1) {
        return invalid("The authorities in", file, "ca");
    }
    return {};
}

bool attachSocket(ssl_st* session, int socket)
{
    BIO* bio = socketMethod() != nullptr ? BIO_new(socketMethod()) : nullptr;
    if (bio == nullptr) {
        return false;
    }
    BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
    BIO_set_init(bio, 1);
    SSL_set_bio(session, bio, bio);
    return true;
}

TlsContext::~TlsContext()
{
    SSL_CTX_free(m_context);
}

ssl_st* TlsContext::newSession(int socket) const
{
    SSL* session = SSL_new(m_context);
    if (session == nullptr || !attachSocket(session, socket)) {
        SSL_free(session);
        return nullptr;
    }
    SSL_set_accept_state(session);
    return session;
}

} // namespace weir::http
