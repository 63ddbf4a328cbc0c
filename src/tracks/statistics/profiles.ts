import { LRUCache } from 'lru-cache'
import { rateLimited } from '#platform/basics/errors.ts'
import { ConnectionLimit } from '#platform/http/connection-limit.ts'
import { type ContentEncoding, encodeBytes } from '#platform/http/kept-text.ts'
import { SharedWork } from '#platform/jobs/shared-work.ts'
import type { TrackRow } from '../model/tables.ts'
import { decodePauses, type ShownPart, shownPartOf } from '../model/track-state.ts'
import { readAllChunks, readChunksUntil } from '../points/storage/chunks-store.ts'
import type { CourseOf } from './event-courses.ts'
import { settingsOf } from './examined-track.ts'
import type { ComputingDeps } from './points-pool.ts'
import { cancellationOf, type ProfileView } from './points-tasks.ts'
import type { TerrainUnderTracks } from './terrain-under-tracks.ts'

/** Memory for answers that were computed, encoded ones included: some hundred lines of marathons. */
const KEPT_BYTES = 64 * 1_048_576
/** Computations of one caller at once, waiting ones included. Many spectators may share one address. */
const MAX_PER_CALLER = 16

/** The caller who asks for a view of a track. */
export type ProfileCaller = {
  kind: 'operator' | 'spectator'
  /** The operator, or the group of the spectator's address. */
  key: string
  /** Encoding of the answer; undefined for none. */
  encoding: ContentEncoding | undefined
  /** Aborts when the client leaves. */
  left: AbortSignal
}

/** Returns a view of a track as JSON, in the encoding that was asked for. */
export type Profiles = (row: TrackRow, view: ProfileView, caller: ProfileCaller) => Promise<Uint8Array>

type Request = { view: ProfileView; shown: ShownPart; caller: ProfileCaller }

/**
 * Computes views of tracks for operators and spectators. A view is computed and encoded once for all
 * who ask for the same revision of a track, and kept. Points are read only when a computation
 * begins, so that waiting ones take no memory.
 */
export function createProfiles(deps: ComputingDeps & { courseOf: CourseOf; terrain: TerrainUnderTracks }): Profiles {
  const { db, pool, turns, courseOf, terrain, maxAccuracyMeters } = deps
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  })
  const inProgress = new SharedWork<Uint8Array>()
  const callers = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: MAX_PER_CALLER })

  async function compute(row: TrackRow, { view, shown, caller }: Request, abandoned: AbortSignal) {
    const release = callers.hold(caller.key)
    if (release === undefined) throw tooManyOfCaller()
    const cancellation = cancellationOf(abandoned)
    const run = async () => {
      const isOpen = shown.untilMs === Number.POSITIVE_INFINITY
      const reading = isOpen ? readAllChunks(db, row.id) : readChunksUntil(db, row.id, shown.untilMs)
      const [chunks, course] = await Promise.all([reading, courseOf(row.event_id)])
      abandoned.throwIfAborted()
      const encoded = chunks.map(({ bytes }) => bytes)
      const under = await terrain.under(encoded, 'in a thread')
      return await pool.profile({
        trackId: row.id,
        view,
        chunks: encoded,
        pauses: decodePauses(row.pauses),
        settings: settingsOf(row, maxAccuracyMeters),
        course,
        terrain: under.terrain,
        shown,
        cancellation,
      })
    }
    try {
      return await turns.take(caller.kind, run, abandoned)
    } finally {
      release()
    }
  }

  async function get(key: string, left: AbortSignal, make: (abandoned: AbortSignal) => Promise<Uint8Array>) {
    const known = kept.get(key)
    if (known !== undefined) return known
    const bytes = await inProgress.join(key, left, make)
    kept.set(key, bytes)
    return bytes
  }

  return async function profile(row, view, caller) {
    // An operator never waits for the turn of a spectator.
    const { encoding, left } = caller
    const shown = shownPartOf(row)
    await terrain.look()
    const part = `${shown.fromMs} ${shown.untilMs}`
    const key = `${row.id} ${row.revision} ${caller.kind} ${part} ${terrain.file()} ${JSON.stringify(view)}`
    const plain = (aborts: AbortSignal) =>
      get(key, aborts, (abandoned) => compute(row, { view, shown, caller }, abandoned))
    if (encoding === undefined) return await plain(left)
    return await get(`${key} ${encoding}`, left, async (abandoned) => encodeBytes(await plain(abandoned), encoding))
  }
}

function tooManyOfCaller() {
  const detail = 'Too many tracks are being computed for this caller. Try again shortly.'
  return rateLimited({ detail, headers: { 'retry-after': '2' } })
}
