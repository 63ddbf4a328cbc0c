import type { FieldError } from './wire.ts'

/** Kind of a request of the queue. */
export type RequestKind = 'create' | 'points' | 'update' | 'finish'

/** A response, or no response. */
export type Answer =
  | { status: 0; timedOut: boolean }
  | {
      status: number
      /** Set if the answer carries the header that the service puts on each of its answers, and others do not. */
      isOfService: boolean
      /** Wait that the server asks for. */
      retryAfterMs: number | undefined
      /** Parsed body; undefined if it is not JSON. */
      json: unknown
    }

/** A point that the server refused: its index in the request, and the fields that break a rule. */
export type RejectedPoint = { index: number; errors: FieldError[] }

/** Reason for which the requests of a track are held. */
export type HoldReason = 'not-found' | 'forbidden' | 'conflict' | 'gone' | 'too-large' | 'refused'

/** Consequence of an answer. */
export type Verdict =
  /** The request has succeeded. `id` of a track that was created or exists. `rejected` points were left out. */
  | { action: 'remove'; id?: string; rejected?: RejectedPoint[]; areAllListed?: boolean }
  /** Try again later, with increasing waits; with fewer points if the time was too short. */
  | { action: 'retry'; smaller: boolean }
  /** Try again after this time at the earliest, as the answer asks. */
  | { action: 'wait'; waitMs: number }
  /** Nothing can be sent with this token. */
  | { action: 'unauthorized' }
  /** Send fewer points in one request. */
  | { action: 'halve' }
  /** Points break rules. `rejected` names them, as far as the answer does. */
  | { action: 'isolate'; rejected: RejectedPoint[]; areAllListed: boolean; detail: string }
  /** Set this one request aside, and go on. */
  | { action: 'set-aside'; detail: string }
  /** Hold all requests of this track, and go on with other tracks. */
  | { action: 'hold'; reason: HoldReason; detail: string }

type Problem = { code: string; detail?: string; track_id?: unknown; errors?: { path?: unknown; message?: unknown }[] }
type Receipt = { received: number; rejected: RejectedPoint[]; rejected_count: number }

/** The server lists at most so many errors in a problem document. */
const MAX_LISTED_ERRORS = 20

const HOLDS: Record<number, HoldReason> = {
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  413: 'too-large',
}

/**
 * Decides what follows from an answer: the table "A queue on the phone" of docs/app-developers.md. Nothing leaves the
 * queue, and no track is held, for an answer that is not of the service: captive portals and proxies answer too, some
 * of them with 200 or 204 to everything. Such an answer can only make the queue wait, or send fewer points at once.
 * @param sentPoints number of points in the request; 0 for other requests
 */
export function judge(kind: RequestKind, answer: Answer, sentPoints: number): Verdict {
  if (!('json' in answer)) return { action: 'retry', smaller: answer.timedOut }
  const { status, isOfService, retryAfterMs, json } = answer
  const asksToWait = status === 429 || status === 503 || status === 409
  if (asksToWait && retryAfterMs !== undefined) return { action: 'wait', waitMs: retryAfterMs }
  // Also that of a proxy with a limit of its own.
  if (status === 413 && sentPoints > 1) return { action: 'halve' }
  if (isOfService && status < 300) return success(kind, answer, sentPoints) ?? { action: 'retry', smaller: false }
  const problem = isOfService ? problemOf(json) : undefined
  if (problem === undefined || status >= 500 || status === 408 || status === 429) {
    return { action: 'retry', smaller: status === 408 }
  }
  return refusal(kind, status, problem, sentPoints)
}

function success(
  kind: RequestKind,
  { status, json }: { status: number; json: unknown },
  sentPoints: number,
): Verdict | undefined {
  if (kind === 'points') {
    if (status === 204) return { action: 'remove' }
    const receipt = receiptOf(json, sentPoints)
    if (receipt === undefined) return undefined
    const { rejected, rejected_count } = receipt
    return { action: 'remove', rejected, areAllListed: rejected.length === rejected_count }
  }
  const id = (json as { id?: unknown } | undefined)?.id
  return typeof id === 'string' ? { action: 'remove', id } : undefined
}

function refusal(kind: RequestKind, status: number, problem: Problem, sentPoints: number): Verdict {
  const detail = problem.detail ?? problem.code
  if (status === 401) return { action: 'unauthorized' }
  if (status === 409 && kind === 'create' && typeof problem.track_id === 'string') {
    return { action: 'remove', id: problem.track_id }
  }
  if (status === 400 && sentPoints > 0) {
    const rejected = namedPoints(problem, sentPoints)
    const listed = problem.errors?.length ?? 0
    return { action: 'isolate', rejected, areAllListed: rejected.length > 0 && listed < MAX_LISTED_ERRORS, detail }
  }
  const concernsTheTrack = status === 404 || status === 410 || kind !== 'update'
  return concernsTheTrack
    ? { action: 'hold', reason: HOLDS[status] ?? 'refused', detail }
    : { action: 'set-aside', detail }
}

function problemOf(json: unknown): Problem | undefined {
  return typeof (json as Problem | undefined)?.code === 'string' ? (json as Problem) : undefined
}

/** Returns the receipt of a request; undefined if the body is none, or not one for so many points. */
function receiptOf(json: unknown, sentPoints: number): Receipt | undefined {
  const receipt = json as Receipt | undefined
  const isReceipt =
    receipt?.received === sentPoints &&
    Array.isArray(receipt.rejected) &&
    receipt.rejected_count >= receipt.rejected.length
  return isReceipt ? receipt : undefined
}

/** Returns the points that `errors` names: `points/3/latitude`. */
function namedPoints({ errors }: Problem, sentPoints: number): RejectedPoint[] {
  const byIndex = new Map<number, FieldError[]>()
  for (const { path, message } of Array.isArray(errors) ? errors : []) {
    const [, digits, field = ''] = /^points\/(\d+)(?:\/(.*))?$/.exec(String(path)) ?? []
    const index = Number(digits ?? Number.NaN)
    if (!(index < sentPoints)) continue
    byIndex.set(index, [...(byIndex.get(index) ?? []), { path: field, message: String(message) }])
  }
  return [...byIndex].map(([index, found]) => ({ index, errors: found }))
}
