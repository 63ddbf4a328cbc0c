/** The storage has not stored something. Nothing of the call is in the queue, or at most all of it. */
export class QueueStorageError extends Error {
  /** Set if there is no space left: the same call may succeed once requests were sent or space was made. */
  readonly isFull: boolean

  constructor(cause: unknown) {
    const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`The queue could not be stored. ${text}`, { cause })
    this.name = 'QueueStorageError'
    this.isFull = /quota|\bfull\b|no space|ENOSPC/i.test(text)
  }
}

/** Waits for the storage. @throws QueueStorageError if it fails */
export async function stored<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw new QueueStorageError(error)
  }
}
