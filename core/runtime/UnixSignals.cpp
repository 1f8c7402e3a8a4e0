// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/UnixSignals.h"

#include <QSocketNotifier>
#include <array>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace weir::runtime {
namespace {

// A signal handler can only reach what is static.
std::array<int, 2> s_pipe{-1, -1};

void passOn(int signal)
{
    const auto byte = static_cast<unsigned char>(signal);
    // Nothing can be done about a full pipe here, and a full one has woken the reader already.
    [[maybe_unused]] const ssize_t written = ::write(s_pipe[1], &byte, 1);
}

} // namespace

UnixSignals::UnixSignals(std::function<void()> terminate, std::function<void()> reload, QObject* parent)
    : QObject(parent)
    , m_terminate(std::move(terminate))
    , m_reload(std::move(reload))
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, s_pipe.data()) != 0) {
        return;
    }
    m_notifier = new QSocketNotifier(s_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &UnixSignals::read);
    // A reader of the log that goes away must not end the program.
    ::signal(SIGPIPE, SIG_IGN);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        struct sigaction action {};
        action.sa_handler = passOn;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        ::sigaction(signal, &action, nullptr);
    }
}

UnixSignals::~UnixSignals()
{
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        ::signal(signal, SIG_DFL);
    }
    delete m_notifier;
    ::close(s_pipe[0]);
    ::close(s_pipe[1]);
}

void UnixSignals::read()
{
    unsigned char byte = 0;
    while (::read(s_pipe[0], &byte, 1) == 1) {
        if (byte == SIGHUP) {
            m_reload();
            continue;
        }
        ::signal(SIGTERM, SIG_DFL);
        ::signal(SIGINT, SIG_DFL);
        m_terminate();
    }
}

} // namespace weir::runtime
