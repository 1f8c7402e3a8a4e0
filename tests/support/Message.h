// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <initializer_list>
#include <utility>

namespace weir::test {

/// A JSON object written as a list of members: `Message{{"seq", 1}, {"bootId", "b1"}}`.
class Message {
public:
    struct Value : QJsonValue {
        Value(const char* text) : QJsonValue(QString::fromUtf8(text)) {}
        Value(const QString& text) : QJsonValue(text) {}
        Value(const QByteArray& text) : QJsonValue(QString::fromUtf8(text)) {}
        Value(int number) : QJsonValue(number) {}
        Value(double number) : QJsonValue(number) {}
        Value(bool flag) : QJsonValue(flag) {}
        Value(const Message& object) : QJsonValue(object.m_object) {}
    };

    Message() = default;
    Message(std::initializer_list<std::pair<const char*, Value>> members)
    {
        for (const auto& [key, value] : members) {
            m_object.insert(QLatin1String(key), value);
        }
    }

    Message& set(const char* key, const Value& value)
    {
        m_object.insert(QLatin1String(key), value);
        return *this;
    }
    [[nodiscard]] bool has(const char* key) const { return m_object.contains(QLatin1String(key)); }
    [[nodiscard]] QByteArray json() const { return QJsonDocument(m_object).toJson(QJsonDocument::Compact); }

private:
    QJsonObject m_object;
};

} // namespace weir::test
