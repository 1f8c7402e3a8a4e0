// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/layering/LayerRules.h"

#include <QRegularExpression>

#include <array>
#include <optional>

namespace weir::layering {
namespace {

// From the ground up. A folder includes itself and what lies below; folders of one row do not include each other.
const std::array<QStringList, 13> kRows{{
    {QStringLiteral("core/base")},
    {QStringLiteral("core/health")},
    {QStringLiteral("core/fleet"), QStringLiteral("core/routing")},
    {QStringLiteral("core/outcome"), QStringLiteral("core/journal")},
    {QStringLiteral("core/live"), QStringLiteral("core/http"), QStringLiteral("core/probe"), QStringLiteral("core/store"),
        QStringLiteral("core/config")},
    {QStringLiteral("core/gateway")},
    {QStringLiteral("core/plane")},
    {QStringLiteral("core/api")},
    {QStringLiteral("core/runtime")},
    {QStringLiteral("core/demo")},
    {QStringLiteral("ui/client")},
    {QStringLiteral("ui")},
    {QStringLiteral("app")},
}};

constexpr int kBeastFiles = 6;

struct Include {
    QString path;
    bool quoted = false;
    qsizetype line = 0;
};

// The row of the table that a path belongs to, as its folder's name; empty for a folder that the table does not know.
QString folderOf(const QString& path)
{
    if (path.startsWith(QLatin1String("core/"))) {
        QString folder = path.section(QLatin1Char('/'), 0, 1);
        for (const QStringList& row : kRows) {
            if (row.contains(folder)) {
                return folder;
            }
        }
        return {};
    }
    if (path.startsWith(QLatin1String("ui/client/"))) {
        return QStringLiteral("ui/client");
    }
    return path.section(QLatin1Char('/'), 0, 0);
}

std::size_t rowOf(const QString& folder)
{
    std::size_t row = 0;
    while (row < kRows.size() && !kRows[row].contains(folder)) {
        ++row;
    }
    return row;
}

bool isOurs(const QString& path)
{
    return path.startsWith(QLatin1String("core/")) || path.startsWith(QLatin1String("ui/")) || path.startsWith(QLatin1String("app/"));
}

QList<Include> includesOf(const QString& text)
{
    static const QRegularExpression kInclude(QStringLiteral(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])"));
    QList<Include> includes;
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto match = kInclude.match(lines[i]);
        if (match.hasMatch()) {
            includes.append({match.captured(2), match.captured(1) == QLatin1String("\""), i + 1});
        }
    }
    return includes;
}

bool matches(const QString& include, const QString& pattern)
{
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern)).match(include).hasMatch();
}

bool isQt(const QString& include)
{
    return matches(include, QStringLiteral(R"(Q[A-Z]\w*|Qt\w+(/.*)?)"));
}

bool isCharts(const QString& include)
{
    static const QString kPattern = QStringLiteral(
        R"(QtCharts(/.*)?|Q\w*Chart\w*|Q\w+Series|QAbstractAxis|Q(Value|BarCategory|Category|LogValue|DateTime)Axis|QLegend\w*)");
    return matches(include, kPattern);
}

// Gui, Widgets and what draws: nothing of it is at hand in a headless build.
bool isGui(const QString& include)
{
    static const QString kPattern =
        QStringLiteral(R"((QtGui|QtWidgets|QtOpenGL\w*|QtSvg\w*)(/.*)?)"
                       R"(|Q\w*(Widget|Window|Dialog|Delegate|Painter|Pixmap|Image|Icon|Color|Font|Palette|Style|Layout|Button|Action))"
                       R"(|Q\w*(Item|Tree|Table|List|Header|Column|Graphics|Scroll)View|QGuiApplication|QApplication)");
    return isCharts(include) || matches(include, kPattern);
}

std::optional<QString> projectFault(const QString& folder, const Include& include)
{
    const QString& to = include.path;
    if (!isOurs(to)) {
        const bool generated = to == QLatin1String("weir_version.h") || to.endsWith(QLatin1String(".moc"))
            || to.startsWith(QLatin1String("moc_")) || to.startsWith(QLatin1String("ui_"));
        if (include.quoted && !generated) {
            return QStringLiteral("is not rooted at core/, ui/ or app/");
        }
        return std::nullopt;
    }
    const QString target = folderOf(to);
    if (target.isEmpty()) {
        return QStringLiteral("lies in a folder that the table of layers does not know");
    }
    if (target == folder) {
        return std::nullopt;
    }
    if (rowOf(target) == rowOf(folder)) {
        return QStringLiteral("lies beside %1, and neighbours do not include each other").arg(folder);
    }
    if (rowOf(target) > rowOf(folder)) {
        return QStringLiteral("lies above %1").arg(folder);
    }
    if (folder == QLatin1String("ui") && target.startsWith(QLatin1String("core/")) && target != QLatin1String("core/base")) {
        return QStringLiteral("is of the plane; outside ui/client the console includes only core/base of core");
    }
    return std::nullopt;
}

std::optional<QString> foreignFault(const QString& from, const QString& folder, const QString& include)
{
    static const QString kLive = QStringLiteral("core/live");
    const bool heart = folder == kLive || rowOf(folder) < rowOf(kLive);
    if (heart && isQt(include)) {
        return QStringLiteral("is Qt, and base to live know none");
    }
    if (folder.startsWith(QLatin1String("core/")) && isGui(include)) {
        return QStringLiteral("is of Gui, and core builds without");
    }
    if (isCharts(include) && !from.startsWith(QLatin1String("ui/widgets/charts/"))) {
        return QStringLiteral("is of QtCharts, which only ui/widgets/charts includes");
    }
    return std::nullopt;
}

// Without // and block comments, lines kept; strings with // in them lose their rest, which no rule here minds.
QString withoutComments(QString text)
{
    static const QRegularExpression kBlock(QStringLiteral(R"(/\*.*?\*/)"), QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression kLine(QStringLiteral(R"(//[^\n]*)"));
    return text.remove(kLine).remove(kBlock);
}

} // namespace

QStringList violations(const Sources& sources)
{
    static const QRegularExpression kReply(QStringLiteral(R"(\bQNetworkReply\b)"));
    QStringList faults;
    QStringList beast;
    for (auto it = sources.begin(); it != sources.end(); ++it) {
        const QString& path = it.key();
        if (!isOurs(path)) {
            continue;
        }
        const QString folder = folderOf(path);
        if (folder.isEmpty()) {
            faults.append(path + QStringLiteral(": its folder is not in the table of layers"));
            continue;
        }
        bool includesBeast = false;
        for (const Include& include : includesOf(it.value())) {
            const auto report = [&](const std::optional<QString>& fault) {
                if (fault) {
                    faults.append(QStringLiteral("%1:%2: %3 %4").arg(path).arg(include.line).arg(include.path, *fault));
                }
            };
            report(projectFault(folder, include));
            report(foreignFault(path, folder, include.path));
            includesBeast = includesBeast || include.path.startsWith(QLatin1String("boost/beast"));
        }
        if (includesBeast) {
            beast.append(path);
        }
        if (folder != QLatin1String("core/probe") && withoutComments(it.value()).contains(kReply)) {
            faults.append(path + QStringLiteral(": QNetworkReply belongs to core/probe alone"));
        }
    }
    if (beast.size() > kBeastFiles) {
        faults.append(QStringLiteral("%1 files include Boost.Beast, %2 may: %3")
                          .arg(beast.size())
                          .arg(kBeastFiles)
                          .arg(beast.join(QStringLiteral(", "))));
    }
    return faults;
}

} // namespace weir::layering
