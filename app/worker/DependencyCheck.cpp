// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/DependencyCheck.h"

#include <QHostAddress>
#include <QHostInfo>
#include <QNetworkProxy>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace weir::worker {
namespace {

constexpr qsizetype kMostAddresses = 8;

} // namespace

DependencyCheck::DependencyCheck(const Dependency& dependency, std::function<void(bool up)> done, QObject* parent)
    : QObject(parent)
    , m_done(std::move(done))
    , m_port(dependency.port)
{
    const QString host = QString::fromStdString(dependency.host);
    // Begun from the event loop, so that an answer that is known at once does not come from inside the constructor.
    QTimer::singleShot(0, this, [this, host] {
        if (const QHostAddress literal(host); !literal.isNull()) {
            m_open = 1;
            tryAddress(literal);
        } else {
            m_lookup = QHostInfo::lookupHost(host, this, [this](const QHostInfo& info) { resolved(info); });
        }
    });
}

DependencyCheck::~DependencyCheck()
{
    if (m_lookup != 0) {
        QHostInfo::abortHostLookup(m_lookup);
    }
}

void DependencyCheck::resolved(const QHostInfo& info)
{
    m_lookup = 0;
    QList<QHostAddress> addresses = info.addresses();
    addresses.resize(std::min(addresses.size(), kMostAddresses));
    if (addresses.isEmpty()) {
        end(false);
        return;
    }
    m_open = static_cast<int>(addresses.size());
    for (const QHostAddress& address : std::as_const(addresses)) {
        tryAddress(address);
    }
}

void DependencyCheck::tryAddress(const QHostAddress& address)
{
    auto* socket = new QTcpSocket(this);
    socket->setProxy(QNetworkProxy::NoProxy);
    connect(socket, &QTcpSocket::connected, this, [this] { end(true); });
    connect(socket, &QTcpSocket::errorOccurred, this, [this] { failed(); });
    socket->connectToHost(address, m_port);
}

void DependencyCheck::failed()
{
    if (--m_open == 0) {
        end(false);
    }
}

void DependencyCheck::end(bool up)
{
    if (const auto done = std::exchange(m_done, nullptr)) {
        done(up);
    }
}

} // namespace weir::worker
