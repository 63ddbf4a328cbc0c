import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let tables: ((text: string) => string) | undefined

/**
 * Spells text of any script in ASCII, by the tables of AnyAscii. They take several megabytes, and most installations
 * read them with the first title that has an accent or not at all.
 */
export function asciiSpelling(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text
  tables ??= (require('any-ascii') as typeof import('any-ascii')).default
  return tables(text)
}
