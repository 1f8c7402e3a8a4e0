// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Tokens.h"

#include <QFont>
#include <QObject>
#include <QPalette>

class QApplication;

namespace weir::ui {

class WeirStyle;

/// Point sizes of the type scale, at the default font size of 9 pt.
enum class TextSize { Caption = 8, Body = 9, Sub = 10, Headline = 11, Title = 12, Value = 15, Verdict = 18 };

/// `size` of the scale for a widget whose body font is `body`; follows a user's larger font.
[[nodiscard]] QFont scaledFont(const QFont& body, TextSize size, bool bold = false);
/// The fixed font at the size of `like`, for machine words.
[[nodiscard]] QFont fixedFont(const QFont& like);

/// How the console looks now: colours, fonts per language, density. The application makes one and hands it to every widget.
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Mode { System, Light, Dark };

    explicit Theme(QObject* parent = nullptr);

    /// Installs the style, palette and font; call once, before the first window.
    void apply(QApplication& app);

    [[nodiscard]] const Tokens& tokens() const { return *m_tokens; }
    [[nodiscard]] bool isDark() const { return m_tokens->isDark; }
    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);

    [[nodiscard]] Density density() const { return m_density; }
    void setDensity(Density density);

    /// Orders the font families for a UI language ("en", "zh_CN", "ja") so that unified glyphs look right.
    void setLanguage(const QString& language);
    [[nodiscard]] QPalette palette() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    /// Colours or fonts are different now.
    void changed();
    void densityChanged(weir::ui::Density density);

private:
    void resolve();
    void install();
    [[nodiscard]] bool systemIsDark();

    Mode m_mode = Mode::System;
    Density m_density = Density::Normal;
    const Tokens* m_tokens = &Tokens::light();
    WeirStyle* m_style = nullptr;
    QString m_language;
    QFont m_systemFont;
    bool m_installing = false;
};

} // namespace weir::ui
