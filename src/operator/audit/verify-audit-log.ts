import { setTimeout as wait } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/basics/logger.ts'
import { addServiceGauge } from '#platform/basics/metrics.ts'
import type { AuditRow } from '../model/tables.ts'
import { type AuditHead, type AuditStore, type ChainFault, findChainFault } from './audit-store.ts'

/** State of the log: its extent, and the first fault if there is one. */
type AuditVerification = {
  records: number
  first: number | null
  /** Position and hash of the newest record, to be kept elsewhere and compared later. */
  head: string | null
  fault: ChainFault | null
}

/** Pace at which a log is read: records at once, and the pause after them. */
type Pace = { pageSize: number; pause(): Promise<void> }

/** The pace of a command, which nobody else waits for. */
const FAST: Pace = { pageSize: 1000, pause: async () => {} }

/**
 * Reads the whole log and checks that no record was changed, exchanged or removed within its retention.
 * With a head that was noted before, checks that the log still leads through it: without one, a log that
 * was written anew as a whole looks complete.
 */
export async function verifyAuditLog(
  store: AuditStore,
  noted: AuditHead | undefined,
  { pageSize, pause }: Pace = FAST,
): Promise<AuditVerification> {
  const removals: { through: number; hash: string }[] = []
  let first: AuditRow | undefined
  let last: AuditRow | undefined
  let records = 0
  let fault: ChainFault | undefined
  for (let at = 0; ; at = last!.position) {
    const rows = await store.after(at, pageSize)
    if (rows.length === 0) break
    await pause()
    for (const row of rows) {
      first ??= row
      fault ??= findChainFault(last, row) ?? findOtherHash(noted, row)
      if (row.action === 'removeOldAuditRecords') removals.push(JSON.parse(row.details))
      last = row
      records++
    }
  }
  fault ??= findMissingStart(first, removals) ?? findMissingEnd(noted, last)
  const head = last === undefined ? null : `${last.position}:${last.hash}`
  return { records, first: first?.position ?? null, head, fault: fault ?? null }
}

function findOtherHash(noted: AuditHead | undefined, { position, hash }: AuditRow): ChainFault | undefined {
  if (noted?.position !== position || noted.hash === hash) return undefined
  return { position, problem: 'The record has another hash than the one that was noted.' }
}

/** Older records may be missing only if their removal is recorded. */
function findMissingStart(
  first: AuditRow | undefined,
  removals: readonly { through: number; hash: string }[],
): ChainFault | undefined {
  if (first === undefined || first.position === 1) return undefined
  const isRecorded = removals.some(({ through, hash }) => through === first.position - 1 && hash === first.previous)
  if (isRecorded) return undefined
  return { position: first.position, problem: 'The records before this one were removed, and the log does not say so.' }
}

function findMissingEnd(noted: AuditHead | undefined, last: AuditRow | undefined): ChainFault | undefined {
  if (noted === undefined || (last !== undefined && last.position >= noted.position)) return undefined
  return { position: noted.position, problem: 'The newest records were removed: the noted one is missing.' }
}

const CHECK_EVERY_MS = 86_400_000
/** The pace, which leaves the thread to requests: some milliseconds for a page, and ten times as much between two. */
const PAGE_SIZE = 200
const PAUSE_MS = 20

type Deps = { store: AuditStore; registry: Registry; logger: Logger; now: () => number }

/**
 * Checks the chain of the audit log a minute after the start and then every day, and reports the result in the log and
 * in metrics. It remembers the end of the chain, so that an instance also notices a log that was written anew as a
 * whole.
 */
export class AuditCheck {
  readonly #deps: Deps
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #dueAtMs = 0
  #noted: AuditHead | undefined
  #checkedMs = 0
  #isBroken = false

  constructor(deps: Deps) {
    this.#deps = deps
    const { registry, store } = deps
    const extent = async () => (await store.extent()) ?? { records: 0, newestMs: 0 }
    const add = (name: string, help: string, read: () => number | Promise<number>) =>
      addServiceGauge(registry, 'operator', { name, help }, async () => [{ value: await read() }])
    add('audit_records', 'Records of the audit log.', async () => (await extent()).records)
    add(
      'audit_newest_record_seconds',
      'Unix time of the newest record of the audit log; 0 without any.',
      async () => (await extent()).newestMs / 1000,
    )
    add(
      'audit_chain_checked_seconds',
      'Unix time of the last check of the audit log by this instance; 0 before the first.',
      () => this.#checkedMs / 1000,
    )
    add('audit_chain_broken', '1 if the last check found the audit log changed, 0 otherwise.', () =>
      this.#isBroken ? 1 : 0,
    )
  }

  /** Tells whether the last check was a day ago, or failed. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAtMs
  }

  /** Checks the whole log now. Rejects if it cannot be read. */
  async check(): Promise<void> {
    this.#running ??= this.#check().finally(() => (this.#running = undefined))
    await this.#running
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #check(): Promise<void> {
    const { logger, now } = this.#deps
    try {
      let found = await this.#verify()
      // Old records may have been removed while it read: then a second look sees none of it.
      if (found.fault !== null) found = await this.#verify()
      this.#isBroken = found.fault !== null
      this.#checkedMs = now()
      this.#dueAtMs = performance.now() + CHECK_EVERY_MS
      if (found.fault !== null) logger.error({ ...found.fault }, 'the audit log was changed')
      else this.#noted = headOf(found)
    } catch (err) {
      if (!this.#closing.signal.aborted) throw err
    }
  }

  async #verify(): Promise<AuditVerification> {
    const pause = () => wait(PAUSE_MS, undefined, { ref: false, signal: this.#closing.signal })
    return await verifyAuditLog(this.#deps.store, this.#noted, { pageSize: PAGE_SIZE, pause })
  }
}

function headOf({ head }: AuditVerification): AuditHead | undefined {
  if (head === null) return undefined
  const [position, hash] = head.split(':')
  return { position: Number(position), hash }
}
