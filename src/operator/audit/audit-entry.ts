import type { FindName, FindValues, NamesByKind, ValuesByKind } from '#platform/credentials/audited.ts'

/** A thing that something was done to, with its name at that time. */
export type AuditSubject = { kind: string; id: string | null; name: string | null }

/** Part of the program through which something was done. */
export type AuditSource = 'dashboard' | 'admin' | 'api' | 'server'

/** Somebody who did something: an operator, or the system user who ran a command. */
export type AuditActor = { id: string | null; name: string | null }

/** Something that somebody is about to do. */
export type AuditEntry = {
  source: AuditSource
  /** The operationId of the request, or the words of the command. */
  action: string
  actor: AuditActor
  subject: AuditSubject
  /** The thing that the subject belongs to. */
  within?: AuditSubject | undefined
  address?: string
  sessionId?: string
  browser?: string
  requestId?: string
  /** Further facts. No secrets, and no positions. */
  details?: Record<string, unknown>
}

/** `refused` is a response of 400 to 499, `failed` one of 500 or more. */
export const AUDIT_OUTCOMES = ['succeeded', 'refused', 'failed'] as const
type AuditOutcomeWord = (typeof AUDIT_OUTCOMES)[number]

/** The end of something: its success, and the thing that was created. */
export type AuditOutcome = {
  outcome: AuditOutcomeWord
  status?: number
  result?: { id: string; name: string | null } | undefined
}

/**
 * Something that was refused before it could change anything. Refusals of one kind, address and minute become one
 * record, so that a flood of them cannot fill the disk.
 */
export type AuditRefusal = {
  source: AuditSource
  action: string
  address: string
  status: number
  actor?: AuditActor | undefined
  subject?: AuditSubject | undefined
  /** SHA-256 of the refused credential in hexadecimal, of which the log keeps the first characters. */
  sha256?: string | undefined
}

/** Returns the word for the status of a response. */
export function outcomeOf(status: number): AuditOutcomeWord {
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'succeeded'
}

/** Returns the thing that a command or a request answers with. */
export function resultOf(answer: unknown): AuditOutcome['result'] {
  if (typeof answer !== 'object' || answer === null) return undefined
  const { id, name, title } = answer as { id?: unknown; name?: unknown; title?: unknown }
  const named = name ?? title
  return typeof id === 'string' ? { id, name: typeof named === 'string' ? named : null } : undefined
}

/** A thing that a route names, before its name is looked up. */
export type NamedThing = Pick<AuditSubject, 'kind' | 'id'>

/** A parameter of routes that is no name of a thing, but the credential of who asks. */
const SECRET = ':token'

/**
 * Returns the thing that a route changes, and its owner. For `/operator/events/:id/tokens/:tokenId` that is the token,
 * which belongs to the event. A route without parameters changes the last word of its address.
 */
export function subjectOfRoute(
  pattern: string,
  params: Readonly<Record<string, string | undefined>>,
): { subject: NamedThing; within: NamedThing | undefined } {
  const words = pattern.split('/').filter((word) => word !== '' && word !== 'operator')
  const things = words.flatMap((word, i) =>
    word.startsWith(':') && word !== SECRET
      ? [{ kind: singular(words[i - 1] ?? ''), id: params[word.slice(1)] ?? null }]
      : [],
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

/** Finds the names of things by their kind, which the services know. */
export type SubjectNames = ReturnType<typeof createSubjectNames>

export function createSubjectNames() {
  const known = new Map<string, FindName>()
  // Both services have webhooks.
  const knownValues = new Map<string, FindValues[]>()
  return {
    /** Adds the kinds of a service. */
    add(names: NamesByKind, values: ValuesByKind = {}): void {
      for (const [kind, find] of Object.entries(values)) knownValues.set(kind, [...(knownValues.get(kind) ?? []), find])
      for (const [kind, find] of Object.entries(names)) known.set(kind, find)
    },

    /** Returns the present values of a thing; undefined if none are known. */
    async valuesOf(
      kind: string,
      id: string | null,
      withinId: string | null | undefined,
    ): Promise<Readonly<Record<string, unknown>> | undefined> {
      if (id === null) return undefined
      for (const find of knownValues.get(kind) ?? []) {
        const values = await find(id, withinId ?? undefined).catch(() => undefined)
        if (values !== undefined) return values
      }
      return undefined
    },

    /** Returns the name of a thing; null if it has none, or its service cannot tell at the moment. */
    async find(kind: string, id: string | null, withinId: string | null | undefined): Promise<string | null> {
      if (id === null) return null
      // The change itself says whether the thing exists, and fails if its database is away.
      return (
        (await known
          .get(kind)?.(id, withinId ?? undefined)
          .catch(() => null)) ?? null
      )
    },
  }
}
