import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { COURSE_PATH, checkpointsBetween, readCourse } from '../../demo/race/course.ts'
import { type InventedRunner, inventRunners } from './invented-runners.ts'

/** A request as the signed-in operator. Anything but text and bytes is sent as JSON. */
export type Send = <Answer>(method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>

/** The event of a race with a mass start that its first runners have finished, and the link of its spectators. */
export type CastleRace = { id: string; shareUrl: string; trackId: string; stop(): Promise<void> }

const STARTED_MS_AGO = 55 * 60_000
const SEND_EVERY_MS = 5000
/** The runner whose phone fell silent, by number in the start list, and since when. */
const SILENT = 17
const SILENT_MS = 12 * 60_000
const BATCH_POINTS = 1000

/** Creates a race on the demo's course. Its runners go on sending until it is stopped. */
export async function startCastleRace(url: string, send: Send): Promise<CastleRace> {
  const startMs = Date.now() - STARTED_MS_AGO
  const day = new Date(startMs).toISOString().slice(0, 10)
  const event = { name: 'Castle run', starts_on: day, ends_on: day, time_zone: 'Europe/Vaduz' }
  const created = await send<{ id: string; token: { token: string } }>('POST', '/operator/events', event)
  const at = `/operator/events/${created.id}`
  await send('PUT', `${at}/course`, readFileSync(COURSE_PATH), 'application/gpx+xml')
  const ends = await send<{ checkpoints: object[] }>('GET', `${at}/checkpoints`)
  await send('PUT', `${at}/checkpoints`, checkpointsBetween(ends.checkpoints))
  await send('PATCH', `${at}/race`, { race_starts_at: new Date(startMs).toISOString() })
  const runners = inventRunners(readCourse(), startMs)
  const list = runners.map(({ bib, name, category }) => ({ user_id: bib, bib, name, category }))
  await send('PUT', `${at}/runners`, { runners: [...list, { user_id: '190', bib: '190', name: 'Bearded vulture' }] })
  const share = await send<{ url: string }>('POST', `${at}/shares`, { label: 'Spectators' })
  const recording = await startRecording(url, created.token.token, runners)
  return { id: created.id, shareUrl: share.url, ...recording }
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
