// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/http/Server.h"

#include "core/http/Listener.h"

namespace weir::http {

Server::Server(boost::asio::io_context& context, ServerOptions options, Handler root)
    : m_listener(std::make_shared<Listener>(context, std::move(options), std::move(root)))
{
}

Server::~Server()
{
    m_listener->cut();
}

Result<void> Server::listen()
{
    return m_listener->listen();
}

std::uint16_t Server::port() const
{
    return m_listener->port();
}

std::string Server::url() const
{
    return m_listener->url();
}

void Server::setTls(std::shared_ptr<const TlsContext> tls)
{
    m_listener->setTls(std::move(tls));
}

void Server::close(Duration grace, std::function<void()> done)
{
    m_listener->close(grace, std::move(done));
}

} // namespace weir::http
