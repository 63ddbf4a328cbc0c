import { useMemo, useSyncExternalStore } from 'react'
import { type Area, readTiles, tilesOf } from '../../../clients/typescript/src/live/frame-tiles.ts'
import { letOthersWork } from '../../../clients/typescript/src/live/let-others-work.ts'
import { ShareEndedError } from '../../../clients/typescript/src/live/share-ended.ts'
import {
  type FrameEvent,
  type WatchFramesOptions,
  watchFrames,
} from '../../../clients/typescript/src/live/watch-frames.ts'
import type { SharedTrack } from '../../../src/tracks/api/operator-track-schemas.ts'
import type { LiveState } from '../components/live-status.tsx'
import { type ListTracks, LiveSummaries } from './live-summaries.ts'
import { applyFrame, createLiveTracks, type LiveTracks, lastEndMs, OVER_AFTER_MS } from './live-tracks.ts'
import type { Played } from './player.ts'

export type LiveSnapshot<Track extends SharedTrack> = {
  tracks: LiveTracks<Track>
  /** Grows with every change of `tracks`, which is changed in place. */
  version: number
  state: LiveState
  /** Time on the page's own clock (`performance.now`) of which it shows the state; undefined before the first state. */
  currentAtMs: number | undefined
  /** Older tracks of the event that no frame has. */
  leftOut: number
  /** Time by which everything is shown later, as to spectators of an event with a delay. */
  delaySec: number
  /** Returns the time, by the server's clock, of which the tracks can be known now; by the page's until it is known. */
  shownNowMs(): number
  /** The frames so far, and the present, for a player. */
  played: Played
  /** Tells whose figures are looked at, and which of them the most. */
  look(shownIds: readonly string[], selectedId: string | undefined): void
  /** Tells which part of the world the map shows; undefined without a map. A very large event is read in parts. */
  see(area: Area | undefined): void
}

/** Frames and summaries of an event or a share. */
export type LiveSource<Track extends SharedTrack> = {
  framesUrl: string
  list: ListTracks<Track>
  /** Sends the requests for frames. */
  fetch?: typeof fetch
}

type Frames = (options: WatchFramesOptions) => AsyncIterable<FrameEvent>

/** Statuses of a refusal that only a person can end. */
const REFUSED = [401, 403]
/** Time from when a frame is due until it has come, on most lines. */
const ARRIVAL_SEC = 1.2
/** Interval at which the view of spectators with a delay changes. */
const DELAYED_STEP_SEC = 5

/**
 * Creates the store of the frames of one event. It reads with the first subscriber, and ends with the last. Its frames
 * are kept in between.
 */
export function createLiveStore<Track extends SharedTrack>(source: LiveSource<Track>, frames: Frames = watchFrames) {
  const tracks = createLiveTracks<Track>()
  const summaries = new LiveSummaries(tracks, source.list)
  const listeners = new Set<() => void>()
  const clock = createServerClock()
  let intervalSec = 2
  const { tiles, ...view } = createView(tracks, summaries)
  const shownNowMs = () => (clock.serverNowMs() ?? Date.now()) - snapshot.delaySec * 1000
  /** Time that a movement takes on the map: until the next frame can have another. */
  const moveSec = () => (snapshot.delaySec > 0 ? Math.max(intervalSec, DELAYED_STEP_SEC) : intervalSec)
  let snapshot: LiveSnapshot<Track> = {
    tracks,
    version: 0,
    state: 'opening',
    currentAtMs: undefined,
    leftOut: 0,
    delaySec: 0,
    shownNowMs,
    played: playedFrames(tracks, () => shownNowMs() / 1000 - moveSec() - ARRIVAL_SEC),
    ...view,
  }
  let disconnect: (() => void) | undefined

  function update(part: Partial<LiveSnapshot<Track>>): void {
    snapshot = { ...snapshot, ...part }
    for (const listener of listeners) listener()
  }

  async function read(signal: AbortSignal): Promise<void> {
    const throttle = throttleByCost(() => update({ version: snapshot.version + 1 }))
    signal.addEventListener('abort', throttle.stop)
    const named = summaries.begin(signal, throttle.run)
    const answered = { status: 0 }
    const send = fetchNoting(source.fetch ?? fetch, answered)
    for await (const event of frames({ ...source, signal, pause: untilShown, fetch: send, tiles })) {
      if (event.name === 'frame') {
        await takeFrame(event)
        // The names come with the list. Until then, the page has the names of its HTML.
        await named
        if (signal.aborted) return
        update({ state: 'live', currentAtMs: clock.currentAt(event.newest), leftOut: event.frame.leftOut })
        throttle.run()
        summaries.refresh()
      } else if (REFUSED.includes(answered.status)) update({ state: 'closed' })
      else if (snapshot.state !== 'opening') update({ state: 'waiting' })
    }
  }

  async function takeFrame({ frame, newest }: Extract<FrameEvent, { name: 'frame' }>): Promise<void> {
    clock.hear(newest)
    intervalSec = newest.intervalMs / 1000
    if (frame.delaySec !== snapshot.delaySec) update({ delaySec: frame.delaySec })
    for (const _ of applyFrame(tracks, frame, moveSec())) await letOthersWork()
  }

  function connect(): () => void {
    const ending = new AbortController()
    update({ state: 'opening' })
    read(ending.signal).catch((error: unknown) => {
      if (ending.signal.aborted) return
      if (!(error instanceof ShareEndedError)) throw error
      update({ state: 'ended' })
    })
    return () => ending.abort()
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      disconnect ??= connect()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        disconnect?.()
        disconnect = undefined
      }
    },
  }
}

