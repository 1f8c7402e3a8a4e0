// SPDX-License-Identifier: GPL-3.0-or-later
#include "TestCertificate.h"

#include <QFile>
#include <QSslCertificate>
#include <QSslKey>

#include <memory>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

namespace weir::probe::test {
namespace {

constexpr long kHalfAnHour = 1800;

template <typename Write>
QByteArray pemOf(Write write)
{
    const std::unique_ptr<BIO, decltype(&BIO_free)> memory(BIO_new(BIO_s_mem()), BIO_free);
    write(memory.get());
    char* data = nullptr;
    const long size = BIO_ctrl(memory.get(), BIO_CTRL_INFO, 0, &data);
    return QByteArray(data, static_cast<qsizetype>(size));
}

void addExtension(X509* certificate, int kind, const std::string& value)
{
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), X509_EXTENSION_free);
    X509_add_ext(certificate, extension.get(), -1);
}

} // namespace

QSslConfiguration TestCertificate::configuration() const
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setLocalCertificate(QSslCertificate(certificatePem));
    configuration.setPrivateKey(QSslKey(keyPem, QSsl::Ec));
    return configuration;
}

bool TestCertificate::writeTo(const std::string& file) const
{
    QFile out(QString::fromStdString(file));
    return out.open(QIODevice::WriteOnly) && out.write(certificatePem) == certificatePem.size();
}

TestCertificate makeTestCertificate(const std::string& name, const std::string& address)
{
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
    X509* x509 = certificate.get();
    X509_set_version(x509, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
    X509_gmtime_adj(X509_getm_notBefore(x509), -kHalfAnHour);
    X509_gmtime_adj(X509_getm_notAfter(x509), kHalfAnHour);
    X509_set_pubkey(x509, key.get());
    X509_NAME* subject = X509_get_subject_name(x509);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(x509, subject);
    addExtension(x509, NID_subject_alt_name, "DNS:" + name + ",IP:" + address);
    addExtension(x509, NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(x509, key.get(), EVP_sha256());
    return {pemOf([&](BIO* out) { PEM_write_bio_X509(out, x509); }),
        pemOf([&](BIO* out) { PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); })};
}

} // namespace weir::probe::test
