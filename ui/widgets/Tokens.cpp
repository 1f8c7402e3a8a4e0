// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/Tokens.h"

namespace weir::ui {

namespace {

QColor rgb(QRgb value)
{
    return QColor::fromRgb(value);
}

} // namespace

const Tokens& Tokens::light()
{
    static const Tokens tokens = [] {
        Tokens t;
        t.base = rgb(0xFFFFFF);
        t.window = rgb(0xF4F5F7);
        t.text = rgb(0x16191F);
        t.text2 = rgb(0x4A515E);
        t.text3 = rgb(0x5F6674);
        t.disabled = rgb(0x969DA9);
        t.line = rgb(0xDFE2E8);
        t.line2 = rgb(0xB7BDC8);
        t.line3 = rgb(0x828997);
        t.accent = rgb(0x1A5FC4);
        t.onAccent = rgb(0xFFFFFF);
        t.link = rgb(0x1A5FC4);
        t.selection = rgb(0xDCE9FB);
        t.hover = rgb(0xEEF2F8);
        t.target = rgb(0xD1DFF3);
        t.button = rgb(0xFFFFFF);
        t.popup = rgb(0xFFFFFF);
        t.staleStrip = rgb(0xD9DBDF);
        t.skeleton = rgb(0xDCDDE0);
        t.ink = rgb(0x2B3039);
        t.onInk = rgb(0xFFFFFF);
        t.scrim = QColor(0x16, 0x19, 0x1F, 82);
        t.bandMinMax = rgb(0xB1C9EB);
        t.errStatus = rgb(0x4A515E);
        t.errSemantic = rgb(0x828997);
        t.m_states = {StateFill{rgb(0x13675B), rgb(0xFFFFFF)}, StateFill{rgb(0xC08000), rgb(0x000000)},
                      StateFill{rgb(0x9B2CD3), rgb(0xFFFFFF)}, StateFill{rgb(0x810803), rgb(0xFFFFFF)},
                      StateFill{rgb(0x001C5C), rgb(0xFFFFFF)}, StateFill{rgb(0x878EA1), rgb(0x000000)}};
        return t;
    }();
    return tokens;
}

const Tokens& Tokens::dark()
{
    static const Tokens tokens = [] {
        Tokens t;
        t.isDark = true;
        t.base = rgb(0x1B1E23);
        t.window = rgb(0x24282F);
        t.text = rgb(0xE6E8EC);
        t.text2 = rgb(0xB4BAC5);
        t.text3 = rgb(0x969EAB);
        t.disabled = rgb(0x6A717E);
        t.line = rgb(0x353A44);
        t.line2 = rgb(0x555C68);
        t.line3 = rgb(0x7E8694);
        t.accent = rgb(0x6CA6F5);
        t.onAccent = rgb(0x0C1422);
        t.link = rgb(0x84B5F8);
        t.selection = rgb(0x23406B);
        t.hover = rgb(0x2B3038);
        t.target = rgb(0x2B394D);
        t.button = rgb(0x2D323B);
        t.popup = rgb(0x2A2F37);
        t.staleStrip = rgb(0x393D45);
        t.skeleton = rgb(0x363A41);
        t.ink = rgb(0xD5D9E0);
        t.onInk = rgb(0x16191F);
        t.scrim = QColor(0, 0, 0, 115);
        t.bandMinMax = rgb(0x374C6A);
        t.errStatus = rgb(0xB4BAC5);
        t.errSemantic = rgb(0x7E8694);
        t.m_states = {StateFill{rgb(0x1A7F66), rgb(0xFFFFFF)}, StateFill{rgb(0xE8B52F), rgb(0x000000)},
                      StateFill{rgb(0x9B54B8), rgb(0xFFFFFF)}, StateFill{rgb(0xE01208), rgb(0xFFFFFF)},
                      StateFill{rgb(0x76BAFE), rgb(0x000000)}, StateFill{rgb(0xA6A8AB), rgb(0x000000)}};
        return t;
    }();
    return tokens;
}

StateFill Tokens::fill(ProbeState state) const
{
    return m_states[static_cast<std::size_t>(state)];
}

StateFill Tokens::fill(Tone tone) const
{
    return tone == Tone::Neutral ? StateFill{text3, text} : m_states[static_cast<std::size_t>(tone)];
}

int metrics::rowHeight(Density density, int fontHeight)
{
    switch (density) {
    case Density::Compact:
        return fitted(22, fontHeight, 4);
    case Density::Normal:
        return fitted(28, fontHeight, 8);
    case Density::Large:
        return fitted(44, fontHeight, 16);
    }
    return 28;
}

} // namespace weir::ui
