import { type Kysely, sql } from 'kysely'
import type { PublicationsTables, VersionRow } from './tables.ts'

/** How far the rendering of a version has come. */
export type VersionProgress = { status: string; pageCount: number; pagesReady: number }

/** First pages, then what can wait. */
export type WorkKind = 'pages' | 'further images'

/**
 * Versions as work: who has a lease of one renders it, and nobody else does until the lease has run out. Times are those
 * of the instance that asks, so that clocks of instances must agree better than to the length of a lease.
 */
export type VersionsStore = {
  /**
   * Leases the oldest version that has work of a kind and no lease, and counts the attempt; undefined where there is
   * none. `pages`: some pages have no image yet; `further images`: all pages have their first.
   */
  claim(kind: WorkKind, owner: string, nowMs: number, untilMs: number): Promise<VersionRow | undefined>
  /** Leases a certain version, if it has work and no lease. */
  claimOne(id: string, owner: string, nowMs: number, untilMs: number): Promise<VersionRow | undefined>
  /** Makes leases last longer, and tells which are still held: what is not has been deleted, or taken over. */
  prolong(ids: readonly string[], owner: string, untilMs: number): Promise<string[]>
  /**
   * Gives a lease back. Nobody takes the version up before `notBeforeMs`; an attempt that came to nothing for a reason
   * outside of the document is not counted.
   */
  release(id: string, owner: string, notBeforeMs: number | null, isCounted: boolean): Promise<void>
  /** How far versions have come; without those that are deleted, they or their publication. */
  progressOf(ids: readonly string[]): Promise<Map<string, VersionProgress>>
  /** JSON of its `DocumentFacts`. */
  findFacts(id: string): Promise<string | undefined>
  /** Whether somebody has a lease of it, or it has nothing to be rendered. */
  isTakenCareOf(id: string, nowMs: number): Promise<boolean>
  /** How many have something to be rendered. */
  countWaiting(): Promise<number>
}

/** As it stands in the index of versions with work, which a parameter in its place would not be matched with. */
const hasWork = sql<boolean>`has_work = 1`

export function createVersionsStore(db: Kysely<PublicationsTables>): VersionsStore {
  return {
    async claim(kind, owner, nowMs, untilMs) {
      for (;;) {
        const oldest = await db
          .selectFrom('versions')
          .select('id')
          .where(hasWork)
          .whereRef('pages_ready', kind === 'pages' ? '<' : '>=', 'page_count')
          .where((where) => where.or([where('lease_until', 'is', null), where('lease_until', '<=', nowMs)]))
          .orderBy('created_at')
          .limit(1)
          .executeTakeFirst()
        if (oldest === undefined) return undefined
        const claimed = await this.claimOne(oldest.id, owner, nowMs, untilMs)
        // Another was faster, and there may be a next one.
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

    async prolong(ids, owner, untilMs) {
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

    async progressOf(ids) {
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
    },

    async findFacts(id) {
      const row = await db.selectFrom('versions').select('facts').where('id', '=', id).executeTakeFirst()
      return row?.facts
    },

    async isTakenCareOf(id, nowMs) {
      const row = await db
        .selectFrom('versions')
        .select(['has_work', 'lease_until', 'lease_owner'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined || row.has_work === 0 || (row.lease_owner !== null && (row.lease_until ?? 0) > nowMs)
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
