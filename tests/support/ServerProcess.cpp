// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ServerProcess.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonDocument>

#include <csignal>

namespace weir::test {
namespace {

constexpr int kReadyMs = 20'000;
constexpr int kPieceMs = 20;

} // namespace

ServerProcess::ServerProcess(QByteArray config)
{
    if (!config.isEmpty()) {
        writeConfig(config);
    }
}

ServerProcess::~ServerProcess()
{
    kill9();
}

void ServerProcess::writeConfig(const QByteArray& config)
{
    QFile file(configFile());
    if (file.open(QIODevice::WriteOnly)) {
        file.write(config);
    }
    m_hasConfig = true;
}

QStringList ServerProcess::usualOptions() const
{
    QStringList options{QStringLiteral("--data-dir"), dataDir(), QStringLiteral("--admin-listen"), QStringLiteral("127.0.0.1:0"), QStringLiteral("--gateway-listen"),
        QStringLiteral("127.0.0.1:0")};
    if (m_hasConfig) {
        options << QStringLiteral("--config") << configFile();
    }
    return options;
}

void ServerProcess::begin(const QStringList& arguments)
{
    kill9();
    m_out.clear();
    m_err.clear();
    m_process = std::make_unique<QProcess>();
    m_process->setProgram(QStringLiteral(WEIR_BIN_DIR "/weir-server"));
    m_process->setArguments(arguments);
    m_process->start();
}

void ServerProcess::collect()
{
    if (m_process) {
        m_out += m_process->readAllStandardOutput();
        m_err += m_process->readAllStandardError();
    }
}

bool ServerProcess::start(const QStringList& more)
{
    return startWith(usualOptions() + more);
}

bool ServerProcess::startWith(const QStringList& arguments)
{
    begin(arguments);
    const QDeadlineTimer deadline(kReadyMs);
    while (!m_out.contains('\n') && !deadline.hasExpired()) {
        m_process->waitForReadyRead(kPieceMs);
        collect();
        if (m_process->state() == QProcess::NotRunning && !m_out.contains('\n')) {
            return false;
        }
    }
    const QJsonObject ready = QJsonDocument::fromJson(m_out.left(m_out.indexOf('\n'))).object();
    m_adminUrl = ready.value(QStringLiteral("admin")).toString();
    m_gatewayUrl = ready.value(QStringLiteral("gateway")).toString();
    m_version = ready.value(QStringLiteral("version")).toString();
    return ready.value(QStringLiteral("event")).toString() == QStringLiteral("ready");
}

int ServerProcess::run(const QStringList& arguments)
{
    begin(arguments);
    return waitForEnd(kReadyMs);
}

int ServerProcess::waitForEnd(int deadlineMs)
{
    if (!m_process || (m_process->state() != QProcess::NotRunning && !m_process->waitForFinished(deadlineMs))) {
        collect();
        return -1;
    }
    collect();
    return m_process->exitStatus() == QProcess::NormalExit ? m_process->exitCode() : -1;
}

void ServerProcess::signal(int number)
{
    if (m_process && m_process->processId() > 0) {
        ::kill(static_cast<pid_t>(m_process->processId()), number);
    }
}

void ServerProcess::kill9()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        signal(SIGKILL);
        m_process->waitForFinished(kReadyMs);
        collect();
    }
}

int ServerProcess::terminate(int deadlineMs)
{
    signal(SIGTERM);
    return waitForEnd(deadlineMs);
}

QByteArray ServerProcess::token() const
{
    QFile file(dataDir() + QStringLiteral("/superadmin.token"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

QByteArray ServerProcess::out()
{
    collect();
    return m_out;
}

QByteArray ServerProcess::err()
{
    collect();
    return m_err;
}

bool ServerProcess::waitForLog(const QByteArray& text, int deadlineMs)
{
    const QDeadlineTimer deadline(deadlineMs);
    while (!err().contains(text)) {
        if (deadline.hasExpired()) {
            return false;
        }
        m_process->waitForReadyRead(kPieceMs);
    }
    return true;
}

} // namespace weir::test
