import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { SharedWork } from '#platform/cache/shared-work.ts'
import { rateLimited } from '#platform/errors.ts'
import { type ContentEncoding, encodeBytes } from '#platform/http/encoded-bytes.ts'
import { ConnectionLimit } from '#platform/http/limits/connection-limit.ts'
import { decodePauses } from '../domain/pauses.ts'
import { type ShownPart, shownPartOf } from '../domain/shown-part.ts'
import { readAllChunks, readChunksUntil } from '../storage/chunks-store.ts'
import type { TrackRow, TracksTables } from '../storage/tables.ts'
import { abandonmentOf } from './abandonment.ts'
import type { ComputingTurns } from './computing-turns.ts'
import type { PointsPool } from './points-pool.ts'
import type { ProfileView } from './profile-task.ts'

/** Memory for answers that were computed, encoded ones included: some hundred lines of marathons. */
const KEPT_BYTES = 64 * 1_048_576
/** Computations of one caller at once, waiting ones included. Many spectators may share one address. */
const MAX_PER_CALLER = 16

/** The one who asks for a view of a track. */
export type ProfileAsker = {
  kind: 'operator' | 'spectator'
  /** The operator, or the group of the spectator's address. */
  caller: string
  /** Encoding of the answer; undefined for none. */
  encoding: ContentEncoding | undefined
  /** Aborts when the client leaves. */
  left: AbortSignal
}

/** Returns a view of a track as JSON, in the encoding that was asked for. */
export type Profiles = (row: TrackRow, view: ProfileView, asker: ProfileAsker) => Promise<Uint8Array>

type Request = { view: ProfileView; shown: ShownPart; asker: ProfileAsker }

type Deps = {
  db: Kysely<TracksTables>
  pool: Pick<PointsPool, 'profile'>
  turns: Pick<ComputingTurns, 'take'>
  /** Points with a worse accuracy are left out of the statistics; 0 disables the limit. */
  maxAccuracyMeters: number
}

/**
 * Computes views of tracks for operators and spectators. A view is computed and encoded once for all
 * who ask for the same revision of a track, and kept. Points are read only when a computation
 * begins, so that waiting ones take no memory.
 */
export function createProfiles({ db, pool, turns, maxAccuracyMeters }: Deps): Profiles {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  })
  const inProgress = new SharedWork<Uint8Array>()
  const callers = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: MAX_PER_CALLER })

  async function compute(row: TrackRow, { view, shown, asker }: Request, abandoned: AbortSignal) {
    const release = callers.hold(asker.caller)
    if (release === undefined) throw tooManyOfCaller()
    const abandonment = abandonmentOf(abandoned)
    const run = async () => {
      const isOpen = shown.untilMs === Number.POSITIVE_INFINITY
      const chunks = isOpen ? await readAllChunks(db, row.id) : await readChunksUntil(db, row.id, shown.untilMs)
      abandoned.throwIfAborted()
      return await pool.profile({
        trackId: row.id,
        view,
        chunks: chunks.map(({ bytes }) => bytes),
        pauses: decodePauses(row.pauses),
        settings: { activityType: row.activity_type, maxAccuracyMeters },
        shown,
        abandonment,
      })
    }
    try {
      return await turns.take(asker.kind, run, abandoned)
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

  return async function profile(row, view, asker) {
    // An operator never waits for the turn of a spectator.
    const { encoding, left } = asker
    const shown = shownPartOf(row)
    const key = `${row.id} ${row.revision} ${asker.kind} ${shown.fromMs} ${shown.untilMs} ${JSON.stringify(view)}`
    const plain = (aborts: AbortSignal) =>
      get(key, aborts, (abandoned) => compute(row, { view, shown, asker }, abandoned))
    if (encoding === undefined) return await plain(left)
    return await get(`${key} ${encoding}`, left, async (abandoned) => encodeBytes(await plain(abandoned), encoding))
  }
}

function tooManyOfCaller() {
  const detail = 'Too many tracks are being computed for this caller. Try again shortly.'
  return rateLimited({ detail, headers: { 'retry-after': '2' } })
}
