import type { Insertable, Kysely } from 'kysely'
import type { ShareRow, TracksTables } from './tables.ts'

/** A share with the title of its track; null for a share of a whole event. */
export type TitledShare = ShareRow & { track_title: string | null }

/** Share links for spectators. */
export type SharesStore = {
  create(share: Insertable<ShareRow>): Promise<void>
  /** Returns all shares of an event, newest first, ended ones included. */
  list(eventId: string): Promise<TitledShare[]>
  find(id: string): Promise<TitledShare | undefined>
  /** Returns the share of a token, valid or ended, with fields of its event. */
  findByToken(tokenSha256: string): Promise<ShareWithEvent | undefined>
  /** Revokes a share. Revoking again changes nothing. @returns its event; undefined if there is no such share. */
  revoke(id: string, nowMs: number): Promise<string | undefined>
}

export type ShareWithEvent = ShareRow & {
  event_name: string
  starts_on: string | null
  ends_on: string | null
  /** Null also for a deleted track. */
  track_title: string | null
}

export function createSharesStore(db: Kysely<TracksTables>): SharesStore {
  const titled = () =>
    db
      .selectFrom('shares')
      .leftJoin('tracks', 'tracks.id', 'shares.track_id')
      .selectAll('shares')
      .select('tracks.title as track_title')

  return {
    async create(share) {
      await db.insertInto('shares').values(share).execute()
    },

    async list(eventId) {
      return await titled()
        .where('shares.event_id', '=', eventId)
        .orderBy('shares.created_at', 'desc')
        .orderBy('shares.id')
        .execute()
    },

    async find(id) {
      return await titled().where('shares.id', '=', id).executeTakeFirst()
    },

    async findByToken(tokenSha256) {
      return await titled()
        .innerJoin('events', 'events.id', 'shares.event_id')
        .select(['events.name as event_name', 'events.starts_on', 'events.ends_on'])
        .where('shares.token_sha256', '=', tokenSha256)
        .where('events.deleted_at', 'is', null)
        .executeTakeFirst()
    },

    async revoke(id, nowMs) {
      const revoked = await db
        .updateTable('shares')
        .set((share) => ({ revoked_at: share.fn.coalesce('revoked_at', share.val(nowMs)) }))
        .where('id', '=', id)
        .returning('event_id')
        .executeTakeFirst()
      return revoked?.event_id
    },
  }
}
