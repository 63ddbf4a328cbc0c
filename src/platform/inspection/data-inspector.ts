import { hash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '../backup/kept-data.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { Logger } from '../logger.ts'
import type { FoundDamage, InspectionStore, Round } from './inspection-store.ts'
import { type FileProblem, lookAtFile } from './look-at-file.ts'
import { findNamed, type Place, type StoredThing, storedData } from './stored-data.ts'

/** A round begins a day after the one before it, or once that has ended. */
const ROUND_EVERY_MS = 86_400_000
/** In each round, one of as many parts is read as a whole. Of other files, existence and size are looked at. */
const PARTS = 7
const LOOK_FOR_WORK_EVERY_MS = 60_000
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
  blobs: (() => Promise<Pick<BlobStore, 'head' | 'read'>>) | undefined
  logger: Logger
  now: () => number
  /** Replaces the pauses, for tests. */
  pause?: (ms: number) => Promise<void>
}

/**
 * Looks at everything that a service stores, again and again and slowly, and notes what is missing or damaged. One
 * instance does it, under a lease; after a crash, another goes on at the last noted place.
 */
export class DataInspector {
  readonly #deps: Deps
  readonly #owner = randomUUID()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closing = new AbortController()
  #leasedMs = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => void this.inspect(), LOOK_FOR_WORK_EVERY_MS).unref()
  }

  /** Goes on with a round, or begins one that is due. Resolves at its end, or when there is nothing to do. */
  async inspect(): Promise<void> {
    this.#running ??= this.#inspect().finally(() => (this.#running = undefined))
    await this.#running
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await this.#running
  }

  async #inspect(): Promise<void> {
    const { store, logger, now, kept } = this.#deps
    try {
      if (!(await this.#renew())) return
      const round = await store.currentRound(now(), now() - ROUND_EVERY_MS)
      if (round !== undefined && (await this.#goOn(round))) await store.endRound(round, this.#owner, now())
      await store.release(this.#owner)
    } catch (err) {
      if (!this.#closing.signal.aborted) logger.warn({ err, service: kept.name }, 'looking at the stored data failed')
    }
  }

  /** @returns true if the round has come to its end */
  async #goOn(round: Round): Promise<boolean> {
    const { kept, db, store, now } = this.#deps
    // What is known to be damaged is read in every round, which tells whether it still is.
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
