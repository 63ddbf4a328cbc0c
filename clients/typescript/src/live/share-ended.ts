/** The share does not exist, or has ended. Reconnecting is of no use. */
export class ShareEndedError extends Error {
  /** 404 or 410. */
  readonly status: number

  constructor(status: number) {
    super(status === 404 ? 'The share does not exist.' : 'The share has ended.')
    this.name = 'ShareEndedError'
    this.status = status
  }
}
