import sharp from 'sharp'
import type { StartedPublications } from './start-service.ts'

/** Properties of a decoded image; `darkPixels` shows if anything is drawn on it. */
export type ReadImage = { format: string; width: number; height: number; darkPixels: number }

/** Decodes the image of an answer. */
export async function readPageImage(response: Response): Promise<ReadImage> {
  const image = sharp(Buffer.from(await response.arrayBuffer()))
  const { format, width, height } = await image.metadata()
  const grey = await image.greyscale().raw().toBuffer()
  return { format: format!, width: width!, height: height!, darkPixels: grey.filter((value) => value < 128).length }
}

/** Returns the addresses of a publication's page images. */
export async function imageAddresses({ url }: Pick<StartedPublications, 'url'>, slug: string): Promise<string[]> {
  const answer = await fetch(`${url}/publications/${slug}/images`)
  return ((await answer.json()) as { images: string[] }).images
}
