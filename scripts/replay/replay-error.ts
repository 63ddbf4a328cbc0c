/** A reason why a replay cannot start or continue. Only its message is shown. */
export class ReplayError extends Error {
  override name = 'ReplayError'
}
