import type { Kysely } from 'kysely'
import { decodeChunk } from '../../chunks/chunk-codec.ts'
import { firstIndexAfter } from '../../points/point-set.ts'
import type { TracksTables } from '../../storage/tables.ts'

/** The points of a track up to a time: how many there are, and the time of the latest. */
export type EndUntil = { count: number; lastMs: number }

/** Returns what tracks have up to a time, by their ids. Tracks without a point until then are missing. */
export async function endsUntil(
  db: Kysely<TracksTables>,
  ids: readonly string[],
  untilMs: number,
): Promise<Map<string, EndUntil>> {
  if (ids.length === 0) return new Map()
  const whole = await db
    .selectFrom('chunks')
    .select(({ fn }) => ['track_id', fn.sum<number>('count').as('points'), fn.max('last_ms').as('latest_ms')])
    .where('track_id', 'in', ids)
    .where('last_ms', '<=', untilMs)
    .groupBy('track_id')
    .execute()
  const ends = new Map(
    whole.map(({ track_id, points, latest_ms }) => [track_id, { count: Number(points), lastMs: Number(latest_ms) }]),
  )
  const cut = await db
    .selectFrom('chunks')
    .select(['track_id', 'bytes'])
    .where('track_id', 'in', ids)
    .where('first_ms', '<=', untilMs)
    .where('last_ms', '>', untilMs)
    .execute()
  for (const { track_id, bytes } of cut) {
    const points = decodeChunk(bytes)
    const count = firstIndexAfter(points, untilMs)
    const before = ends.get(track_id)?.count ?? 0
    if (count > 0) ends.set(track_id, { count: before + count, lastMs: points.timeMs[count - 1] })
  }
  return ends
}
