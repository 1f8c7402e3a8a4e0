// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QUrl>

#include <functional>

class QSslSocket;

namespace weir::probe {

/// Qt reports an answer that is no HTTP like a connection that was closed, and hides what it read. Where the reason is in
/// doubt this connects once more, sends the same request and looks at the first bytes. It never turns a failure into a success.
class SecondLook final : public QObject {
public:
    /// `done` gets `malformed` or `reset`, once.
    SecondLook(const QUrl& url, const QByteArray& request, std::function<void(const char* failure)> done, QObject* parent);
    ~SecondLook() override;

private:
    void look(bool closed);
    void end(const char* failure);

    QSslSocket* m_socket;
    QByteArray m_seen;
    std::function<void(const char*)> m_done;
};

} // namespace weir::probe
