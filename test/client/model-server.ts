import { setImmediate } from 'node:timers/promises'
import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'
import type { ScheduleServer } from './schedule-server.ts'

type Point = { latitude: number }
type Track = { id: string; event: string; deviceTrackId: string; state: string; points: Point[]; texts: Set<string> }
type Answer = { status: number; body?: unknown }

const URL_OF_MODEL = 'http://model.example'
const EVENTS: Record<string, string> = { trk_one: 'event', trk_two: 'event', trk_foreign: 'another event' }
/** The server names so many errors, and so many points that were left out. */
const MAX_ERRORS = 20
const MAX_REJECTED = 100

/**
 * Creates a model of what the server does with the requests of the queue: a millisecond of the real one is ten
 * microseconds here. A test runs the same schedules against both.
 */
export function modelServer(): ScheduleServer {
  const tracks = new Map<string, Track>()
  const created = new Map<string, Answer>()

  function create(event: string, key: string, body: { device_track_id: string }): Answer {
    const known = created.get(event + key)
    if (known !== undefined) return known
    const deviceTrackId = body.device_track_id
    const taken = [...tracks.values()].find((one) => one.event === event && one.deviceTrackId === deviceTrackId)
    if (taken !== undefined) return problem(409, 'CONFLICT', { track_id: taken.id })
    const id = `track-${tracks.size + 1}`
    tracks.set(id, { id, event, deviceTrackId, state: 'running', points: [], texts: new Set() })
    const answer = { status: 201, body: { id, device_track_id: deviceTrackId } }
    created.set(event + key, answer)
    return answer
  }

  function answer(method: string, path: string, headers: Record<string, string>, body: string | undefined): Answer {
    const event = EVENTS[headers['X-API-Key']]
    if (event === undefined) return problem(401, 'UNAUTHORIZED')
    const [, , id, action] = path.split('/')
    if (id === undefined) return create(event, headers['Idempotency-Key'], JSON.parse(body!))
    const track = tracks.get(id)
    if (track === undefined || track.event !== event) return problem(404, 'NOT_FOUND')
    if (action === 'points' && method === 'GET') return { status: 200, body: { points: track.points } }
    if (action === 'points') return addPoints(track, headers.Prefer, JSON.parse(body!).points)
    if (action === 'finish') track.state = 'stopped'
    else if (method === 'PATCH') track.state = JSON.parse(body!).state ?? track.state
    return { status: 200, body: { id, state: track.state } }
  }

  const fetch: Fetch = async (url, { method, headers, body }) => {
    // As over a network, what the app does beside a request comes before the answer.
    await setImmediate()
    const answered = answer(method, url.slice(URL_OF_MODEL.length), headers, body as string | undefined)
    const text = answered.body === undefined ? '' : JSON.stringify(answered.body)
    return {
      status: answered.status,
      headers: { get: (name) => (name === 'Trackpress-Api' ? '1' : null) },
      text: async () => text,
    }
  }
  return {
    url: URL_OF_MODEL,
    fetch,
    tokens: { valid: ['trk_one', 'trk_two'], foreign: 'trk_foreign', revoked: 'trk_revoked' },
  }
}

/** Stores points that earlier requests have not brought; copies within one request are kept, as the server does. */
function addPoints(track: Track, preference: string | undefined, points: Point[]): Answer {
  const rejected = points.flatMap(({ latitude }, index) =>
    latitude > 90 ? [{ index, errors: [{ path: 'latitude', message: 'must be <= 90' }] }] : [],
  )
  if (preference === undefined && rejected.length > 0) {
    const errors = rejected.map(({ index }) => ({ path: `points/${index}/latitude`, message: 'must be <= 90' }))
    return problem(400, 'VALIDATION_FAILED', { errors: errors.slice(0, MAX_ERRORS) })
  }
  const valid = points.filter(({ latitude }) => latitude <= 90)
  const texts = valid.map((point) => JSON.stringify(point))
  const added = valid.filter((_, at) => !track.texts.has(texts[at]))
  track.points.push(...added)
  for (const text of texts) track.texts.add(text)
  if (preference === undefined) return { status: 204 }
  const receipt = {
    received: points.length,
    stored: added.length,
    known: valid.length - added.length,
    rejected_count: rejected.length,
    rejected: rejected.slice(0, MAX_REJECTED),
  }
  return { status: 200, body: receipt }
}

function problem(status: number, code: string, more: object = {}): Answer {
  return { status, body: { type: 'about:blank', title: code, status, code, detail: code, request_id: 'r', ...more } }
}
