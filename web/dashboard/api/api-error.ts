import { useSyncExternalStore } from 'react'

/** A failure as the server describes it (RFC 9457), with the members that the dashboard reads. */
export type ProblemDetails = {
  status: number
  code: string
  detail: string
  request_id?: string
  errors?: { path: string; message: string }[]
  /** The reason why a document or a recording was refused. */
  reason?: string
  /** The kind of fault of a map file. */
  fault?: string
  /** The publication that the request conflicts with. */
  slug?: string
  /** The track that the request conflicts with. */
  track_id?: string
  /** The number of tracks that a change would erase. */
  tracks_count?: number
}

/** A failed request: the server's response, or none if the server did not respond. */
export class ApiError extends Error {
  readonly problem: ProblemDetails | undefined
  /** Seconds until a retry, if the server sent them. */
  readonly retryAfterSec: number | undefined

  constructor(problem: ProblemDetails | undefined, options: { cause?: unknown; retryAfterSec?: number } = {}) {
    super(problem?.detail ?? 'The server did not answer.', { cause: options.cause })
    this.name = 'ApiError'
    this.problem = problem
    this.retryAfterSec = options.retryAfterSec
  }

  /** The HTTP status; 0 without a response. */
  get status(): number {
    return this.problem?.status ?? 0
  }
}

/** Checks the status of a failure. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

/** Checks the code of a failure, where a status has several meanings. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.problem?.code === code
}

const MAX_RETRIES = 2

/** Tells whether a failed query is asked again: if the same request may succeed a moment later. Damaged points stay. */
export function isAskedAgain(failures: number, error: unknown): boolean {
  if (failures >= MAX_RETRIES || hasCode(error, 'TRACK_DAMAGED')) return false
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}

let reachable = true
const listeners = new Set<() => void>()

/** Records whether the server responded to the last request. */
export function setReachable(now: boolean): void {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

/** Returns whether the server responded to the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => reachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
