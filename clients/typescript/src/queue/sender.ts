import { type Answer, judge, type RejectedPoint, type Verdict } from './answers.ts'
import type { QueueRequest } from './exchange.ts'
import { nextWork, removePoints, type Work } from './next-request.ts'
import type { Pace } from './pace.ts'
import type { Turn } from './sender-turn.ts'
import { asideChange, entryChange, type SetAside, type StoredQueue, trackChange } from './stored-queue.ts'

/** Result of one step of the sender. */
export type Step =
  /** A request has been settled, or is to be sent in another form; there may be more. */
  | { state: 'sending' }
  /** Everything has been sent that can be. */
  | { state: 'idle' }
  /** Try again after this time. `isAsked` if the server has named it. */
  | { state: 'waiting'; waitMs: number; isAsked: boolean }
  | { state: 'unauthorized' }
  /** Another page or process sends. */
  | { state: 'elsewhere'; waitMs: number }
  /** The app has stopped the queue. */
  | { state: 'stopped' }

export type SenderDeps = {
  queue: StoredQueue
  /** Resolves to undefined if nothing was sent, because the app has stopped the queue. */
  exchange: (request: QueueRequest) => Promise<Answer | undefined>
  pace: Pace
}

type Context = { queue: StoredQueue; pace: Pace; turn: Turn; work: Work }

const AGAIN: Step = { state: 'sending' }
/** Another sender has taken over. Pause before looking whether it has ended. */
export const ELSEWHERE: Step = { state: 'elsewhere', waitMs: 5_000 }
/** A point that was refused without a word on its fields. */
const FIRST_POINT: RejectedPoint = { index: 0, errors: [] }

/** Sends the next request and settles its answer. Rejects if the storage fails. */
export async function sendNext({ queue, exchange, pace }: SenderDeps, turn: Turn): Promise<Step> {
  const work = await nextWork(queue, pace)
  if (work === undefined) return { state: 'idle' }
  const answer = await turn.during(exchange(work.request))
  if (answer === undefined) return { state: 'stopped' }
  const step = await follow({ queue, pace, turn, work }, judge(work.kind, answer, work.points.length))
  if (step === AGAIN) pace.answered()
  return step
}

async function follow(context: Context, verdict: Verdict): Promise<Step> {
  const { queue, pace, work } = context
  const { track, entry, points } = work
  switch (verdict.action) {
    case 'unauthorized':
      return { state: 'unauthorized' }
    case 'wait': {
      // A wait of no time, or until a date that has passed, would be an endless run of requests.
      const waitMs = Math.max(verdict.waitMs, pace.nextWaitMs())
      return { state: 'waiting', waitMs, isAsked: verdict.waitMs > 0 }
    }
    case 'retry':
      pace.failed(verdict.smaller, points.length)
      return { state: 'waiting', waitMs: pace.nextWaitMs(), isAsked: false }
    case 'halve':
      pace.tooLarge(points.length)
      return AGAIN
    case 'remove':
      return points.length > 0 ? await settleReceipt(context, verdict) : await settleTrack(context, verdict.id)
    case 'isolate':
      return await isolate(context, verdict)
    case 'set-aside': {
      const update = 'update' in entry.value ? JSON.parse(entry.value.update) : undefined
      const aside = { deviceTrackId: track.value.deviceTrackId, detail: verdict.detail, update }
      return await settle(context, [await asideRow(queue, aside), entryChange(track.number, entry.number, null)])
    }
    case 'hold': {
      const { reason, detail } = verdict
      return await settle(context, [trackChange(track.number, { ...track.value, held: { reason, detail } })])
    }
  }
}

/** Settles a request that has created, changed or finished a track. */
async function settleTrack(context: Context, id: string | undefined): Promise<Step> {
  const { track, entry, kind } = context.work
  const value = { ...track.value, ...(kind === 'create' && { id }), ...(kind === 'finish' && { isFinished: true }) }
  const changes = [entryChange(track.number, entry.number, null)]
  return await settle(context, kind === 'update' ? changes : [...changes, trackChange(track.number, value)])
}

/** Settles points that were stored, but for those that the receipt says were left out. */
async function settleReceipt(context: Context, verdict: Verdict & { action: 'remove' }): Promise<Step> {
  const { pace, work } = context
  const { rejected = [], areAllListed = true } = verdict
  if (areAllListed) {
    pace.beStrict()
    pace.grow()
    return await settlePoints(context, rejected, work.points, '')
  }
  // The receipt lists some of those that were left out. Sent again without them, it lists the next.
  return await refusePoints(context, rejected, '')
}

/** Takes bad points out of a batch that was refused as a whole. */
async function isolate(
  context: Context,
  { rejected, areAllListed, detail }: Verdict & { action: 'isolate' },
): Promise<Step> {
  const { pace, work } = context
  if (!areAllListed && work.points.length > 1 && pace.beLenient()) return AGAIN
  pace.beStrict()
  return await refusePoints(context, rejected, detail)
}

/** Sets points aside that the server has named. If it has named none, the next request has half of the points. */
async function refusePoints(context: Context, named: RejectedPoint[], detail: string): Promise<Step> {
  const { pace, work } = context
  const { points } = work
  if (named.length === 0 && points.length > 1) {
    pace.bisect(points.length)
    return AGAIN
  }
  const rejected = named.length > 0 ? named : [FIRST_POINT]
  const bad = rejected.map(({ index }) => points[index])
  return await settlePoints(context, rejected, bad, detail)
}

/** Removes points from the queue, of which the rejected ones are kept aside, in one write. */
async function settlePoints(
  context: Context,
  rejected: RejectedPoint[],
  removed: Work['points'],
  detail: string,
): Promise<Step> {
  const { queue, work } = context
  const { track, points } = work
  const changes = removePoints(work, removed)
  if (rejected.length > 0) {
    const refused = rejected.map(({ index, errors }) => ({ point: points[index].point, errors }))
    changes.push(await asideRow(queue, { deviceTrackId: track.value.deviceTrackId, detail, points: refused }))
  }
  return await settle(context, changes)
}

/** Reserves a number first, so that what is set aside leaves the queue in the same write. */
async function asideRow(queue: StoredQueue, value: SetAside) {
  return asideChange(await queue.add(1, () => []), value)
}

/**
 * Writes what follows from an answer, unless the app has discarded or changed the track during the request: then the
 * queue is looked at again.
 */
async function settle({ turn, work: { track } }: Context, changes: Parameters<Turn['write']>[0]): Promise<Step> {
  const outcome = await turn.write(changes, trackChange(track.number, track.value))
  return outcome === 'turn lost' ? ELSEWHERE : AGAIN
}
