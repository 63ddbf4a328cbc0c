import { randomUUID } from 'node:crypto'
import { unavailable } from '#platform/basics/errors.ts'
import type { Logger } from '#platform/basics/logger.ts'
import { PollLoop } from '#platform/jobs/poll-loop.ts'
import { FRAME_MS } from './frame.ts'
import { FrameMaker, type MakerDeps, type RanksAt } from './frame-maker.ts'
import type { FramesStore, ListedFrame, SeriesKey, SeriesRow } from './store.ts'

/** Interval at which an instance looks whether something is due. Only what is due costs a query. */
const TICK_MS = 200
/** Interval at which an instance that does not make the frames looks for a new one. */
const LOOK_MS = 1000
/** Interval of the signs of life of the instance that makes the frames. Each stored frame is one, too. */
const BEAT_MS = 1500
/** Time without a sign of life after which another instance goes on. With a look it is less than five seconds. */
const LOST_MS = 3500
/** Time after which an instance that is still making a frame gives no more signs: another one may have more luck. */
const STUCK_MS = 20_000
/** Longest interval of frames. The interval doubles when making a frame takes longer than half of it. */
const MAX_INTERVAL_MS = 8000
/** Time for which a request waits for the first frame. */
const WAIT_MS = 8000

/** The newest frame, and the frames from its key frame on. */
export type LatestFrame = {
  number: number
  key: number
  numbers: readonly number[]
  asOfMs: number
  intervalMs: number
  epoch: number
  /** Time since `asOfMs`, by this instance alone: clocks of instances differ. */
  lagMs(): number
}

/**
 * Everything that a series needs. Frames are made for `liveKeepMs` after the last viewer has asked; `stuckMs` is the
 * longest time for making one.
 */
export type SeriesDeps = MakerDeps & {
  store: FramesStore
  /** Returns the reader of the ranks in the race of an event, which calls `onError` with its failures. */
  raceBoards: { ranksOf(eventId: string, onError: (error: unknown) => void): RanksAt }
  logger: Logger
  liveKeepMs: number
  stuckMs?: number
}

type Options = SeriesDeps & { series: SeriesKey; onEnd: () => void }

/**
 * The frames of an event for viewers with one delay, on this instance: it looks for new ones, and makes them while it
 * owns the series. An instance takes a series that shows no sign of life for a few seconds. That is seen by a counter
 * and not by times, so that clocks may differ. An instance that was frozen finds that it has lost the series, because
 * the database takes frames from the owner alone.
 */
export class FrameSeries {
  readonly #options: Options
  readonly #owner = randomUUID()
  readonly #loop: PollLoop
  readonly #viewers = new Set<(latest: LatestFrame) => void>()
  #waiting: ((latest: LatestFrame) => void)[] = []
  readonly #beganAtMs = performance.now()
  #wantedAtMs = Number.NEGATIVE_INFINITY
  #lookAtMs = 0
  #nextAtMs = 0
  #intervalMs = FRAME_MS
  #beat = -1
  #beatAtMs = 0
  #isOwner = false
  #isClosed = false
  #row: SeriesRow | undefined
  #maker: FrameMaker | undefined
  #making: Promise<void> | undefined
  #makingAtMs = 0
  #latest: LatestFrame | undefined
  #latestAtMs = 0

