import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { Registry } from 'prom-client'
import { readConfig } from '#platform/basics/config.ts'
import { BodyBudget } from '#platform/http/body-limits.ts'
import { Jobs } from '#platform/jobs/jobs.ts'
import { tracksConfig } from '../src/tracks/model/config.ts'
import { emptyColumns, type PointColumns, sliceColumns } from '../src/tracks/points/point-columns.ts'
import { chunkRows } from '../src/tracks/points/storage/chunks-store.ts'
import { type CheckpointInput, placeCheckpoints } from '../src/tracks/race/checkpoints.ts'
import { courseShape, distancesAlong } from '../src/tracks/race/course.ts'
import { startTracksService, type TracksService } from '../src/tracks/service.ts'
import { encodeCourseLine } from '../src/tracks/statistics/course-line.ts'
import { withUnit } from './report/format.ts'

// node bench/race.ts [--runners 2000] [--points 4000]: measures the ranking of a race with ten
// checkpoints on SQLite, in this process: the first time, after new points of a fifth of all runners,
// after a restart, and after a checkpoint has moved.

const { values: options } = parseArgs({
  options: { runners: { type: 'string', default: '2000' }, points: { type: 'string', default: '4000' } },
})
const RUNNERS = Number(options.runners)
/** Points of each runner, one every three seconds. */
const POINTS = Number(options.points)
const EVERY_SEC = 3
const NEW_POINTS = 5
const COURSE_METERS = 40_000
const METERS_PER_DEGREE = 111_195
const START_MS = Date.UTC(2026, 4, 3, 6)
const ALL = { untilMs: Number.POSITIVE_INFINITY, maxAgeMs: 0 }

const dataDir = mkdtempSync(join(tmpdir(), 'race-'))
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))

const service = await start()
const eventId = await fill(service)
await measure('the first ranking, of tracks that have never been followed', () => complete(service))
for (let round = 0; round < 3; round++) {
  await append(service, round)
  await measure(`a ranking after ${NEW_POINTS} new points of ${RUNNERS / 5} runners each`, () => complete(service))
}

await service.close()
const again = await start()
await measure('the first ranking after a restart', () => complete(again))
await again.deps.races.change(eventId, ({ checkpoints }) => ({ checkpoints }))
await measure('a complete ranking after a checkpoint has moved', () => complete(again))
await again.close()

async function measure(what: string, work: () => Promise<void>): Promise<void> {
  let longestMs = 0
  let lastMs = performance.now()
  const beat = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs - 5)
    lastMs = performance.now()
  }, 5)
  const startMs = performance.now()
  await work()
  const tookMs = performance.now() - startMs
  clearInterval(beat)
  longestMs = Math.max(longestMs, performance.now() - lastMs - 5)
  process.stdout.write(
    `${what}: ${withUnit(tookMs, 'ms')}; longest hold of the main thread: ${withUnit(longestMs, 'ms')}\n`,
  )
}

/** Asks for the ranking until it is complete. */
async function complete({ deps }: TracksService): Promise<void> {
  for (;;) {
    const { is_complete, entries } = await deps.raceBoards.ranking(eventId, ALL)
    if (entries.length !== RUNNERS) throw new Error(`${entries.length} entries`)
    if (!is_complete) continue
    const passings = entries.reduce((sum, entry) => sum + entry.passings.length, 0)
    if (passings < RUNNERS) throw new Error(`${passings} passings`)
    return
  }
}

async function start() {
  const logger = pino({ level: 'warn' }) as never
  const registry = new Registry()
  return await startTracksService({
    binDays: 0,
    config: readConfig({ tracks: tracksConfig }, {}).tracks,
    databaseUrl: '',
    databaseConnections: 4,
    dataDir,
    secrets: [Buffer.alloc(32, 7)],
    baseUrl: () => 'http://localhost',
    logger,
    registry,
    jobs: new Jobs({ logger, registry, now: () => Date.now() }),
    bodyBudget: new BodyBudget(1e9),
    webhooks: { allowedNetworks: [] },
    now: () => Date.now(),
  })
}

