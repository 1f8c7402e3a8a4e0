// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/WorkerProcess.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonDocument>
#include <QUrl>

#include <csignal>

namespace weir::test {
namespace {

constexpr int kReadyMs = 20'000;
constexpr int kPieceMs = 20;

} // namespace

WorkerProcess::WorkerProcess(QByteArray config, Environment environment)
    : m_hasConfig(!config.isEmpty())
    , m_environment(std::move(environment))
{
    QFile file(configFile());
    if (m_hasConfig && file.open(QIODevice::WriteOnly)) {
        file.write(config);
    }
}

WorkerProcess::~WorkerProcess()
{
    if (m_process.state() != QProcess::NotRunning) {
        m_process.kill();
        m_process.waitForFinished(kReadyMs);
    }
}

void WorkerProcess::begin(const QStringList& arguments)
{
    m_out.clear();
    m_err.clear();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& name : environment.keys()) {
        if (name.startsWith(QLatin1String("HEALTH_"))) {
            environment.remove(name);
        }
    }
    const QString port = m_url.isEmpty() ? QStringLiteral("0") : QString::number(QUrl(m_url).port());
    environment.insert(QStringLiteral("HEALTH_LISTEN"), QStringLiteral("127.0.0.1:") + port);
    for (const auto& [name, value] : m_environment) {
        environment.insert(name, value);
    }
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral(WEIR_BIN_DIR "/weir-worker"), arguments);
}

void WorkerProcess::collect()
{
    m_out += m_process.readAllStandardOutput();
    m_err += m_process.readAllStandardError();
}

bool WorkerProcess::start(const QStringList& more)
{
    begin((m_hasConfig ? QStringList{QStringLiteral("--config"), configFile()} : QStringList()) + more);
    const QDeadlineTimer deadline(kReadyMs);
    while (!m_out.contains('\n') && !deadline.hasExpired() && (m_process.state() != QProcess::NotRunning || m_process.bytesAvailable() > 0)) {
        m_process.waitForReadyRead(kPieceMs);
        collect();
    }
    const QJsonObject ready = QJsonDocument::fromJson(m_out.left(m_out.indexOf('\n'))).object();
    m_url = ready.value(QStringLiteral("listen")).toString();
    return ready.value(QStringLiteral("event")).toString() == QStringLiteral("ready");
}

int WorkerProcess::run(const QStringList& arguments)
{
    begin(arguments);
    const bool ended = m_process.waitForFinished(kReadyMs);
    collect();
    return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

int WorkerProcess::terminate(int deadlineMs)
{
    if (m_process.processId() > 0) {
        ::kill(static_cast<pid_t>(m_process.processId()), SIGTERM);
    }
    const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(deadlineMs);
    collect();
    return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

QByteArray WorkerProcess::out()
{
    collect();
    return m_out;
}

QByteArray WorkerProcess::err()
{
    collect();
    return m_err;
}

bool WorkerProcess::waitForLog(const QByteArray& text, int deadlineMs)
{
    const QDeadlineTimer deadline(deadlineMs);
    while (!err().contains(text)) {
        if (deadline.hasExpired()) {
            return false;
        }
        m_process.waitForReadyRead(kPieceMs);
    }
    return true;
}

} // namespace weir::test
