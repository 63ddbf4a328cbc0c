import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { ticking } from '#platform/basics/ticking.ts'
import { type EncodedEvents, encodeEvents } from '#platform/http/event-stream.ts'
import type { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import type { FrameSeries, LatestFrame } from '../frames/frame-series.ts'
import { latestJson } from '../frames/schemas.ts'
import type { TracksTables } from '../model/tables.ts'
import { type Admitted, CHECK_INTERVAL_MS, endRefused } from './end-refused.ts'

type Options = {
  db: Kysely<TracksTables>
  eventId: string
  delaySec: number
  frames: FrameSeries
  share: MainThreadShare
  logger: Logger
  onEnd: () => void
}

/** Tells viewers of an event that a frame is there. They read the frame itself from a cache near them. */
export class FrameFeed {
  readonly #options: Options
  readonly #viewers = new Set<Admitted>()
  readonly #ending = new AbortController()
  readonly #stopChecks: () => void
  #latest: LatestFrame | undefined

  constructor(options: Options) {
    this.#options = options
    this.#stopChecks = ticking(CHECK_INTERVAL_MS, () => this.check())
    options.frames.watch(this.#ending.signal, (latest) => {
      this.#latest = latest
      void this.#send([...this.#viewers], this.#encode(latest))
    })
  }

  get eventId(): string {
    return this.#options.eventId
  }

  /** Tells a viewer of the newest frame, and then of each, until its stream ends. */
  join(viewer: Admitted): void {
    this.#viewers.add(viewer)
    viewer.stream.closed.addEventListener('abort', () => this.#leave(viewer))
    if (viewer.stream.closed.aborted) this.#leave(viewer)
    else if (this.#latest !== undefined) viewer.stream.send(this.#encode(this.#latest))
  }

  /** Ends the streams of viewers that lost access. */
  check(): void {
    const { db, eventId, logger } = this.#options
    endRefused(db, eventId, [...this.#viewers]).catch((err) =>
      logger.warn({ err }, 'checking the access of viewers failed'),
    )
  }

  #leave(viewer: Admitted): void {
    this.#viewers.delete(viewer)
    if (this.#viewers.size > 0) return
    this.#stopChecks()
    this.#ending.abort()
    this.#options.onEnd()
  }

  #encode(latest: LatestFrame): EncodedEvents {
    return encodeEvents([{ event: 'frame', data: latestJson(latest, this.#options.delaySec) }])
  }

  /** A viewer that reads too slowly is not told of this frame, but of a later one. */
  async #send(viewers: readonly Admitted[], events: EncodedEvents): Promise<void> {
    await this.#options.share.forEach(viewers, ({ stream }) => {
      if (stream.drained() === undefined) stream.send(events)
    })
  }
}
