import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import { applySummary, type LiveTracks } from './live-tracks.ts'

/** Lists tracks page after page, newest start first, or only the given ids. */
export type ListTracks<Track extends SharedTrack> = (
  query: { ids: string } | { cursor: string | undefined; limit: number },
  signal: AbortSignal,
) => Promise<{ tracks: Track[]; next_cursor: string | null }>

const TRACKS_PER_PAGE = 500
/** More than the tracks that frames have. */
const MAX_PAGES = 24
/** Most tracks that one request names. */
const MAX_IDS = 100
/** Figures of runners that move are read again after this time: all in the list, and the selected one. */
const SHOWN_MS = 30_000
const SELECTED_MS = 5000
/** Figures that were being computed are read again sooner. */
const COMPUTING_MS = 2000
/** Time after the first movement for which there should soon be a distance. */
const BEGUN_MS = 60_000
/** Time after which a track that the list did not have is asked for again. */
const MISSING_MS = 10_000
/** Viewers of a large event do not all ask for the same tracks in the same moment. */
const SPREAD_MS = 1500

/**
 * Reads the facts of tracks that frames lack: names, starts and figures. All are read once at the beginning. After that
 * it reads tracks that frames tell to have changed, and the figures of visible rows.
 */
export class LiveSummaries<Track extends SharedTrack> {
  readonly #live: LiveTracks<Track>
  readonly #list: ListTracks<Track>
  /** Time at which a summary was asked for last, and time of the latest position then. */
  readonly #readAt = new Map<string, { ms: number; timeMs: number }>()
  #shownIds: readonly string[] = []
  #selectedId: string | undefined
  #isComplete = false
  #isBusy = false
  #ended: AbortSignal | undefined
  #onRead = () => {}

  constructor(live: LiveTracks<Track>, list: ListTracks<Track>) {
    this.#live = live
    this.#list = list
  }

  /**
   * Begins to read. Resolves with the first page, or once it cannot be read.
   * @param onRead called after each answer
   */
  async begin(ended: AbortSignal, onRead: () => void): Promise<void> {
    this.#ended = ended
    this.#onRead = onRead
    if (this.#isComplete) return
    try {
      const cursor = await this.#readPage(undefined, ended)
      void this.#readRest(cursor, ended)
    } catch {
      // Frames tell which are missing.
      this.#isComplete = !ended.aborted
    }
  }

  /** Tells whose figures are looked at, and which of them the most. */
  look(shownIds: readonly string[], selectedId: string | undefined): void {
    this.#shownIds = shownIds
    this.#selectedId = selectedId
    this.refresh()
  }

  /** Reads changed and visible tracks, if they are due. */
  refresh(): void {
    const ended = this.#ended
    if (this.#isBusy || !this.#isComplete || ended === undefined || ended.aborted || this.#dueIds().length === 0) return
    this.#isBusy = true
    this.#readDue(ended)
      // The next frame tries again.
      .catch(() => {})
      .finally(() => {
        this.#isBusy = false
      })
  }

  async #readRest(cursor: string | null, ended: AbortSignal): Promise<void> {
    try {
      // Most events fit into a page.
      let next = cursor
      for (let page = 1; next !== null && page < MAX_PAGES; page++) next = await this.#readPage(next, ended)
    } catch {
      // Frames tell which are missing.
    }
    this.#isComplete = !ended.aborted
  }

  /** Reads a page. Returns the cursor of the next. */
  async #readPage(cursor: string | undefined, ended: AbortSignal): Promise<string | null> {
    const { tracks, next_cursor } = await this.#list({ cursor, limit: TRACKS_PER_PAGE }, ended)
    this.#note(tracks.map(({ id }) => id))
    this.#take(tracks)
    return next_cursor
  }

  async #readDue(ended: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS))
    const ids = this.#dueIds()
    if (ids.length === 0 || ended.aborted) return
    this.#note(ids)
    const { tracks } = await this.#list({ ids: ids.join() }, ended)
    this.#take(tracks)
  }

  #note(ids: readonly string[]): void {
    const ms = performance.now()
    for (const id of ids) this.#readAt.set(id, { ms, timeMs: this.#live.byId.get(id)?.lastTimeMs ?? 0 })
  }

  #take(tracks: readonly Track[]): void {
    for (const track of tracks) applySummary(this.#live, track)
    this.#onRead()
  }

  /** Returns the tracks to read now, those first that are looked at. */
  #dueIds(): string[] {
    const nowMs = performance.now()
    const looked = this.#selectedId === undefined ? this.#shownIds : [this.#selectedId, ...this.#shownIds]
    const due = new Set(looked.filter((id) => this.#isDue(id, nowMs)))
    for (const id of this.#live.outdated) {
      if (due.size >= MAX_IDS) break
      if (this.#agoMs(id, nowMs) > MISSING_MS) due.add(id)
    }
    return [...due].slice(0, MAX_IDS)
  }

  #isDue(id: string, nowMs: number): boolean {
    const entry = this.#live.byId.get(id)
    if (entry === undefined) return false
    const agoMs = this.#agoMs(id, nowMs)
    const { stats, points_count } = this.#live.summaries.get(id) ?? { stats: null, points_count: 0 }
    const isComputing = (stats === null || points_count === 0) && entry.lastTimeMs > 0
    if (this.#live.outdated.has(id) || isComputing) return agoMs > COMPUTING_MS
    const movedMs = entry.changedMs ?? Number.NEGATIVE_INFINITY
    if (stats?.distance_meters === 0 && this.#live.untilSec * 1000 - movedMs < BEGUN_MS) return agoMs > SELECTED_MS
    const hasMoved = entry.lastTimeMs > (this.#readAt.get(id)?.timeMs ?? 0)
    return hasMoved && agoMs > (id === this.#selectedId ? SELECTED_MS : SHOWN_MS)
  }

  #agoMs(id: string, nowMs: number): number {
    return nowMs - (this.#readAt.get(id)?.ms ?? Number.NEGATIVE_INFINITY)
  }
}
