import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type ZipFile } from 'yauzl'

/** Returns the texts of a ZIP archive by their names, in their order, read by its directory with all checks. */
export async function readZip(bytes: Uint8Array): Promise<Map<string, string>> {
  return new Map([...(await readZipBytes(bytes))].map(([name, content]) => [name, content.toString()]))
}

/** Returns the files of a ZIP archive in the same way, as bytes. */
export async function readZipBytes(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const open = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer)
  const zip = await open(Buffer.from(bytes), { lazyEntries: true })
  const files = new Map<string, Buffer>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry) => {
      zip.openReadStream(entry, async (err, stream) => {
        if (err) return reject(err)
        try {
          files.set(entry.fileName, await buffer(stream))
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
