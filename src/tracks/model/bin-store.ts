import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { OperatorReach } from '#platform/credentials/operator-access.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { deleteWebhooksOf } from '#platform/webhooks/endpoints-store.ts'
import { binnedThingNotFound } from './errors.ts'
import { trackName, withRunnerNames } from './runner-names.ts'
import type { BinnedTrackRow, EventRow, TrackHeadRow, TracksTables } from './tables.ts'
import { removeContents, TRACKS_PER_STEP } from './track-rows.ts'
import { keptSinceMs } from './track-state.ts'

/** Things that operators have deleted and can restore: events, and tracks of events that are there. */
export type BinStore = ReturnType<typeof createBinStore>

/** A binned track, with the names of its runner and of its event. */
type ListedTrack = BinnedTrackRow & { event_name: string; runner_name: string | null }

/** Prefix of the hash of a token whose event is in the bin: no token has such a hash, so that it opens nothing. */
const BINNED = 'bin:'

const DAY_MS = 86_400_000

/** Tracks that a page of the bin shows: the latest. */
const SHOWN_TRACKS = 500

/** Creates the store of the bin, in which things stay for `binDays`. */
export function createBinStore(db: Kysely<TracksTables>, { binDays, now }: { binDays: number; now: () => number }) {
  const forGoodAtMs = (binnedAtMs: number) => binnedAtMs + binDays * DAY_MS
  const binnedEvents = () => db.selectFrom('events').selectAll().where('binned_at', 'is not', null)
  return {
    binDays,
    forGoodAtMs,

    /** Returns the binned events within reach, latest deletion first. */
    async events(reach: OperatorReach): Promise<EventRow[]> {
      const rows = await binnedEvents().orderBy('binned_at', 'desc').orderBy('id').execute()
      return rows.filter(({ id, binned_at }) => isWithin(reach, id) && forGoodAtMs(binned_at!) > now())
    },

    /** Returns the latest binned tracks within reach, latest deletion first. */
    tracks: async (reach: OperatorReach): Promise<ListedTrack[]> =>
      (await listTracks(db, reach)).filter(({ binned_at }) => forGoodAtMs(binned_at) > now()),

    async findTrack(id: string): Promise<BinnedTrackRow | undefined> {
      return await db.selectFrom('binned_tracks').selectAll().where('track_id', '=', id).executeTakeFirst()
    },

    /** Takes an event out of the bin, with its tokens and shares. @throws binnedThingNotFound */
    async restoreEvent(id: string): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await lockBinned(transaction, id)
        await transaction
          .updateTable('events')
          .set({ deleted_at: null, binned_at: null })
          .where('id', '=', id)
          .execute()
        await transaction
          .updateTable('app_tokens')
          .set({ token_sha256: sql`substr(token_sha256, ${sql.lit(BINNED.length + 1)})` })
          .where('event_id', '=', id)
          .where('token_sha256', 'like', `${BINNED}%`)
          .execute()
      })
    },

    /** Ends an event of the bin for good. Its tracks are removed separately. @throws binnedThingNotFound */
    async endEvent(id: string): Promise<void> {
      await inTransaction(db, async (transaction) => {
        await lockBinned(transaction, id)
        await transaction.updateTable('events').set({ binned_at: null }).where('id', '=', id).execute()
        await transaction.deleteFrom('app_tokens').where('event_id', '=', id).execute()
        await transaction.deleteFrom('shares').where('event_id', '=', id).execute()
        await deleteWebhooksOf(transaction, id)
      })
    },

    /** Ends everything for good that has been in the bin for long enough. */
    async removeDue(): Promise<void> {
      const dueMs = now() - binDays * DAY_MS
      for (const { id } of await binnedEvents().where('binned_at', '<=', dueMs).execute()) await this.endEvent(id)
      await removeBinned(db, (binned) => binned.where('binned_at', '<=', dueMs))
    },

    /** Removes a track from the bin for good. @throws binnedThingNotFound */
    async removeTrack(id: string): Promise<void> {
      if ((await removeBinned(db, (binned) => binned.where('track_id', '=', id))) === 0) throw binnedThingNotFound()
    },
  }
}

/** Returns the name of an event in the bin. */
export async function nameOfBinnedEvent(db: Kysely<TracksTables>, id: string): Promise<string | undefined> {
  const query = db.selectFrom('events').select('name').where('id', '=', id).where('binned_at', 'is not', null)
  return (await query.executeTakeFirst())?.name
}

