import type { ApiClient } from '../api-client.ts'

type Entry = { startMs: number; endMs: number; isOk: boolean }

/** What requests experienced during a fault and afterwards. */
export type Experience = {
  requests: number
  failed: number
  /** Longest time from the start of a request that failed to the next success. */
  longestOutageMs: number
  /** Longest time that a request took. */
  slowestMs: number
  /** Time from the end of the fault to the end of the last failure. */
  recoveryMs: number
}

/** Records when requests succeed and fail. */
export class RequestLog {
  #entries: Entry[] = []

  /** Returns a client whose requests are recorded. */
  record(send: ApiClient): ApiClient {
    return async (...request) => {
      const startMs = performance.now()
      let isOk = false
      try {
        const answer = await send(...request)
        isOk = answer !== undefined && answer.status < 500
        return answer
      } finally {
        this.#entries.push({ startMs, endMs: performance.now(), isOk })
      }
    }
  }

  /** Sums up all requests since the last call. */
  take(faultEndedMs: number): Experience {
    const entries = this.#entries.sort((a, b) => a.endMs - b.endMs)
    this.#entries = []
    const failed = entries.filter(({ isOk }) => !isOk)
    const successes = entries.filter(({ isOk }) => isOk)
    const outages = failed.map(({ startMs, endMs }) => {
      return (successes.find((success) => success.endMs >= endMs)?.endMs ?? endMs) - startMs
    })
    return {
      requests: entries.length,
      failed: failed.length,
      longestOutageMs: Math.max(0, ...outages),
      slowestMs: Math.max(0, ...entries.map(({ startMs, endMs }) => endMs - startMs)),
      recoveryMs: Math.max(0, ...failed.map(({ endMs }) => endMs - faultEndedMs)),
    }
  }
}
