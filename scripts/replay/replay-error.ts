/** A reason why a replay cannot begin or go on; its message is all that is shown. */
export class ReplayError extends Error {
  override name = 'ReplayError'
}
