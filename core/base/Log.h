// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace weir {

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };

/// One named figure of a log line.
struct LogField {
    std::string_view key;
    std::string value;
};

/// Where log lines go; the runtime writes them to standard error as text or JSON. Implementations are thread-safe.
/// Lines are part of operations: `event` is a stable word, `sentence` is for people, no field ever holds a secret.
class Log {
public:
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    virtual ~Log() = default;

    virtual void write(LogLevel level, std::string_view event, std::string_view sentence, std::initializer_list<LogField> fields = {}) = 0;
};

/// Swallows everything; for tests and tools.
class NullLog final : public Log {
public:
    void write(LogLevel, std::string_view, std::string_view, std::initializer_list<LogField>) override {}
};

} // namespace weir
