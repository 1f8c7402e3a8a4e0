// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/gateway/modules/Turn.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::gateway {

/// A text with `${NAME}` in it, which stands for something of the request: client, host, method, path (as sent), query, target, scheme,
/// app, cluster, node, or `context:NAME`, `header:NAME`. `$$` is a dollar.
class Template {
public:
    /// Nothing for an unknown name or a `${` without an end; `fault` says which.
    [[nodiscard]] static std::optional<Template> parse(std::string_view text, std::string& fault);

    /// Control characters of the request never get into a header: they are left out.
    [[nodiscard]] std::string fill(const Turn& turn) const;

private:
    struct Part {
        bool isName = false;
        std::string text;
    };
    std::vector<Part> m_parts;
};

} // namespace weir::gateway
