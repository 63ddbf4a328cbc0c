import { setTimeout as wait } from 'node:timers/promises'
import { RETRY_SOON } from '#platform/errors.ts'
import type { Logger } from '#platform/logger.ts'
import { auditUnavailable } from '../errors.ts'
import type { AuditStore, NewAuditRecord } from '../storage/audit-store.ts'
import type { AuditEntry, AuditOutcome, AuditRefusal } from './audit-entry.ts'
import { RefusalCounter } from './refusal-counter.ts'

/** The log of what operators and admin commands do, which grows only at its end. */
export type AuditLog = {
  /**
   * Records what is about to be done. When it resolves, the record is on disk, and the change may begin.
   * @returns the position of the record
   * @throws auditUnavailable if it cannot be written, so that the change must not happen
   */
  begin(entry: AuditEntry): Promise<number>
  /** Records how it ended, soon. A record without an outcome was interrupted. Never throws. */
  end(position: number, outcome: AuditOutcome): void
  /** Counts what was refused; recorded once a minute. */
  refuse(refusal: AuditRefusal): void
  /** Writes the counted refusals and the outcomes that wait. Never rejects. */
  flush(): Promise<void>
  /** Writes what is left, and stops. */
  close(): Promise<void>
}

type Waiting = { record: NewAuditRecord; resolve(position: number): void; reject(error: unknown): void }

const FLUSH_EVERY_MS = 60_000
/** Records of one transaction. */
const MAX_BATCH = 100
/** Pauses before further attempts to write an outcome, while the database is away. */
const RETRY_AFTER_MS = [1000, 10_000]
/** Longest text from a client that is kept. */
const MAX_TEXT_LENGTH = 300

type Deps = { store: Pick<AuditStore, 'append'>; logger: Logger; now: () => number }

export function createAuditLog({ store, logger, now }: Deps): AuditLog {
  const refusals = new RefusalCounter()
  const ending = new Set<Promise<void>>()
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined
  const closing = new AbortController()
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref()

  /** One transaction at a time; what arrives meanwhile shares the next. */
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
      write(record).catch((err) => logger.error({ err, ...record }, 'refusals could not be added to the audit log')),
    )
    await Promise.all([...written, ...ending])
  }

  return {
    async begin(entry) {
      try {
        return await write(recordOf(entry, now()))
      } catch (cause) {
        throw auditUnavailable({ cause, headers: RETRY_SOON })
      }
    },

    end(position, { outcome, status, result }) {
      const details = JSON.stringify(result === undefined ? {} : { result })
      const record = { at: now(), outcome_of: position, outcome, status: status ?? null, details }
      const written = writeOutcome(position, { ...record, subject_id: result?.id ?? null })
      ending.add(written)
      void written.finally(() => ending.delete(written))
    },

    refuse: (refusal) => refusals.add(refusal),
    flush,

    async close() {
      clearInterval(timer)
      closing.abort()
      await flush()
    },
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
