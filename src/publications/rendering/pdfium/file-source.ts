import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LRUCache } from 'lru-cache'

/** Bytes read by position, which is all that PDFium needs of a file. */
export type FileSource = {
  readonly size: number
  /** Fills `target` from `position` on. False when the source does not have so much. */
  read(position: number, target: Uint8Array): boolean
  close(): void
}

/**
 * PDFium reads its way through a file by 512 bytes at a time; a block answers 128 such calls with one of the system.
 */
const BLOCK_BYTES = 64 * 1024
const MAX_BLOCKS = 64

/**
 * Opens a file to be read by position, keeping at most 4 MB of it in memory whatever its size. Reading is synchronous
 * as PDFium asks from inside a call; that blocks nobody in a thread of its own.
 */
export function openFileSource(path: string): FileSource {
  const file = openSync(path, 'r')
  const { size } = fstatSync(file)
  const blocks = new LRUCache<number, Uint8Array>({ max: MAX_BLOCKS })

  function block(index: number): Uint8Array {
    const known = blocks.get(index)
    if (known !== undefined) return known
    // The block used longest ago gives its memory to the new one.
    const bytes = (blocks.size < MAX_BLOCKS ? undefined : blocks.pop()) ?? new Uint8Array(BLOCK_BYTES)
    readSync(file, bytes, 0, BLOCK_BYTES, index * BLOCK_BYTES)
    blocks.set(index, bytes)
    return bytes
  }

  function read(position: number, target: Uint8Array): boolean {
    if (position + target.length > size) return false
    for (let done = 0; done < target.length; ) {
      const from = (position + done) % BLOCK_BYTES
      const part = block(Math.floor((position + done) / BLOCK_BYTES)).subarray(from, from + target.length - done)
      target.set(part, done)
      done += part.length
    }
    return true
  }

  return { size, read, close: () => closeSync(file) }
}

/** Reads from bytes already in memory, without a copy of them. */
export function bytesSource(bytes: Uint8Array): FileSource {
  const read = (position: number, target: Uint8Array) => {
    if (position + target.length > bytes.length) return false
    target.set(bytes.subarray(position, position + target.length))
    return true
  }
  return { size: bytes.length, read, close: () => {} }
}
