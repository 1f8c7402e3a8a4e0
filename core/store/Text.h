// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"

#include <QString>
#include <QVariant>

#include <string>
#include <string_view>

namespace weir::store {

/// UTF-8 to QString, never null: Qt binds a null QString as NULL, and empty text must stay empty text.
[[nodiscard]] inline QString toQt(std::string_view text)
{
    return text.empty() ? QStringLiteral("") : QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Times are stored as whole milliseconds UTC.
[[nodiscard]] inline QVariant toColumn(WallTime time)
{
    return QVariant::fromValue<qlonglong>(time.time_since_epoch().count());
}

[[nodiscard]] inline QVariant toColumn(std::string_view text)
{
    return toQt(text);
}

[[nodiscard]] inline WallTime toWallTime(const QVariant& value)
{
    return WallTime(std::chrono::milliseconds(value.toLongLong()));
}

[[nodiscard]] inline std::string toText(const QVariant& value)
{
    return value.toString().toStdString();
}

} // namespace weir::store
