import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import { ticking } from '#platform/basics/timers.ts'
import { compressAhead, type EncodedEvents, encodeEvents } from '#platform/http/event-stream.ts'
import type { MainThreadShare } from '#platform/jobs/main-thread-time.ts'
import type { LatestFrame } from '../frames/frame-series.ts'
import type { FrameForm, Frames } from '../frames/frames.ts'
import { latestJson } from '../frames/schemas.ts'
import type { TracksTables } from '../model/tables.ts'
import { type Admitted, CHECK_INTERVAL_MS, endRefused } from './end-refused.ts'
import type { LiveFrame } from './schemas.ts'

/** A stream of frames. `shown` is what its frames show; undefined for a stream that only tells that they are there. */
export type FrameViewer = Admitted & { shown?: Pick<FrameForm, 'trackId' | 'hasBattery'> | undefined }

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
export class FrameFeed {
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
