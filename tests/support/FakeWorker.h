// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTcpServer>
#include <QThread>

#include <atomic>
#include <memory>
#include <mutex>

namespace weir::test {

/// A worker on loopback, with a thread of its own, whose health answer can be switched while it runs.
class FakeWorker {
public:
    explicit FakeWorker(int status = 200, QByteArray body = R"({"status":"ok"})");
    FakeWorker(const FakeWorker&) = delete;
    FakeWorker& operator=(const FakeWorker&) = delete;
    ~FakeWorker();

    void answer(int status, QByteArray body = {}, QByteArray extraHeader = {});
    /// Answers later requests after this long.
    void setDelay(int milliseconds) { m_delayMs = milliseconds; }
    /// Accepts connections and says nothing.
    void setSilent(bool silent) { m_silent = silent; }
    /// Stops listening, or listens again on the same port.
    void setListening(bool listening);

    [[nodiscard]] QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(m_port); }
    [[nodiscard]] quint16 port() const { return m_port; }
    /// Whole request heads that came in.
    [[nodiscard]] int requests() const { return m_requests; }

private:
    void accept();
    void read(QTcpSocket& socket);
    [[nodiscard]] QByteArray response() const;

    QThread m_thread;
    QObject m_context; // lives on m_thread
    std::unique_ptr<QTcpServer> m_server;
    quint16 m_port = 0;
    std::atomic<int> m_requests = 0;
    std::atomic<int> m_delayMs = 0;
    std::atomic<bool> m_silent = false;
    mutable std::mutex m_mutex;
    int m_status;
    QByteArray m_body;
    QByteArray m_extraHeader;
};

} // namespace weir::test
