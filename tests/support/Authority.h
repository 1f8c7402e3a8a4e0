// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>

namespace weir::test {

/// An authority that issues certificates, made for one test.
class Authority {
public:
    explicit Authority(const std::string& name)
        : m_key(EVP_EC_gen("P-256"), &EVP_PKEY_free)
        , m_certificate(make(m_key.get(), name, "critical,CA:TRUE", {}), &X509_free)
    {
        X509_set_issuer_name(m_certificate.get(), X509_get_subject_name(m_certificate.get()));
        X509_sign(m_certificate.get(), m_key.get(), EVP_sha256());
    }

    /// Its own certificate, PEM.
    [[nodiscard]] bool write(const std::string& file) const
    {
        return writePem(file, [this](std::FILE* out) { return PEM_write_X509(out, m_certificate.get()); });
    }

    /// A certificate and its key, PEM. `names` as OpenSSL has them: "DNS:worker.test,IP:127.0.0.1".
    [[nodiscard]] bool issue(const std::string& certificateFile, const std::string& keyFile, const std::string& names) const
    {
        const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
        const std::unique_ptr<X509, decltype(&X509_free)> certificate(make(key.get(), "leaf", "critical,CA:FALSE", names), &X509_free);
        X509_set_issuer_name(certificate.get(), X509_get_subject_name(m_certificate.get()));
        return X509_sign(certificate.get(), m_key.get(), EVP_sha256()) > 0
            && writePem(certificateFile, [&](std::FILE* out) { return PEM_write_X509(out, certificate.get()); })
            && writePem(
                keyFile, [&](std::FILE* out) { return PEM_write_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    }

private:
    static X509* make(EVP_PKEY* key, const std::string& name, const std::string& constraints, const std::string& names)
    {
        static int serial = 1;
        constexpr long kDay = 24L * 3600;
        X509* certificate = X509_new();
        X509_set_version(certificate, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay);
        X509_gmtime_adj(X509_getm_notAfter(certificate), kDay);
        X509_set_pubkey(certificate, key);
        X509_NAME_add_entry_by_txt(
            X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
        add(certificate, NID_basic_constraints, constraints);
        if (!names.empty()) {
            add(certificate, NID_subject_alt_name, names);
        }
        return certificate;
    }
    static void add(X509* certificate, int kind, const std::string& value)
    {
        const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
            X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), &X509_EXTENSION_free);
        X509_add_ext(certificate, extension.get(), -1);
    }
    template <typename Write>
    static bool writePem(const std::string& file, Write write)
    {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "w"), &std::fclose);
        return out && write(out.get()) == 1;
    }

    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> m_key;
    std::unique_ptr<X509, decltype(&X509_free)> m_certificate;
};

} // namespace weir::test
