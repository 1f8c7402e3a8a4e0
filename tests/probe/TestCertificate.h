// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QSslConfiguration>

#include <string>

namespace weir::probe::test {

/// A certificate that signs itself, made for one test.
struct TestCertificate {
    QByteArray certificatePem;
    QByteArray keyPem;

    [[nodiscard]] QSslConfiguration configuration() const;
    [[nodiscard]] bool writeTo(const std::string& file) const; ///< the certificate alone
};

/// For a host name and an address; valid for an hour around now.
[[nodiscard]] TestCertificate makeTestCertificate(const std::string& name, const std::string& address);

} // namespace weir::probe::test
