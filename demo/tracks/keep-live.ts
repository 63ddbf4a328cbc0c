import { setTimeout as wait } from 'node:timers/promises'
import { addTrack, finishTrack, openPhone, type PlannedTrack } from './phone.ts'

/** The runners on course at first, and those who start when one arrives. */
export type Runners = { underWay: readonly PlannedTrack[]; next(startMs: number): PlannedTrack }

export type LiveOptions = {
  url: string
  /** The app token of the race. */
  token: string
  /** Cuts the race short. */
  signal: AbortSignal
  /** Ends the attempts to finish tracks. */
  lastWords: AbortSignal
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
async function run(runner: PlannedTrack, { url, token, signal, lastWords }: LiveOptions): Promise<void> {
  const phone = openPhone(url, token)
  await addTrack(phone, runner)
  const timesMs = runner.points.map(({ timestamp }) => Date.parse(timestamp))
  for (let sent = 0; sent < timesMs.length && !signal.aborted; ) {
    const due = timesMs.findIndex((timeMs, i) => i >= sent && timeMs > Date.now())
    const end = due === -1 ? timesMs.length : due
    await phone.addPoints(runner.deviceTrackId, runner.points.slice(sent, end))
    await phone.flush()
    sent = end
    if (sent < timesMs.length) await pause(BATCH_MS, signal)
  }
  await finishTrack(phone, runner, lastWords)
}

/** Waits until a time or the signal, whichever comes first. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
}
