import { BlobExistsError, type BlobStore } from '#platform/blobs/blob-store.ts'
import { imageForm, imageKey } from '../../domain/image-forms.ts'
import type { PageImage } from '../pages/draw-page.ts'
import { encodeImage, reduceImage } from '../pages/encode-images.ts'

/**
 * Encodes and stores images of a page. Resolves with their sizes in bytes, by name, when they are on disk. An existing
 * image, made before a crash or by another instance, is kept. The signal stops the work between two images.
 */
export async function storeImages(
  blobs: BlobStore,
  versionId: string,
  page: number,
  image: PageImage,
  names: Iterable<string>,
  signal?: AbortSignal,
): Promise<Record<string, number>> {
  const reduced = reducedImages(image)
  const storing: Promise<[name: string, bytes: number]>[] = []
  try {
    for (const name of names) {
      signal?.throwIfAborted()
      const { format, width } = imageForm(name)!
      const { bytes } = await encodeImage(await reduced(Math.min(width, image.width)), format)
      const key = imageKey(versionId, page, name)
      // The next image is encoded while the disk is busy with this one. A failure is reported at the end.
      const stored = storeImage(blobs, key, bytes).then((size): [string, number] => [name, size])
      stored.catch(() => {})
      storing.push(stored)
    }
  } finally {
    await Promise.allSettled(storing)
  }
  return Object.fromEntries(await Promise.all(storing))
}

/** Deletes images that were stored for a deleted version; the deletion worker removes the remaining ones. */
export async function discardImages(
  blobs: BlobStore,
  versionId: string,
  pages: readonly { page: number; images: Record<string, number> }[],
): Promise<void> {
  const keys = pages.flatMap(({ page, images }) => Object.keys(images).map((name) => imageKey(versionId, page, name)))
  await Promise.all(keys.map((key) => blobs.delete(key).catch(() => {})))
}

/** Stores an encoded image under its key, and returns its size. An existing one is kept. */
export async function storeImage(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<number> {
  await using draft = await blobs.draft(once(bytes))
  try {
    await draft.commit(key)
    return bytes.length
  } catch (error) {
    if (!(error instanceof BlobExistsError)) throw error
    return (await blobs.head(key))?.size ?? bytes.length
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Returns a function that gives the image at a width, reduced once for all formats. */
function reducedImages(image: PageImage): (width: number) => Promise<PageImage> {
  const known = new Map([[image.width, Promise.resolve(image)]])
  return (width) => {
    const reduced = known.get(width) ?? reduceImage(image, width)
    known.set(width, reduced)
    return reduced
  }
}
