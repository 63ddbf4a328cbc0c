import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type ZipFile } from 'yauzl'

/** Returns the files of a ZIP archive by their names, in their order, read by its directory with all checks. */
export async function readZip(bytes: Uint8Array): Promise<Map<string, string>> {
  const open = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer)
  const zip = await open(Buffer.from(bytes), { lazyEntries: true })
  const files = new Map<string, string>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry) => {
      zip.openReadStream(entry, async (err, stream) => {
        if (err) return reject(err)
        try {
          files.set(entry.fileName, await text(stream))
          zip.readEntry()
        } catch (cause) {
          reject(cause)
        }
      })
    })
    zip.readEntry()
  })
  return files
}
