import type { StoredAnswer } from './exchange.ts'

/** Members that are about the request and its moment, and not about what is stored. */
const OWN_TO_A_REQUEST = new Set(['request_id', 'as_of'])

/**
 * Lists what differs between an answer of an older version and the present one, as paths with both values. A present
 * answer may have more: members of objects, lines of a page. It may not have less, and lists must be as long.
 * @param timely members that depend on the time of the request
 */
export function differences(stored: StoredAnswer, present: StoredAnswer, timely: readonly string[] = []): string[] {
  const found = [
    ...unequal('status', stored.status, present.status),
    ...unequal('type', stored.type, present.type),
    ...unequal('location', stored.location, present.location),
    ...unequal('sha256', stored.sha256, present.sha256),
    ...('json' in stored ? differentValues('json', stored.json, present.json) : []),
    ...missingLines(stored, present),
  ]
  return found.filter((difference) => !timely.some((member) => difference.startsWith(`json.${member}:`)))
}

/** Lines of a page that say when it was made. */
const MADE_AT = /^(As of \d\d:\d\d|No network\. This is the last known state, of )/

function missingLines(stored: StoredAnswer, present: StoredAnswer): string[] {
  const lines = (stored.lines ?? []).filter((line) => !MADE_AT.test(line))
  // A page may gain texts. Other texts, such as tables, are read by programs.
  if (stored.type !== 'text/html') return unequal('lines', stored.lines, present.lines)
  return lines
    .filter((line) => present.lines?.includes(line) !== true)
    .map((line) => `line ${JSON.stringify(line)} is gone`)
}

function differentValues(path: string, stored: unknown, present: unknown): string[] {
  if (typeof stored !== 'object' || stored === null) return unequal(path, stored, present)
  if (typeof present !== 'object' || present === null) return unequal(path, stored, present)
  if (Array.isArray(stored)) {
    if (!Array.isArray(present) || present.length !== stored.length) return unequal(path, stored, present)
    return stored.flatMap((value, at) => differentValues(`${path}[${at}]`, value, present[at]))
  }
  return Object.entries(stored)
    .filter(([name]) => !OWN_TO_A_REQUEST.has(name))
    .flatMap(([name, value]) => differentValues(`${path}.${name}`, value, (present as Record<string, unknown>)[name]))
}

function unequal(path: string, stored: unknown, present: unknown): string[] {
  const [before, now] = [stored, present].map((value) => withoutSignatures(JSON.stringify(value) ?? 'nothing'))
  return before === now ? [] : [`${path}: ${shortened(now)} instead of ${shortened(before)}`]
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** A signed address names the time at which it ends. */
function withoutSignatures(text: string): string {
  return text.replace(/\bexpires=\d+/g, 'expires=…').replace(/\bsignature=[\w-]+/g, 'signature=…')
}
