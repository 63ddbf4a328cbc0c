import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Target } from '../program/target.ts'
import type { SentPoint } from './phones.ts'

/** A spectator who follows the frames of a share as pages do, in a thread of its own. */
export class FrameSpectator {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  /** Opens a spectator, who has the first frame then. */
  static async open({ url }: Target, token: string): Promise<FrameSpectator> {
    const worker = new Worker(new URL('./frame-spectator-thread.ts', import.meta.url), { workerData: { url, token } })
    await once(worker, 'message')
    return new FrameSpectator(worker)
  }

  /** Leaves. Returns the time from the answer to a phone until the spectator had its point, for those that it had. */
  async leave(sent: readonly SentPoint[]): Promise<number[]> {
    const seen = once(this.#worker, 'message')
    this.#worker.postMessage('leave')
    const [seenAtMs] = (await seen) as [Map<string, number>]
    return sent.flatMap(({ id, timeMs, answeredMs }) => {
      const atMs = seenAtMs.get(`${id} ${timeMs}`)
      return atMs === undefined ? [] : [atMs - performance.timeOrigin - answeredMs]
    })
  }
}
