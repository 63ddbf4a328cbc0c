import { pipeline } from 'node:stream/promises'
import { Pool } from 'pg'
import { from } from 'pg-copy-streams'
import type { PointColumns } from '../../src/tracks/points/point-columns.ts'
import { COLUMNS, rowOf, servePoints } from './points-server.ts'

// The same service built the usual way for PostgreSQL: one row per point, written by COPY, the fastest way that
// PostgreSQL has. It does less than ours: a point that arrives again fails.

const CONNECTIONS = 16

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: CONNECTIONS })
await pool.query(`
  create table points (
    track_id integer not null, time_ms float8 not null, latitude float8 not null, longitude float8 not null,
    altitude float8, accuracy float8, speed_mps float8, heading float8, battery float8, origin text,
    primary key (track_id, time_ms, latitude, longitude)
  )`)

await servePoints({
  async store(track, points) {
    const client = await pool.connect()
    try {
      const copy = client.query(from(`copy points (track_id, ${COLUMNS}) from stdin`))
      await pipeline([linesOf(track, points)], copy)
    } finally {
      client.release()
    }
  },
  close: () => pool.end(),
})

/** Writes the text format of COPY. */
function linesOf(track: number, points: PointColumns): string {
  let lines = ''
  for (let i = 0; i < points.count; i++) {
    lines += `${[track, ...rowOf(points, i).map((value) => value ?? '\\N')].join('\t')}\n`
  }
  return lines
}
