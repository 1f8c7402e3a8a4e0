// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <list>
#include <mutex>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace weir::test {

/// A node that speaks TLS and answers every request with 200 and the body it was sent ("ok" without one). No wait is longer than ten
/// seconds.
class TlsNode {
public:
    TlsNode(const std::string& certificateFile, const std::string& keyFile)
        : m_context(SSL_CTX_new(TLS_server_method()))
        , m_listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        (void)std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes to clients that have gone
        SSL_CTX_use_certificate_chain_file(m_context, certificateFile.c_str());
        SSL_CTX_use_PrivateKey_file(m_context, keyFile.c_str(), SSL_FILETYPE_PEM);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size);
        ::listen(m_listener, 128);
        ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
        m_port = ntohs(address.sin_port);
        m_acceptor = std::thread([this] { accept(); });
    }
    TlsNode(const TlsNode&) = delete;
    TlsNode& operator=(const TlsNode&) = delete;
    ~TlsNode()
    {
        m_isStopping = true;
        ::shutdown(m_listener, SHUT_RDWR);
        m_acceptor.join();
        ::close(m_listener);
        {
            const std::scoped_lock lock(m_mutex);
            for (const int fd : m_open) {
                ::shutdown(fd, SHUT_RDWR);
            }
        }
        for (std::thread& thread : m_threads) {
            thread.join();
        }
        SSL_CTX_free(m_context);
    }

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(m_port); }
    [[nodiscard]] int handshakes() const { return m_handshakes; }
    /// Asked for by the last client; empty: none was.
    [[nodiscard]] std::string serverName()
    {
        const std::scoped_lock lock(m_mutex);
        return m_serverName;
    }

private:
    void accept()
    {
        while (!m_isStopping) {
            const int fd = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (fd >= 0) {
                const timeval patience{10, 0};
                ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
                ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
                const std::scoped_lock lock(m_mutex);
                m_open.push_back(fd);
                m_threads.emplace_back([this, fd] { serve(fd); });
            }
        }
    }

    void serve(int fd)
    {
        SSL* ssl = SSL_new(m_context);
        SSL_set_fd(ssl, fd);
        if (SSL_accept(ssl) == 1) {
            ++m_handshakes;
            const char* name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
            {
                const std::scoped_lock lock(m_mutex);
                m_serverName = name != nullptr ? name : "";
            }
            while (answer(ssl)) {
            }
            SSL_shutdown(ssl);
        }
        SSL_free(ssl);
        const std::scoped_lock lock(m_mutex);
        std::erase(m_open, fd);
        ::close(fd);
    }

    static bool answer(SSL* ssl)
    {
        constexpr std::string_view kEnd = "\r\n\r\n";
        std::string text;
        std::array<char, 16384> buffer{};
        std::size_t count = 0;
        while (text.find(kEnd) == std::string::npos) {
            if (SSL_read_ex(ssl, buffer.data(), buffer.size(), &count) != 1) {
                return false;
            }
            text.append(buffer.data(), count);
        }
        const std::size_t head = text.find(kEnd) + kEnd.size();
        const std::size_t length = text.find("Content-Length: ");
        const std::size_t body = length < head ? std::stoul(text.substr(length + 16)) : 0;
        while (text.size() < head + body) {
            if (SSL_read_ex(ssl, buffer.data(), buffer.size(), &count) != 1) {
                return false;
            }
            text.append(buffer.data(), count);
        }
        const std::string back = body > 0 ? text.substr(head, body) : "ok";
        const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(back.size()) + "\r\n\r\n" + back;
        std::size_t written = 0;
        return SSL_write_ex(ssl, whole.data(), whole.size(), &written) == 1;
    }

    SSL_CTX* m_context;
    int m_listener;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_isStopping = false;
    std::atomic<int> m_handshakes = 0;
    std::thread m_acceptor;
    std::mutex m_mutex; ///< guards what follows
    std::list<std::thread> m_threads;
    std::vector<int> m_open;
    std::string m_serverName;
};

} // namespace weir::test
