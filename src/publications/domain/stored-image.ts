/** An image of a page as it was stored. */
export type StoredImage = {
  /** Bytes. */
  size: number
  sha256: string
  /** True if the SHA-256 was taken from the stored file later, when the file may have been damaged already. */
  isFound?: true
}

/** Images of a page by name, such as `1200.jpg`. */
export type StoredImages = Record<string, StoredImage>

/** Columns that describe the images of a page as JSON: their sizes by name, and `StoredImages`. */
type ImageColumns = { images: string; image_sums: string | null }

/** An image as its row describes it. One of an earlier version has no SHA-256. */
type NamedImage = Pick<StoredImage, 'size'> & Partial<StoredImage>

/** Returns the columns of a page with these images. */
export function imageColumns(images: StoredImages): ImageColumns {
  return { images: JSON.stringify(sizesOf(images)), image_sums: JSON.stringify(images) }
}

/** Returns the columns of a page that gets further images, or has some made again. */
export function addImages({ images, image_sums }: ImageColumns, further: StoredImages): ImageColumns {
  return {
    images: JSON.stringify({ ...JSON.parse(images), ...sizesOf(further) }),
    image_sums: JSON.stringify({ ...readSums(image_sums), ...further }),
  }
}

/** Returns the images of a page by name. */
export function readImages({ images, image_sums }: ImageColumns): Record<string, NamedImage> {
  const sums = readSums(image_sums)
  const sizes = Object.entries(JSON.parse(images) as Record<string, number>)
  return Object.fromEntries(sizes.map(([name, size]) => [name, sums[name]?.size === size ? sums[name] : { size }]))
}

function sizesOf(images: StoredImages): Record<string, number> {
  return Object.fromEntries(Object.entries(images).map(([name, { size }]) => [name, size]))
}

function readSums(text: string | null): StoredImages {
  return text === null ? {} : (JSON.parse(text) as StoredImages)
}
