import type { RandomChoices } from '../../test/support/random-choices.ts'
import { type Loss, MAX_POINTS_PER_REQUEST, type Oddity, type PlannedRequest } from './batches.ts'

// Faults are far more frequent than on a real phone, so that a short track meets every kind.
const OFFLINE_CHANCE = 0.04
const OVERLAP_CHANCE = 0.1
const TWICE_CHANCE = 0.08
const LATE_CHANCE = 0.08
const LOSS_CHANCE = 0.12

/** Number of batches that an offline period holds back. */
const OFFLINE_BATCHES = [3, 12] as const
const OVERLAP_POINTS = [1, 25] as const
/** Number of requests that overtake a late one, or come between a request and its repetition. */
const LATE_BY = [1, 4] as const
const TWICE_AFTER = [0, 8] as const
const LOSSES_IN_A_ROW = [1, 3] as const

/**
 * Plans the same points over a bad connection: offline periods followed by everything held back; requests that overlap,
 * arrive twice or late, lose their responses or break off. Every request is still sent completely, and its last attempt
 * succeeds. No request exceeds the service's limit of points.
 */
export function lossyPlan(plan: readonly PlannedRequest[], random: RandomChoices): PlannedRequest[] {
  const overlapping = withOfflineTimes(plan, random).map((request) => withOverlap(request, random))
  const lossy = outOfOrder(overlapping, random).map((request) => withLosses(request, random))
  return inPlayingTime(lossy)
}

function withOfflineTimes(plan: readonly PlannedRequest[], random: RandomChoices): PlannedRequest[] {
  const requests: PlannedRequest[] = []
  for (let i = 0; i < plan.length; ) {
    const count = random.chance(OFFLINE_CHANCE) ? random.between(...OFFLINE_BATCHES) : 1
    const held = plan.slice(i, i + count)
    requests.push(...(held.length === 1 ? held : caughtUp(held, random)))
    i += held.length
  }
  return requests
}

/** Sends what was held back once the connection returns: in one request, or one after the other. */
function caughtUp(held: readonly PlannedRequest[], random: RandomChoices): PlannedRequest[] {
  const { to, dueMs } = held[held.length - 1]
  const [first, ...others] = held.map((request) => ({ ...request, dueMs }))
  const back = marked(first, 'after a time offline')
  const isJoined = random.chance(0.5) && to - first.from <= MAX_POINTS_PER_REQUEST
  return isJoined ? [{ ...back, to }] : [back, ...others]
}

function withOverlap(request: PlannedRequest, random: RandomChoices): PlannedRequest {
  if (!random.chance(OVERLAP_CHANCE)) return request
  const from = Math.max(0, request.from - random.between(...OVERLAP_POINTS), request.to - MAX_POINTS_PER_REQUEST)
  return from < request.from ? marked({ ...request, from }, 'overlapping') : request
}

/** Delays some requests behind later ones, and repeats some. */
function outOfOrder(plan: readonly PlannedRequest[], random: RandomChoices): PlannedRequest[] {
  const placed = plan.flatMap((request, i) => {
    const isLate = random.chance(LATE_CHANCE)
    const own = isLate
      ? { place: i + random.between(...LATE_BY) + 0.5, request: marked(request, 'late') }
      : { place: i, request }
    if (!random.chance(TWICE_CHANCE)) return [own]
    const place = own.place + random.between(...TWICE_AFTER) + 0.25
    return [own, { place, request: { ...request, oddities: ['twice' as const] } }]
  })
  return placed.sort((a, b) => a.place - b.place).map(({ request }) => request)
}

function withLosses(request: PlannedRequest, random: RandomChoices): PlannedRequest {
  if (!random.chance(LOSS_CHANCE)) return request
  const losses = Array.from(
    { length: random.between(...LOSSES_IN_A_ROW) },
    (): Loss => (random.chance(0.5) ? 'answer lost' : 'cut off'),
  )
  return { ...request, losses }
}

/** Ensures that no request is sent before its predecessor. */
function inPlayingTime(plan: readonly PlannedRequest[]): PlannedRequest[] {
  let dueMs = 0
  return plan.map((request) => {
    dueMs = Math.max(dueMs, request.dueMs)
    return { ...request, dueMs }
  })
}

function marked(request: PlannedRequest, oddity: Oddity): PlannedRequest {
  return { ...request, oddities: [...request.oddities, oddity] }
}
