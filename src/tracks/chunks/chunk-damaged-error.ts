/** The bytes of a chunk are not what was written; `reason` says how that shows. The points in it cannot be read. */
export class ChunkDamagedError extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`Damaged chunk: ${reason}`, options)
    this.name = 'ChunkDamagedError'
    this.reason = reason
  }
}