/** Fills an event with a course that winds eastwards, ten checkpoints, and runners who are under way. */
async function fill({ deps }: TracksService): Promise<string> {
  const { eventTokens, races, db } = deps
  const { id } = await eventTokens.create('Race')
  const places = Array.from({ length: COURSE_METERS / 20 + 1 }, (_, i) => placeAt(i * 20))
  const latitude = Float64Array.from(places, (place) => place.latitude)
  const longitude = Float64Array.from(places, (place) => place.longitude)
  const altitude = new Float64Array(places.length).fill(Number.NaN)
  const line = { latitude, longitude, altitude, distanceM: distancesAlong(latitude, longitude) }
  const shape = courseShape(line)
  const inputs = Array.from({ length: 12 }, (_, i): CheckpointInput => {
    const place = placeAt(Math.min(COURSE_METERS - 10, Math.max(10, (COURSE_METERS / 11) * i)))
    const kind = i === 0 ? 'start' : i === 11 ? 'finish' : 'checkpoint'
    return { name: `Checkpoint ${i}`, kind, shape: { type: 'circle', ...place, radius_m: 30 } }
  })
  const { checkpoints, errors } = placeCheckpoints(shape, inputs, randomUUID)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  await races.change(id, () => ({
    course_line: encodeCourseLine(line),
    course_length_m: shape.lengthM,
    checkpoints: JSON.stringify(checkpoints),
  }))
  const runners = Array.from({ length: RUNNERS }, (_, i) => ({
    user_id: `user-${i}`,
    bib: String(i + 1),
    name: `Runner ${i + 1}`,
    category: i % 2 === 0 ? 'F' : 'M',
    status: null,
  }))
  await races.replaceRunners(id, runners)
  for (let i = 0; i < RUNNERS; i++) {
    const points = sliceColumns(runOf(i), 0, POINTS)
    const trackId = randomUUID()
    await db
      .insertInto('tracks')
      .values({ ...trackRow(trackId, id, i), point_count: POINTS, last_point_ms: points.timeMs[POINTS - 1] })
      .execute()
    await db.insertInto('chunks').values(chunkRows(trackId, points)).execute()
  }
  return id
}

async function append({ deps }: TracksService, round: number): Promise<void> {
  const rows = await deps.db.selectFrom('tracks').select(['id', 'user_id']).execute()
  const from = POINTS + round * NEW_POINTS
  for (const { id, user_id } of rows.filter((_, i) => i % 5 === 0)) {
    const points = sliceColumns(runOf(Number(user_id!.slice(5))), from, from + NEW_POINTS)
    await deps.db.insertInto('chunks').values(chunkRows(id, points)).execute()
    const updatedMs = Date.now()
    const changed = {
      point_count: from + NEW_POINTS,
      last_point_ms: points.timeMs[NEW_POINTS - 1],
      updated_at: updatedMs,
      coarse_updated_at: updatedMs,
    }
    await deps.db.updateTable('tracks').set(changed).where('id', '=', id).execute()
  }
}

function trackRow(id: string, event_id: string, i: number) {
  return {
    id,
    event_id,
    device_track_id: `device-${i}`,
    title: `Runner ${i}`,
    activity_type: 'run' as const,
    state: 'running' as const,
    start_ms: START_MS,
    user_id: `user-${i}`,
    pauses: '[]',
    revision: 1,
    loose_chunks: 0,
    created_at: START_MS,
    updated_at: START_MS + i,
    coarse_updated_at: START_MS + i,
    to_compact: 1,
  }
}

/** Returns the points of a runner, each at a speed of its own, with a receiver that is some metres off. */
function runOf(runner: number): PointColumns {
  const count = POINTS + 3 * NEW_POINTS
  const points = emptyColumns(count)
  const mps = 2 + ((runner * 7919) % 1000) / 1000
  for (let i = 0; i < count; i++) {
    const jitter = ((i * 7919 + runner * 31) % 101) / 101 - 0.5
    const { latitude, longitude } = placeAt(Math.min(COURSE_METERS, i * EVERY_SEC * mps))
    points.timeMs[i] = START_MS + i * EVERY_SEC * 1000
    points.latitude[i] = Math.round((latitude + jitter / 30_000) * 1e7) / 1e7
    points.longitude[i] = Math.round((longitude - jitter / 30_000) * 1e7) / 1e7
    points.accuracy[i] = 5
  }
  return points
}

function placeAt(meters: number) {
  const north = 2000 * Math.sin(meters / 3000)
  return { latitude: 46 + north / METERS_PER_DEGREE, longitude: 6 + meters / METERS_PER_DEGREE }
}
