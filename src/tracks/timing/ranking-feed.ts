import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { PollLoop } from '#platform/live/poll-loop.ts'
import type { Logger } from '#platform/logger.ts'
import { shownUntil } from '../domain/spectator-delay.ts'
import type { LiveRanking } from '../schemas/race.ts'
import type { RaceStore } from '../storage/race/race-store.ts'
import type { RaceBoard } from './race-board.ts'
import { changedEntries, entriesByRunner, type SentEntries } from './ranking-changes.ts'

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
  races: Pick<RaceStore, 'findSummary'>
  board: Pick<RaceBoard, 'refresh' | 'ranking'>
  logger: Logger
  now: () => number
  onEnd: () => void
}

/**
 * Sends those who watch an event the entries of its ranking that change. The first message asks them to read the
 * ranking, and so does one after another course or start, when a runner is gone, and for a client that could not
 * keep up. Events without a race send nothing.
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
    const { revision, course_revision, starts_at_ms } = await races.findSummary(eventId)
    if (revision === 0) return
    const race = `${course_revision} ${starts_at_ms}`
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
   * Sends entries to those who have read the ranking, and asks the others to read it.
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
      // Who reads too slowly is asked to read everything once there is room again.
      const isSlow = viewer.stream.drained() !== undefined
      const hadRead = viewer.hasRead
      viewer.hasRead = !isSlow
      if (isSlow) continue
      for (const part of hadRead ? parts : [ask]) viewer.stream.send(part)
    }
    return parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
}
