import { hash } from 'node:crypto'
import { releaseBytes } from '#platform/basics/memory.ts'
import { BlobExistsError, type BlobStore, sumOf } from '#platform/blobs/blob-store.ts'
import { imageForm, imageKey, type StoredImage, type StoredImages } from '../model/image-forms.ts'
import { encodeImage, reduceImage } from './pages/encode-images.ts'
import type { PageImage } from './pages/render-page.ts'

/**
 * Encodes and stores images of a page. Resolves with the stored images, by name, when they are on disk. An existing
 * image, made before a crash or by another instance, is kept. The signal stops the work between two images.
 */
export async function storeImages(
  blobs: BlobStore,
  versionId: string,
  page: number,
  image: PageImage,
  names: Iterable<string>,
  signal?: AbortSignal,
): Promise<StoredImages> {
  const reduced = new ReducedImage(image)
  const storing: Promise<[name: string, stored: StoredImage]>[] = []
  try {
    for (const name of names) {
      signal?.throwIfAborted()
      const { format, width } = imageForm(name)!
      const { bytes } = await encodeImage(await reduced.at(Math.min(width, image.width)), format)
      const key = imageKey(versionId, page, name)
      // The next image is encoded while the disk is busy with this one. A failure is reported at the end.
      const stored = storeImage(blobs, key, bytes).then((image): [string, StoredImage] => [name, image])
      stored.catch(() => {})
      storing.push(stored)
    }
  } finally {
    reduced.free()
    await Promise.allSettled(storing)
  }
  return Object.fromEntries(await Promise.all(storing))
}

/** Deletes images that were stored for a deleted version; the deletion worker removes the remaining ones. */
export async function discardImages(
  blobs: BlobStore,
  versionId: string,
  pages: readonly { page: number; images: StoredImages }[],
): Promise<void> {
  const keys = pages.flatMap(({ page, images }) => Object.keys(images).map((name) => imageKey(versionId, page, name)))
  await Promise.all(keys.map((key) => blobs.delete(key).catch(() => {})))
}

/** Stores an encoded image under its key, and returns the stored one. An existing image is kept. */
export async function storeImage(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<StoredImage> {
  // Taken before anything else touches the bytes. It takes a thousandth of the time of encoding them.
  const made = { size: bytes.length, sha256: hash('sha256', bytes) }
  await using draft = await blobs.draft(once(bytes))
  try {
    await draft.commit(key)
    return made
  } catch (error) {
    if (!(error instanceof BlobExistsError)) throw error
    const source = await blobs.read(key)
    const found = source === undefined ? made : await sumOf(source)
    return found.sha256 === made.sha256 ? made : { ...found, isFound: true }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * A page's image at one width after the other, reduced once for all formats of a width. Memory that is no longer used
 * is freed at once: waiting for a collection, one to two megabytes of each page start one every twenty pages.
 */
class ReducedImage {
  readonly #whole: PageImage
  #reduced: PageImage | undefined

  constructor(whole: PageImage) {
    this.#whole = whole
  }

  async at(width: number): Promise<PageImage> {
    if (width === this.#whole.width) return this.#whole
    if (width !== this.#reduced?.width) {
      this.free()
      this.#reduced = await reduceImage(this.#whole, width)
    }
    return this.#reduced!
  }

  free(): void {
    if (this.#reduced !== undefined) releaseBytes(this.#reduced.data)
    this.#reduced = undefined
  }
}
