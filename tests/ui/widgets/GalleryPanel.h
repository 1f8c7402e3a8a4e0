// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/Theme.h"

#include <QWidget>

class QVBoxLayout;

namespace weir::ui {

/// Every small part in its states, one theme; 640×800.
class GalleryPanel : public QWidget {
    Q_OBJECT

public:
    explicit GalleryPanel(const Theme& theme, QWidget* parent = nullptr);

private:
    void addCaption(const QString& text);
    void addRow(QList<QWidget*> widgets);
    void addButtons();
    void addBars();
    void addTiles();
    void addTables();

    const Theme& m_theme;
    QVBoxLayout* m_layout;
};

} // namespace weir::ui
