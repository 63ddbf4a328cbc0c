import { hash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { KeptData, NamedBlob } from '../backup/kept-data.ts'
import type { Logger } from '../basics/logger.ts'
import { addServiceGauge } from '../basics/metrics.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import {
  createInspectionStore,
  type FoundDamage,
  type InspectionStore,
  type InspectionTables,
  type Round,
} from './inspection-store.ts'
import { type FileProblem, findNamed, lookAtFile, type Place, type StoredThing, storedData } from './stored-data.ts'

/** A round begins a day after the one before it, or once that has ended. */
const ROUND_EVERY_MS = 86_400_000
/** In each round, one of as many parts is read as a whole. Of other files, existence and size are looked at. */
const PARTS = 7
/** Longer than anything takes between two renewals. */
const LEASE_MS = 120_000
const SAVE_EVERY_MS = 10_000
/** The pace, which leaves disk, network and processor to everybody else: the pause at each thing, and for its bytes. */
const PAUSE_MS = 20
const BYTES_PER_MS = 8_000

type Deps = {
  kept: KeptData
  db: Kysely<unknown>
  store: InspectionStore
  /** Opens the store of files; undefined if the service has none. */
  blobs: (() => Promise<BlobStore>) | undefined
  logger: Logger
  now: () => number
  /** Replaces the pauses, for tests. */
  pause?: (ms: number) => Promise<void>
}

/**
 * Looks at all stored data of a service, again and again and slowly, and notes missing or damaged parts. One instance
 * does it, under a lease; after a crash, another goes on at the last noted place.
 */
