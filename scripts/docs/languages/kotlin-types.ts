import { type ApiModel, camelCase, type Field, type FieldType } from './api-model.ts'

const NAMES = { string: 'String', integer: 'Long', number: 'Double', boolean: 'Boolean' }

/** Writes the types of the API in Kotlin. They read and write the JSON classes that Android has. */
export function kotlinTypes({ objects, enums }: ApiModel): string {
  const parts = [
    ...enums.map(({ name, values }) => `enum class ${name} { ${values.join(', ')} }`),
    ...objects.map(({ name, doc, fields }) =>
      [
        ...(doc === '' ? [] : [`/** ${doc} */`]),
        `data class ${name}(`,
        ...fields.flatMap((field) => [
          ...(field.doc === '' ? [] : [`    /** ${field.doc} */`]),
          `    val ${camelCase(field.name)}: ${typeName(field.type)}${field.isOptional ? '? = null' : ''},`,
        ]),
        ') {',
        '    fun toJson(): JSONObject = JSONObject().apply {',
        ...fields.map((field) => `        ${written(field)}`),
        '    }',
        '',
        '    companion object {',
        `        fun fromJson(json: JSONObject) = ${name}(`,
        ...fields.map((field) => `            ${camelCase(field.name)} = ${read(field)},`),
        '        )',
        '    }',
        '}',
      ].join('\n'),
    ),
  ]
  return `// Types of the API for apps, written by npm run docs from its description. Do not edit.

package org.trackpress.client

import org.json.JSONArray
import org.json.JSONObject

private fun <T> JSONObject.ifGiven(name: String, read: JSONObject.(String) -> T): T? = if (isNull(name)) null else read(name)

private fun <T> JSONArray.items(read: JSONArray.(Int) -> T): List<T> = List(length()) { read(it) }

${parts.join('\n\n')}
`
}

function written({ name, type, isOptional }: Field): string {
  const put = (value: string) => `put("${name}", ${toJson(type, value)})`
  return isOptional ? `${camelCase(name)}?.let { ${put('it')} }` : put(camelCase(name))
}

function toJson(type: FieldType, value: string): string {
  if (type.kind === 'enum') return `${value}.name`
  if (type.kind === 'object') return `${value}.toJson()`
  if (type.kind !== 'array') return value
  const item = toJson(type.of, 'item')
  return `JSONArray(${item === 'item' ? value : `${value}.map { item -> ${item} }`})`
}

function read({ name, type, isOptional }: Field): string {
  return isOptional
    ? `json.ifGiven("${name}") { ${fromJson(type, 'it')} }`
    : `json.run { ${fromJson(type, `"${name}"`)} }`
}

function fromJson(type: FieldType, key: string): string {
  if (type.kind === 'enum') return `${type.name}.valueOf(getString(${key}))`
  if (type.kind === 'object') return `${type.name}.fromJson(getJSONObject(${key}))`
  if (type.kind === 'array') return `getJSONArray(${key}).items { ${fromJson(type.of, 'it')} }`
  return `get${NAMES[type.kind]}(${key})`
}

function typeName(type: FieldType): string {
  if (type.kind === 'array') return `List<${typeName(type.of)}>`
  return 'name' in type ? type.name : NAMES[type.kind]
}
