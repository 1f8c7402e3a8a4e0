// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/asio/error.hpp>

namespace weir::http {

/// A socket that does not block has nothing now, or takes nothing now.
[[nodiscard]] inline bool isPassing(const boost::system::error_code& code)
{
    using namespace boost::asio;
    return code == error::would_block || code == error::try_again || code == error::interrupted;
}

} // namespace weir::http