export class DataInspector {
  readonly #deps: Deps
  readonly #owner = randomUUID()
  #running: Promise<void> | undefined
  #closing = new AbortController()
  #leasedMs = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Continues the current round, or begins the next if it is due. Rejects after a failure. */
  async inspect(): Promise<void> {
    this.#running ??= this.#inspect().finally(() => (this.#running = undefined))
    await this.#running
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #inspect(): Promise<void> {
    const { store, now } = this.#deps
    try {
      if (!(await this.#renew())) return
      const round = await store.currentRound(now(), now() - ROUND_EVERY_MS)
      if (round !== undefined && (await this.#goOn(round))) await store.endRound(round, this.#owner, now())
      await store.release(this.#owner)
    } catch (err) {
      if (!this.#closing.signal.aborted) throw err
    }
  }

  /** @returns true if the round has come to its end */
  async #goOn(round: Round): Promise<boolean> {
    const { kept, db, store, now } = this.#deps
    // Data known to be damaged is read in every round, which tells whether it still is.
    const damaged = new Set(await store.damagedSubjects())
    const isDue = (key: string) =>
      hash('sha256', key, 'buffer').readUInt32BE() % PARTS === round.number % PARTS || damaged.has(key)
    const from = round.position === null ? undefined : (JSON.parse(round.position) as Place)
    let last = from
    let before = from?.after
    let savedMs = now()
    for await (const thing of storedData(db, kept, from, isDue)) {
      if (this.#closing.signal.aborted || !(await this.#renew())) return false
      const isElsewhere = thing.place.leg !== last?.leg || thing.place.after !== last.after
      if (isElsewhere) {
        before = thing.place.leg === last?.leg ? last.after : undefined
        // All before this is done: a row may name several files.
        if (last !== undefined && now() - savedMs >= SAVE_EVERY_MS) {
          await store.reached(this.#owner, JSON.stringify(last))
          savedMs = now()
        }
        last = thing.place
      }
      await this.#look(thing, before, isDue)
    }
    return true
  }

  async #look(thing: StoredThing, before: string | undefined, isDue: (key: string) => boolean): Promise<void> {
    if ('bytes' in thing) {
      const { damage, bytes } = thing
      if (damage !== undefined)
        await this.#note({ ...damage, kind: 'chunk', problem: 'damaged', subject_id: damage.subjectId })
      return await this.#pause(bytes / BYTES_PER_MS)
    }
    const { db, kept, store } = this.#deps
    const { blob, place } = thing
    if (blob.isNamedAgain) return
    const wasDamaged = (await store.problemOf(blob.key)) !== undefined
    const readsAll = wasDamaged || isDue(blob.key)
    let found = await this.#lookAt(blob, readsAll)
    if (found !== undefined) {
      const now = await findNamed((after) => kept.blobs[place.leg](db, after), before, blob)
      found = now && (await this.#lookAt(now, readsAll))
    }
    if (found !== undefined) await this.#note({ key: blob.key, kind: 'file', ...found, subject_id: blob.subjectId })
    else if (wasDamaged) await store.forget(blob.key)
    await this.#pause(PAUSE_MS)
  }

  async #lookAt(blob: NamedBlob, readsAll: boolean): Promise<FileProblem | undefined> {
    const { db, kept, blobs } = this.#deps
    return await lookAtFile(await blobs!(), blob, {
      readsAll,
      onBytes: async (bytes) => {
        this.#closing.signal.throwIfAborted()
        await this.#renew()
        await this.#pause(bytes / BYTES_PER_MS)
      },
      onSum: kept.recordSum && (async (found) => await kept.recordSum!(db, blob.key, found)),
    })
  }

  async #note(found: Omit<FoundDamage & { subjectId?: string }, 'subjectId'>): Promise<void> {
    const { store, logger, now, kept } = this.#deps
    const { key, kind, problem, detail, subject_id } = found
    if (!(await store.note({ key, kind, problem, detail, subject_id }, now()))) return
    logger.error({ service: kept.name, key, kind, problem, detail, subject_id }, 'stored data is missing or damaged')
  }

  /** Renews the lease when a third of it is over. @returns false if another instance has it */
  async #renew(): Promise<boolean> {
    const nowMs = this.#deps.now()
    if (nowMs - this.#leasedMs < LEASE_MS / 3) return true
    const isHeld = await this.#deps.store.lease(this.#owner, nowMs, nowMs + LEASE_MS)
    this.#leasedMs = isHeld ? nowMs : 0
    return isHeld
  }

  async #pause(ms: number): Promise<void> {
    const { pause = (forMs) => wait(forMs, undefined, { ref: false, signal: this.#closing.signal }) } = this.#deps
    await pause(ms)
  }
}

type Options<Tables extends InspectionTables> = {
  kept: KeptData
  db: Kysely<Tables>
  blobs?: () => Promise<BlobStore>
  registry: Registry
  logger: Logger
  now: () => number
}

/** State of a service's data, as far as it is known, and the inspector that looks at it. */
export type Inspection = { store: InspectionStore; inspector: DataInspector }

/** Opens the inspection of a service, with its metrics. A job of the service has the inspector look. */
export function openInspection<Tables extends InspectionTables>(options: Options<Tables>): Inspection {
  const { kept, blobs, registry, logger, now } = options
  const db = options.db as unknown as Kysely<unknown>
  const store = createInspectionStore(db as Kysely<InspectionTables>)
  addInspectionMetrics(registry, kept.name, store)
  return { store, inspector: new DataInspector({ kept, db, store, blobs, logger, now }) }
}

/** Adds a service to the metrics about damaged data and backups. */
function addInspectionMetrics(registry: Registry, service: string, store: InspectionStore): void {
  for (const [kind, name, what] of [
    ['file', 'damaged_files', 'Stored files'],
    ['chunk', 'damaged_chunks', 'Chunks of points'],
  ] as const) {
    const help = `${what} that are missing or damaged, as far as they have been looked at.`
    addServiceGauge(registry, service, { name, help, labelNames: ['problem'] }, async () => {
      const counts = (await store.counts()).filter((found) => found.kind === kind)
      return (['missing', 'damaged'] as const).map((problem) => ({
        labels: { problem },
        value: counts.find((found) => found.problem === problem)?.count ?? 0,
      }))
    })
  }
  addServiceGauge(
    registry,
    service,
    {
      name: 'stored_data_checked_seconds',
      help: 'Unix time at which all stored data of a service had last been looked at; 0 before the first time.',
    },
    async () => [{ value: ((await store.roundEndedMs()) ?? 0) / 1000 }],
  )
  addServiceGauge(
    registry,
    service,
    {
      name: 'trackpress_backup_last_success_seconds',
      help: 'Unix time of the last backup that has the database of a service; 0 if there is none.',
    },
    async () => [{ value: ((await store.backedUpMs()) ?? 0) / 1000 }],
  )
}
