import type { AddressInfo } from 'node:net'
import { createLogger } from '#platform/basics/logger.ts'
import { BodyBudget } from '#platform/http/body-limits.ts'
import { createHttpServer } from '#platform/http/create-http-server.ts'
import { createHttpMetrics } from '#platform/http/http-metrics.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import type { ApiDeps } from '../../src/tracks/api/deps.ts'
import { requireAppToken } from '../../src/tracks/api/doors.ts'
import type { OpenedAppToken } from '../../src/tracks/api/event-tokens.ts'
import { readPoints, scanShort } from '../../src/tracks/points/json/read-body.ts'
import type { PointColumns } from '../../src/tracks/points/point-columns.ts'
import { POINT_FIELDS } from '../../src/tracks/points/point-fields.ts'

const LIMIT_BYTES = 64 * 1_048_576

/** A store of points, one row for each. Points are durable when `store` has returned. */
export type RowStore = {
  store(track: number, points: PointColumns): Promise<void> | void
  close(): Promise<void> | void
}

/** Columns of a row, apart from the track. */
export const COLUMNS = `time_ms, latitude, longitude, altitude, accuracy, speed_mps, heading, battery, origin`

const OPENED: OpenedAppToken = { eventId: 'event', userId: null, permissions: ['record'] }

/** Runs a server with our HTTP server, authentication and validation, but with a store that has one row per point. */
export async function servePoints({ store, close }: RowStore): Promise<void> {
  const metrics = createHttpMetrics()
  const app = await createHttpServer({ logger: createLogger('warn'), metrics, trustedProxies: [], formats: {} })
  requireAppToken(app, { tokens: async () => OPENED, rateLimit: 0 } as unknown as ApiDeps)
  acceptJsonBodies(app, { limitBytes: LIMIT_BYTES, budget: new BodyBudget(512 * 1_048_576) })
  app.post<{ Params: { id: string } }>(
    '/tracks/:id/points',
    { schema: { permission: 'record' }, config: { rawJson: { limitBytes: LIMIT_BYTES } } },
    async (request, reply) => {
      const sent = { body: request.bodyBytes as Buffer, maxPoints: 10_000, handling: 'strict' as const }
      await store(Number(request.params.id), readPoints(sent, scanShort(sent)).points)
      return reply.code(204).send()
    },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.stdout.write(`running at http://localhost:${(app.server.address() as AddressInfo).port}\n`)
  process.on('SIGTERM', async () => {
    await close()
    process.exit(0)
  })
}

/** Returns the values of a row in the order of `COLUMNS`; null for what a point does not have. */
export function rowOf(points: PointColumns, i: number): (number | string | null)[] {
  return [
    points.timeMs[i],
    points.latitude[i],
    points.longitude[i],
    orNull(points.altitude[i]),
    orNull(points.accuracy[i]),
    orNull(points.speedMps[i]),
    orNull(points.heading[i]),
    orNull(points.battery[i]),
    POINT_FIELDS.origin.choices[points.origin[i] - 1] ?? null,
  ]
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
