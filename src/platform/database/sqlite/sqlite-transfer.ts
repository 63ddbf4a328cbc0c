import type { SqlValue, WriterReply } from './sqlite-messages.ts'

/** Smaller buffers are cheaper to copy than to transfer. */
const WORTH_TRANSFERRING_BYTES = 16 * 1024

/** Returns the buffers of a batch of replies to transfer instead of copy: nothing else uses them. */
export function transferables(replies: readonly WriterReply[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = []
  for (const [, , result] of replies) {
    for (const row of result?.rows ?? []) {
      for (const value of row) {
        if (value instanceof Uint8Array && value.byteLength >= WORTH_TRANSFERRING_BYTES) {
          buffers.push(value.buffer as ArrayBuffer)
        }
      }
    }
  }
  return buffers
}

/**
 * Prepares parameters to be sent. Cloning a view clones all of the memory behind it, which may be a whole request body
 * or Node's shared pool. So a view of a part is copied, and a large copy is transferred through `transfer`.
 */
export function compactParameters(parameters: readonly unknown[], transfer: ArrayBuffer[]): readonly SqlValue[] {
  if (!parameters.some(isPartialView)) return parameters as readonly SqlValue[]
  return parameters.map((value) => {
    if (!isPartialView(value)) return value as SqlValue
    const copy = new Uint8Array(value)
    if (copy.byteLength >= WORTH_TRANSFERRING_BYTES) transfer.push(copy.buffer)
    return copy
  })
}

function isPartialView(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array && value.byteLength !== value.buffer.byteLength
}
