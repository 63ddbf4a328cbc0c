import type { Insertable, Kysely } from 'kysely'
import { trackName, withRunnerNames } from '../model/runner-names.ts'
import type { ShareRow, TracksTables } from '../model/tables.ts'

/** A share with the name of its track, which is its runner's, else its title, and its start; null for a whole event. */
export type TitledShare = ShareRow & { track_title: string | null; track_start_ms: number | null }

/** Share links for spectators. */
export type SharesStore = ReturnType<typeof createSharesStore>

export type ShareWithEvent = ShareRow & {
  event_name: string
  starts_on: string | null
  ends_on: string | null
  time_zone: string | null
  no_signal_after_sec: number | null
  spectator_delay_sec: number | null
  /** Null also for a deleted track. */
  track_title: string | null
  track_start_ms: number | null
}

export function createSharesStore(db: Kysely<TracksTables>) {
  const shares = () => db.selectFrom('shares').selectAll()

  return {
    async create(share: Insertable<ShareRow>): Promise<void> {
      await db.insertInto('shares').values(share).execute()
    },

    /** Returns all shares of an event, newest first, ended ones included. */
    async list(eventId: string): Promise<TitledShare[]> {
      const query = shares().where('event_id', '=', eventId).orderBy('created_at', 'desc').orderBy('id')
      return await addTitles(db, await query.execute())
    },

    async find(id: string): Promise<TitledShare | undefined> {
      const [share] = await addTitles(db, await shares().where('id', '=', id).execute())
      return share
    },

    /** Returns the share of a token, valid or ended, with fields of its event. */
    async findByToken(tokenSha256: string): Promise<ShareWithEvent | undefined> {
      const [share] = await addTitles(db, await shares().where('token_sha256', '=', tokenSha256).execute())
      if (share === undefined) return undefined
      const event = await db
        .selectFrom('events')
        .select([
          'name as event_name',
          'starts_on',
          'ends_on',
          'time_zone',
          'no_signal_after_sec',
          'spectator_delay_sec',
        ])
        .where('id', '=', share.event_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return event && { ...share, ...event }
    },

    /** Revokes a share. Revoking again changes nothing. @returns its event; undefined if there is no such share. */
    async revoke(id: string, nowMs: number): Promise<string | undefined> {
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

/** Reads the names of the shared tracks on their own: a join from shares would read the tracks of every machine. */
async function addTitles<Share extends ShareRow>(
  db: Kysely<TracksTables>,
  shares: readonly Share[],
): Promise<(Share & TitledShare)[]> {
  const ids = shares.flatMap(({ track_id }) => track_id ?? [])
  if (ids.length === 0) return shares.map((share) => ({ ...share, track_title: null, track_start_ms: null }))
  const columns = ['id', 'title', 'event_id', 'user_id', 'start_ms'] as const
  const tracks = await db.selectFrom('tracks').select(columns).where('id', 'in', ids).execute()
  const byId = new Map((await withRunnerNames(db, tracks)).map((track) => [track.id, track]))
  return shares.map((share) => {
    const track = byId.get(share.track_id ?? '')
    return { ...share, track_title: track ? trackName(track) : null, track_start_ms: track?.start_ms ?? null }
  })
}
