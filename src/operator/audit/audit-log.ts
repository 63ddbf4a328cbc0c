import { setTimeout as wait } from 'node:timers/promises'
import { RETRY_SOON_SEC } from '#platform/basics/errors.ts'
import type { Logger } from '#platform/basics/logger.ts'
import { addressGroup } from '#platform/http/client.ts'
import { auditUnavailable } from '../model/errors.ts'
import type { AuditEntry, AuditOutcome, AuditRefusal } from './audit-entry.ts'
import type { AuditStore, NewAuditRecord } from './audit-store.ts'

/** The log of actions by operators and admin commands, which grows only at its end. */
export type AuditLog = ReturnType<typeof createAuditLog>

type Waiting = { record: NewAuditRecord; resolve(position: number): void; reject(error: unknown): void }

/** Records of one transaction. */
const MAX_BATCH = 100
/** Pauses before further attempts to write an outcome, while the database is away. */
const RETRY_AFTER_MS = [1000, 10_000]
/** Longest text from a client that is kept. */
const MAX_TEXT_LENGTH = 300

type Deps = { store: AuditStore; logger: Logger; now: () => number }

export function createAuditLog({ store, logger, now }: Deps) {
  const refusals = new RefusalCounter()
  const ending = new Set<Promise<void>>()
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  const closing = new AbortController()

  /** One transaction at a time; records that arrive meanwhile share the next. */
  function write(record: NewAuditRecord): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    waiting.push({ record, resolve, reject })
    writing ??= writeAll().finally(() => (writing = undefined))
    return promise
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      try {
        const positions = await store.append(batch.map(({ record }) => record))
        for (const [i, { resolve }] of batch.entries()) resolve(positions[i])
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  async function writeOutcome(position: number, record: NewAuditRecord): Promise<void> {
    for (const pauseMs of [...RETRY_AFTER_MS, undefined]) {
      try {
        await write(record)
        return
      } catch (err) {
        if (pauseMs === undefined || closing.signal.aborted) {
          const { outcome, status } = record
          logger.error(
            { err, position, outcome, status },
            'the outcome of a change could not be added to the audit log',
          )
          return
        }
        // A stop makes the last attempt at once.
        await wait(pauseMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
      }
    }
  }

  async function flush(): Promise<void> {
    const records = refusals.take(now())
    const written = records.map((record) =>
      write(record).catch((err) => {
        logger.error({ err, ...record }, 'refusals could not be added to the audit log')
        return err as Error
      }),
    )
    const [failure] = (await Promise.all([...written, ...ending])).filter((result) => result instanceof Error)
    if (failure !== undefined) throw failure
  }

  return {
    /**
     * Records an action before it happens. When it resolves, the record is on disk, and the change may begin.
     * @returns the position of the record
     * @throws auditUnavailable if it cannot be written, so that the change must not happen
     */
    async begin(entry: AuditEntry): Promise<number> {
      try {
        return await write(recordOf(entry, now()))
      } catch (cause) {
        throw auditUnavailable({ cause, retryAfterSec: RETRY_SOON_SEC })
      }
    },

    /** Records how it ended, soon. A record without an outcome was interrupted. Never throws. */
    end(position: number, { outcome, status, result }: AuditOutcome): void {
      const details = JSON.stringify(result === undefined ? {} : { result })
      const record = { at: now(), outcome_of: position, outcome, status: status ?? null, details }
      const written = writeOutcome(position, { ...record, subject_id: result?.id ?? null })
      ending.add(written)
      void written.finally(() => ending.delete(written))
    },

    /** Counts a refusal; recorded once a minute. */
    refuse: (refusal: AuditRefusal): void => refusals.add(refusal),
    /** Writes the counted refusals and the outcomes that wait. Rejects if a refusal could not be written. */
    flush,

    /** Writes the remaining records, and stops. */
    async close(): Promise<void> {
      closing.abort()
      // Failures are in the log of the server.
      await flush().catch(() => {})
    },
  }
}

/**
 * Makes a change between a record before it and its outcome after it, with the thing that `resultOf` finds.
 * @throws auditUnavailable if it cannot be recorded; then nothing is changed. Also throws the errors of the change
 */
export async function recordAround<Result>(
  audit: AuditLog,
  entry: AuditEntry,
  run: () => Promise<Result>,
  resultOf?: (result: Result) => AuditOutcome['result'],
): Promise<Result> {
  const position = await audit.begin(entry)
  try {
    const result = await run()
    audit.end(position, { outcome: 'succeeded', result: resultOf?.(result) })
    return result
  } catch (error) {
    audit.end(position, { outcome: 'failed' })
    throw error
  }
}

function recordOf(entry: AuditEntry, at: number): NewAuditRecord {
  const { source, action, actor, subject, within, address, sessionId, requestId, details = {} } = entry
  return {
    at,
    source,
    action,
    actor_id: actor.id,
    actor_name: actor.name,
    subject_kind: subject.kind,
    subject_id: cut(subject.id),
    subject_name: cut(subject.name),
    within_kind: within?.kind ?? null,
    within_id: cut(within?.id),
    within_name: cut(within?.name),
    address: address ?? null,
    session_id: sessionId ?? null,
    browser: cut(entry.browser),
    request_id: requestId ?? null,
    details: JSON.stringify(details),
  }
}

function cut(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', '').toWellFormed()
}

/** Records of refusals in a minute, besides one for all others. At 500 bytes each, a day of floods takes 15 MB. */
const MAX_RECORDS = 20
/** Characters kept of the hash of a refused credential: enough to tell two apart, useless for finding it. */
const HASH_PREFIX = 8
/** Different credentials whose hashes a record names. */
const MAX_HASHES = 5

type Counted = { refusal: AuditRefusal; count: number; hashes: Set<string> }

/** Refusals of the current minute, counted by kind, address and attempted credential. */
class RefusalCounter {
  #counted = new Map<string, Counted>()
  #others = new Map<string, number>()

  /** Counts a refusal. Keeps nothing of a credential but the start of its hash. */
  add(refusal: AuditRefusal): void {
    const { action, address, actor, subject, status, sha256 } = refusal
    const key = JSON.stringify([action, addressGroup(address), actor?.id, subject?.id, status])
    const known = this.#counted.get(key)
    if (known === undefined && this.#counted.size >= MAX_RECORDS) {
      this.#others.set(action, (this.#others.get(action) ?? 0) + 1)
      return
    }
    const counted = known ?? { refusal: { ...refusal, sha256: undefined }, count: 0, hashes: new Set<string>() }
    counted.count++
    if (sha256 !== undefined && counted.hashes.size < MAX_HASHES) counted.hashes.add(sha256.slice(0, HASH_PREFIX))
    this.#counted.set(key, counted)
  }

  /** Returns the records of the counted refusals, and starts over. */
  take(nowMs: number): NewAuditRecord[] {
    const records = [...this.#counted.values()].map((counted) => refusalRecord(counted, nowMs))
    const others = [...this.#others]
    this.#counted = new Map()
    this.#others = new Map()
    if (others.length === 0) return records
    const count = others.reduce((sum, [, number]) => sum + number, 0)
    // The actions are defined by the program, which has a few dozen.
    const details = JSON.stringify({ actions: Object.fromEntries(others) })
    return [...records, { at: nowMs, source: 'server', action: 'refuseOthers', outcome: 'refused', count, details }]
  }
}

function refusalRecord({ refusal, count, hashes }: Counted, nowMs: number): NewAuditRecord {
  const { source, action, actor, subject, address, status } = refusal
  return {
    at: nowMs,
    source,
    action,
    actor_id: actor?.id ?? null,
    actor_name: actor?.name ?? null,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    subject_name: subject?.name ?? null,
    address,
    count,
    outcome: 'refused',
    status,
    details: JSON.stringify(hashes.size === 0 ? {} : { sha256_prefixes: [...hashes] }),
  }
}
