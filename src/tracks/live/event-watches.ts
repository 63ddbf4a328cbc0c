import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/basics/logger.ts'
import { ticking } from '#platform/basics/timers.ts'
import { compressAhead, type EncodedEvents, encodeEvents } from '#platform/http/event-stream.ts'
import type { ServiceJobs } from '#platform/jobs/jobs.ts'
import { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import { addLiveLag, WatchRegistry } from '#platform/jobs/poll-loop.ts'
import type { LatestFrame } from '../frames/frame-series.ts'
import { createFrameCleaning, createFrames, type FrameForm, type Frames } from '../frames/frames.ts'
import { latestJson } from '../frames/schemas.ts'
import { nameOfSeries, seriesNamed } from '../frames/store.ts'
import { createRecentEnds } from '../frames/track-ends.ts'
import type { TracksTables } from '../model/tables.ts'
import { EventWatch, type WatchOptions } from './event-watch.ts'
import type { LiveFrame } from './schemas.ts'
import { createPastEnds } from './track-messages.ts'
import { type Admitted, CHECK_INTERVAL_MS, endRefused, type Viewer } from './viewer.ts'

/** The viewers of all events on this instance. */
export type EventWatches = ReturnType<typeof createEventWatches>

type WatchesDeps = Omit<WatchOptions, 'eventId' | 'delaySec' | 'share' | 'pastEnds' | 'onEnd'> & {
  frames: Frames
  /** Gets the metric of how far viewers are behind. */
  registry: Registry
}

function createEventWatches({ registry, frames, ...deps }: WatchesDeps) {
  const share = new MainThreadShare()
  const pastEnds = createPastEnds()
  /** Viewers with different delays see different things, and are watches of their own. */
  const delays = new Map<string, Set<number>>()
  const watches = new WatchRegistry((name, onEnd) => {
    const { eventId, delaySec } = seriesNamed(name)
    delays.set(eventId, (delays.get(eventId) ?? new Set()).add(delaySec))
    return new EventWatch({ ...deps, share, pastEnds, eventId, delaySec, onEnd: () => end(name, onEnd) })
  })

  const feeds = new WatchRegistry(
    (name, onEnd) => new FrameFeed({ ...deps, ...seriesNamed(name), share, frames, onEnd }),
  )

  let checks = 0
  addLiveLag(registry, 'tracks', () => [...watches.all(), ...frames.all()])

  function end(name: string, onEnd: () => void): void {
    const { eventId, delaySec } = seriesNamed(name)
    onEnd()
    delays.get(eventId)?.delete(delaySec)
    if (delays.get(eventId)?.size === 0) delays.delete(eventId)
  }

  return {
    /** Sends a viewer the changes of an event, by a delay later, until its stream ends. */
    join: (eventId: string, viewer: Viewer, delaySec = 0): void =>
      watches.open(nameOfSeries({ eventId, delaySec })).join(viewer),
    /** Tells a viewer of each frame of an event, or sends it, until its stream ends. */
    joinFrames: (eventId: string, viewer: FrameViewer, delaySec: number): void =>
      feeds.open(nameOfSeries({ eventId, delaySec })).join(viewer),
    /** Number of calls of `check`. */
    get checks(): number {
      return checks
    },
    /** Ends the streams of viewers that lost access. To be called when the event, a track or a share has ended. */
    check(eventId: string): void {
      checks++
      for (const delaySec of delays.get(eventId) ?? []) watches.find(nameOfSeries({ eventId, delaySec }))?.check()
      for (const feed of feeds.all()) if (feed.eventId === eventId) feed.check()
    },
  }
}

type Deps = Omit<Parameters<typeof createFrames>[0], 'recentEnds'> & Omit<WatchesDeps, 'frames'>

/** Builds the live views of this instance: their streams, and the frames of positions. */
export function openLive(deps: Deps) {
  const recentEnds = createRecentEnds(() => frames.isWatched)
  const frames: Frames = createFrames({ ...deps, recentEnds })
  return { recentEnds, frames, watches: createEventWatches({ ...deps, frames }) }
}

/** Adds the background jobs of live views. */
export function addLiveJobs(jobs: ServiceJobs, { frames }: { frames: Frames }): void {
  const clean = createFrameCleaning(frames.store)
  jobs.every('live-frames-cleaning', {
    everyMs: 60_000,
    doc: 'Removes the frames of positions of events that nobody has watched for two minutes.',
    run: () => clean(),
  })
}

/** A stream of frames. `shown` is what its frames show; undefined for a stream that only tells that they are there. */
type FrameViewer = Admitted & { shown?: Pick<FrameForm, 'trackId' | 'hasBattery'> | undefined }

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  delaySec: number
  frames: Frames
  share: MainThreadShare
  logger: Logger
  onEnd: () => void
}

