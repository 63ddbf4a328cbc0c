import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { deriveKeys, isSameText, type Keys, type Secrets } from '#platform/basics/secrets.ts'
import { announceEndedTokens, openToken, sealToken } from '#platform/credentials/token.ts'
import type { Notices } from '#platform/database/notices.ts'
import { runnerName } from '../model/runner-names.ts'
import { type ErasureRow, RECEIPTS_PURPOSE, type TracksTables } from '../model/tables.ts'
import {
  binnedTracksOf,
  countRows,
  type Eraser,
  eraseBinnedTracks,
  eraseTracks,
  type PersonalRows,
  removeRows,
  rowsOfBinnedTracks,
  rowsOfDevices,
  rowsOfPerson,
  rowsOfTracks,
  TRACKS_PER_STEP,
} from './erase-tracks.ts'
import { addCounts, type ErasedCounts, factsOfTracks, NOTHING_ERASED, rowsErased } from './store.ts'

/** A person whose data is erased, in one event or in all. */
export type ErasureSubject = { userId: string; eventId: string | null }

/** Stands in a receipt for the person who asked for the erasure. */
const BY_PERSON = 'participant'
/** Time before an erasure that was asked for with a code: others who have seen it could ask, too. */
const REQUEST_WAITS_MS = 3 * 24 * 3_600_000

/** Erases the data of people, and keeps receipts. */
export type Erasures = ReturnType<typeof createErasures>

type Deps = Eraser & { notices: Notices | undefined; receiptKeys: Keys }

/** Derives the keys that seal the keys of receipts. */
export function deriveReceiptKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, RECEIPTS_PURPOSE)
}

export function createErasures(deps: Deps) {
  const { db, store, receiptKeys, now } = deps

  async function begin({ userId, eventId }: ErasureSubject, requestedBy: string | null, startsMs: number) {
    const id = randomUUID()
    const mark = markPerson(userId, receiptKeys)
    const row = { ...mark, id, kind: 'person' as const, event_id: eventId, user_id: userId, requested_by: requestedBy }
    await store.begin({ ...row, started_at: startsMs, finished_at: null })
    return (await store.find(id))!
  }

  return {
    /** Counts the rows that an erasure would remove. Changes nothing. */
    async preview({ userId, eventId }: ErasureSubject): Promise<ErasedCounts> {
      let counts = NOTHING_ERASED
      for (const id of await eventsOf(db, eventId)) counts = addCounts(counts, await countInEvent(db, id, userId))
      return counts
    },

    /** Returns the events of a preview with the name that the person has in each of them. */
    places: (userId: string, eventIds: readonly string[]) => readPlaces(db, userId, eventIds),

    /** Writes down that a person's data is to be erased. From then on, it will be, even after a crash. */
    begin: (subject: ErasureSubject, requestedBy: string | null): Promise<ErasureRow> =>
      begin(subject, requestedBy, now()),

    /** Returns when the data of a person will be erased, who has asked for it; undefined if nobody has. */
    async requestedFor(userId: string, eventId: string): Promise<number | undefined> {
      return (await store.findRequest(userId, eventId, now()))?.started_at
    },

    /** Writes down that a person asks for the erasure of their data in an event, once. Maintenance carries it out. */
    async request(userId: string, eventId: string): Promise<void> {
      if ((await store.findRequest(userId, eventId, now())) !== undefined) return
      await begin({ userId, eventId }, BY_PERSON, now() + REQUEST_WAITS_MS)
    },

    /** Takes back the request of a person, unless the erasure has begun. */
    takeBack: (userId: string, eventId: string): Promise<void> => store.removeRequests(userId, eventId, now()),

    /** Carries out an erasure to its end. It may be called several times, also at the same time. */
    async carryOut(id: string): Promise<ErasureRow> {
      const erasure = (await store.find(id))!
      const { user_id: userId, event_id, finished_at } = erasure
      if (finished_at !== null || userId === null) return erasure
      for (const eventId of await eventsOf(db, event_id)) await eraseInEvent(deps, id, eventId, userId)
      // The `user_id` may be given to somebody else from now on.
      await store.removeRequests(userId, event_id, now())
      await store.finish(id, now())
      return (await store.find(id))!
    },

    /** Continues interrupted erasures. */
    async continueAll(): Promise<void> {
      for (const { id } of await store.unfinished(now())) await this.carryOut(id)
    },

    /** Tells whether a receipt belongs to a person; undefined if that can no longer be told. */
    isReceiptOf({ person_mac, sealed_key }: ErasureRow, userId: string): boolean | undefined {
      if (person_mac === null || sealed_key === null) return false
      return isMarked(userId, { person_mac, sealed_key }, receiptKeys)
    },
  }
}

