// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/SecondLook.h"

#include <QNetworkProxy>
#include <QSslSocket>

#include <algorithm>
#include <utility>

namespace weir::probe {
namespace {

constexpr qsizetype kStatusBytes = 12; // HTTP/1.1 200

/// Whether `seen` can be the beginning of `HTTP/1.x NNN`.
bool canBeStatusLine(const QByteArray& seen)
{
    constexpr char kPattern[] = "HTTP/1.# ###"; // '#' is a digit
    const qsizetype length = std::min(seen.size(), kStatusBytes);
    for (qsizetype i = 0; i < length; ++i) {
        const bool fits = kPattern[i] == '#' ? seen[i] >= '0' && seen[i] <= '9' : seen[i] == kPattern[i];
        if (!fits) {
            return false;
        }
    }
    return true;
}

} // namespace

SecondLook::SecondLook(const QUrl& url, const QByteArray& request, std::function<void(const char*)> done, QObject* parent)
    : QObject(parent)
    , m_socket(new QSslSocket(this))
    , m_done(std::move(done))
{
    const bool secure = url.scheme() == QLatin1String("https");
    m_socket->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    m_socket->setReadBufferSize(kStatusBytes);
    const auto send = [this, request] { m_socket->write(request); };
    if (secure) {
        connect(m_socket, &QSslSocket::encrypted, this, send);
    } else {
        connect(m_socket, &QAbstractSocket::connected, this, send);
    }
    connect(m_socket, &QIODevice::readyRead, this, [this] { look(false); });
    connect(m_socket, &QAbstractSocket::disconnected, this, [this] { look(true); }, Qt::QueuedConnection);
    connect(m_socket, &QAbstractSocket::errorOccurred, this, [this] { look(true); }, Qt::QueuedConnection);
    const auto port = static_cast<quint16>(url.port(secure ? 443 : 80));
    if (secure) {
        m_socket->connectToHostEncrypted(url.host(), port);
    } else {
        m_socket->connectToHost(url.host(), port);
    }
}

SecondLook::~SecondLook()
{
    m_socket->disconnect(this);
    m_socket->abort();
}

void SecondLook::look(bool closed)
{
    m_seen += m_socket->read(kStatusBytes - m_seen.size());
    if (!canBeStatusLine(m_seen)) {
        end("malformed");
    } else if (m_seen.size() >= kStatusBytes) {
        end("reset");
    } else if (closed) {
        end(m_seen.isEmpty() ? "reset" : "malformed");
    }
}

void SecondLook::end(const char* failure)
{
    if (m_done) {
        std::exchange(m_done, nullptr)(failure);
    }
}

} // namespace weir::probe