/** Frames that may wait to be sent. A viewer that misses one reads it as an answer. */
const MAX_WAITING = 3

/** Tells viewers of an event that a frame is there, or sends it: each once encoded and compressed for all alike. */
class FrameFeed {
  readonly #options: Options
  readonly #viewers = new Set<FrameViewer>()
  readonly #ending = new AbortController()
  readonly #stopChecks: () => void
  /** Tells new viewers of the newest frame. It is compressed once: thousands may come within one frame. */
  #latest: EncodedEvents | undefined
  #waiting = 0
  #sending: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#stopChecks = ticking(CHECK_INTERVAL_MS, () => this.check())
    options.frames.open(options).watch(this.#ending.signal, (latest) => this.#take(latest))
  }

  get eventId(): string {
    return this.#options.eventId
  }

  /** Tells a viewer of the newest frame, and then of each, until its stream ends. */
  join(viewer: FrameViewer): void {
    this.#viewers.add(viewer)
    viewer.stream.onClose(() => this.#leave(viewer))
    if (this.#latest !== undefined) viewer.stream.send(this.#latest)
  }

  /** Ends the streams of viewers that lost access. */
  check(): void {
    const { db, eventId, logger } = this.#options
    endRefused(db, eventId, [...this.#viewers]).catch((err) =>
      logger.warn({ err }, 'checking the access of viewers failed'),
    )
  }

  #leave(viewer: FrameViewer): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size > 0) return
    this.#stopChecks()
    this.#ending.abort()
    this.#options.onEnd()
  }

  /** Sends frames one after another, so that each viewer gets them in their order. */
  #take(latest: LatestFrame): void {
    this.#latest = this.#encode(latest)
    if (this.#waiting >= MAX_WAITING) return
    this.#waiting++
    const viewers = [...this.#viewers]
    this.#sending = this.#sending
      .then(() => this.#send(viewers, latest))
      .catch((err) => this.#options.logger.warn({ err }, 'sending a frame to viewers failed'))
      .finally(() => {
        this.#waiting--
      })
  }

  async #send(viewers: readonly FrameViewer[], latest: LatestFrame): Promise<void> {
    const { frames, share } = this.#options
    for (const alike of Map.groupBy(viewers, nameOf).values()) {
      const [{ shown }] = alike
      const form = shown && ({ ...shown, isWhole: false, format: 'binary', encoding: undefined } as const)
      const events = this.#encode(latest, form && (await frames.read(this.#options, latest.number, form)))
      await compressAhead(events)
      // A viewer that reads too slowly misses this frame.
      await share.forEach(alike, ({ stream }) => {
        if (stream.drained() === undefined) stream.send(events)
      })
    }
  }

  #encode(latest: LatestFrame, bytes?: Uint8Array): EncodedEvents {
    const data: LiveFrame = latestJson(latest, this.#options.delaySec)
    if (bytes !== undefined)
      data.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
    return encodeEvents([{ event: 'frame', data }])
  }
}

/** Names the content of a viewer's frames: viewers with the same content have the same name. */
function nameOf({ shown }: FrameViewer): string {
  return shown === undefined ? '' : `${shown.hasBattery} ${shown.trackId}`
}
