const BEGINNING = 'Damaged chunk: '

/** Thrown when the bytes of a chunk are not as written; `reason` describes the damage. Its points cannot be read. */
export class ChunkDamagedError extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(BEGINNING + reason, options)
    this.name = 'ChunkDamagedError'
    this.reason = reason
  }
}

/** Tells whether a chunk is damaged, also where another thread has found it: such an error has only its message. */
export function isChunkDamaged(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(BEGINNING)
}
