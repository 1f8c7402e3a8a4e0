// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/ConfigIssue.h"

namespace weir::config {

std::string toText(const ConfigIssue& issue, std::string_view file)
{
    std::string text(file);
    if (issue.line > 0) {
        text += ':' + std::to_string(issue.line) + ':' + std::to_string(issue.column);
    }
    for (const std::string& part : {issue.path, issue.value, issue.message}) {
        if (!part.empty()) {
            text += ": " + part;
        }
    }
    return text;
}

} // namespace weir::config
