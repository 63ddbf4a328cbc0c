/** A reason why a file cannot be published. Only its message is shown. */
export class PublishError extends Error {
  override name = 'PublishError'
}

/** The server refused a request. */
export class RefusedError extends PublishError {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string
  /** The server's explanation. */
  readonly reason: string

  constructor(what: string, { status, code, reason }: { status: number; code: string; reason: string }) {
    super(`The server refuses ${what}: ${`${status} ${code}`.trim()}${reason === '' ? '' : `, ${reason}`}`)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** The server did not answer, or the connection broke. */
export class UnreachableError extends PublishError {
  override name = 'UnreachableError'
}
