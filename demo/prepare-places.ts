import { readFileSync } from 'node:fs'
import { type OperatorSession, openOperatorSession } from './operator-session.ts'
import { chooseMap } from './place/choose-map.ts'
import { COURSE_PATH, checkpointsBetween } from './race/course.ts'
import { startListCsv } from './race/start-list.ts'

/** The event and workspace that the demo fills, and the addresses that a person should open. */
export type Places = {
  race: { id: string; token: string }
  season: { id: string; token: string }
  apiKey: string
  signInUrl: string
  raceUrl: string
  shareUrl: string
}

const DAY_MS = 86_400_000
const SEASON_DAYS = 30

/**
 * Creates the demo's events, workspace and share, as an operator does. This uses up the sign-in link of the first
 * start; the result has a new one, valid for an hour.
 */
export async function preparePlaces(url: string, signInPath: string, nowMs: number): Promise<Places> {
  const session = await openOperatorSession(url, signInPath)
  await chooseMap(session)
  const { operator } = await session.request<{ operator: { id: string } }>('GET', '/operator/session')
  const season = await createEvent(session, {
    name: `Club season ${new Date(nowMs).getFullYear()}`,
    note: 'Rides and runs of the last weeks, from recordings of real devices.',
    starts_on: localDate(nowMs - SEASON_DAYS * DAY_MS),
    ends_on: localDate(nowMs),
  })
  const race = await createEvent(session, {
    name: `Castle and Rhine, Balzers ${new Date(nowMs).getFullYear()}`,
    note: 'Race, runners and heights are made up; the streets and paths are real (OpenStreetMap, 2013). Everybody runs at the pace of one real recording, faster or slower.',
    starts_on: localDate(nowMs),
    ends_on: localDate(nowMs),
    time_zone: 'Europe/Vaduz',
  })
  await setUpRace(session, race.id)
  const share = await session.request<{ url: string }>('POST', `/operator/events/${race.id}/shares`, {
    label: 'Spectators',
    expires_at: new Date(nowMs + 7 * DAY_MS).toISOString(),
  })
  const workspace = await session.request<{ api_key: string }>('POST', '/operator/workspaces', { name: 'Library' })
  const link = await session.request<{ url: string }>('POST', `/operator/operators/${operator.id}/sign-in-link`)
  await session.request('DELETE', '/operator/session')
  return {
    race,
    season,
    apiKey: workspace.api_key,
    signInUrl: link.url,
    raceUrl: new URL(`/dashboard/events/${race.id}`, link.url).href,
    shareUrl: share.url,
  }
}

/** Formats the local date of a moment, such as `2026-05-03`. */
function localDate(timeMs: number): string {
  const offsetMin = -new Date(timeMs).getTimezoneOffset()
  return new Date(timeMs + offsetMin * 60_000).toISOString().slice(0, 10)
}

/** Gives the race its course, checkpoints and start list. */
async function setUpRace({ request, upload }: OperatorSession, eventId: string): Promise<void> {
  const at = `/operator/events/${eventId}`
  await upload('PUT', `${at}/course`, readFileSync(COURSE_PATH), 'application/gpx+xml')
  const ends = await request<{ checkpoints: object[] }>('GET', `${at}/checkpoints`)
  await request('PUT', `${at}/checkpoints`, checkpointsBetween(ends.checkpoints))
  await upload('PUT', `${at}/runners`, startListCsv(), 'text/csv')
}

async function createEvent(session: OperatorSession, event: object): Promise<{ id: string; token: string }> {
  const { id, token } = await session.request<{ id: string; token: { token: string } }>(
    'POST',
    '/operator/events',
    event,
  )
  return { id, token: token.token }
}
