import { setTimeout as wait } from 'node:timers/promises'
import type { Target } from '../attack.ts'

/** Time for which the program keeps the text of its metrics. */
const METRICS_KEPT_MS = 120

/**
 * Returns how long an attack held the thread that answers requests, at most: its longest delay of the event loop, or its
 * processor time if that is less. Delays alone would include those of a busy machine, processor time also work in many
 * short pieces.
 */
export async function longestHoldMs(
  target: Pick<Target, 'url' | 'usage'>,
  attack: () => Promise<unknown>,
): Promise<number> {
  await longestDelayMs(target.url)
  const beforeMs = target.usage()?.mainThreadMs
  await attack()
  const afterMs = target.usage()?.mainThreadMs
  const delayMs = await longestDelayMs(target.url)
  return beforeMs === undefined || afterMs === undefined ? delayMs : Math.min(delayMs, afterMs - beforeMs)
}

/** Reads the longest delay since the last reading, which is forgotten with each reading. */
async function longestDelayMs(url: string): Promise<number> {
  await wait(METRICS_KEPT_MS)
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)![1]) * 1000
}
