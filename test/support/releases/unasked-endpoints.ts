import { readFileSync } from 'node:fs'
import { NOT_ASKED } from './questions.ts'

/** Documents of the API, by which a release has to be asked everything that can be read. */
const API = ['tracks', 'publications', 'dashboard'].map(
  (part) => new URL(`../../../docs/api/${part}.openapi.json`, import.meta.url),
)

/** Returns the endpoints of the API that read and to which none of these paths leads. */
export function unaskedEndpoints(paths: readonly string[]): string[] {
  const asked = paths.map((path) => path.split('?')[0])
  const missing = API.flatMap((document) => {
    const { paths: endpoints } = JSON.parse(readFileSync(document, 'utf8')) as { paths: Record<string, object> }
    return Object.entries(endpoints).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  }).filter((path) => {
    const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`)
    return !NOT_ASKED.some((except) => except.test(path)) && !asked.some((one) => pattern.test(one))
  })
  return [...new Set(missing)]
}
