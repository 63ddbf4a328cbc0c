import { pipeline, Readable } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupError } from '../backup-error.ts'

/** Compresses a stream. Level 1 of Zstandard halves the hexadecimal bytes of a table at the speed of a disk. */
export function pack(source: Readable): Readable {
  // Unlike `pipe`, it passes a failure of the source on, and closes the source when the reader stops.
  return pipeline(source, createZstdCompress(), () => {})
}

/** Decompresses a stream. @throws BackupError if it is none that was compressed */
export async function* unpack(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array, void, void> {
  const input = Readable.from(source, { objectMode: false })
  const unpacker = createZstdDecompress()
  input.on('error', (error) => unpacker.destroy(error))
  try {
    yield* input.pipe(unpacker)
  } catch (error) {
    if (error instanceof BackupError || !String((error as NodeJS.ErrnoException).code).startsWith('ZSTD')) throw error
    throw new BackupError(`${name} is damaged: it cannot be decompressed`)
  } finally {
    input.destroy()
    unpacker.destroy()
  }
}
