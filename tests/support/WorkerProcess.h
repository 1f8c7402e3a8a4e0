// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/HttpClient.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>

namespace weir::test {

/// A real weir-worker on a free port. From the thread that made it.
class WorkerProcess {
public:
    using Environment = std::map<QString, QString>;

    /// `config`: the whole file; empty: none. `environment`: HEALTH_… variables; others of that name are taken away.
    explicit WorkerProcess(QByteArray config = {}, Environment environment = {});
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;
    ~WorkerProcess();

    /// Starts and waits for the ready line. Without HEALTH_LISTEN in the environment it takes a free port, and the same again later.
    [[nodiscard]] bool start(const QStringList& more = {});
    /// Starts with exactly these arguments and waits for the end; the exit code, or -1.
    [[nodiscard]] int run(const QStringList& arguments);
    /// SIGTERM, then the exit code, or -1 when it did not end by itself within the deadline.
    int terminate(int deadlineMs = 15'000);
    void setEnvironment(Environment environment) { m_environment = std::move(environment); }

    [[nodiscard]] const QString& url() const { return m_url; }
    [[nodiscard]] HttpAnswer health() const { return HttpClient(m_url).get("/health"); }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    [[nodiscard]] QString configFile() const { return m_dir.filePath(QStringLiteral("worker_config.json")); }
    [[nodiscard]] QByteArray out();
    [[nodiscard]] QByteArray err();
    [[nodiscard]] bool waitForLog(const QByteArray& text, int deadlineMs = 10'000);

private:
    void begin(const QStringList& arguments);
    void collect();

    QTemporaryDir m_dir;
    bool m_hasConfig = false;
    Environment m_environment;
    QProcess m_process;
    QByteArray m_out;
    QByteArray m_err;
    QString m_url;
};

} // namespace weir::test
