import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { WirePoint } from './make-points.ts'

/** Sends a request with an app token; `json` is the body, and undefined sends none. */
export type SendRequest = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Response>

/** Statistics in a response, without fields that the specification does not name. */
export type WireStatistics = {
  distance_meters: number
  duration_sec: number
  elevation_gain_m: number
  elevation_loss_m: number
  mean_speed_mps: number
  pace_sec_per_km: number
  max_speed_mps?: number
  max_altitude_m?: number
  min_altitude_m?: number
  points_count: number
  moving_time_sec: number
  paused_time_sec: number
}

/** A track in a response. */
export type WireTrack = {
  id: string
  device_track_id: string
  title: string
  activity_type: string
  state: string
  start_ts: string
  end_ts: string | null
  user_id: string | null
  image_url: string | null
  points_count: number
  stats: WireStatistics
  computed_stats?: WireStatistics
  created_at: string
  updated_at: string
}

/** The answer of `GET /tracks/:id/points`. */
export type WirePointList = { track_id: string; count: number; points: WirePoint[] }

/** Requests that most tests need for their set-up. Each one must succeed. */
export type TrackRequests = {
  /** Creates a track, with a new device_track_id unless one is given. @returns its id */
  create(fields?: Record<string, unknown>): Promise<string>
  /** Returns the id of the new track. */
  sync(body?: { track?: Record<string, unknown>; points?: unknown[]; stats?: unknown }): Promise<string>
  add(id: string, points: readonly unknown[]): Promise<void>
  update(id: string, changes: Record<string, unknown>): Promise<WireTrack>
  finish(id: string): Promise<WireTrack>
  read(id: string): Promise<WireTrack>
  points(id: string, query?: string): Promise<WirePointList>
}

export function trackRequests(request: SendRequest): TrackRequests {
  async function answer<Body>(status: number, sent: Promise<Response>): Promise<Body> {
    const response = await sent
    const text = await response.text()
    assert.equal(response.status, status, text)
    return (text === '' ? undefined : JSON.parse(text)) as Body
  }

  return {
    async create(fields = {}) {
      const body = { device_track_id: randomUUID(), ...fields }
      return (await answer<{ id: string }>(201, request('POST', '/tracks', body))).id
    },
    async sync({ track = {}, points = [], stats } = {}) {
      const body = { track: { device_track_id: randomUUID(), ...track }, points, stats }
      return (await answer<{ track_id: string }>(201, request('POST', '/sync', body))).track_id
    },
    add: async (id, points) => await answer(204, request('POST', `/tracks/${id}/points`, { points })),
    update: async (id, changes) => await answer(200, request('PATCH', `/tracks/${id}`, changes)),
    finish: async (id) => await answer(200, request('POST', `/tracks/${id}/finish`)),
    read: async (id) => await answer(200, request('GET', `/tracks/${id}`)),
    points: async (id, query = '') => await answer(200, request('GET', `/tracks/${id}/points${query}`)),
  }
}
