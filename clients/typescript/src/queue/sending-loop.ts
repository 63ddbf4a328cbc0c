import type { QueueState } from './flush.ts'

type Deps = {
  flush: (isForced: boolean) => Promise<QueueState>
  steady: () => number
}

/** The part of a page or web view that tells when the connection returns. */
type OnlineEvents = {
  addEventListener?(name: 'online', listener: () => void): void
  removeEventListener?(name: 'online', listener: () => void): void
}

/** Longest time that timers take. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Creates the loop that sends while the app runs: when something was added, after waits, and when the network returns.
 */
export function createSendingLoop({ flush, steady }: Deps) {
  let isOn = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueMs = Number.POSITIVE_INFINITY
  const events = globalThis as OnlineEvents
  const onOnline = () => void send(true)

  async function send(isForced: boolean): Promise<void> {
    clearTimeout(timer)
    dueMs = Number.POSITIVE_INFINITY
    const state = await flush(isForced)
    if ('waitMs' in state) wakeIn(state.waitMs)
  }

  function wakeIn(ms: number): void {
    const atMs = steady() + ms
    if (!isOn || atMs >= dueMs) return
    clearTimeout(timer)
    dueMs = atMs
    timer = setTimeout(() => void send(false), Math.min(ms, LONGEST_TIMER_MS))
  }

  return {
    wakeIn,
    start() {
      if (isOn) return
      isOn = true
      events.addEventListener?.('online', onOnline)
      wakeIn(0)
    },
    stop() {
      isOn = false
      clearTimeout(timer)
      dueMs = Number.POSITIVE_INFINITY
      events.removeEventListener?.('online', onOnline)
    },
  }
}
