import type { Operation } from './operations.ts'
import type { Schema } from './schema.ts'

/** Builds an example value from a schema's examples; undefined if neither it nor its parts have any. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.properties !== undefined) {
    const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const)
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
  }
  if (schema.items !== undefined) return [exampleOf(schema.items)]
  return undefined
}

/** Type of a file whose format the server finds out by itself. */
const ANY_FILE = 'application/octet-stream'

/**
 * Writes the request as a curl command, with the token in `$TOKEN`, path parameters in variables such as `$ID`, and the
 * name of a file in `$FILE`.
 */
export function curlOf(operation: Operation, baseUrl: string): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const query = operation.parameters
    .filter(({ place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const address = `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const method = operation.method === 'get' ? [] : [`-X ${operation.method.toUpperCase()}`]
  const token = operation.security === 'token' ? ['-H "X-API-Key: $TOKEN"'] : []
  const session = operation.security === 'session' ? ['-b "$COOKIE"'] : []
  const follow = isRedirect(operation) ? ['-LOJ'] : []
  return (
    ['curl', ...method, ...follow, `"${address}"`].join(' ') +
    [...token, ...session, ...bodyOf(operation)].map(onItsOwnLine).join('')
  )
}

function bodyOf({ body, fileTypes }: Operation): string[] {
  if (body !== undefined)
    return [typeHeader('application/json'), `-d ${quoted(JSON.stringify(exampleOf(body), null, 2))}`]
  if (fileTypes.length === 0) return []
  return [typeHeader(fileTypes.includes(ANY_FILE) ? ANY_FILE : fileTypes[0]), '--data-binary "@$FILE"']
}

function typeHeader(type: string): string {
  return `-H 'Content-Type: ${type}'`
}

/** Tells whether the answer only leads to a file, which curl then has to follow and to save under its own name. */
function isRedirect({ answers }: Operation): boolean {
  return answers.length > 0 && answers.every(({ status }) => status.startsWith('3'))
}

/** Spells a name of the API as a variable of the shell. */
function variableOf(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

function onItsOwnLine(argument: string): string {
  return ` \\\n  ${argument}`
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
