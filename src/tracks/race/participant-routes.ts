import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { eventNotFound } from '../model/errors.ts'
import { EventParams } from '../model/schema-fields.ts'
import { readCharges } from '../points/storage/track-changes.ts'
import type { RaceDeps } from './race-boards.ts'
import { runnerJson } from './race-json.ts'
import { ParticipantList } from './runner-schemas.ts'
import type { TrackOfPerson } from './start-list-store.ts'

/** Charges that are remembered, each with the time of the point up to which it was read. */
const MAX_CHARGES = 20_000
/** Ends of tracks that one request reads, the latest heard: some milliseconds each. The next request reads others. */
const CHARGES_PER_REQUEST = 500
const TAILS_PER_READ = 20

/** GET /operator/events/:id/participants */
export function listParticipants(app: HttpServer, { db, events, eventTokens, races }: RaceDeps) {
  const charges = new LRUCache<string, { lastMs: number; percent: number | null }>({ max: MAX_CHARGES })
  app.get(
    '/operator/events/:id/participants',
    {
      schema: {
        operationId: 'operatorListParticipants',
        summary: 'List the participants',
        description:
          "Returns the start list with each runner's phone number, and how far the phone is: whether there is a valid token and when it was used last, the latest track, its last point and its charge.",
        params: EventParams,
        problems: [eventNotFound],
        response: { 200: ParticipantList },
      },
    },
    async ({ params }) => {
      await events.get(params.id)
      const runners = await races.listRunners(params.id)
      const tracks = latestByPerson(await races.tracksOfPeople(params.id))
      const tokens = new Map<string, string | null>()
      for (const { user_id, last_used_at } of await eventTokens.list(params.id)) {
        const usedAt = momentOrNull(last_used_at)
        if (user_id !== null && (usedAt ?? '') >= (tokens.get(user_id) ?? '')) tokens.set(user_id, usedAt)
      }
      await updateCharges(runners.flatMap(({ user_id }) => tracks.get(user_id) ?? []))
      return {
        participants: runners.map((runner) => {
          const track = tracks.get(runner.user_id)
          return {
            ...runnerJson(runner),
            phone: runner.phone,
            has_token: tokens.has(runner.user_id),
            token_used_at: tokens.get(runner.user_id) ?? null,
            track_id: track?.id ?? null,
            last_point_at: track?.last_point_ms == null ? null : formatDateTime(track.last_point_ms),
            battery_percent: (track && charges.get(track.id)?.percent) ?? null,
          }
        }),
      }
    },
  )

  /** Reads the charges of tracks that were heard since the last time. Between some of them, requests are answered. */
  async function updateCharges(tracks: readonly TrackOfPerson[]): Promise<void> {
    const due = tracks
      .filter(({ id, last_point_ms }) => last_point_ms !== null && charges.get(id)?.lastMs !== last_point_ms)
      .sort((a, b) => b.last_point_ms! - a.last_point_ms!)
      .slice(0, CHARGES_PER_REQUEST)
    for (let i = 0; i < due.length; i += TAILS_PER_READ) {
      const some = due.slice(i, i + TAILS_PER_READ)
      const ends = some.map(({ id, last_point_ms }) => ({ trackId: id, lastMs: last_point_ms! }))
      const percents = await readCharges(db, ends)
      for (const { trackId, lastMs } of ends) charges.set(trackId, { lastMs, percent: percents.get(trackId) ?? null })
      await turn()
    }
  }
}

/** Returns the track of each person that was heard last. */
function latestByPerson(tracks: readonly TrackOfPerson[]): Map<string, TrackOfPerson> {
  const latest = new Map<string, TrackOfPerson>()
  for (const track of tracks) {
    const known = latest.get(track.user_id)
    if (known === undefined || heardMs(track) > heardMs(known)) latest.set(track.user_id, track)
  }
  return latest
}

const heardMs = ({ last_point_ms, start_ms }: TrackOfPerson) => last_point_ms ?? start_ms
