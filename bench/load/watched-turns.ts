import { setTimeout as wait } from 'node:timers/promises'
import { type SpentTime, spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { FrameSpectator } from './frame-spectator.ts'
import type { Phones, SentPoint } from './phones.ts'

/** One whole frame is made in it, and it has the same load as the time without a spectator. */
export const MEASURED_MS = 31_000
/** Time after which phones or a spectator who have come are usual. */
const SETTLE_MS = 5000
/** Time after the last point for which frames are read: they may come every eight seconds. */
const LAST_MS = 8000
/** Settings of the server: frames are made for ten seconds after the spectator. */
export const SHORT_KEEP = { LIVE_KEEP: '10s' }
const UNWATCHED_AFTER_MS = 11_000

/** The points that phones have sent for a while, and the processor time of the server. */
export type Window = { points: SentPoint[]; spent: SpentTime }

/** A while without a spectator and the next one with one, and the delays of the points until the spectator had them. */
export type WatchedTurn = { unwatched: Window; watched: Window; delaysMs: number[] }

/**
 * Measures phones that send at a steady rate, for a while without a spectator and then with one. Turns of half a minute
 * are what a changing machine is compared by.
 * @param onWatched called while the spectator is there
 */
export async function measureTurn(
  server: Target,
  { phones, perSec, token }: { phones: Phones; perSec: number; token: string },
  onWatched: () => Promise<void>,
): Promise<WatchedTurn> {
  let points: SentPoint[] = []
  const loading = new AbortController()
  const load = phones.sendUntil(loading.signal, perSec, (point) => points.push(point))
  const measure = async (): Promise<Window> => {
    await wait(SETTLE_MS)
    points = []
    const spent = await spentDuring(server.pid, () => wait(MEASURED_MS))
    const measured = points
    points = []
    return { points: measured, spent }
  }
  const unwatched = await measure()
  const spectator = await FrameSpectator.open(server, token)
  const watched = await measure()
  await onWatched()
  await wait(LAST_MS)
  const delaysMs = await spectator.leave(watched.points)
  loading.abort()
  await load
  return { unwatched, watched, delaysMs }
}

/** Waits until no more frames are made for a spectator who has left. */
export async function untilUnwatched(): Promise<void> {
  await wait(UNWATCHED_AFTER_MS)
}
