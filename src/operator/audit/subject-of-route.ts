import type { AuditSubject } from './audit-entry.ts'

/** A thing that a route names, before its name is looked up. */
type NamedThing = Pick<AuditSubject, 'kind' | 'id'>

/**
 * Returns the thing that a route changes, and the one that it belongs to. Of `/operator/events/:id/tokens/:tokenId` it
 * is the token, which belongs to the event. A route without parameters changes the last word of its address.
 */
export function subjectOfRoute(
  pattern: string,
  params: Readonly<Record<string, string | undefined>>,
): { subject: NamedThing; within: NamedThing | undefined } {
  const words = pattern.split('/').filter((word) => word !== '' && word !== 'operator')
  const things = words.flatMap((word, i) =>
    word.startsWith(':') ? [{ kind: singular(words[i - 1] ?? ''), id: params[word.slice(1)] ?? null }] : [],
  )
  const last = things.at(-1)
  if (last !== undefined) return { subject: last, within: things.at(-2) }
  return { subject: { kind: singular(words.at(-1) ?? ''), id: null }, within: undefined }
}

/** Returns the part of a thing that a route names behind it: `course` of `/operator/events/:id/course`. */
export function partOfRoute(pattern: string): string | undefined {
  const words = pattern.split('/')
  const last = words.at(-1)!
  return last.startsWith(':') || !words.some((word) => word.startsWith(':')) ? undefined : last
}

/** Returns the kind of the things in a collection: `deliveries` has a `delivery`. */
export function singular(collection: string): string {
  return collection.replace(/ies$/, 'y').replace(/s$/, '')
}