/** Tokens come first, so that the phone of the person brings nothing new meanwhile. */
async function eraseInEvent(deps: Deps, id: string, eventId: string, userId: string): Promise<void> {
  const { db, store, outbox, notices, onErased, now } = deps
  const erased = await store.step(id, async (transaction) => {
    let counts = NOTHING_ERASED
    for (const rows of await rowsOfPerson(transaction, eventId, userId))
      counts = addCounts(counts, rowsErased(eventId, rows.table, await removeRows(transaction, rows)))
    if (counts.tables.runners !== undefined) await changeRace(transaction, eventId)
    return counts
  })
  if (erased?.tables.app_tokens !== undefined) await announceEndedTokens(notices, eventId)
  const isMeant = (track: { user_id: string | null }) => track.user_id === userId
  for (;;) {
    const ids = await tracksOf(db, eventId, userId, TRACKS_PER_STEP)
    if (ids.length === 0) break
    const step = { eventId, ids, isMeant, outbox, nowMs: now() }
    if ((await store.step(id, (transaction) => eraseTracks(transaction, step))) === undefined) return
  }
  for (;;) {
    const erasedOfBin = await store.step(id, (transaction) => eraseBinnedTracks(transaction, eventId, userId))
    if (erasedOfBin === undefined) return
    if (erasedOfBin.tables.binned_tracks === undefined) break
  }
  onErased?.(eventId)
}

/** Counts a new revision of the race, so that rankings are computed without the person. */
async function changeRace(db: Kysely<TracksTables>, eventId: string): Promise<void> {
  await db
    .updateTable('races')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('event_id', '=', eventId)
    .execute()
}

/** An event with data of a person. */
type ErasurePlace = { eventId: string; eventName: string; name: string | null; tracks: number }

/** The name is from the start list, else a token's label: the same `user_id` may be another person elsewhere. */
async function readPlaces(
  db: Kysely<TracksTables>,
  userId: string,
  eventIds: readonly string[],
): Promise<ErasurePlace[]> {
  const places: ErasurePlace[] = []
  for (const id of eventIds) {
    const event = await db.selectFrom('events').select('name').where('id', '=', id).executeTakeFirst()
    const tracks = await db
      .selectFrom('tracks')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('event_id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const runner = await db
      .selectFrom('runners')
      .select(['bib', 'name'])
      .where('event_id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    const token = await db
      .selectFrom('app_tokens')
      .select('label')
      .where('event_id', '=', id)
      .where('user_id', '=', userId)
      .where('label', 'is not', null)
      .executeTakeFirst()
    const name = runner === undefined ? (token?.label ?? null) : runnerName(runner)
    places.push({ eventId: id, eventName: event?.name ?? '', name, tracks: Number(tracks.count) })
  }
  return places
}

async function countInEvent(db: Kysely<TracksTables>, eventId: string, userId: string): Promise<ErasedCounts> {
  const tracks = await db
    .selectFrom('tracks')
    .select(['id', 'device_track_id', 'point_count', 'start_ms', 'end_ms', 'last_point_ms'])
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .execute()
  let counts = factsOfTracks(tracks)
  const ofPerson = await rowsOfPerson(db, eventId, userId)
  const count = async (rows: readonly PersonalRows[], elsewhere?: readonly PersonalRows[]) => {
    for (const each of rows) {
      const found = await countRows(db, each, elsewhere)
      counts = addCounts(counts, rowsErased(eventId, each.table, found))
    }
  }
  for (let i = 0; i < tracks.length; i += TRACKS_PER_STEP) {
    const some = tracks.slice(i, i + TRACKS_PER_STEP)
    await count([...rowsOfTracks(eventId, some), ...(await rowsOfDevices(db, eventId, some))], ofPerson)
  }
  await count(ofPerson)
  const binned = await binnedTracksOf(db, eventId, userId)
  counts = addCounts(counts, factsOfTracks(binned))
  if (binned.length > 0) await count(rowsOfBinnedTracks(eventId, binned))
  return counts
}

async function tracksOf(db: Kysely<TracksTables>, eventId: string, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('event_id', '=', eventId)
    .where('user_id', '=', userId)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the one event, or all, the bin included. Events that are being deleted erase themselves. */
async function eventsOf(db: Kysely<TracksTables>, eventId: string | null): Promise<string[]> {
  let query = db
    .selectFrom('events')
    .select('id')
    .where((is) => is.or([is('deleted_at', 'is', null), is('binned_at', 'is not', null)]))
  if (eventId !== null) query = query.where('id', '=', eventId)
  return (await query.orderBy('id').execute()).map(({ id }) => id)
}

/** The person of a receipt, without the name. */
type PersonMark = { person_mac: string; sealed_key: Uint8Array }

/**
 * Marks a person so that it can be proven later whose receipt it is: an HMAC-SHA-256 of the `user_id`. Its key is
 * random, so that nobody can try all bib numbers, and that two receipts do not tell that they are of one person. The
 * key is sealed, so that it survives a change of the installation's secret.
 */
function markPerson(userId: string, receiptKeys: Keys): PersonMark {
  const key = randomBytes(32).toString('base64url')
  return { person_mac: macOf(userId, key), sealed_key: sealToken(key, receiptKeys) }
}

/** Tells whether a receipt belongs to a person; undefined if its key cannot be opened. */
function isMarked(userId: string, { person_mac, sealed_key }: PersonMark, receiptKeys: Keys): boolean | undefined {
  const key = openToken(sealed_key, receiptKeys)
  if (key === undefined) return undefined
  return isSameText(person_mac, macOf(userId, key))
}

function macOf(userId: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(userId).digest('hex')
}
