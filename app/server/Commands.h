// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCommandLineParser>
#include <QString>
#include <QStringList>

#include <optional>

namespace weir::server {

/// `token new`, `audit verify`, `backup FILE`, `restore FILE`: what is done with a data directory beside the server or while none runs.
/// The exit code (architecture.md), or nothing when `arguments` name none of them.
[[nodiscard]] std::optional<int> runDataCommand(const QCommandLineParser& parser, const QStringList& arguments, const QString& dataDir);

/// The options of these commands, and how to call them.
void describeDataCommands(QCommandLineParser& parser);

} // namespace weir::server
