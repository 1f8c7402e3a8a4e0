// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace weir::test {

/// A blocking TLS client to loopback that believes every certificate and gives up on a silent server after five seconds.
class TlsClient {
public:
    /// `first`: bytes before the handshake; `serverName`: asked for in it; `resume`: a session of an earlier client.
    explicit TlsClient(std::uint16_t port, int newestVersion = TLS1_3_VERSION, const std::string& serverName = {}, const std::string& first = {}, SSL_SESSION* resume = nullptr)
        : m_context(SSL_CTX_new(TLS_client_method()))
        , m_socket(::socket(AF_INET, SOCK_STREAM, 0))
    {
        SSL_CTX_set_max_proto_version(m_context, newestVersion);
        SSL_CTX_set_security_level(m_context, 0); // so that it can offer what the server is to refuse
        SSL_CTX_set_min_proto_version(m_context, newestVersion < TLS1_2_VERSION ? newestVersion : TLS1_2_VERSION);
        m_ssl = SSL_new(m_context);
        const timeval patience{5, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        constexpr std::array<unsigned char, 9> kHttp11{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
        SSL_set_alpn_protos(m_ssl, kHttp11.data(), kHttp11.size());
        SSL_set_fd(m_ssl, m_socket);
        if (!serverName.empty()) {
            std::string name = serverName;
            SSL_ctrl(m_ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()); // copies it
        }
        if (resume != nullptr) {
            SSL_set_session(m_ssl, resume);
        }
        m_isOpen = ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
            && ::send(m_socket, first.data(), first.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(first.size()) && SSL_connect(m_ssl) == 1;
    }
    TlsClient(const TlsClient&) = delete;
    TlsClient& operator=(const TlsClient&) = delete;
    ~TlsClient()
    {
        SSL_free(m_ssl);
        SSL_CTX_free(m_context);
        ::close(m_socket);
    }

    /// The handshake was made.
    [[nodiscard]] bool isOpen() const { return m_isOpen; }
    [[nodiscard]] std::string version() const { return SSL_get_version(m_ssl); }
    [[nodiscard]] std::string subject() const
    {
        X509* certificate = SSL_get1_peer_certificate(m_ssl);
        std::array<char, 256> text{};
        if (certificate != nullptr) {
            X509_NAME_oneline(X509_get_subject_name(certificate), text.data(), text.size());
            X509_free(certificate);
        }
        return text.data();
    }
    [[nodiscard]] std::string protocol() const
    {
        const unsigned char* name = nullptr;
        unsigned int length = 0;
        SSL_get0_alpn_selected(m_ssl, &name, &length);
        return std::string(reinterpret_cast<const char*>(name), length);
    }

    bool send(const std::string& bytes)
    {
        std::size_t written = 0;
        return SSL_write_ex(m_ssl, bytes.data(), bytes.size(), &written) == 1 && written == bytes.size();
    }
    /// Reads until `end` has come, or the server has ended or is silent.
    std::string readUntil(const std::string& end)
    {
        std::string text;
        std::array<char, 16384> buffer{};
        std::size_t count = 0;
        std::size_t searched = 0;
        while (text.find(end, searched) == std::string::npos && SSL_read_ex(m_ssl, buffer.data(), buffer.size(), &count) == 1) {
            searched = text.size() < end.size() ? 0 : text.size() - end.size();
            text.append(buffer.data(), count);
        }
        return text;
    }
    /// Exactly this many bytes, fewer at the end.
    std::string read(std::size_t count)
    {
        std::string text(count, '\0');
        std::size_t got = 0;
        std::size_t one = 0;
        while (got < count && SSL_read_ex(m_ssl, text.data() + got, count - got, &one) == 1) {
            got += one;
        }
        text.resize(got);
        return text;
    }
    /// Says farewell; what the server still sends can be read.
    void endSending() { SSL_shutdown(m_ssl); }
    /// The session for a later client; the caller's.
    [[nodiscard]] SSL_SESSION* session() const { return SSL_get1_session(m_ssl); }
    [[nodiscard]] bool isResumed() const { return SSL_session_reused(m_ssl) == 1; }
    /// True when the server has said that it ends, and not only cut the connection.
    bool endsCleanly()
    {
        std::array<char, 16> buffer{};
        std::size_t count = 0;
        const int result = SSL_read_ex(m_ssl, buffer.data(), buffer.size(), &count);
        return result != 1 && SSL_get_error(m_ssl, result) == SSL_ERROR_ZERO_RETURN;
    }
    [[nodiscard]] int socket() const { return m_socket; }

private:
    SSL_CTX* m_context;
    int m_socket;
    SSL* m_ssl = nullptr;
    bool m_isOpen = false;
};

} // namespace weir::test
