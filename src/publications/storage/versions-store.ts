import { type Kysely, sql } from 'kysely'
import type { PublicationStatus } from '../domain/publication-status.ts'
import type { PublicationsTables, VersionRow } from './tables.ts'

/** Progress of the rendering of a version. */
export type VersionProgress = { status: PublicationStatus; pageCount: number; pagesReady: number }

/** Rendering the pages comes first; further images can wait. */
export type WorkKind = 'pages' | 'further images'

/**
 * Versions as jobs: the instance with the lease of a version renders it exclusively until the lease expires. Times are
 * those of the calling instance, so the clocks of instances must agree to less than the length of a lease.
 */
export type VersionsStore = {
  /**
   * Leases the oldest version that has work of a kind and no lease, and counts the attempt; undefined if there is none.
   * `pages`: some pages have no image yet; `further images`: all pages have their first. `except` are versions that the
   * instance still works on, although their leases have expired or were just released.
   */
  claim(
    kind: WorkKind,
    owner: string,
    nowMs: number,
    untilMs: number,
    except?: readonly string[],
  ): Promise<VersionRow | undefined>
  /** Leases the given version if it has work and no lease. */
  claimOne(id: string, owner: string, nowMs: number, untilMs: number): Promise<VersionRow | undefined>
  /** Extends leases and returns those still held; the others were deleted or taken over. */
  extendLeases(ids: readonly string[], owner: string, untilMs: number): Promise<string[]>
  /**
   * Releases a lease. The version is not claimed again before `notBeforeMs`; an attempt that
   * failed for an external reason is not counted.
   */
  release(id: string, owner: string, notBeforeMs: number | null, isCounted: boolean): Promise<void>
  /** Returns the progress of versions, without those whose publication is deleted or unpublished. */
  progressOf(ids: readonly string[]): Promise<Map<string, VersionProgress>>
  /** Returns the JSON of a version's `DocumentFacts`. */
  findFacts(id: string): Promise<string | undefined>
  /** Returns the number of versions that have something to render. */
  countWaiting(): Promise<number>
}

/** Literal condition of the index of versions with work, which is not used with a parameter in its place. */
const hasWork = sql<boolean>`has_work = 1`

export function createVersionsStore(db: Kysely<PublicationsTables>): VersionsStore {
  return {
    async claim(kind, owner, nowMs, untilMs, except = []) {
      for (;;) {
        let free = db
          .selectFrom('versions')
          .select('id')
          .where(hasWork)
          .whereRef('pages_ready', kind === 'pages' ? '<' : '>=', 'page_count')
          .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)]))
        if (except.length > 0) free = free.where('id', 'not in', except)
        const oldest = await free.orderBy('created_at').limit(1).executeTakeFirst()
        if (oldest === undefined) return undefined
        const claimed = await this.claimOne(oldest.id, owner, nowMs, untilMs)
        // Another instance was faster; there may be another version.
        if (claimed !== undefined) return claimed
      }
    },

    async claimOne(id, owner, nowMs, untilMs) {
      return await db
        .updateTable('versions')
        .set((set) => ({ lease_owner: owner, lease_until: untilMs, attempts: set('attempts', '+', 1) }))
        .where('id', '=', id)
        .where(hasWork)
        .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)]))
        .returningAll()
        .executeTakeFirst()
    },

    async extendLeases(ids, owner, untilMs) {
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

    async release(id, owner, notBeforeMs, isCounted) {
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

    progressOf: (ids) => findProgress(db, ids),

    async findFacts(id) {
      const row = await db.selectFrom('versions').select('facts').where('id', '=', id).executeTakeFirst()
      return row?.facts
    },

    async countWaiting() {
      const { count } = await db
        .selectFrom('versions')
        .select((select) => select.fn.countAll<number | string>().as('count'))
        .where(hasWork)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

async function findProgress(
  db: Kysely<PublicationsTables>,
  ids: readonly string[],
): Promise<Map<string, VersionProgress>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('versions')
    .innerJoin('publications', 'publications.id', 'versions.publication_id')
    .select(['versions.id', 'status', 'page_count', 'pages_ready'])
    .where('versions.id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('unpublished_at', 'is', null)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { status: row.status, pageCount: row.page_count, pagesReady: row.pages_ready }]),
  )
}
