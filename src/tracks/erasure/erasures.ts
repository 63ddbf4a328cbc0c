import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Notices } from '#platform/database/notices.ts'
import { deriveKeys, type Keys, type Secrets } from '#platform/security/secret.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import type { WebhookOutbox } from '#platform/webhooks/storage/outbox.ts'
import { eraseTracks } from '../storage/erasure/erase-tracks.ts'
import {
  addCounts,
  type ErasedCounts,
  factsOfTracks,
  NOTHING_ERASED,
  rowsErased,
} from '../storage/erasure/erased-counts.ts'
import type { ErasuresStore } from '../storage/erasure/erasures-store.ts'
import {
  countRows,
  type PersonalRows,
  removeRows,
  rowsOfDevices,
  rowsOfPerson,
  rowsOfTracks,
} from '../storage/erasure/personal-rows.ts'
import { RECEIPTS_PURPOSE } from '../storage/sealed-columns.ts'
import type { ErasureRow, TracksTables } from '../storage/tables.ts'
import { isMarked, markPerson } from './person-mark.ts'

/** A person whose data is erased, in one event or in all. */
export type ErasureSubject = { userId: string; eventId: string | null }

/** Erases the data of people, and keeps receipts. */
export type Erasures = {
  /** Counts what an erasure would remove. Changes nothing. */
  preview(subject: ErasureSubject): Promise<ErasedCounts>
  /** Writes down that a person's data is to be erased. From then on, it will be, even after a crash. */
  begin(subject: ErasureSubject, requestedBy: string | null): Promise<ErasureRow>
  /** Carries out an erasure to its end. It may be called several times, also at the same time. */
  carryOut(id: string): Promise<ErasureRow>
  /** Continues what was interrupted. */
  continueAll(): Promise<void>
  /** Tells whether a receipt is that of a person; undefined if that can no longer be told. */
  isReceiptOf(receipt: ErasureRow, userId: string): boolean | undefined
}

/** Tracks erased in one transaction: few enough that phones wait no longer than for a batch of points. */
export const TRACKS_PER_STEP = 50

type Deps = {
  db: Kysely<TracksTables>
  store: ErasuresStore
  outbox: Pick<WebhookOutbox, 'add'>
  notices: Notices | undefined
  receiptKeys: Keys
  /** Tells viewers on this instance that an event has changed. */
  onErased?: (eventId: string) => void
  now: () => number
}

/** Derives the keys that seal those of receipts. */
export function deriveReceiptKeys(secrets: Secrets): Keys {
  return deriveKeys(secrets, RECEIPTS_PURPOSE)
}

export function createErasures(deps: Deps): Erasures {
  const { db, store, receiptKeys, now } = deps
  return {
    async preview({ userId, eventId }) {
      let counts = NOTHING_ERASED
      for (const id of await eventsOf(db, eventId)) counts = addCounts(counts, await countInEvent(db, id, userId))
      return counts
    },

    async begin({ userId, eventId }, requestedBy) {
      const id = randomUUID()
      const mark = markPerson(userId, receiptKeys)
      const row = {
        ...mark,
        id,
        kind: 'person' as const,
        event_id: eventId,
        user_id: userId,
        requested_by: requestedBy,
      }
      await store.begin({ ...row, started_at: now(), finished_at: null })
      return (await store.find(id))!
    },

    async carryOut(id) {
      const erasure = (await store.find(id))!
      const { user_id: userId, event_id, finished_at } = erasure
      if (finished_at !== null || userId === null) return erasure
      for (const eventId of await eventsOf(db, event_id)) await eraseInEvent(deps, id, eventId, userId)
      await store.finish(id, now())
      return (await store.find(id))!
    },

    async continueAll() {
      for (const { id } of await store.unfinished()) await this.carryOut(id)
    },

    isReceiptOf({ person_mac, sealed_key }, userId) {
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

/** Returns the one event, or all. Those that are being deleted erase themselves. */
async function eventsOf(db: Kysely<TracksTables>, eventId: string | null): Promise<string[]> {
  let query = db.selectFrom('events').select('id').where('deleted_at', 'is', null)
  if (eventId !== null) query = query.where('id', '=', eventId)
  return (await query.orderBy('id').execute()).map(({ id }) => id)
}
