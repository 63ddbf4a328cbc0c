import { pointErrors } from './queue/clean-point.ts'
import { exchange, type Fetch } from './queue/exchange.ts'
import { createFlush, type QueueState } from './queue/flush.ts'
import { createKnownTracks } from './queue/known-tracks.ts'
import { newId } from './queue/new-id.ts'
import { createPace } from './queue/pace.ts'
import { createQueueCare, type QueueCare } from './queue/queue-care.ts'
import { stored } from './queue/queue-storage-error.ts'
import type { Locks } from './queue/sender-turn.ts'
import { createSendingLoop } from './queue/sending-loop.ts'
import { createStoredQueue } from './queue/stored-queue.ts'
import { createTrackCommands, type TrackCommands } from './queue/track-commands.ts'
import type { FieldError, StoredPoint } from './queue/wire.ts'
import type { QueueStorage } from './storage/queue-storage.ts'

export type { QueueState } from './queue/flush.ts'
export type { TrackStatus } from './queue/queue-care.ts'
export type { SetAside } from './queue/stored-queue.ts'
export type { AddReceipt } from './queue/track-commands.ts'
export type { FieldError, PointInput, TrackChanges, TrackFields } from './queue/wire.ts'

/** Settings of the queue. Only the first three are needed. */
export type TrackQueueOptions = {
  /** Address of the server, such as `https://tracks.example.org`. */
  baseUrl: string
  /** App token. The queue does not store it. */
  token: string
  storage: QueueStorage
  /** Replaces the engine's own `fetch`. */
  fetch?: Fetch
  /** Seconds for which points are gathered before a request; 10 by default. */
  sendEverySec?: number
  /** Seconds after which a request counts as lost; 60 by default. */
  requestTimeoutSec?: number
  /** Most points in one request, up to 10,000; 2,000 by default. */
  maxPointsPerRequest?: number
  /** Compresses large requests where the engine can; true by default. */
  compress?: boolean
  /** Returns what is wrong with a point, which then does not get into the queue. By default the rules of the API. */
  checkPoint?: (point: StoredPoint) => FieldError[]
  /** Web Locks; those of the engine by default. */
  locks?: Locks
  /** Clocks and chance, for tests: the time that people set, one that only runs on, and a number from 0 up to 1. */
  now?: () => number
  steady?: () => number
  random?: () => number
}

/** A durable queue of tracks, and the sender that empties it. */
export type TrackQueue = TrackCommands &
  QueueCare & {
    /** Sends from now on: what is in the queue, and what is added. */
    start(): void
    /** Begins no request from now on, until `start` or `flush`. The answer to one that is under way still counts. */
    stop(): void
    /**
     * Sends until nothing is left or something has to be waited for. For background tasks, and when the app knows that
     * the connection has returned. Never rejects.
     */
    flush(): Promise<QueueState>
    /** Continues with another token, also with tracks that were held for want of permission or for not being found. */
    setToken(token: string): Promise<void>
    /** State of the sender. */
    readonly state: QueueState
    /** Calls back after each change of `state`. @returns a function that ends this */
    onState(listener: (state: QueueState) => void): () => void
  }

/** Reasons that may lie in the token. */
const REASONS_OF_TOKENS = ['forbidden', 'not-found', 'conflict']

/** Opens the queue in a storage. Nothing is sent before `start` or `flush`. */
export function openTrackQueue(options: TrackQueueOptions): TrackQueue {
  const { storage, sendEverySec = 10, requestTimeoutSec = 60, maxPointsPerRequest = 2000 } = options
  const engine = globalThis as { performance?: { now(): number }; navigator?: { locks?: Locks } }
  const now = options.now ?? Date.now
  const steady = options.steady ?? (engine.performance === undefined ? Date.now : () => engine.performance!.now())
  const listeners = new Set<(state: QueueState) => void>()
  let state: QueueState = { state: 'stopped' }
  const queue = createStoredQueue(storage)
  const line = {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs: requestTimeoutSec * 1000,
    now,
    compress: options.compress ?? true,
  }
  const { flush, stop, setToken } = createFlush({
    queue,
    turns: { storage, locks: options.locks ?? engine.navigator?.locks, sender: newId(), now },
    exchange: (...request) => exchange(line, ...request),
    token: options.token,
    pace: createPace(maxPointsPerRequest, options.random ?? Math.random),
    steady,
    onState: show,
  })
  const loop = createSendingLoop({ flush, steady })
  const onAdded = (isUrgent: boolean) => loop.wakeIn(isUrgent ? 0 : sendEverySec * 1000)
  const known = createKnownTracks(queue)

  function show(next: QueueState): void {
    state = next
    for (const listener of listeners) void call(listener, next)
  }

  return {
    ...createTrackCommands({ queue, known, checkPoint: options.checkPoint ?? pointErrors, onAdded }),
    ...createQueueCare({ queue, known, onAdded }),
    start: loop.start,
    stop() {
      loop.stop()
      stop()
      show({ state: 'stopped' })
    },
    flush: () => flush(true),
    async setToken(token) {
      setToken(token)
      for (const { number, value } of await stored(queue.tracks())) {
        if (!REASONS_OF_TOKENS.includes(value.held?.reason ?? '')) continue
        await stored(queue.changeTrack(number, ({ held: _, ...rest }) => rest))
      }
      loop.wakeIn(0)
    },
    get state() {
      return state
    },
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Calls a listener of the app. A failure of its own must not end the sending. */
async function call(listener: (state: QueueState) => unknown, state: QueueState): Promise<void> {
  try {
    await listener(state)
  } catch (error) {
    console.error('A listener of the queue has failed.', error)
  }
}
