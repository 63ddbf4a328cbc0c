import type { Answer } from './answers.ts'
import type { QueueRequest } from './exchange.ts'
import type { Pace } from './pace.ts'
import { ELSEWHERE, type Step, sendNext } from './sender.ts'
import { inTurn, type Turn } from './sender-turn.ts'
import type { StoredQueue } from './stored-queue.ts'

/** State of the sender, drawn in the README. */
export type QueueState = Step | { state: 'stopped' }

type Deps = {
  queue: StoredQueue
  pace: Pace
  turns: Parameters<typeof inTurn>[0]
  exchange: (token: string, request: QueueRequest) => Promise<Answer>
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
  let running: Promise<QueueState> | undefined
  const deps = { queue, pace, exchange: (request: QueueRequest) => exchange(token, request) }

  async function sendAll(turn: Turn): Promise<Step> {
    for (;;) {
      const sentToken = token
      const step = await sendNext(deps, turn)
      const isOutdated = step.state === 'unauthorized' && sentToken !== token
      if (step.state !== 'sending' && !isOutdated) return step
    }
  }

  async function run(): Promise<QueueState> {
    onState({ state: 'sending' })
    const state = await inTurn(turns, sendAll)
      .then((step) => step ?? ELSEWHERE)
      // The storage has failed. The requests are where they were, and the server knows what it has.
      .catch((): Step => ({ state: 'waiting', waitMs: pace.nextWaitMs(), isAsked: false }))
    if (state.state === 'waiting') waitsUntil = { steadyMs: steady() + state.waitMs, isAsked: state.isAsked }
    onState(state)
    return state
  }

  return {
    /**
     * Sends until nothing is left or something has to be waited for. Never rejects.
     * @param isForced ends a wait after a failure early; never one that the server has asked for
     */
    flush(isForced: boolean): Promise<QueueState> {
      const waitMs = waitsUntil.steadyMs - steady()
      const { isAsked } = waitsUntil
      if (running === undefined && waitMs > 0 && (isAsked || !isForced)) {
        return Promise.resolve({ state: 'waiting', waitMs, isAsked })
      }
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
    setToken(next: string) {
      token = next
      waitsUntil = NOTHING_TO_WAIT_FOR
      pace.reset()
    },
  }
}
