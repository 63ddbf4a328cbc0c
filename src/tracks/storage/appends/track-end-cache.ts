import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { TrackRow, TracksTables } from '../tables.ts'
import { queryBySize } from './query-by-size.ts'

/** The columns that appending to a track needs. */
export type TrackEnd = Pick<TrackRow, (typeof COLUMNS)[number]>

const COLUMNS = [
  'id',
  'event_id',
  'user_id',
  'last_point_ms',
  'point_count',
  'loose_chunks',
  'coarse_updated_at',
  'to_compact',
] as const satisfies (keyof TrackRow)[]

/** Each entry takes some hundred bytes. */
const MAX_ENTRIES = 10_000
/** Appends after which a track is read again, so that its number of uncompacted chunks stays roughly right. */
const MAX_APPENDS = 16

/**
 * Remembers where tracks end, as of the last append. An entry may be outdated: it says where points probably go, and
 * the statement that appends them checks it.
 */
export class TrackEndCache {
  readonly #db: Kysely<TracksTables>
  readonly #select
  readonly #known = new LRUCache<string, TrackEnd & { appends: number }>({ max: MAX_ENTRIES })

  constructor(db: Kysely<TracksTables>) {
    this.#db = db
    this.#select = queryBySize((size) =>
      db.selectFrom('tracks').select(COLUMNS).where('id', 'in', Array(size).fill('')).compile(),
    )
  }

  /** Returns the ends of the tracks that exist. */
  async find(trackIds: ReadonlySet<string>): Promise<Map<string, TrackEnd>> {
    const ends = new Map<string, TrackEnd>()
    const unknown: string[] = []
    for (const id of trackIds) {
      const known = this.#known.get(id)
      if (known === undefined) unknown.push(id)
      else ends.set(id, known)
    }
    if (unknown.length === 0) return ends
    const { rows } = await this.#db.executeQuery(this.#select(unknown.length, unknown))
    for (const row of rows) ends.set(row.id, row)
    return ends
  }

  /** Records an append of `count` points up to `lastMs`. */
  appended(end: TrackEnd, lastMs: number, count: number): void {
    const appends = (this.#known.get(end.id)?.appends ?? 0) + 1
    if (appends === MAX_APPENDS) this.#known.delete(end.id)
    else {
      const { id, event_id, user_id, point_count, loose_chunks, coarse_updated_at, to_compact } = end
      this.#known.set(id, {
        id,
        event_id,
        user_id,
        last_point_ms: lastMs,
        point_count: point_count + count,
        loose_chunks: loose_chunks + 1,
        coarse_updated_at,
        to_compact,
        appends,
      })
    }
  }

  forget(trackId: string): void {
    this.#known.delete(trackId)
  }
}
