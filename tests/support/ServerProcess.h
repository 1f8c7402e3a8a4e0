// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/HttpClient.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>
#include <optional>

namespace weir::test {

/// A real weir-server on free ports with a data directory of its own. From the thread that made it.
class ServerProcess {
public:
    /// `config` empty: no configuration file.
    explicit ServerProcess(QByteArray config = {});
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;
    ~ServerProcess();

    /// Starts with the usual options and `more`, and waits for the ready line. False: it ended, or was not ready in 20 s.
    [[nodiscard]] bool start(const QStringList& more = {});
    /// Starts with exactly these arguments and waits for the end; the exit code, or -1.
    [[nodiscard]] int run(const QStringList& arguments);
    /// Starts with exactly these arguments and waits for the ready line.
    [[nodiscard]] bool startWith(const QStringList& arguments);

    void kill9();
    void signal(int number);
    /// SIGTERM, then the exit code, or -1 when it did not end by itself within the deadline.
    int terminate(int deadlineMs = 15'000);
    /// The exit code once it ended, or -1.
    int waitForEnd(int deadlineMs);

    void writeConfig(const QByteArray& config);
    [[nodiscard]] QString configFile() const { return m_dir.filePath(QStringLiteral("weir-test.json")); }
    [[nodiscard]] QString dataDir() const { return m_dir.filePath(QStringLiteral("data")); }
    [[nodiscard]] QString database() const { return dataDir() + QStringLiteral("/weir.db"); }
    /// Options every start() passes.
    [[nodiscard]] QStringList usualOptions() const;

    [[nodiscard]] const QString& adminUrl() const { return m_adminUrl; }
    [[nodiscard]] const QString& gatewayUrl() const { return m_gatewayUrl; }
    [[nodiscard]] const QString& version() const { return m_version; }
    [[nodiscard]] qint64 pid() const { return m_process ? m_process->processId() : 0; }
    [[nodiscard]] QByteArray token() const;
    /// A client of the control listener with the superadmin's token.
    [[nodiscard]] HttpClient client() const { return HttpClient(m_adminUrl, token()); }
    [[nodiscard]] HttpClient traffic() const { return HttpClient(m_gatewayUrl); }

    [[nodiscard]] QByteArray out();
    [[nodiscard]] QByteArray err();
    /// Waits until standard error contains `text`.
    [[nodiscard]] bool waitForLog(const QByteArray& text, int deadlineMs = 10'000);

private:
    void begin(const QStringList& arguments);
    void collect();

    QTemporaryDir m_dir;
    bool m_hasConfig = false;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_out;
    QByteArray m_err;
    QString m_adminUrl;
    QString m_gatewayUrl;
    QString m_version;
};

} // namespace weir::test
