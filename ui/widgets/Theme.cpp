// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Theme.h"

#include "ui/widgets/Icons.h"
#include "ui/widgets/WeirStyle.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QToolTip>

namespace weir::ui {

QFont scaledFont(const QFont& body, TextSize size, bool bold)
{
    QFont font = body;
    font.setPointSizeF(body.pointSizeF() * static_cast<int>(size) / static_cast<int>(TextSize::Body));
    font.setBold(bold);
    return font;
}

QFont fixedFont(const QFont& like)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(like.pointSizeF());
    font.setBold(like.bold());
    return font;
}

Theme::Theme(QObject* parent)
    : QObject(parent)
{
}

void Theme::apply(QApplication& app)
{
    m_systemFont = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    if (m_systemFont.pointSizeF() <= 0) {
        m_systemFont.setPointSizeF(static_cast<int>(TextSize::Body));
    }
    m_style = new WeirStyle(*m_tokens);
    QApplication::setStyle(m_style); // the application owns it from here on
    resolve();
    install();
    app.installEventFilter(this);
}

void Theme::setMode(Mode mode)
{
    if (mode == m_mode) {
        return;
    }
    m_mode = mode;
    const Tokens* before = m_tokens;
    resolve();
    if (before != m_tokens) {
        install();
    }
}

void Theme::setDensity(Density density)
{
    if (density != m_density) {
        m_density = density;
        emit densityChanged(density);
    }
}

void Theme::setLanguage(const QString& language)
{
    if (language != m_language) {
        m_language = language;
        install();
    }
}

QPalette Theme::palette() const
{
    const Tokens& t = *m_tokens;
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& color) { palette.setColor(role, color); };
    set(QPalette::Window, t.window);
    set(QPalette::Base, t.base);
    set(QPalette::AlternateBase, t.base);
    set(QPalette::WindowText, t.text);
    set(QPalette::Text, t.text);
    set(QPalette::ButtonText, t.text);
    set(QPalette::BrightText, t.text);
    set(QPalette::PlaceholderText, t.text3);
    set(QPalette::Button, t.button);
    set(QPalette::Highlight, t.selection);
    set(QPalette::HighlightedText, t.text);
    set(QPalette::Link, t.link);
    set(QPalette::LinkVisited, t.link);
    set(QPalette::ToolTipBase, t.popup);
    set(QPalette::ToolTipText, t.text);
    set(QPalette::Light, t.base);
    set(QPalette::Midlight, t.line);
    set(QPalette::Mid, t.line);
    set(QPalette::Dark, t.line2);
    set(QPalette::Shadow, t.line3);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, t.disabled);
    }
    return palette;
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qApp && !m_installing && m_mode == Mode::System) {
        const Tokens* before = m_tokens;
        resolve();
        if (before != m_tokens) {
            install();
        }
    }
    return QObject::eventFilter(watched, event);
}

void Theme::resolve()
{
    const bool dark = m_mode == Mode::Dark || (m_mode == Mode::System && systemIsDark());
    m_tokens = dark ? &Tokens::dark() : &Tokens::light();
}

void Theme::install()
{
    if (m_style == nullptr) {
        return;
    }
    m_installing = true;
    icons::clearCache();
    m_style->setTokens(*m_tokens);
    QFont font = m_systemFont;
    QStringList families = font.families();
    if (m_language.startsWith(QLatin1String("zh"))) {
        families.prepend(QStringLiteral("Noto Sans CJK SC"));
    } else if (m_language.startsWith(QLatin1String("ja"))) {
        families.prepend(QStringLiteral("Noto Sans CJK JP"));
    }
    font.setFamilies(families);
    QApplication::setFont(font);
    QApplication::setPalette(palette());
    QToolTip::setPalette(palette());
    m_installing = false;
    emit changed();
}

bool Theme::systemIsDark()
{
    if (m_style == nullptr) {
        return false;
    }
    // Qt 6.4 tells of no colour scheme: take our own palette away for a moment and look at the platform's.
    m_installing = true;
    QApplication::setPalette(QPalette());
    const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    QApplication::setPalette(palette());
    m_installing = false;
    return dark;
}

} // namespace weir::ui
