import { type ApiModel, camelCase, type Field, type FieldType } from './api-model.ts'

const NAMES = { string: 'String', integer: 'Int', number: 'Double', boolean: 'Bool' }

/** Writes the types of the API in Swift. `JSONEncoder` and `JSONDecoder` read and write them without settings. */
export function swiftTypes({ objects, enums }: ApiModel): string {
  const parts = [
    ...enums.map(({ name, values }) =>
      [`public enum ${name}: String, Codable, Sendable {`, ...values.map((value) => `    case ${value}`), '}'].join(
        '\n',
      ),
    ),
    ...objects.map(({ name, doc, fields }) =>
      [
        ...docLines(doc, ''),
        `public struct ${name}: Codable, Equatable, Sendable {`,
        ...fields.flatMap((field) => [...docLines(field.doc, '    '), `    public var ${declared(field)}`]),
        '',
        ...initializer(fields),
        '',
        '    private enum CodingKeys: String, CodingKey {',
        ...fields.map(({ name: key }) => `        case ${keyCase(key)}`),
        '    }',
        '}',
      ].join('\n'),
    ),
  ]
  return `// Types of the API for apps, written by npm run docs from its description. Do not edit.\n\n${parts.join('\n\n')}\n`
}

function initializer(fields: readonly Field[]): string[] {
  const parameters = fields.map((field) => `        ${declared(field)}${field.isOptional ? ' = nil' : ''}`)
  const assignments = fields.map(({ name }) => `        self.${camelCase(name)} = ${camelCase(name)}`)
  return ['    public init(', parameters.join(',\n'), '    ) {', ...assignments, '    }']
}

function declared({ name, type, isOptional }: Field): string {
  return `${camelCase(name)}: ${typeName(type)}${isOptional ? '?' : ''}`
}

function keyCase(name: string): string {
  return camelCase(name) === name ? name : `${camelCase(name)} = "${name}"`
}

function typeName(type: FieldType): string {
  if (type.kind === 'array') return `[${typeName(type.of)}]`
  return 'name' in type ? type.name : NAMES[type.kind]
}

function docLines(doc: string, indent: string): string[] {
  return doc === '' ? [] : doc.split('\n').map((line) => `${indent}/// ${line}`)
}
