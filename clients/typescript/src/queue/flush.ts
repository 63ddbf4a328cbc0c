import type { Answer } from './answers.ts'
import type { QueueRequest } from './exchange.ts'
import type { Pace } from './pace.ts'
import { ELSEWHERE, type Step, sendNext } from './sender.ts'
import { inTurn, type Turn } from './sender-turn.ts'
import type { StoredQueue } from './stored-queue.ts'

/** State of the sender, drawn in the README. */
export type QueueState = Step

/** A run of the sender, which begins no request once it `isStopped`. */
type Run = { done: Promise<QueueState>; isStopped: () => boolean }

type Deps = {
  queue: StoredQueue
  pace: Pace
  turns: Parameters<typeof inTurn>[0]
  exchange: (token: string, request: QueueRequest, isStopped: () => boolean) => Promise<Answer | undefined>
  token: string
  /** Milliseconds of a clock that nobody sets. */
  steady: () => number
  onState: (state: QueueState) => void
}

const NOTHING_TO_WAIT_FOR = { steadyMs: Number.NEGATIVE_INFINITY, isAsked: false }

/** Creates what sends the queue until it has to stop, one run at a time. */
export function createFlush({ queue, pace, turns, token: firstToken, steady, onState, exchange }: Deps) {
  let token = firstToken
  let waitsUntil = NOTHING_TO_WAIT_FOR
  let current: Run | undefined
  let stops = 0

  async function sendAll(turn: Turn, isStopped: () => boolean): Promise<Step> {
    const deps = { queue, pace, exchange: (request: QueueRequest) => exchange(token, request, isStopped) }
    for (;;) {
      const sentToken = token
      const step = await sendNext(deps, turn)
      const isOutdated = step.state === 'unauthorized' && sentToken !== token
      if (step.state !== 'sending' && !isOutdated) return step
    }
  }

  async function send(isStopped: () => boolean): Promise<QueueState> {
    if (isStopped()) return { state: 'stopped' }
    onState({ state: 'sending' })
    const state = await inTurn(turns, (turn) => sendAll(turn, isStopped))
      .then((step) => step ?? ELSEWHERE)
      // The storage has failed. The requests are where they were, and the server knows what it has.
      .catch((): Step => ({ state: 'waiting', waitMs: pace.nextWaitMs(), isAsked: false }))
    if (state.state === 'waiting') waitsUntil = { steadyMs: steady() + state.waitMs, isAsked: state.isAsked }
    if (!isStopped()) onState(state)
    return state
  }

  /** Begins a run, which a listener of its first state may already stop or join. */
  function begin(): Run {
    const stopsBefore = stops
    const isStopped = () => stops !== stopsBefore
    const done = Promise.resolve().then(() => send(isStopped))
    return { isStopped, done: done.finally(() => (current = undefined)) }
  }

  return {
    /**
     * Sends until nothing is left or something has to be waited for. Never rejects.
     * @param isForced ends a wait after a failure early; never one that the server has asked for
     */
    async flush(isForced: boolean): Promise<QueueState> {
      const stopsBefore = stops
      // One that was stopped still has a request under way, and begins no other.
      while (current?.isStopped()) await current.done
      if (stops !== stopsBefore) return { state: 'stopped' }
      if (current !== undefined) return await current.done
      const waitMs = waitsUntil.steadyMs - steady()
      const { isAsked } = waitsUntil
      if (waitMs > 0 && (isAsked || !isForced)) return { state: 'waiting', waitMs, isAsked }
      current = begin()
      return await current.done
    },
    /** Begins no request from now on, until the next flush. The answer to one that is under way is settled. */
    stop(): void {
      stops++
    },
    setToken(next: string) {
      token = next
      waitsUntil = NOTHING_TO_WAIT_FOR
      pace.reset()
    },
  }
}
