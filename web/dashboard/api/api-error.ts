/** What the server says of a failure, as RFC 9457 puts it; the members that the dashboard looks at. */
export type ProblemDetails = {
  status: number
  code: string
  detail: string
  request_id?: string
  errors?: { path: string; message: string }[]
  /** Why a document was not taken. */
  reason?: string
  /** The publication that a conflict is with. */
  slug?: string
}

/** A request that failed: with what the server answered, or because nothing answered. */
export class ApiError extends Error {
  readonly problem: ProblemDetails | undefined
  /** Seconds after which to try again, where the server said so. */
  readonly retryAfterSec: number | undefined

  constructor(problem: ProblemDetails | undefined, options: { cause?: unknown; retryAfterSec?: number } = {}) {
    super(problem?.detail ?? 'The server did not answer.', { cause: options.cause })
    this.name = 'ApiError'
    this.problem = problem
    this.retryAfterSec = options.retryAfterSec
  }

  /** The HTTP status; 0 where there was no answer. */
  get status(): number {
    return this.problem?.status ?? 0
  }
}

/** Whether a failure has this status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}
