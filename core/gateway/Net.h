// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Stream.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace weir::gateway {

// The names by which sockets go here.
using http::Io;
using http::Stream;
using http::StreamOwner;
using http::TlsSession;
using Tcp = boost::asio::ip::tcp;
using Executor = boost::asio::io_context::executor_type;
using ErrorCode = boost::system::error_code;

} // namespace weir::gateway
