import { randomUUID } from 'node:crypto'
import type { BlobStore } from './blob-store.ts'

/** Bytes of the written file: more than the rest of a block that a full disk may still have. */
const WRITTEN_BYTES = 65_536

/** Folder of the files that checks write and remove. */
const CHECKS = 'checks/'

/** Stores a small file, as uploads do, and removes it. Rejects with UNAVAILABLE if the store takes none. */
export async function checkBlobWrite(store: BlobStore): Promise<void> {
  const key = `${CHECKS}${randomUUID()}`
  await using draft = await store.draft(someBytes())
  await draft.commit(key)
  await store.delete(key)
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(WRITTEN_BYTES)
}
