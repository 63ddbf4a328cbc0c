import { createHash } from 'node:crypto'

/** Reads a stream to its end, in constant memory. Returns its size and SHA-256. */
export async function sumOf(source: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  let size = 0
  for await (const bytes of source) {
    digest.update(bytes)
    size += bytes.byteLength
  }
  return { size, sha256: digest.digest('hex') }
}
