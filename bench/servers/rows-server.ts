import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { COLUMNS, rowOf, servePoints } from './points-server.ts'

// The same service built the usual way: one row per point, in one transaction per
// request, synced to disk before the response.

const database = new DatabaseSync(join(process.env.DATA_DIR as string, 'rows.sqlite'))
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table points (
    track_id integer not null, time_ms integer not null, latitude real not null, longitude real not null,
    altitude real, accuracy real, speed_mps real, heading real, battery real, origin text,
    primary key (track_id, time_ms, latitude, longitude)
  ) without rowid`)
const insert = database.prepare(
  `insert or ignore into points (track_id, ${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
)

await servePoints({
  store(track, points) {
    database.exec('begin immediate')
    for (let i = 0; i < points.count; i++) insert.run(track, ...rowOf(points, i))
    database.exec('commit')
  },
  close: () => database.close(),
})
