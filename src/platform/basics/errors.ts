/** One problem of a request: its place and its message. */
export type FieldError = {
  /** Path in the body such as `points/3/latitude`, empty for the body itself; or the name of a query parameter. */
  path: string
  /** Requirement on the value, in English for developers: `must be <= 90`. */
  message: string
}

/** A credential that opens nothing. `sha256` is its hash in hexadecimal. */
export type RefusedCredential = { kind: 'app_token' | 'api_key' | 'share' | 'signed_address'; sha256: string }

/** Further members of the response, and the cause, which is logged and never shown. */
type AppErrorOptions = {
  cause?: unknown
  /** Replaces the error's default message with a more specific one. */
  detail?: string
  errors?: FieldError[]
  /** Further members of the problem document, such as the `track_id` of a conflict. */
  members?: Record<string, unknown>
  headers?: Record<string, string>
  /** Time after which the request may be repeated, as `Retry-After`; at least one second. */
  retryAfterSec?: number
  /** A credential that was refused, for the audit log; never shown. */
  refused?: RefusedCredential
}

/** An error with a response. Only these show their message to a client. */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly options: AppErrorOptions

  constructor(code: string, status: number, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.options = options
  }

  /** Headers of the response. */
  get headers(): Record<string, string> {
    const { headers, retryAfterSec } = this.options
    if (retryAfterSec === undefined) return headers ?? {}
    return { ...headers, 'retry-after': String(Math.max(1, retryAfterSec)) }
  }
}

/** Result of `defineError`. Calling it makes an error to throw. `docs/errors.md` is generated from its fields. */
export type ErrorDefinition = ((options?: AppErrorOptions) => AppError) & {
  readonly code: string
  readonly status: number
  readonly message: string
  /** Returns true for an error with this code. */
  is(error: unknown): error is AppError
}

/**
 * Defines an error once: its code, its HTTP status and its message. Use: `throw trackNotFound({ cause })`.
 */
export function defineError(code: string, status: number, message: string): ErrorDefinition {
  const make = (options?: AppErrorOptions) => new AppError(code, status, options?.detail ?? message, options)
  const is = (error: unknown): error is AppError => error instanceof AppError && error.code === code
  return Object.assign(make, { code, status, message, is })
}

/** Maximum number of field errors in a response. More would not help a client that got all of them wrong. */
export const MAX_FIELD_ERRORS = 20

export const badRequest = defineError('BAD_REQUEST', 400, 'The request is not valid.')
export const unauthorized = defineError('UNAUTHORIZED', 401, 'The token is missing or not valid.')
export const forbidden = defineError('FORBIDDEN', 403, 'This request is not allowed.')
export const notFound = defineError('NOT_FOUND', 404, 'Nothing exists at this address.')
export const methodNotAllowed = defineError('METHOD_NOT_ALLOWED', 405, 'This address does not support this method.')
export const notAcceptable = defineError(
  'NOT_ACCEPTABLE',
  406,
  'None of the media types that Accept names is available here.',
)
export const conflict = defineError('CONFLICT', 409, 'The request conflicts with stored data.')
export const gone = defineError('GONE', 410, 'This is no longer available.')
export const payloadTooLarge = defineError('PAYLOAD_TOO_LARGE', 413, 'The body is larger than this address accepts.')
export const unsupportedMediaType = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'This address does not accept a body of this type.',
)
export const unprocessable = defineError('UNPROCESSABLE', 422, 'The request is well formed but cannot be processed.')
export const rateLimited = defineError('RATE_LIMIT', 429, 'Too many requests. Wait before sending the next one.')
export const headTooLarge = defineError(
  'HEADERS_TOO_LARGE',
  431,
  'The headers of the request are larger than the server accepts.',
)
export const internalError = defineError(
  'INTERNAL',
  500,
  'An unexpected error occurred on the server. Find it in the log by the request id.',
)
export const unavailable = defineError('UNAVAILABLE', 503, 'The service is temporarily unavailable. Try again shortly.')

/** `retryAfterSec` of a 503 for a fault that usually lasts seconds. */
export const RETRY_SOON_SEC = 2

/** Makes a 400 that lists the invalid fields, at most `MAX_FIELD_ERRORS` of `count`. */
export function invalidFields(errors: FieldError[], count = errors.length): AppError {
  const [first] = errors
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const place = first?.path === '' ? 'The body' : first?.path
  const detail = first === undefined ? badRequest.message : `${place} ${first.message}${more}`
  return badRequest({ detail, errors: errors.slice(0, MAX_FIELD_ERRORS) })
}
