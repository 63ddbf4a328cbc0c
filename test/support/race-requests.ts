import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { Ranking } from '../../src/tracks/race/result-schemas.ts'
import type { CheckpointList } from '../../src/tracks/race/schemas.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { LAKE, makeGpx, placeAt } from './make-course.ts'
import { type At, runThrough, type TestRun } from './make-race.ts'
import type { StartedTracks } from './start-service.ts'
import { trackRequests } from './track-requests.ts'

/** Start of the races of tests. */
export const RACE_START_MS = Date.UTC(2026, 4, 3, 7)

/** The way around the lake, from 100 m before the start to 100 m beyond the finish. */
export const AROUND: readonly At[] = [
  [-100, 0],
  [1000, 0],
  [1000, 1000],
  [0, 1000],
  [0, -100],
]

/** Returns the points of a runner as they are sent, from a time in seconds after the start of the race. */
export function racePoints(places: readonly At[], run: TestRun = {}) {
  return runThrough(places, run).map(({ sec, latitude, longitude, accuracy }) => ({
    timestamp: new Date(RACE_START_MS + sec * 1000).toISOString(),
    latitude: latitude!,
    longitude: longitude!,
    accuracy,
  }))
}

/**
 * Creates an event with a race around the lake: a start, a circle in the east after 1 km, and a finish, all operators
 * see.
 */
export async function openRace({ answer, request, operator }: StartedTracks, eventFields: object = {}) {
  const event = await answer<CreatedEvent>(201, 'POST', '/operator/events', { name: 'Lake run', ...eventFields })
  const path = `/operator/events/${event.id}`
  const token = event.token.token!
  await operator.send('PUT', `${path}/course`, makeGpx(LAKE), 'application/gpx+xml')
  const ends = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)
  const east = (radius_m: number) => ({
    name: 'East',
    kind: 'checkpoint',
    shape: { type: 'circle', ...placeAt(1000, 0), radius_m },
  })
  const putEast = async (radiusM: number) => {
    const [start, finish] = [ends.checkpoints[0], ends.checkpoints.at(-1)]
    await answer(200, 'PUT', `${path}/checkpoints`, { checkpoints: [start, east(radiusM), finish] })
  }
  await putEast(50)
  const phone = trackRequests((method, rest, json) => request(method, rest, json, { 'X-API-Key': token }))
  return {
    id: event.id,
    token,
    path,
    phone,
    /** Puts the circle in the east, with another radius. */
    putEast,
    /** Sets the start list: CSV without its header `bib,name,category,user_id`. */
    async putRunners(...lines: string[]) {
      await operator.send('PUT', `${path}/runners`, ['bib,name,category,user_id', ...lines].join('\n'), 'text/csv')
    },
    /** Records a track of a runner, and returns its id. */
    async run(user_id: string | undefined, places: readonly At[], run: TestRun = {}) {
      const points = racePoints(places, run)
      const id = await phone.create({ user_id, title: `Track of ${user_id}`, start_ts: points[0].timestamp })
      await phone.add(id, points)
      return id
    },
    ranking: async () => await answer<Ranking>(200, 'GET', `${path}/ranking`),
    async share(body: object = {}) {
      const { url } = await answer<Share>(201, 'POST', `${path}/shares`, body)
      return /shr_[\w-]+/.exec(url!)![0]
    },
  }
}
