import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import { createHttpServer } from '#platform/http/server/create-http-server.ts'
import { createHttpMetrics } from '#platform/http/server/metrics.ts'
import { createLogger } from '#platform/logger.ts'
import { requireAppToken } from '../../src/tracks/app-api/authentication.ts'
import type { PointColumns } from '../../src/tracks/points/point-columns.ts'
import { POINT_FIELDS } from '../../src/tracks/points/point-fields.ts'
import { readPointsBody } from '../../src/tracks/wire/read/read-points-body.ts'

// The same service built the usual way: the same HTTP server, authentication and validation, but one row per point, in one
// transaction per request, synced to disk before the response.

const database = new DatabaseSync(join(process.env.DATA_DIR as string, 'rows.sqlite'))
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table points (
    track_id integer not null, time_ms integer not null, latitude real not null, longitude real not null,
    altitude real, accuracy real, speed_mps real, heading real, battery real, origin text,
    primary key (track_id, time_ms, latitude, longitude)
  ) without rowid`)
const insert = database.prepare('insert or ignore into points values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')

const LIMIT_BYTES = 64 * 1_048_576

const metrics = createHttpMetrics()
const app = await createHttpServer({ logger: createLogger('warn'), metrics, trustedProxies: [], formats: {} })
requireAppToken(app, { tokens: async () => ({ eventId: 'event' }), rateLimit: 0 })
acceptJsonBodies(app, { limitBytes: LIMIT_BYTES, budget: new BodyBudget(512 * 1_048_576) })
app.post<{ Params: { id: string } }>(
  '/tracks/:id/points',
  { config: { rawJson: { limitBytes: LIMIT_BYTES } } },
  async (request, reply) => {
    store(Number(request.params.id), readPointsBody(request.bodyBytes as Buffer, 10_000))
    return reply.code(204).send()
  },
)
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`running at http://localhost:${(app.server.address() as AddressInfo).port}\n`)
process.on('SIGTERM', () => {
  database.close()
  process.exit(0)
})

function store(track: number, points: PointColumns): void {
  database.exec('begin immediate')
  for (let i = 0; i < points.count; i++) {
    insert.run(
      track,
      points.timeMs[i],
      points.latitude[i],
      points.longitude[i],
      orNull(points.altitude[i]),
      orNull(points.accuracy[i]),
      orNull(points.speedMps[i]),
      orNull(points.heading[i]),
      orNull(points.battery[i]),
      POINT_FIELDS.origin.choices[points.origin[i] - 1] ?? null,
    )
  }
  database.exec('commit')
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
