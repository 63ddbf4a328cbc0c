import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A place within a bundled file of a build, as a stack trace names it. */
const BUNDLED_PLACE = /(file:\/\/[^\s():]+\/chunks\/[^\s()/]+\.js):(\d+):(\d+)/g

const maps = new Map<string, SourceMap | undefined>()

/**
 * Returns a stack trace with the places in the files that were bundled, whose lines are those of the sources. A source
 * map is read when a trace first needs it: Node.js, if asked to do this, reads all of them at the start, some 20 MiB.
 */
export function originalStack(stack: string): string {
  return stack.replace(BUNDLED_PLACE, (place, bundled: string, line: string, column: string) => {
    if (!maps.has(bundled)) maps.set(bundled, readMap(bundled))
    // Stack traces count lines and columns from 1.
    const origin = maps.get(bundled)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (origin === undefined || !('originalSource' in origin)) return place
    return `${new URL(origin.originalSource, bundled).href}:${origin.originalLine + 1}:${origin.originalColumn + 1}`
  })
}

function readMap(bundled: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundled)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
