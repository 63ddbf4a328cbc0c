import { LRUCache } from 'lru-cache'
import type { Logger } from '#platform/basics/logger.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { inTime } from '#platform/basics/timers.ts'
import { WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { OpenedEvent } from '../api/doors.ts'
import type { EventsStore } from '../model/events-store.ts'
import { readCharges } from '../points/storage/track-changes.ts'
import type { DelayedEnds } from '../shares/delayed-ends.ts'
import type { OpenShare, ShareDeps } from '../shares/open-share.ts'
import type { ComputingDeps } from '../statistics/points-pool.ts'
import { type CourseReader, createCourseReader } from './course-reader.ts'
import { FollowedTracks } from './followed-tracks.ts'
import { RaceBoard } from './race-board.ts'
import { decisionJson } from './race-json.ts'
import { RankingFeed, type RankingViewer } from './ranking-feed.ts'
import type { DecisionList, Ranking } from './result-schemas.ts'
import { createFollowedTracksStore, createRaceStore, type FollowedTracksStore, type RaceStore } from './store.ts'
import { TracksInRace } from './tracks-in-race.ts'

/** Events whose rankings are held, and for how long after the last request: each holds some kilobytes for a track. */
const MAX_BOARDS = 50
const IDLE_MS = 10 * 60_000

/** Everything that routes and pages of races are built from. */
export type RaceDeps = ShareDeps & { races: RaceStore; courses: CourseReader; raceBoards: RaceBoards }

type BoardsDeps = ComputingDeps & {
  events: EventsStore
  races: RaceStore
  stored: FollowedTracksStore
  delayedEnds: DelayedEnds
  logger: Logger
  now: () => number
}

/** The rankings of all events on this instance. */
type RaceBoards = ReturnType<typeof createRaceBoards>

function createRaceBoards(deps: BoardsDeps) {
  const { events, races, stored, delayedEnds, now } = deps
  const boards = new LRUCache<string, RaceBoard>({ max: MAX_BOARDS, ttl: IDLE_MS, updateAgeOnGet: true })

  function open(eventId: string): RaceBoard {
    const known = boards.get(eventId)
    if (known !== undefined) return known
    const tracks = new TracksInRace({ ...deps, eventId })
    const followed = new FollowedTracks({ ...deps, stored, eventId, tracks })
    const board = new RaceBoard({ eventId, events, races, tracks, followed, delayedEnds, now })
    boards.set(eventId, board)
    return board
  }

  const feeds = new WatchRegistry(
    (eventId, onEnd) => new RankingFeed({ eventId, races, board: open(eventId), logger: deps.logger, now, onEnd }),
  )
  async function ranking(eventId: string, { untilMs, maxAgeMs }: { untilMs: number; maxAgeMs: number }) {
    const board = open(eventId)
    if (board.ageMs > maxAgeMs) await board.refresh()
    if (!(await board.isComplete(untilMs))) await board.settled()
    return await board.ranking(untilMs)
  }

  async function ranks(eventId: string, untilMs: number): Promise<Map<string, number>> {
    const { revision } = await races.findSummary(eventId)
    // An event without a race has none.
    const { entries } = revision === 0 ? { entries: [] } : await ranking(eventId, { untilMs, maxAgeMs: RANKS_AGE_MS })
    return new Map(
      entries.flatMap(({ track_id, rank }) => (track_id === null || rank === null ? [] : [[track_id, rank]])),
    )
  }

  return {
    /** Sends a viewer the changes of the ranking until its stream ends, and nothing if the event has no race. */
    watch: (eventId: string, viewer: RankingViewer) => feeds.open(eventId).join(viewer),
    /**
     * Returns the ranking as known at `untilMs`, Infinity for all; it is at most `maxAgeMs` old.
     * @throws eventNotFound
     */
    ranking,
    /** Creates the reader of an event's ranks for a series of frames. `onError` gets the failures of rankings. */
    ranksOf: (eventId: string, onError: (error: unknown) => void) =>
      createRaceRanks((untilMs) => ranks(eventId, untilMs), onError),
    /**
     * Returns the cases that an operator has to decide, with the latest known charge of phones that fell silent.
     * @throws eventNotFound
     */
    async decisions(eventId: string): Promise<DecisionList> {
      const board = open(eventId)
      await board.refresh()
      if (!(await board.isComplete(Number.POSITIVE_INFINITY))) await board.settled()
      const { asOfMs, isComplete, doubts } = await board.doubts()
      const silent = doubts.flatMap(({ kind, trackId, lastMs }) =>
        kind === 'silent' && lastMs !== null ? [{ trackId, lastMs }] : [],
      )
      const charges = await readCharges(deps.db, silent)
      return {
        as_of: formatDateTime(asOfMs),
        is_complete: isComplete,
        decisions: doubts.map((doubt) => decisionJson(doubt, charges.get(doubt.trackId) ?? null)),
      }
    },
  }
}

/** Builds the timing of races: their store, the reader of courses, and the rankings. */
export function openTiming(deps: Omit<BoardsDeps, 'races' | 'stored'>) {
  const courses = createCourseReader()
  const races = createRaceStore(deps.db)
  const stored = createFollowedTracksStore(deps.db)
  return {
    races,
    courses,
    followedTracks: stored,
    raceBoards: createRaceBoards({ ...deps, races, stored }),
    async closeTiming() {
      await courses.close()
    },
  }
}

/** Spectators share a ranking of at most this age: thousands may ask at the same time. */
const MAX_AGE_MS = 1000

/** The part of an event whose ranking is visible. */
type VisibleRace = Pick<OpenedEvent, 'id' | 'trackId' | 'shownUntilMs' | 'pass'>

/** Returns the ranking that an audience may see: nothing later than its delay, and of a single track its own entry. */
export async function visibleRanking(boards: RaceBoards, race: VisibleRace): Promise<Ranking> {
  const maxAgeMs = race.pass === undefined ? 0 : MAX_AGE_MS
  return await rankingOf(boards, race, maxAgeMs)
}

/** Returns the ranking that a share shows. */
export async function sharedRanking({ raceBoards }: RaceDeps, share: OpenShare): Promise<Ranking> {
  const { event_id: id, track_id, shownUntilMs } = share
  return await rankingOf(raceBoards, { id, trackId: track_id ?? undefined, shownUntilMs }, MAX_AGE_MS)
}

async function rankingOf(
  boards: RaceBoards,
  { id, trackId, shownUntilMs }: Omit<VisibleRace, 'pass'>,
  maxAgeMs: number,
): Promise<Ranking> {
  const ranking = await boards.ranking(id, { untilMs: shownUntilMs, maxAgeMs })
  if (trackId === undefined) return ranking
  return { ...ranking, entries: ranking.entries.filter(({ track_id }) => track_id === trackId) }
}

/** Shortest time between two rankings of a series of frames. Each ranks all runners. */
const REST_MS = 4000
/** Time for which a frame waits for a ranking. After that it has the ranks of before, and a later one the new ones. */
const WAIT_MS = 300
/** Age of a ranking that is new enough. */
const RANKS_AGE_MS = REST_MS / 2

/** Ranks of an event by the tracks of their runners. */
type Ranks = ReadonlyMap<string, number>

/**
 * Creates the reader of ranks for a series of frames, which come more often than all runners can be ranked.
 * @param read reads the ranks as known at a time; Infinity for now
 * @param onError called with the failure of a ranking. The ranks of before stay
 */
function createRaceRanks(
  read: (untilMs: number) => Promise<Ranks>,
  onError: (error: unknown) => void,
): (untilMs: number) => Promise<Ranks> {
  let ranks: Ranks = new Map()
  let reading: Promise<void> | undefined
  let nextAtMs = 0
  let ofMs = Number.NaN

  async function refresh(untilMs: number): Promise<void> {
    ranks = await read(untilMs)
  }

  return async (untilMs) => {
    const isDue = untilMs !== ofMs || untilMs === Number.POSITIVE_INFINITY
    if (reading === undefined && isDue && performance.now() >= nextAtMs) {
      ofMs = untilMs
      reading = refresh(untilMs)
        .catch(onError)
        .finally(() => {
          reading = undefined
          nextAtMs = performance.now() + REST_MS
        })
    }
    if (reading !== undefined) await inTime(WAIT_MS, reading)
    return ranks
  }
}
