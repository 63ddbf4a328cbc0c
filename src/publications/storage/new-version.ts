import { randomUUID } from 'node:crypto'
import type { DocumentFacts } from '../domain/document-facts.ts'
import type { StoredUpload } from './claim-upload.ts'
import type { VersionRow } from './tables.ts'

/** Returns the row of a new version, which is also the job of rendering it. */
export function newVersion(
  upload: StoredUpload,
  facts: DocumentFacts,
  { publicationId, number, nowMs }: { publicationId: string; number: number; nowMs: number },
): VersionRow {
  return {
    id: randomUUID(),
    publication_id: publicationId,
    number,
    storage_key: upload.storage_key,
    blob_key: upload.blob_key,
    size: upload.size,
    sha256: upload.sha256,
    page_count: facts.pageCount,
    facts: JSON.stringify(facts),
    status: 'processing',
    pages_ready: 0,
    failure: null,
    has_work: 1,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    created_at: nowMs,
    replaced_at: null,
  }
}
