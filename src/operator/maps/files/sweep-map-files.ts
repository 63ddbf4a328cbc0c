import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { MapsStore } from '../../storage/maps-store.ts'
import { MAPS_FOLDER } from './store-map-file.ts'

const DAY_MS = 24 * 3_600_000

type Deps = {
  maps: Pick<MapsStore, 'knownBlobs'>
  blobs: () => Promise<Pick<BlobStore, 'list' | 'delete' | 'sweepDrafts'>>
  now: () => number
}

/**
 * Removes the remains of uploads that a crash interrupted. Anything younger than a day is left alone, so that uploads
 * in progress are safe; several instances may sweep at once. Returns the number of removed files.
 */
export async function sweepMapFiles({ maps, blobs, now }: Deps): Promise<number> {
  const store = await blobs()
  let removed = await store.sweepDrafts(DAY_MS)
  const old: string[] = []
  for await (const { key, modifiedMs } of store.list(MAPS_FOLDER)) if (modifiedMs < now() - DAY_MS) old.push(key)
  const known = await maps.knownBlobs(old)
  for (const key of old) {
    if (known.has(key)) continue
    await store.delete(key)
    removed++
  }
  return removed
}
