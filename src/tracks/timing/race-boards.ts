import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { WatchRegistry } from '#platform/live/watch-registry.ts'
import type { Logger } from '#platform/logger.ts'
import type { ComputingTurns } from '../computing/computing-turns.ts'
import type { DelayedEnds } from '../computing/delay/delayed-ends.ts'
import type { PointsPool } from '../computing/points-pool.ts'
import type { Ranking } from '../schemas/race.ts'
import type { EventsStore } from '../storage/events-store.ts'
import type { FollowedTracksStore } from '../storage/race/followed-tracks-store.ts'
import type { RaceStore } from '../storage/race/race-store.ts'
import type { TracksTables } from '../storage/tables.ts'
import { FollowedTracks } from './followed-tracks.ts'
import { RaceBoard } from './race-board.ts'
import { RankingFeed, type RankingViewer } from './ranking-feed.ts'

/** Events whose rankings are held, and for how long after the last request: each holds some kilobytes for a track. */
const MAX_BOARDS = 50
const IDLE_MS = 10 * 60_000

export type RaceBoardsDeps = {
  db: Kysely<TracksTables>
  events: Pick<EventsStore, 'find'>
  races: RaceStore
  stored: FollowedTracksStore
  pool: Pick<PointsPool, 'follow'>
  turns: Pick<ComputingTurns, 'take'>
  delayedEnds: DelayedEnds
  logger: Logger
  maxAccuracyMeters: number
  now: () => number
}

/** The rankings of all events on this instance. */
export type RaceBoards = {
  /**
   * Returns the ranking with what was known at `untilMs`, Infinity for all; it is at most `maxAgeMs` old.
   * @throws eventNotFound
   */
  ranking(eventId: string, options: { untilMs: number; maxAgeMs: number }): Promise<Ranking>
  /**
   * Sends a viewer the changes of the ranking of an event until its stream ends, and nothing if the event has no race.
   */
  watch(eventId: string, viewer: RankingViewer): void
}

export function createRaceBoards(deps: RaceBoardsDeps): RaceBoards {
  const { events, races, stored, delayedEnds, now } = deps
  const boards = new LRUCache<string, RaceBoard>({ max: MAX_BOARDS, ttl: IDLE_MS, updateAgeOnGet: true })

  function open(eventId: string): RaceBoard {
    const known = boards.get(eventId)
    if (known !== undefined) return known
    const followed = new FollowedTracks({ ...deps, stored, eventId })
    const board = new RaceBoard({ eventId, events, races, followed, delayedEnds, now })
    boards.set(eventId, board)
    return board
  }

  const feeds = new WatchRegistry(
    (eventId, onEnd) => new RankingFeed({ eventId, races, board: open(eventId), logger: deps.logger, now, onEnd }),
  )
  return {
    watch: (eventId, viewer) => feeds.open(eventId).join(viewer),
    async ranking(eventId, { untilMs, maxAgeMs }) {
      const board = open(eventId)
      if (board.ageMs > maxAgeMs) await board.refresh()
      if (!(await board.isComplete(untilMs))) await board.settled()
      return await board.ranking(untilMs)
    },
  }
}
