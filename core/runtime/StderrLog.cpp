// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runtime/StderrLog.h"

#include <boost/json.hpp>
#include <cstdio>
#include <string>

namespace weir::runtime {
namespace {

std::string_view toText(LogLevel level)
{
    switch (level) {
    case LogLevel::Debug:
        return "debug";
    case LogLevel::Info:
        return "info";
    case LogLevel::Warning:
        return "warning";
    case LogLevel::Error:
        break;
    }
    return "error";
}

// Values come from outside at times: one line stays one line.
void appendQuoted(std::string& line, std::string_view value)
{
    const bool plain = !value.empty() && value.find_first_of(" \"=\\") == std::string_view::npos;
    if (!plain) {
        line += '"';
    }
    for (const char c : value) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            line += '?';
        } else {
            line += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
        }
    }
    if (!plain) {
        line += '"';
    }
}

} // namespace

void StderrLog::write(LogLevel level, std::string_view event, std::string_view sentence, std::initializer_list<LogField> fields)
{
    if (level < m_level.load(std::memory_order_relaxed)) {
        return;
    }
    std::string line;
    if (m_json.load(std::memory_order_relaxed)) {
        boost::json::object object{{"at", toRfc3339(m_clock.wall())}, {"level", toText(level)}, {"event", event}, {"message", sentence}};
        for (const LogField& field : fields) {
            object[field.key] = field.value;
        }
        line = boost::json::serialize(object);
    } else {
        line = toRfc3339(m_clock.wall());
        line += ' ';
        line += toText(level);
        line += ' ';
        line += event;
        line += ' ';
        for (const char c : sentence) {
            line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        for (const LogField& field : fields) {
            line += ' ';
            line += field.key;
            line += '=';
            appendQuoted(line, field.value);
        }
    }
    line += '\n';
    const std::scoped_lock lock(m_mutex);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

} // namespace weir::runtime
