/** A reason why a file cannot be published; its message is all that is shown. */
export class PublishError extends Error {
  override name = 'PublishError'
}

/** The server's answer was a refusal: what it says, and what a program can tell it by. */
export class RefusedError extends PublishError {
  override name = 'RefusedError'
  readonly status: number
  readonly code: string
  /** The server's own words. */
  readonly reason: string

  constructor(what: string, { status, code, reason }: { status: number; code: string; reason: string }) {
    super(`The server refuses ${what}: ${`${status} ${code}`.trim()}${reason === '' ? '' : `, ${reason}`}`)
    this.status = status
    this.code = code
    this.reason = reason
  }
}

/** No answer came, or the connection broke. */
export class UnreachableError extends PublishError {
  override name = 'UnreachableError'
}
