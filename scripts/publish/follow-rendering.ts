import { setTimeout as wait } from 'node:timers/promises'
import type { Publication, PublicationClient } from './publication-client.ts'

const FIRST_WAIT_MS = 100
/** Interval of updates. Dozens of pages per second may arrive, but nobody reads faster than this. */
const LONGEST_WAIT_MS = 500

/** Reports that no further progress will follow. */
export function isRendered({ status, page_count, pages_ready }: Publication): boolean {
  return status === 'failed' || (status === 'ready' && pages_ready >= page_count)
}

/**
 * Polls a publication until all its pages are finished, and returns it. Calls `onProgress` each time.
 * @throws AbortError, and errors of the request and of `onProgress`
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
