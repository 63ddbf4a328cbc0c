import { BlobExistsError, type BlobStore } from '#platform/blobs/blob-store.ts'
import { imageForm, imageKey } from '../../domain/image-forms.ts'
import type { PageImage } from '../pages/draw-page.ts'
import { encodeImage } from '../pages/encode-images.ts'

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
  const sizes: Record<string, number> = {}
  for (const name of names) {
    signal?.throwIfAborted()
    const { format, width } = imageForm(name)!
    const { bytes } = await encodeImage(image, format, Math.min(width, image.width))
    sizes[name] = await storeBytes(blobs, imageKey(versionId, page, name), bytes)
  }
  return sizes
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

async function storeBytes(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<number> {
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