/** Returns the name of a track in the bin. */
export async function nameOfBinnedTrack(db: Kysely<TracksTables>, id: string): Promise<string | undefined> {
  const rows = await db.selectFrom('binned_tracks').selectAll().where('track_id', '=', id).execute()
  const [found] = await withRunnerNames(db, rows)
  return found && trackName({ title: (JSON.parse(found.row) as TrackHeadRow).title, runner_name: found.runner_name })
}

function isWithin(reach: OperatorReach, eventId: string): boolean {
  return reach === 'everything' || reach.has(eventId)
}

/** Tracks of events in the bin come back with these, so they are not listed. */
async function listTracks(db: Kysely<TracksTables>, reach: OperatorReach): Promise<ListedTrack[]> {
  const events = await db.selectFrom('events').select(['id', 'name']).where('deleted_at', 'is', null).execute()
  const byId = new Map(events.filter(({ id }) => isWithin(reach, id)).map((event) => [event.id, event]))
  if (byId.size === 0) return []
  const rows = await db
    .selectFrom('binned_tracks')
    .selectAll()
    .where('event_id', 'in', [...byId.keys()])
    .orderBy('binned_at', 'desc')
    .orderBy('track_id')
    .limit(SHOWN_TRACKS)
    .execute()
  return (await withRunnerNames(db, rows)).map((row) => ({ ...row, event_name: byId.get(row.event_id)!.name }))
}

/** @throws binnedThingNotFound */
async function lockBinned(transaction: Transaction<TracksTables>, eventId: string): Promise<void> {
  const event = await transaction
    .selectFrom('events')
    .select('id')
    .where('id', '=', eventId)
    .where('binned_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (event === undefined) throw binnedThingNotFound()
}

/** Lets the tokens of an event open nothing until it is restored. */
export async function binTokens(transaction: Transaction<TracksTables>, eventId: string): Promise<void> {
  await transaction
    .updateTable('app_tokens')
    .set({ token_sha256: sql`${sql.lit(BINNED)} || token_sha256` })
    .where('event_id', '=', eventId)
    .execute()
}

/** Puts a locked track into the bin. Its points and details stay where they are, and the caller removes its row. */
export async function binTrack(
  transaction: Transaction<TracksTables>,
  row: TrackHeadRow,
  nowMs: number,
): Promise<void> {
  const { id, event_id, user_id } = row
  const binned = { track_id: id, event_id, user_id, binned_at: nowMs, kept_since: keptSinceMs(row) }
  await transaction
    .insertInto('binned_tracks')
    .values({ ...binned, row: JSON.stringify(row) })
    .execute()
}

/** Takes the row of a track out of the bin, for the caller to store it. @throws binnedThingNotFound */
export async function takeOutTrack(transaction: Transaction<TracksTables>, id: string): Promise<TrackHeadRow> {
  const taken = await transaction.deleteFrom('binned_tracks').where('track_id', '=', id).returning('row').execute()
  if (taken.length === 0) throw binnedThingNotFound()
  const row = JSON.parse(taken[0].row) as TrackHeadRow
  const deletion = transaction.deleteFrom('deleted_tracks').where('event_id', '=', row.event_id)
  await deletion.where('track_id', '=', id).execute()
  return row
}

type BinnedQuery = SelectQueryBuilder<TracksTables, 'binned_tracks', object>

/** Removes the tracks that `which` chooses from the bin, with their points, step by step. @returns their number */
export async function removeBinned(
  db: Kysely<TracksTables>,
  which: (binned: BinnedQuery) => BinnedQuery,
): Promise<number> {
  for (let count = 0; ; ) {
    const rows = await which(db.selectFrom('binned_tracks')).select('track_id').limit(TRACKS_PER_STEP).execute()
    if (rows.length === 0) return count
    const ids = rows.map(({ track_id }) => track_id)
    count += await inTransaction(db, async (transaction) => {
      // The rows first: who restores one at the same time finds either it with its points, or nothing.
      const removed = await transaction
        .deleteFrom('binned_tracks')
        .where('track_id', 'in', ids)
        .returning('track_id')
        .execute()
      const gone = removed.map(({ track_id }) => track_id)
      if (gone.length === 0) return 0
      await removeContents(transaction, gone)
      await transaction.deleteFrom('shares').where('track_id', 'in', gone).execute()
      return gone.length
    })
  }
}