  constructor(options: Options) {
    this.#options = options
    this.#loop = new PollLoop({
      poll: () => this.#tick(),
      isWatched: () => this.#isWanted,
      intervalMs: TICK_MS,
      restPerPoll: 0,
      onError: (err) => this.#warn(err, 'looking for frames of positions failed'),
      onEnd: () => void this.#end(),
    })
  }

  /** Age of the shown positions beyond the viewers' delay; 0 while nobody watches. */
  get lagMs(): number {
    if (!this.#isWanted) return 0
    return this.#latest?.lagMs() ?? performance.now() - this.#beganAtMs
  }

  /** Calls back with each new frame until `signal` is aborted, and at once with the newest. */
  watch(signal: AbortSignal, onFrame: (latest: LatestFrame) => void): void {
    if (signal.aborted) return
    this.#viewers.add(onFrame)
    signal.addEventListener('abort', () => {
      this.#viewers.delete(onFrame)
      this.#want()
    })
    this.#want()
    if (this.#latest !== undefined) onFrame(this.#latest)
  }

  /** Returns the newest frame. @throws unavailable if there is none within some seconds */
  async latest(): Promise<LatestFrame> {
    this.#want()
    const isCurrent = this.#isOwner || performance.now() - this.#latestAtMs < LOOK_MS * 2
    if (this.#latest !== undefined && isCurrent) return this.#latest
    const { promise, resolve, reject } = Promise.withResolvers<LatestFrame>()
    this.#waiting.push(resolve)
    const timer = setTimeout(() => reject(unavailable()), WAIT_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting = this.#waiting.filter((one) => one !== resolve)
    }
  }

  /** Notes that somebody reads, so that frames go on being made. */
  want(): void {
    this.#want()
  }

  /** Leaves the series to other instances. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#loop.wake()
    await this.#making
    await this.#end()
  }

  #want(): void {
    this.#wantedAtMs = performance.now()
    if (!this.#isClosed) this.#loop.start()
  }

  get #isWanted(): boolean {
    if (this.#isClosed) return false
    return this.#viewers.size > 0 || performance.now() - this.#wantedAtMs < this.#options.liveKeepMs
  }

  async #tick(): Promise<void> {
    const nowMs = performance.now()
    if (this.#isOwner) {
      const isStuck = this.#making !== undefined && nowMs - this.#makingAtMs >= (this.#options.stuckMs ?? STUCK_MS)
      if (this.#making === undefined && nowMs >= this.#nextAtMs) this.#startMaking()
      else if (nowMs >= this.#beatAtMs + BEAT_MS && !isStuck) await this.#giveSign()
    } else if (nowMs >= this.#lookAtMs) {
      this.#lookAtMs = nowMs + LOOK_MS
      await this.#look()
    }
  }

  /** Looks for a new frame of another instance, and takes the series if nobody makes any. */
  async #look(): Promise<void> {
    const { store, series } = this.#options
    let row = await store.find(series)
    if (row === undefined) {
      await store.create(series)
      row = await store.find(series)
    }
    if (row === undefined) return
    const nowMs = performance.now()
    if (row.beat !== this.#beat) {
      this.#beat = row.beat
      this.#beatAtMs = nowMs
    }
    const isFree = row.owner === null || nowMs - this.#beatAtMs >= LOST_MS
    if (isFree && (await store.take(series, row, this.#owner))) {
      this.#isOwner = true
      this.#maker = undefined
      this.#nextAtMs = 0
      this.#row = row
      await this.#tick()
    } else await this.#publish(row, nowMs)
  }

  /** Tells viewers of the newest frame if it is another one. `asOfAtMs` is its time by `performance.now()`. */
  async #publish(row: SeriesRow, asOfAtMs: number): Promise<void> {
    const { store, series } = this.#options
    this.#row = row
    if (row.key_number === null) return
    const isNew = row.number !== this.#latest?.number || row.epoch !== this.#latest.epoch
    if (isNew) {
      const latest = latestOf(row, await store.list(series, row.key_number), asOfAtMs)
      // The frames were removed after the row was read.
      if (latest === undefined) return
      this.#latest = latest
    }
    const latest = this.#latest!
    this.#latestAtMs = performance.now()
    for (const resolve of this.#waiting.splice(0)) resolve(latest)
    if (isNew) for (const onFrame of this.#viewers) onFrame(latest)
  }

  async #giveSign(): Promise<void> {
    const { store, series } = this.#options
    this.#beatAtMs = performance.now()
    if (!(await store.beat(series, this.#owner))) this.#lose()
  }

  #startMaking(): void {
    const startMs = performance.now()
    this.#makingAtMs = startMs
    // A frame that is late moves the later ones, and so that none is made twice as fast.
    this.#nextAtMs = Math.max(this.#nextAtMs + this.#intervalMs, startMs + this.#intervalMs / 2)
    this.#making = this.#make()
      .catch((err) => {
        this.#maker = undefined
        this.#warn(err, 'making a frame of positions failed')
      })
      .finally(() => {
        this.#making = undefined
        this.#adapt(performance.now() - startMs)
      })
  }

  async #make(): Promise<void> {
    const { store, series, raceBoards, logger } = this.#options
    const row = await store.find(series)
    if (row === undefined || row.owner !== this.#owner) return this.#lose()
    if (row.epoch !== this.#row?.epoch) this.#maker = undefined
    this.#row = row
    const onError = (err: unknown) => logger.warn({ err }, 'computing ranks for frames failed')
    this.#maker ??= new FrameMaker(this.#options, series, raceBoards.ranksOf(series.eventId, onError))
    const asOfAtMs = performance.now()
    const { frame, stored } = await this.#maker.next(row.number, this.#intervalMs)
    if (!(await store.add(series, this.#owner, row.epoch, frame))) {
      // Everything was removed meanwhile, or the series has another owner: the next turn finds which.
      this.#maker = undefined
      this.#nextAtMs = 0
      return
    }
    await stored()
    this.#beatAtMs = performance.now()
    await this.#publish({ ...row, number: frame.number, key_number: frame.key }, asOfAtMs)
  }

  /** Makes frames rarer while making them takes long, and as frequent as before once it does not. */
  #adapt(tookMs: number): void {
    const before = this.#intervalMs
    if (tookMs > before / 2) this.#intervalMs = Math.min(MAX_INTERVAL_MS, before * 2)
    else if (tookMs < before / 8) this.#intervalMs = Math.max(FRAME_MS, before / 2)
  }

  #lose(): void {
    this.#isOwner = false
    this.#maker = undefined
    this.#beat = -1
    this.#lookAtMs = 0
  }

  async #end(): Promise<void> {
    const { store, series, onEnd } = this.#options
    onEnd()
    if (!this.#isOwner) return
    this.#isOwner = false
    this.#maker = undefined
    await this.#making
    await store.release(series, this.#owner).catch((err) => this.#warn(err, 'leaving a series of frames failed'))
  }

  #warn(err: unknown, message: string): void {
    if (!this.#isClosed) this.#options.logger.warn({ err }, message)
  }
}

function latestOf(row: SeriesRow, frames: readonly ListedFrame[], asOfAtMs: number): LatestFrame | undefined {
  const last = frames.at(-1)
  if (last === undefined || frames[0].number !== row.key_number) return undefined
  const numbers = frames.map(({ number }) => number)
  const { as_of_ms: asOfMs, interval_ms: intervalMs } = last
  const lagMs = () => Math.max(0, performance.now() - asOfAtMs)
  return { number: last.number, key: numbers[0], numbers, asOfMs, intervalMs, epoch: row.epoch, lagMs }
}
