/** Allocating a shorter body costs the garbage collector nothing worth saving. */
const MIN_BUFFER_BYTES = 65_536
/** Longer bodies are rare, and a length that is announced proves nothing. */
export const MAX_BUFFER_BYTES = 4 * 1_048_576
/** Buffers come in multiples of this, so that the next body fits even if it is a little longer. */
const BUFFER_STEP_BYTES = 524_288
const MAX_FREE_BUFFERS = 4

const freeBuffers: Buffer[] = []
const buffersInUse = new WeakMap<ArrayBufferLike, Buffer>()

/** Returns a buffer for a body of so many bytes, reused if possible; undefined if pooling is not worth it. */
export function takeBodyBuffer(bytes: number): Buffer | undefined {
  if (!(bytes > MIN_BUFFER_BYTES && bytes <= MAX_BUFFER_BYTES)) return undefined
  const fitting = freeBuffers.findIndex((buffer) => buffer.length >= bytes)
  const size = Math.ceil(bytes / BUFFER_STEP_BYTES) * BUFFER_STEP_BYTES
  const buffer = fitting === -1 ? Buffer.allocUnsafeSlow(size) : freeBuffers.splice(fitting, 1)[0]
  buffersInUse.set(buffer.buffer, buffer)
  return buffer
}

/**
 * Returns the buffer of a body to the pool. To be called only when nothing refers to the body any more: the next
 * request overwrites its bytes. A body that is never released is left to the garbage collector.
 */
export function releaseBody(body: Buffer): void {
  const buffer = buffersInUse.get(body.buffer)
  if (buffer === undefined) return
  buffersInUse.delete(body.buffer)
  if (freeBuffers.length < MAX_FREE_BUFFERS) freeBuffers.push(buffer)
}
