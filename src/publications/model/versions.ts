import type { ExpressionBuilder } from 'kysely'
import { type Kysely, sql } from 'kysely'
import type { Notices } from '#platform/database/notices.ts'
import { countRows } from '#platform/database/queries.ts'
import type { PublicationStatus } from './fields.ts'
import type { PublicationsTables, VersionRow } from './tables.ts'

/**
 * Progress of the rendering of a version, with the epoch of its publication where that was read: it increases when
 * readers must no longer follow.
 */
export type VersionProgress = { status: PublicationStatus; pageCount: number; pagesReady: number; epoch?: number }

/** Rendering the pages comes first; further images can wait. */
export type WorkKind = 'pages' | 'further images'

/**
 * Versions as jobs: the instance with the lease of a version renders it exclusively until the lease expires. Times come
 * from the calling instance, so the clocks of instances must agree to less than the length of a lease.
 */
export type VersionsStore = ReturnType<typeof createVersionsStore>

/** Literal condition of the index of versions with work, which is not used with a parameter in its place. */
const hasWork = sql<boolean>`has_work = 1`

export function createVersionsStore(db: Kysely<PublicationsTables>) {
  return {
    /**
     * Leases the oldest version that has work of a kind and no lease, and counts the attempt; undefined if there is
     * none. `pages`: some pages have no image yet; `further images`: all pages have their first. `except` are versions
     * that the instance still works on, although their leases have expired or were just released.
     */
    claim: (kind: WorkKind, owner: string, nowMs: number, untilMs: number, except: readonly string[] = []) =>
      claimOldest(db, kind, { owner, nowMs, untilMs }, except),

    /** Leases the given version if it has work and no lease. */
    claimOne: (id: string, owner: string, nowMs: number, untilMs: number) => claim(db, id, { owner, nowMs, untilMs }),

    /** Extends leases and returns those still held; the others were deleted or taken over. */
    async extendLeases(ids: readonly string[], owner: string, untilMs: number): Promise<string[]> {
      if (ids.length === 0) return []
      const held = await db
        .updateTable('versions')
        .set({ lease_until: untilMs })
        .where('id', 'in', ids)
        .where('lease_owner', '=', owner)
        .returning('id')
        .execute()
      return held.map(({ id }) => id)
    },

    /**
     * Releases a lease. The version is not claimed again before `notBeforeMs`; an attempt that
     * failed for an external reason is not counted.
     */
    async release(id: string, owner: string, notBeforeMs: number | null, isCounted: boolean): Promise<void> {
      await db
        .updateTable('versions')
        .set((set) => ({
          lease_owner: null,
          lease_until: notBeforeMs,
          ...(isCounted
            ? {}
            : { attempts: sql<number>`case when attempts > 0 then ${set('attempts', '-', 1)} else 0 end` }),
        }))
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .execute()
    },

    /** Returns the progress of versions, except for deleted publications. */
    progressOf: (ids: readonly string[]) => findProgress(db, ids),

    /** Returns the JSON of a version's `DocumentFacts`. */
    async findFacts(id: string): Promise<string | undefined> {
      const row = await db.selectFrom('versions').select('facts').where('id', '=', id).executeTakeFirst()
      return row?.facts
    },

    /** Returns the number of versions that have something to render. */
    countWaiting: () => countRows(db.selectFrom('versions').where(hasWork)),
  }
}

/** Selects versions that no instance has leased. */
function isFreeAt(nowMs: number) {
  return (where: ExpressionBuilder<PublicationsTables, 'versions'>) =>
    where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)])
}

type Lease = { owner: string; nowMs: number; untilMs: number }

async function claimOldest(
  db: Kysely<PublicationsTables>,
  kind: WorkKind,
  lease: Lease,
  except: readonly string[],
): Promise<VersionRow | undefined> {
  for (;;) {
    let free = db
      .selectFrom('versions')
      .select('id')
      .where(hasWork)
      .whereRef('pages_ready', kind === 'pages' ? '<' : '>=', 'page_count')
      .where(isFreeAt(lease.nowMs))
    if (except.length > 0) free = free.where('id', 'not in', except)
    const oldest = await free.orderBy('created_at').limit(1).executeTakeFirst()
    if (oldest === undefined) return undefined
    const claimed = await claim(db, oldest.id, lease)
    // Another instance was faster; there may be another version.
    if (claimed !== undefined) return claimed
  }
}

