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

/** Writes the request as a curl command, with the token in `$TOKEN` and path parameters in variables such as `$ID`. */
export function curlOf(operation: Operation, baseUrl: string): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const query = operation.parameters
    .filter(({ place, example }) => place === 'query' && example !== undefined)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  const address = `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  const method = operation.method === 'get' ? [] : [`-X ${operation.method.toUpperCase()}`]
  const token = operation.security === 'token' ? ['-H "X-API-Key: $TOKEN"'] : []
  const session = operation.security === 'session' ? ['-b "$COOKIE"'] : []
  const body =
    operation.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(operation.body), null, 2))}`]
  return (
    ['curl', [...method, `"${address}"`].join(' ')].join(' ') +
    [...token, ...session, ...body].map(onItsOwnLine).join('')
  )
}

function onItsOwnLine(argument: string): string {
  return ` \\\n  ${argument}`
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
