import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import type { Figures } from './figures.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const POINTS_PER_REQUEST = 10_000

/** A server started for the measurement, with an empty database that is removed with it. */
export type RecordingService = AsyncDisposable & {
  /** Sends the points as a phone does, in batches, finishes the track and returns the statistics of the response. */
  measure: (file: ActivityFile) => Promise<Figures>
}

/** Starts the real server in a process of its own, on a free port. */
export async function startRecordingService(): Promise<RecordingService> {
  const folder = await mkdtemp(join(tmpdir(), 'accuracy-'))
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', TRACKS_RATE_LIMIT: '0', LOG_LEVEL: 'error' }
  const server = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const { url, token } = await readBanner(server)
  return {
    measure: (file) => measure(file, (method, path, body) => request(method, `${url}${path}`, token, body)),
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the address and the token that the first start prints; throws if the server ends before. */
async function readBanner(server: ChildProcess): Promise<{ url: string; token: string }> {
  let printed = ''
  for await (const chunk of server.stdout!) {
    printed += chunk
    const url = /running at (\S+)/.exec(printed)?.[1]
    const token = /App token\s+(\S+)/.exec(printed)?.[1]
    if (url !== undefined && token !== undefined) return { url, token }
  }
  throw new Error(`the server did not start:\n${printed}`)
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

async function request(method: string, url: string, token: string, body: unknown): Promise<unknown> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' }
  const response = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function measure({ points, activityType }: ActivityFile, send: Send): Promise<Figures> {
  const track = { device_track_id: crypto.randomUUID(), activity_type: activityType, start_ts: points[0]?.timestamp }
  const { id } = (await send('POST', '/tracks', track)) as { id: string }
  for (let start = 0; start < points.length; start += POINTS_PER_REQUEST) {
    await send('POST', `/tracks/${id}/points`, { points: points.slice(start, start + POINTS_PER_REQUEST) })
  }
  await send('POST', `/tracks/${id}/finish`, {})
  const { stats } = (await send('GET', `/tracks/${id}`)) as { stats: Record<string, number | undefined> }
  return {
    distanceMeters: stats.distance_meters!,
    gainMeters: stats.elevation_gain_m!,
    maxSpeedMps: stats.max_speed_mps,
    durationSec: stats.duration_sec!,
  }
}
