import type { Publication, PublicationClient } from '../publish/publication-client.ts'

/** Checks the first and the last image of a ready publication. Returns the problem, if there is one. */
export async function checkImages(
  client: PublicationClient,
  { slug, page_count }: Publication,
): Promise<string | undefined> {
  const images = await client.images(slug)
  if (images.length !== page_count) return `${images.length} images are listed for ${page_count} pages`
  for (const page of new Set([1, page_count])) {
    const response = await fetch(images[page - 1]).catch((error: Error) => error)
    if (response instanceof Error) return `the image of page ${page} does not come (${response.message})`
    const bytes = (await response.arrayBuffer()).byteLength
    const type = response.headers.get('content-type') ?? 'no type'
    if (!response.ok || !type.startsWith('image/') || bytes === 0)
      return `the image of page ${page} is answered with ${response.status}, ${type}, ${bytes} bytes`
  }
  return undefined
}