/** Creates the memory of the view of a page: an area, and the selected track, which may be beside it. */
function createView<Track extends SharedTrack>({ byId }: LiveTracks<Track>, summaries: LiveSummaries<Track>) {
  let seen: Area | undefined
  let selected: string | undefined
  return {
    see(area: Area | undefined): void {
      seen = area
    },
    look(shownIds: readonly string[], selectedId: string | undefined): void {
      selected = selectedId
      summaries.look(shownIds, selectedId)
    },
    tiles: readTiles(() => {
      const entry = selected === undefined ? undefined : byId.get(selected)
      return seen && tilesOf(seen, entry === undefined ? [] : [entry.shown])
    }),
  }
}

/** Returns a `fetch` that notes the status of the latest answer. */
function fetchNoting(send: typeof fetch, answered: { status: number }): WatchFramesOptions['fetch'] {
  return async (url, init) => {
    const response = await send(url, init)
    answered.status = response.status
    return response
  }
}

/**
 * Returns the part of the frames that a player plays. The present ends where nobody moves any more, and a past event
 * where its last track ends.
 */
function playedFrames(tracks: LiveTracks<SharedTrack>, dueSec: () => number): Played {
  let presentSec = Number.NEGATIVE_INFINITY
  let end = { ofVersion: -1, sec: 0 }
  return {
    get fromSec() {
      return tracks.fromSec
    },
    get untilSec() {
      const { listVersion, untilSec } = tracks
      if (end.ofVersion !== listVersion) end = { ofVersion: listVersion, sec: lastEndMs(tracks) / 1000 }
      return end.sec < untilSec - OVER_AFTER_MS / 1000 ? end.sec : untilSec
    },
    skipTo: (sec) => sec,
    presentSec() {
      presentSec = Math.max(presentSec, Math.min(dueSec(), tracks.movedUntilSec))
      return presentSec
    },
  }
}

/** Follows the tracks of an event or a share. @param source must keep its identity */
export function useLiveTracks<Track extends SharedTrack>(source: LiveSource<Track>): LiveSnapshot<Track> {
  const store = useMemo(() => createLiveStore<Track>(source), [source])
  return useSyncExternalStore(store.subscribe, store.getSnapshot)
}

/**
 * Waits for a time, and in a page that nobody sees until somebody looks at it. After the sleep of a phone it ends at
 * once, because the page is old then.
 */
export function untilShown(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const isSeen = () => document.visibilityState === 'visible'
    const timer = setTimeout(() => isSeen() && end(), ms)
    const changed = () => isSeen() && end()
    const end = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', changed)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    document.addEventListener('visibilitychange', changed)
    signal?.addEventListener('abort', end)
  })
}

/** The server's time of a state, and its age when it was sent. */
type Timed = { asOfMs: number; lagMs: number }

/**
 * Creates the clock of a page, which translates the server's times into the page's own. The clocks of server and page
 * may differ by hours, so the fastest answer so far counts as having taken no time. An answer that was held up on its
 * way then shows by how much.
 */
export function createServerClock(nowMs: () => number = () => performance.now()) {
  let offsetMs = Number.POSITIVE_INFINITY
  return {
    /** Notes when an answer arrived. */
    hear({ asOfMs, lagMs }: Timed): void {
      offsetMs = Math.min(offsetMs, nowMs() - (asOfMs + lagMs))
    },
    /** Returns the time on the page's clock of which an answer has the state; undefined before the first. */
    currentAt: ({ asOfMs }: Timed) => (Number.isFinite(offsetMs) ? asOfMs + offsetMs : undefined),
    /** Returns the server's time, in milliseconds since 1970; undefined before the first answer. */
    serverNowMs: () => (Number.isFinite(offsetMs) ? nowMs() - offsetMs : undefined),
  }
}

/** Shortest time between two runs; more often changes nothing that an eye sees. */
const MIN_INTERVAL_MS = 250
/** Pause after a run as a multiple of its cost, so that a page with thousands of tracks is drawn less often. */
const PAUSE_PER_COST = 4

/** Runs an update at once, and then not again before a pause that grows with the time the update took. */
function throttleByCost(update: () => void): { run(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false

  function begin(): void {
    isDue = false
    const startMs = performance.now()
    update()
    // This timer fires after the page has been drawn, so that drawing is part of the cost.
    timer = setTimeout(() => {
      const costMs = performance.now() - startMs
      timer = setTimeout(end, Math.max(MIN_INTERVAL_MS, costMs * PAUSE_PER_COST))
    })
  }

  function end(): void {
    timer = undefined
    if (isDue) begin()
  }

  return {
    run() {
      if (timer === undefined) begin()
      else isDue = true
    },
    stop: () => clearTimeout(timer),
  }
}
