import { setTimeout as wait } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/logger.ts'
import { addServiceGauge } from '#platform/metrics/service-gauges.ts'
import type { AuditHead, AuditStore } from '../storage/audit-store.ts'
import { type AuditVerification, verifyAuditLog } from './verify-audit-log.ts'

const CHECK_EVERY_MS = 86_400_000
const LOOK_IF_DUE_EVERY_MS = 60_000
/** The pace, which leaves the thread to requests: some milliseconds for a page, and ten times as much between two. */
const PAGE_SIZE = 200
const PAUSE_MS = 20

type Deps = { store: Pick<AuditStore, 'after' | 'extent'>; registry: Registry; logger: Logger; now: () => number }

/**
 * Checks the chain of the audit log a minute after the start and then every day, and tells what it found in the log and
 * in metrics. It remembers the end that it saw, so that a log which is written anew as a whole is noticed too, by the
 * instances that saw the former one.
 */
export class AuditCheck {
  readonly #deps: Deps
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
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

  start(): void {
    this.#timer = setInterval(() => {
      if (performance.now() >= this.#dueAtMs) void this.check()
    }, LOOK_IF_DUE_EVERY_MS).unref()
  }

  /** Checks the whole log now. Never rejects. */
  async check(): Promise<void> {
    this.#running ??= this.#check().finally(() => (this.#running = undefined))
    await this.#running
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
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
      if (!this.#closing.signal.aborted) logger.warn({ err }, 'checking the audit log failed')
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
