import type { Logger } from '#platform/basics/logger.ts'
import { type EventStream, encodeEvents } from '#platform/http/event-stream.ts'
import { PollLoop } from '#platform/jobs/poll-loop.ts'
import { shownUntil } from '../shares/spectator-delay.ts'
import type { RaceBoard } from './race-board.ts'
import type { LiveRanking, RankingEntry } from './result-schemas.ts'
import type { RaceStore } from './store.ts'

/**
 * Interval at which the ranking is computed while somebody watches. It takes at most a fifth
 * of the time, up to the longest interval.
 */
const INTERVAL_MS = 1000
const REST_PER_POLL = 4
const MAX_INTERVAL_MS = 5000
/** Bytes per second that a viewer is sent on average. In a large race, many entries change with every point. */
const BYTES_PER_SEC = 100_000
/** Entries in one event. A stream holds a megabyte for a client that reads slowly. */
const ENTRIES_PER_EVENT = 200

/** A client that watches a ranking. */
export type RankingViewer = {
  stream: EventStream
  /** The one track whose entry is sent; undefined for all. */
  trackId: string | undefined
  /** Delay for spectators; 0 for none. */
  delaySec: number
}

type Watching = RankingViewer & { hasRead: boolean }

/** Viewers who get the same messages. */
type Group = { sent: SentEntries | undefined; race: string; restsUntilMs: number }

type Options = {
  eventId: string
  races: RaceStore
  board: RaceBoard
  logger: Logger
  now: () => number
  onEnd: () => void
}

/**
 * Sends viewers of an event the entries of its ranking that change. The first message asks them to read the ranking,
 * and so does one after another course or start, when a runner is gone, and for a client that could not keep up. Events
 * without a race send nothing.
 */
export class RankingFeed {
  readonly #options: Options
  readonly #viewers = new Set<Watching>()
  readonly #groups = new Map<string, Group>()
  readonly #loop: PollLoop

  constructor(options: Options) {
    this.#options = options
    this.#loop = new PollLoop({
      poll: () => this.#poll(),
      isWatched: () => this.#viewers.size > 0,
      intervalMs: INTERVAL_MS,
      restPerPoll: REST_PER_POLL,
      maxIntervalMs: MAX_INTERVAL_MS,
      onError: (err) => {
        if (this.#viewers.size > 0) options.logger.warn({ err }, 'computing the ranking for viewers failed')
      },
      onEnd: options.onEnd,
    })
  }

  join(viewer: RankingViewer): void {
    const watching = { ...viewer, hasRead: false }
    this.#viewers.add(watching)
    viewer.stream.closed.addEventListener('abort', () => {
      this.#viewers.delete(watching)
      if (this.#viewers.size === 0) this.#loop.wake()
    })
    this.#loop.start()
  }

  async #poll(): Promise<void> {
    const { races, board, eventId, now } = this.#options
    const { revision, course_revision, starts_at_ms, time_basis } = await races.findSummary(eventId)
    if (revision === 0) return
    const race = `${course_revision} ${starts_at_ms} ${time_basis}`
    await board.refresh()
    const groups = Map.groupBy(this.#viewers, ({ delaySec, trackId }) => `${delaySec} ${trackId ?? ''}`)
    for (const key of this.#groups.keys()) if (!groups.has(key)) this.#groups.delete(key)
    for (const [key, viewers] of groups) {
      const [{ delaySec, trackId }] = viewers
      const { entries } = await board.ranking(shownUntil(delaySec, now()))
      const shown = trackId === undefined ? entries : entries.filter(({ track_id }) => track_id === trackId)
      const group = this.#groups.get(key) ?? { sent: undefined, race, restsUntilMs: 0 }
      this.#groups.set(key, group)
      if (performance.now() < group.restsUntilMs)
        this.#send(
          viewers.filter(({ hasRead }) => !hasRead),
          [],
        )
      else this.#update(group, viewers, shown, race)
    }
  }

  #update(group: Group, viewers: readonly Watching[], entries: LiveRanking['entries'], race: string): void {
    const isSameRace = group.race === race
    const changes = group.sent === undefined || !isSameRace ? undefined : changedEntries(group.sent, entries)
    if (changes === undefined) for (const viewer of viewers) viewer.hasRead = false
    group.race = race
    group.sent = changes?.sent ?? entriesByRunner(entries)
    const bytes = this.#send(viewers, changes?.changed ?? [])
    group.restsUntilMs = performance.now() + (bytes / BYTES_PER_SEC) * 1000
  }

  /**
   * Sends entries to viewers who have read the ranking, and asks the others to read it.
   * @returns the bytes for one viewer
   */
  #send(viewers: readonly Watching[], entries: LiveRanking['entries']): number {
    const ask = encodeEvents([{ event: 'ranking', data: { read_again: true, entries: [] } satisfies LiveRanking }])
    const parts: ReturnType<typeof encodeEvents>[] = []
    for (let i = 0; i < entries.length; i += ENTRIES_PER_EVENT) {
      const data: LiveRanking = { read_again: false, entries: entries.slice(i, i + ENTRIES_PER_EVENT) }
      parts.push(encodeEvents([{ event: 'ranking', data }]))
    }
    for (const viewer of viewers) {
      // A viewer that reads too slowly is asked to read everything once there is room again.
      const isSlow = viewer.stream.drained() !== undefined
      const hadRead = viewer.hasRead
      viewer.hasRead = !isSlow
      if (isSlow) continue
      for (const part of hadRead ? parts : [ask]) viewer.stream.send(part)
    }
    return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
}

/** Progress that is worth a message of its own: less would send every entry with every point. */
const MIN_PROGRESS_METERS = 30

/** Entries as they were sent. */
type SentEntries = ReadonlyMap<string, RankingEntry>

/** Returns the entries by the identity of their runners: their bibs, or else their tracks. */
function entriesByRunner(entries: readonly RankingEntry[]): SentEntries {
  return new Map(entries.map((entry) => [entry.bib === null ? `track ${entry.track_id}` : `bib ${entry.bib}`, entry]))
}

/**
 * Returns the entries that differ from the sent ones, and the state after sending them. Undefined if a runner is gone,
 * or the entries belong to another race: then all of them have to be read again.
 */
function changedEntries(
  before: SentEntries,
  entries: readonly RankingEntry[],
): { changed: RankingEntry[]; sent: SentEntries } | undefined {
  const now = entriesByRunner(entries)
  for (const key of before.keys()) if (!now.has(key)) return undefined
  const changed: RankingEntry[] = []
  const sent = new Map<string, RankingEntry>()
  for (const [key, entry] of now) {
    const last = before.get(key)
    const isChanged = last === undefined || differs(last, entry)
    if (isChanged) changed.push(entry)
    sent.set(key, isChanged ? entry : last)
  }
  return { changed, sent }
}

function differs(a: RankingEntry, b: RankingEntry): boolean {
  if (Math.abs(a.progress_m - b.progress_m) >= MIN_PROGRESS_METERS) return true
  if ((a.off_course_m === null) !== (b.off_course_m === null)) return true
  return JSON.stringify(lasting(a)) !== JSON.stringify(lasting(b))
}

function lasting({ progress_m: _, distance_to_go_m: __, off_course_m: ___, ...rest }: RankingEntry) {
  return rest
}
