import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of an archive. */
export type ArchiveFile = {
  /** With the folders that it is in, separated by `/`. */
  name: string
  modifiedMs: number
  /** False for bytes that compression does not make smaller, such as images. */
  isCompressible?: boolean
  /** Read only when its turn comes. */
  bytes: AsyncIterable<Uint8Array>
}

type OpenFile = Parameters<ZipFile['addReadStreamLazy']>[2]

/**
 * Writes files into a ZIP archive that is read while it is written, one file after the other. Sizes
 * that the original format cannot hold are written as ZIP64. If a file fails, the archive breaks off
 * instead of ending as if it were complete.
 */
export function writeArchive(files: AsyncIterable<ArchiveFile>): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const fail = (err: unknown) => output.destroy(err as Error)
  zip.on('error', fail)
  void addFiles(zip, output, files).catch(fail)
  return output
}

async function addFiles(zip: ZipFile, output: Readable, files: AsyncIterable<ArchiveFile>): Promise<void> {
  for await (const file of files) await addFile(zip, output, file)
  zip.end()
}

/**
 * Resolves when the file is read. The library keeps what it is given until the end, so it gets no stream before its
 * turn.
 */
async function addFile(zip: ZipFile, output: Readable, file: ArchiveFile): Promise<void> {
  const { name, modifiedMs, isCompressible = true, bytes } = file
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const open: OpenFile = (callback) => {
    const content = Readable.from(bytes, { objectMode: false })
    // A reader that leaves destroys the output. The library would leave the file open.
    const close = () => content.destroy()
    output.once('close', close)
    if (output.destroyed) close()
    finished(content)
      .finally(() => output.off('close', close))
      .then(resolve, reject)
    callback(null, content)
  }
  withoutPool(() => zip.addReadStreamLazy(name, { mtime: new Date(modifiedMs), compress: isCompressible }, open))
  await promise
}

/**
 * Calls a function whose buffers are kept for long. A small buffer is otherwise a part of a large one, and keeps all of
 * it: without this, the name of each file would keep about 22 KB until the end of the archive.
 */
function withoutPool(make: () => void): void {
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    make()
  } finally {
    Buffer.poolSize = poolSize
  }
}
