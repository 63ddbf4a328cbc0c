import { setTimeout as wait } from 'node:timers/promises'
import type { Publication, PublicationClient } from './publication-client.ts'

const FIRST_WAIT_MS = 100
/** Pages come by the dozen a second; nobody reads faster than this. */
const LONGEST_WAIT_MS = 500

/** Whether nothing more will come of it. */
export function isRendered({ status, page_count, pages_ready }: Publication): boolean {
  return status === 'failed' || (status === 'ready' && pages_ready >= page_count)
}

/**
 * Asks for a publication until all its pages are finished, and gives it then. `onProgress` hears of it every time.
 * @throws what asking throws, what `onProgress` throws, and an AbortError
 */
export async function followRendering(
  client: Pick<PublicationClient, 'read'>,
  created: Publication,
  onProgress: (publication: Publication) => void,
  signal?: AbortSignal,
): Promise<Publication> {
  let publication = created
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    onProgress(publication)
    if (isRendered(publication)) return publication
    await wait(waitMs, undefined, { signal })
    publication = await client.read(created.slug)
  }
}
