/** A reason why nothing can be imported. Only its message is shown. */
export class ImportError extends Error {
  override name = 'ImportError'
}
