import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../../test/support/start-process.ts'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import type { Figures } from './report.ts'

const POINTS_PER_REQUEST = 10_000

/** A recording as the server has imported it, with the statistics that it computed. */
export type ImportedFile = Pick<ActivityFile, 'points' | 'activityType'> & { ours: Figures }

/** A server started for the measurement, with an empty database that is removed with it. */
export type RecordingService = AsyncDisposable & {
  /**
   * Imports a file, and returns what the server made of it. Throws if it refuses the file, or finds several tracks in
   * it.
   */
  importFile: (path: string) => Promise<ImportedFile>
  /** Sends the points as a phone does, in batches, finishes the track and returns the statistics of the response. */
  measure: (file: Pick<ActivityFile, 'points' | 'activityType'>) => Promise<Figures>
}

/** Starts the real server in a process of its own, on a free port. */
export async function startRecordingService(): Promise<RecordingService> {
  const folder = await mkdtemp(join(tmpdir(), 'accuracy-'))
  const settings = { DATA_DIR: folder, TRACKS_RATE_LIMIT: '0', LOG_LEVEL: 'error' }
  const server = await startProcess(settings, [], { program: 'src/main.ts', flags: [] })
  const send: Send = (method, path, body) => request(method, `${server.url}${path}`, server.token!, body)
  return {
    importFile: (path) => importFile(path, send),
    measure: (file) => measure(file, send),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

async function request(method: string, url: string, token: string, body: unknown): Promise<unknown> {
  const isFile = body instanceof Uint8Array
  const headers = { 'X-API-Key': token, 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' }
  const sent = body === undefined ? undefined : isFile ? new Uint8Array(body) : JSON.stringify(body)
  const response = await fetch(url, { method, headers, body: sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

type WireTrack = {
  activity_type: ActivityFile['activityType']
  stats: WireStatistics
  /** Absent if the file has no totals of its device. */
  computed_stats?: WireStatistics
}

async function importFile(path: string, send: Send): Promise<ImportedFile> {
  const { tracks } = (await send('POST', '/tracks/import', await readFile(path))) as { tracks: { track_id: string }[] }
  if (tracks.length > 1) throw new Error(`${path}: ${tracks.length} tracks, whose totals are not those of the file`)
  const [{ track_id }] = tracks
  const { points } = (await send('GET', `/tracks/${track_id}/points`)) as Pick<ActivityFile, 'points'>
  const { activity_type, stats, computed_stats } = (await send('GET', `/tracks/${track_id}`)) as WireTrack
  return { points, activityType: activity_type, ours: figuresOf(computed_stats ?? stats) }
}

async function measure(
  { points, activityType }: Pick<ActivityFile, 'points' | 'activityType'>,
  send: Send,
): Promise<Figures> {
  const track = { device_track_id: crypto.randomUUID(), activity_type: activityType, start_ts: points[0]?.timestamp }
  const { id } = (await send('POST', '/tracks', track)) as { id: string }
  for (let start = 0; start < points.length; start += POINTS_PER_REQUEST) {
    await send('POST', `/tracks/${id}/points`, { points: points.slice(start, start + POINTS_PER_REQUEST) })
  }
  await send('POST', `/tracks/${id}/finish`, {})
  return figuresOf(((await send('GET', `/tracks/${id}`)) as WireTrack).stats)
}

type WireStatistics = Record<string, number | undefined>

function figuresOf(stats: WireStatistics): Figures {
  return {
    distanceMeters: stats.distance_meters!,
    gainMeters: stats.elevation_gain_m!,
    maxSpeedMps: stats.max_speed_mps,
    durationSec: stats.duration_sec!,
  }
}