async function claim(db: Kysely<PublicationsTables>, id: string, { owner, nowMs, untilMs }: Lease) {
  return await db
    .updateTable('versions')
    .set((set) => ({ lease_owner: owner, lease_until: untilMs, attempts: set('attempts', '+', 1) }))
    .where('id', '=', id)
    .where(hasWork)
    .where(isFreeAt(nowMs))
    .returningAll()
    .executeTakeFirst()
}

async function findProgress(
  db: Kysely<PublicationsTables>,
  ids: readonly string[],
): Promise<Map<string, VersionProgress>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.id', 'versions.publication_id')
    .select(['versions.id', 'status', 'page_count', 'pages_ready', 'epoch'])
    .where('versions.id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ id, status, page_count, pages_ready, epoch }) => [
      id,
      { status, pageCount: page_count, pagesReady: pages_ready, epoch },
    ]),
  )
}

/** Called with the progress of a version; undefined if it has been deleted, or readers must no longer follow it. */
type ProgressListener = (progress: VersionProgress | undefined) => void

/** Topic of the notice that a version has made progress. */
const VERSION_CHANGED = 'version-changed'
/** Notices arrive by the dozen; one query covers all that arrive within this time. */
const GATHER_MS = 50

/**
 * Reports the progress of rendering to the watchers of a version, on every instance. One query serves all watchers, and
 * progress of this instance needs none.
 */
export class VersionChanges {
  readonly #versions: VersionsStore
  readonly #notices: Notices | undefined
  readonly #listeners = new Map<string, Set<ProgressListener>>()
  readonly #changed = new Set<string>()
  readonly #unsubscribe: (() => void) | undefined
  #gathering: NodeJS.Timeout | undefined

  constructor(versions: VersionsStore, notices: Notices | undefined) {
    this.#versions = versions
    this.#notices = notices
    this.#unsubscribe = notices?.subscribe(VERSION_CHANGED, (versionId) => {
      if (versionId === undefined) this.#lookSoon(this.#listeners.keys())
      else if (this.#listeners.has(versionId)) this.#lookSoon([versionId])
    })
  }

  /** Announces the progress of a version on this instance; undefined if readers must no longer follow it. */
  announce(versionId: string, progress: VersionProgress | undefined): void {
    this.#notify(versionId, progress)
    // Polling covers notices that do not arrive.
    this.#notices?.publish(VERSION_CHANGED, versionId).catch(() => {})
  }

  /** Calls the listener with every progress. @returns a function that stops it */
  watch(versionId: string, listener: ProgressListener): () => void {
    const listeners = this.#listeners.get(versionId) ?? new Set()
    this.#listeners.set(versionId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(versionId) === listeners) this.#listeners.delete(versionId)
    }
  }

  /** True while anybody watches a version. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** Reports the progress of all watched versions; for notices that were lost, and databases without them. */
  async lookAtAll(): Promise<void> {
    await this.#report([...this.#listeners.keys()])
  }

  close(): void {
    this.#unsubscribe?.()
    clearTimeout(this.#gathering)
    this.#listeners.clear()
  }

  #lookSoon(versionIds: Iterable<string>): void {
    for (const versionId of versionIds) this.#changed.add(versionId)
    if (this.#changed.size > 0) this.#gathering ??= setTimeout(() => void this.#look(), GATHER_MS).unref()
  }

  async #look(): Promise<void> {
    const versionIds = [...this.#changed]
    this.#changed.clear()
    this.#gathering = undefined
    // If the database is unavailable there is no progress; the next look follows soon.
    await this.#report(versionIds).catch(() => {})
  }

  async #report(versionIds: readonly string[]): Promise<void> {
    const progress = await this.#versions.progressOf(versionIds)
    for (const versionId of versionIds) this.#notify(versionId, progress.get(versionId))
  }

  #notify(versionId: string, progress: VersionProgress | undefined): void {
    for (const listener of [...(this.#listeners.get(versionId) ?? [])]) listener(progress)
  }
}
