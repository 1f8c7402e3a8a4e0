// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/QnamExchange.h"

#include "core/probe/RequestHeaders.h"
#include "core/probe/SecondLook.h"

#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>

#include <utility>

namespace weir::probe {
namespace {

constexpr auto kBodyLimit = static_cast<qint64>(kMaxBodyBytes);

QNetworkRequest requestFor(const QUrl& url, const QString& verifyName)
{
    QNetworkRequest request(url);
    for (const auto& [name, value] : kRequestHeaders) {
        request.setRawHeader(name, value);
    }
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::HttpPipeliningAllowedAttribute, false);
    // Qt keeps a connection and 11 to 22 kB for each host and port it talked to; here they go when the answer is complete.
    request.setAttribute(QNetworkRequest::ConnectionCacheExpiryTimeoutSecondsAttribute, 0);
    if (!verifyName.isEmpty()) {
        request.setPeerVerifyName(verifyName);
    }
    return request;
}

void applyTls(QNetworkRequest& request, const ProbeTls& tls)
{
    if (tls == ProbeTls()) {
        return;
    }
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    if (!tls.caFile.empty()) {
        configuration.setCaCertificates(QSslCertificate::fromPath(QString::fromStdString(tls.caFile)));
    }
    if (!tls.verify) {
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    }
    request.setSslConfiguration(configuration);
    if (!tls.serverName.empty()) {
        request.setPeerVerifyName(QString::fromStdString(tls.serverName));
    }
}

QByteArray plainRequest(const QUrl& url)
{
    QByteArray bytes = "GET " + url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority | QUrl::FullyEncoded) + " HTTP/1.1\r\nHost: ";
    bytes += url.authority(QUrl::FullyEncoded).toLatin1() + "\r\n";
    for (const auto& [name, value] : kRequestHeaders) {
        bytes += QByteArray(name) + ": " + value + "\r\n";
    }
    return bytes + "\r\n";
}

} // namespace

QnamExchange::QnamExchange(std::shared_ptr<QNetworkAccessManager> manager, const QUrl& url, const QString& verifyName, const ProbeTls& tls, Done done, QObject* parent)
    : QObject(parent)
    , m_manager(std::move(manager))
    , m_url(url)
    , m_done(std::move(done))
{
    QNetworkRequest request = requestFor(url, verifyName);
    applyTls(request, tls);
    m_reply = m_manager->get(request);
    m_reply->setReadBufferSize(kBodyLimit); // keeps Qt from reading far ahead of us
    connect(m_reply, &QNetworkReply::encrypted, this, [this] { m_encrypted = true; });
    // Queued: a reply may finish inside get(), and callbacks must not come from inside start(); and a reply that is let go
    // must be deleted at once, or what its thread has still to tell ends in Qt warnings.
    connect(m_reply, &QNetworkReply::requestSent, this, [this] { onRequestSent(); }, Qt::QueuedConnection);
    connect(m_reply, &QIODevice::readyRead, this, [this] { onReadyRead(); }, Qt::QueuedConnection);
    connect(m_reply, &QNetworkReply::finished, this, [this] { onFinished(); }, Qt::QueuedConnection);
}

QnamExchange::~QnamExchange()
{
    stop();
}

void QnamExchange::stop()
{
    m_done = nullptr;
    closeReply();
    m_secondLook.reset();
    m_manager.reset();
}

void QnamExchange::closeReply()
{
    delete m_reply; // aborts; never called from inside one of its signals
}

void QnamExchange::expire()
{
    // After the first exchange failed only its exact reason was still looked for.
    end(m_secondLook ? "reset" : "timeout");
}

void QnamExchange::onRequestSent()
{
    // Qt silently repeats a request whose connection broke before a status came, up to three times. The first failure counts.
    if (++m_requestsSent > 1) {
        lookAgain();
    }
}

void QnamExchange::onReadyRead()
{
    if (!m_reply || m_secondLook) {
        return;
    }
    m_body += m_reply->read(kBodyLimit - m_body.size());
    if (m_body.size() >= kBodyLimit) {
        end("");
    }
}

int QnamExchange::replyStatus() const
{
    return m_reply ? m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() : 0;
}

void QnamExchange::onFinished()
{
    if (!m_reply || m_secondLook) {
        return;
    }
    if (m_reply->isOpen()) {
        m_body += m_reply->read(kBodyLimit - m_body.size());
    }
    const int status = replyStatus();
    switch (m_reply->error()) {
    case QNetworkReply::NoError:
        end(status > 0 ? "" : "malformed");
        return;
    case QNetworkReply::ConnectionRefusedError:
        end("refused");
        return;
    case QNetworkReply::RemoteHostClosedError:
        if (m_url.scheme() == QLatin1String("https") && !m_encrypted) {
            end("tls");
        } else if (status > 0) {
            end("reset");
        } else {
            lookAgain();
        }
        return;
    case QNetworkReply::HostNotFoundError:
        end("dns");
        return;
    case QNetworkReply::TimeoutError:
        end("timeout");
        return;
    case QNetworkReply::SslHandshakeFailedError:
        end("tls");
        return;
    case QNetworkReply::ProtocolFailure:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolInvalidOperationError:
        end(status >= 400 ? "" : "malformed"); // Qt uses the last one for status 400 as well
        return;
    default:
        // Errors beyond the network section stand for a complete answer with a status of 400 or more; there is no proxy.
        if (status >= 400 && m_reply->error() >= QNetworkReply::ProxyConnectionRefusedError) {
            end("");
        } else {
            end("unreachable", true);
        }
    }
}

void QnamExchange::lookAgain()
{
    if (m_secondLook || !m_done) {
        return;
    }
    closeReply();
    m_secondLook = std::make_unique<SecondLook>(m_url, plainRequest(m_url), [this](const char* failure) { end(failure); }, nullptr);
}

void QnamExchange::end(const char* failure, bool localError)
{
    if (!m_done) {
        return;
    }
    ProbeAnswer answer;
    answer.status = replyStatus();
    answer.failure = failure;
    answer.localError = localError;
    answer.body = m_body.toStdString();
    closeReply();
    m_manager.reset();
    std::exchange(m_done, nullptr)(std::move(answer)); // may delete this later, not now
}

} // namespace weir::probe
