import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import { ZipFile } from 'yazl'

/** Returns a ZIP file of files by name, in the order given. */
export async function zipOf(files: Record<string, Uint8Array | string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name)
  zip.end()
  return await buffer(zip.outputStream as unknown as AsyncIterable<Uint8Array>)
}

/** Returns a picture of one colour, 60 by 90 pixels unless said otherwise. */
export function plainPicture(background: string, { width = 60, height = 90 } = {}): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

/** Returns the average colour of an encoded image, red, green and blue of 255. */
export async function colourOf(image: Uint8Array): Promise<number[]> {
  const { channels } = await sharp(image).stats()
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean))
}
