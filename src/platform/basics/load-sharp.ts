import type sharp from 'sharp'

let loading: Promise<typeof sharp> | undefined

/** Loads the library that decodes and encodes images when it is first needed: it takes 9 MiB, and 60 ms of a start. */
export async function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One core for each image: pages are many, and more than one core for one of them takes it from the others.
    loaded.concurrency(1)
    // Every image is seen once.
    loaded.cache(false)
    return loaded
  })
  return await loading
}

/** Formats of pictures, as their first bytes tell. */
export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff'

/** Bytes at the beginning of a file that tell its format. */
export const FORMAT_BYTES = 32

/** Returns the format of a picture by its first bytes. Nothing else reaches the decoders. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(FORMAT_BYTES, bytes.length)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp'
  if (/^.{4}ftypavi[fs]/s.test(head)) return 'avif'
  if (/^(?:II[*+]\0|MM\0[*+])/.test(head)) return 'tiff'
  return undefined
}
