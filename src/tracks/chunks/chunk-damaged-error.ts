/** Thrown when the bytes of a chunk are not as written; `reason` describes the damage. Its points cannot be read. */
export class ChunkDamagedError extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`Damaged chunk: ${reason}`, options)
    this.name = 'ChunkDamagedError'
    this.reason = reason
  }
}
