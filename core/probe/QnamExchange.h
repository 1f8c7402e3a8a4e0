// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/probe/ProbeTransport.h"

#include <QByteArray>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QUrl>

#include <memory>

class QNetworkAccessManager;

namespace weir::probe {

class SecondLook;

/// One GET through a QNetworkAccessManager, from start to one answer. Times and the deadline belong to QnamTransport.
class QnamExchange final : public QObject {
public:
    using Done = std::function<void(ProbeAnswer&&)>;

    /// `verifyName`, where not empty, gives the exchange a connection that no other shares (plain http only); `tls` is
    /// of https only.
    QnamExchange(std::shared_ptr<QNetworkAccessManager> manager, const QUrl& url, const QString& verifyName, const ProbeTls& tls, Done done, QObject* parent);
    ~QnamExchange() override;

    /// Ends the exchange with what is known at the deadline. Calls Done.
    void expire();
    /// Lets go of the connection; Done is not called any more. Harmless when it is over.
    void stop();

private:
    void onRequestSent();
    void onReadyRead();
    void onFinished();
    void lookAgain();
    void end(const char* failure, bool localError = false);
    void closeReply();
    [[nodiscard]] int replyStatus() const;

    std::shared_ptr<QNetworkAccessManager> m_manager;
    QPointer<QNetworkReply> m_reply;
    QUrl m_url;
    std::unique_ptr<SecondLook> m_secondLook;
    Done m_done;
    QByteArray m_body;
    int m_requestsSent = 0;
    bool m_encrypted = false;
};

} // namespace weir::probe
