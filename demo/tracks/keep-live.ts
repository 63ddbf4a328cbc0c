import { setTimeout as wait } from 'node:timers/promises'
import type { TrackClient } from '../../scripts/replay/track-client.ts'
import { createTrack, type PlannedTrack } from './track-sender.ts'

/** The runners on course at first, and those who start when one arrives. */
export type Runners = { underWay: readonly PlannedTrack[]; next(startMs: number): PlannedTrack }

export type LiveOptions = {
  /** Sends points during the race. */
  client: TrackClient
  /** Finishes the tracks when the race is cut short. */
  lastWords: TrackClient
  signal: AbortSignal
}

/** Interval at which a runner's phone sends. */
const BATCH_MS = 3000
/** Delay between an arrival and the next start. */
const BEFORE_NEXT_MS = 10_000

/** Makes runners send points as they record them, one runner after another per slot, until the signal. */
export async function keepLive({ underWay, next }: Runners, options: LiveOptions): Promise<void> {
  const { signal } = options
  await Promise.all(
    underWay.map(async (first, i) => {
      // Phones do not all send at the same moment.
      await pause((i * BATCH_MS) / underWay.length, signal)
      for (let runner = first; !signal.aborted; runner = next(Date.now())) {
        await run(runner, options)
        await pause(BEFORE_NEXT_MS, signal)
      }
    }),
  )
}

/** Sends a track's points when they are due. If cut short, finishes the track as it is. */
async function run(runner: PlannedTrack, { client, lastWords, signal }: LiveOptions): Promise<void> {
  const timesMs = runner.points.map(({ timestamp }) => Date.parse(timestamp))
  let id: string | undefined
  try {
    id = await createTrack(client, runner)
    for (let sent = 0; sent < timesMs.length && !signal.aborted; ) {
      const due = timesMs.findIndex((timeMs, i) => i >= sent && timeMs > Date.now())
      const end = due === -1 ? timesMs.length : due
      if (end > sent) await client.addPoints(id, runner.points.slice(sent, end), [])
      sent = end
      if (sent < timesMs.length) await pause(BATCH_MS, signal)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (id !== undefined) await lastWords.finish(id, [])
}

/** Waits until a time or the signal, whichever comes first. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
