// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdio>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string>

namespace weir::test {

/// Writes a self-signed certificate for `name` and its key as PEM files; true when both are there.
inline bool writeCertificate(const std::string& certificateFile, const std::string& keyFile, const std::string& name)
{
    constexpr long kDay = 24L * 3600;
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
    if (!key || !certificate) {
        return false;
    }
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDay);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 30 * kDay);
    X509_NAME* subject = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), subject);
    X509_set_pubkey(certificate.get(), key.get());
    if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) {
        return false;
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(certificateFile.c_str(), "w"), &std::fclose);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> keyOut(std::fopen(keyFile.c_str(), "w"), &std::fclose);
    return out && keyOut && PEM_write_X509(out.get(), certificate.get()) == 1 && PEM_write_PrivateKey(keyOut.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1;
}

} // namespace weir::test
