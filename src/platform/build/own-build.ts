import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BUILT_MARK } from './built-sources.ts'

/** Returns the hash of the sources of the build that runs; undefined for sources that run as they are. */
export function ownBuild(): string | undefined {
  const mark = fileURLToPath(new URL(`../../${BUILT_MARK}`, import.meta.url))
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
}
