import { setTimeout as wait } from 'node:timers/promises'
import { type CoursePlace, type InventedRunner, inventRunners } from './invented-runners.ts'

/** A request as the signed-in operator. Anything but text and bytes is sent as JSON. */
export type Send = <Answer>(method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>

/** The event of a race that has been going on for hours, and the link of its spectators. */
export type MountainRace = { id: string; shareUrl: string; trackId: string; stop(): Promise<void> }

type Course = {
  length_m: number
  line: { latitude: number[]; longitude: number[]; altitude: (number | null)[]; distance_m: number[] }
}

const STARTED_MS_AGO = 4.4 * 3_600_000
const SEND_EVERY_MS = 5000
/** The runner whose phone fell silent, by number in the start list, and since when. */
const SILENT = 17
const SILENT_MS = 45 * 60_000
const BATCH_POINTS = 1000

/** Creates a race along a GPX course. Its runners go on sending until it is stopped. */
export async function startMountainRace(url: string, send: Send, gpx: Buffer): Promise<MountainRace> {
  const startMs = Date.now() - STARTED_MS_AGO
  const day = new Date(startMs).toISOString().slice(0, 10)
  const event = { name: 'Trail d’Ordino', starts_on: day, ends_on: day, time_zone: 'Europe/Andorra' }
  const created = await send<{ id: string; token: { token: string } }>('POST', '/operator/events', event)
  const at = `/operator/events/${created.id}`
  await send('PUT', `${at}/course`, gpx, 'application/gpx+xml')
  const { line } = await send<Course>('GET', `${at}/course`)
  const course = line.distance_m.map((distanceM, i): CoursePlace => {
    return { distanceM, latitude: line.latitude[i], longitude: line.longitude[i], altitude: line.altitude[i] ?? 0 }
  })
  await send('PUT', `${at}/checkpoints`, { checkpoints: checkpointsOf(course) })
  await send('PATCH', `${at}/race`, { race_starts_at: new Date(startMs).toISOString() })
  const runners = inventRunners(course, startMs)
  const list = runners.map(({ bib, name, category }) => ({ user_id: bib, bib, name, category }))
  await send('PUT', `${at}/runners`, { runners: [...list, { user_id: '190', bib: '190', name: 'Bearded vulture' }] })
  const share = await send<{ url: string }>('POST', `${at}/shares`, { label: 'Spectators' })
  const recording = await startRecording(url, created.token.token, runners)
  return { id: created.id, shareUrl: share.url, ...recording }
}

function checkpointsOf(course: readonly CoursePlace[]) {
  const total = course[course.length - 1].distanceM
  const places = [
    { name: 'Ordino', kind: 'start', share: 0 },
    { name: 'Coll d’Ordino', kind: 'checkpoint', share: 0.2 },
    { name: 'Canillo', kind: 'checkpoint', share: 0.42 },
    { name: 'Encamp', kind: 'checkpoint', share: 0.66 },
    { name: 'La Massana', kind: 'checkpoint', share: 0.86 },
    { name: 'Finish', kind: 'finish', share: 1 },
  ]
  return places.map(({ name, kind, share }) => {
    const { latitude, longitude, distanceM } = course.find((place) => place.distanceM >= share * total - 1)!
    const shape = { type: 'circle', latitude, longitude, radius_m: 40 }
    return { name, kind, shape, course_distance_m: distanceM }
  })
}

/** Sends what the runners have recorded so far, and then goes on. */
async function startRecording(url: string, token: string, runners: readonly InventedRunner[]) {
  const post = async <Answer>(path: string, body?: unknown): Promise<Answer> => {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  const phones = await Promise.all(
    runners.map(async ({ bib, name, points }, at) => {
      const fields = {
        device_track_id: bib,
        user_id: bib,
        title: name,
        activity_type: 'run',
        start_ts: points[0].timestamp,
      }
      const { id } = await post<{ id: string }>('/tracks', fields)
      return { id, points, sent: 0, lagMs: at === SILENT ? SILENT_MS : 0 }
    }),
  )

  async function sendDue(): Promise<void> {
    for (const phone of phones) {
      const limit = new Date(Math.max(0, Date.now() - phone.lagMs)).toISOString()
      while (phone.sent < phone.points.length && phone.points[phone.sent].timestamp <= limit) {
        const due = phone.points
          .slice(phone.sent, phone.sent + BATCH_POINTS)
          .filter(({ timestamp }) => timestamp <= limit)
        await post(`/tracks/${phone.id}/points`, { points: due })
        phone.sent += due.length
        if (phone.sent === phone.points.length) await post(`/tracks/${phone.id}/finish`)
      }
      if (phone.lagMs > 0) phone.lagMs = Number.POSITIVE_INFINITY
    }
  }

  await sendDue()
  const ending = new AbortController()
  const going = (async () => {
    while (!ending.signal.aborted) {
      await wait(SEND_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {})
      if (!ending.signal.aborted) await sendDue()
    }
  })()
  return {
    trackId: phones[0].id,
    async stop() {
      ending.abort()
      await going
    },
  }
}
