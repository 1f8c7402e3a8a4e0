// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probe/HttpPoster.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslError>
#include <QStringList>
#include <QThread>
#include <QUrl>

#include <optional>

namespace weir::probe {
namespace {

constexpr qint64 kReadBuffer = 65'536;
constexpr const char* kTrustFile = "SSL_CERT_FILE";

// Who is trusted in place of the system's authorities, as for OpenSSL and curl; Qt does not look at the variable itself.
std::optional<QSslConfiguration> namedTrust()
{
    const QByteArray file = qgetenv(kTrustFile);
    if (file.isEmpty()) {
        return std::nullopt;
    }
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setCaCertificates(QSslCertificate::fromPath(QString::fromLocal8Bit(file)));
    return tls;
}

// Every fault of a certificate in one sentence, with where trust comes from.
std::string certificateFault(const QList<QSslError>& errors)
{
    QStringList faults;
    for (const QSslError& error : errors) {
        if (const QString text = error.errorString(); !faults.contains(text)) {
            faults.append(text);
        }
    }
    const QByteArray file = qgetenv(kTrustFile);
    return "its certificate is refused: " + faults.join(QStringLiteral("; ")).toStdString() + " (trusted are "
        + (file.isEmpty() ? std::string("the system's authorities") : "the authorities in " + file.toStdString() + ", which SSL_CERT_FILE names") + ")";
}

QNetworkRequest requestFor(const HttpPost& post, const std::string& userAgent)
{
    QNetworkRequest request(QUrl::fromEncoded(QByteArray::fromStdString(post.url), QUrl::TolerantMode));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    // A kept connection that the receiver has closed meanwhile would count as a failure of its.
    request.setRawHeader("Connection", "close");
    request.setRawHeader("User-Agent", QByteArray::fromStdString(userAgent));
    for (const auto& [name, value] : post.headers) {
        request.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    }
    return request;
}

} // namespace

class HttpPoster::Loop {
public:
    Loop(std::string userAgent, std::chrono::milliseconds timeout)
        : m_userAgent(std::move(userAgent))
        , m_timeout(timeout)
    {
    }

    void start()
    {
        m_context = std::make_unique<QObject>();
        m_context->moveToThread(&m_thread);
        m_thread.start();
        QMetaObject::invokeMethod(m_context.get(), [this] {
            m_manager = std::make_unique<QNetworkAccessManager>();
            m_manager->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
            m_manager->setAutoDeleteReplies(false);
            m_manager->setTransferTimeout(static_cast<int>(m_timeout.count()));
            m_trust = namedTrust();
        });
    }

    void stop()
    {
        if (!m_thread.isRunning()) {
            return;
        }
        QMetaObject::invokeMethod(m_context.get(), [this] { m_manager.reset(); }, Qt::BlockingQueuedConnection);
        m_thread.quit();
        m_thread.wait();
        m_context.reset();
    }

    void post(HttpPost post, Done done)
    {
        if (!m_context) {
            return;
        }
        QMetaObject::invokeMethod(m_context.get(), [this, post = std::move(post), done = std::move(done)] { send(post, done); });
    }

private:
    void send(const HttpPost& post, const Done& done)
    {
        if (!m_manager) {
            return;
        }
        QNetworkRequest request = requestFor(post, m_userAgent);
        if (m_trust) {
            request.setSslConfiguration(*m_trust);
        }
        QNetworkReply* reply = m_manager->post(request, QByteArray::fromStdString(post.body));
        reply->setReadBufferSize(kReadBuffer);
        QObject::connect(reply, &QNetworkReply::readyRead, reply, [reply] { reply->skip(reply->bytesAvailable()); });
        const auto fault = std::make_shared<std::string>();
        QObject::connect(reply, &QNetworkReply::sslErrors, reply, [fault](const QList<QSslError>& errors) { *fault = certificateFault(errors); });
        QObject::connect(reply, &QNetworkReply::finished, m_context.get(), [reply, done, fault] {
            HttpPostResult result;
            result.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
            if (result.status == 0) {
                result.error = reply->error() == QNetworkReply::OperationCanceledError ? "no answer in time" : !fault->empty() ? *fault : reply->errorString().toStdString();
            }
            reply->disconnect();
            reply->deleteLater();
            done(result);
        });
    }

    std::string m_userAgent;
    std::chrono::milliseconds m_timeout;
    QThread m_thread;
    std::unique_ptr<QObject> m_context; ///< lives on m_thread
    std::unique_ptr<QNetworkAccessManager> m_manager; ///< only there
    std::optional<QSslConfiguration> m_trust;         ///< only there; nothing: the system's authorities
};

HttpPoster::HttpPoster(std::string userAgent, std::chrono::milliseconds timeout)
    : m_loop(std::make_unique<Loop>(std::move(userAgent), timeout))
{
}

HttpPoster::~HttpPoster()
{
    stop();
}

void HttpPoster::start()
{
    m_loop->start();
}

void HttpPoster::stop()
{
    m_loop->stop();
}

void HttpPoster::post(HttpPost post, Done done)
{
    m_loop->post(std::move(post), std::move(done));
}

} // namespace weir::probe
