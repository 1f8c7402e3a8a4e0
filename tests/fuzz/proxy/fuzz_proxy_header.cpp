// SPDX-License-Identifier: GPL-3.0-or-later
#include "FuzzProxyHeader.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    weir::fuzz::checkProxyHeader({reinterpret_cast<const char*>(data), size});
    return 0;
}
