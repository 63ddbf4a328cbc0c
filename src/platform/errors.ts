/** One thing that is wrong with a request: where, and what. */
export type FieldError = {
  /** Place in the body with `/` between its parts (`points/3/latitude`), empty for the body itself; or the query parameter's name. */
  path: string
  /** What the value must be, in English, for a developer: `must be <= 90`. */
  message: string
}

/** Further members of the answer, and the failure behind it, which is logged and never shown. */
export type AppErrorOptions = {
  cause?: unknown
  /** Replaces the error's standing explanation where the occasion has more to say. */
  detail?: string
  errors?: FieldError[]
  /** Further members of the problem document, such as the `track_id` of a conflict. */
  members?: Record<string, unknown>
  headers?: Record<string, string>
}

/** A failure with an answer: the only errors whose words reach a client. */
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
}

/** What `defineError` makes: calling it gives an error to throw; its fields are what `docs/errors.md` is written from. */
export type ErrorDefinition = ((options?: AppErrorOptions) => AppError) & {
  readonly code: string
  readonly status: number
  readonly message: string
}

/**
 * Defines an error once: its code, its HTTP status and what it says.
 * `throw trackNotFound({ cause })` is how it is used.
 */
export function defineError(code: string, status: number, message: string): ErrorDefinition {
  const make = (options?: AppErrorOptions) => new AppError(code, status, options?.detail ?? message, options)
  return Object.assign(make, { code, status, message })
}

/** How many field errors one answer lists; a client that got them all wrong learns no more from the rest. */
export const MAX_FIELD_ERRORS = 20

export const badRequest = defineError('BAD_REQUEST', 400, 'The request is not valid.')
export const unauthorized = defineError('UNAUTHORIZED', 401, 'The token is missing or not valid.')
export const forbidden = defineError('FORBIDDEN', 403, 'This is not allowed.')
export const notFound = defineError('NOT_FOUND', 404, 'There is nothing at this address.')
export const methodNotAllowed = defineError('METHOD_NOT_ALLOWED', 405, 'This address does not take this method.')
export const conflict = defineError('CONFLICT', 409, 'The request conflicts with what is stored.')
export const gone = defineError('GONE', 410, 'This is no longer available.')
export const payloadTooLarge = defineError('PAYLOAD_TOO_LARGE', 413, 'The body is larger than this address takes.')
export const unsupportedMediaType = defineError(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'The body has a type this address does not take.',
)
export const unprocessable = defineError('UNPROCESSABLE', 422, 'The request is well formed but cannot be carried out.')
export const rateLimited = defineError('RATE_LIMIT', 429, 'Too many requests; wait before the next one.')
export const headTooLarge = defineError(
  'HEADERS_TOO_LARGE',
  431,
  'The head of the request is larger than the server takes.',
)
export const internalError = defineError(
  'INTERNAL',
  500,
  'Something went wrong on the server. The request id finds it in the log.',
)
export const unavailable = defineError(
  'UNAVAILABLE',
  503,
  'The service cannot do this at the moment; try again shortly.',
)

/** A 400 that names each wrong field, at most `MAX_FIELD_ERRORS` of the `count` that there are. */
export function invalidFields(errors: FieldError[], count = errors.length): AppError {
  const [first] = errors
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const place = first?.path === '' ? 'The body' : first?.path
  const detail = first === undefined ? badRequest.message : `${place} ${first.message}${more}`
  return badRequest({ detail, errors: errors.slice(0, MAX_FIELD_ERRORS) })
}
