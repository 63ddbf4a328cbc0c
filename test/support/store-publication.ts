import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { PublicationRow, VersionRow } from '../../src/publications/storage/tables.ts'
import { makePdf } from './make-pdf.ts'
import type { StartedPublications } from './start-service.ts'

export type PublicationToStore = {
  title?: string
  slug?: string
  formerSlugs?: string[]
  pdf?: Buffer
  pageCount?: number
  publication?: Partial<PublicationRow>
  version?: Partial<VersionRow>
}

/** The stored publication, its version and its file. */
export type StoredPublication = { id: string; slug: string; versionId: string; pdf: Buffer; sha256: string }

/** Stores a publication directly, as it is after it has been created and rendered. */
export async function storePublication(
  service: StartedPublications,
  { title = 'Annual report', formerSlugs = [], ...given }: PublicationToStore = {},
): Promise<StoredPublication> {
  const { db, blobs } = service.server.publications!.deps
  const id = randomUUID()
  const slug = given.slug ?? `report-${id}`
  const pdf = given.pdf ?? makePdf({})
  const stored = await storeVersion(service, id, pdf, { page_count: given.pageCount ?? 1, ...given.version })
  await db
    .insertInto('publications')
    .values({
      id,
      workspace_id: service.workspaceId,
      slug,
      title,
      epoch: 0,
      unpublished_at: null,
      version_id: stored.versionId,
      shown_version_id: null,
      created_at: Date.now(),
      updated_at: Date.now(),
      deleted_at: null,
      ...given.publication,
    })
    .execute()
  const slugs = [slug, ...formerSlugs].map((text) => ({
    slug: text,
    workspace_id: service.workspaceId,
    publication_id: id,
  }))
  await db.insertInto('slugs').values(slugs).execute()
  await (await blobs.draft(Readable.from([pdf]))).commit(stored.blobKey)
  return { id, slug, pdf, ...stored }
}

async function storeVersion(
  service: StartedPublications,
  publicationId: string,
  pdf: Buffer,
  version: Partial<VersionRow>,
) {
  const row: VersionRow = {
    id: randomUUID(),
    publication_id: publicationId,
    number: 1,
    storage_key: randomUUID(),
    blob_key: `documents/${randomUUID()}.pdf`,
    size: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
    page_count: 1,
    facts: '{}',
    status: 'ready',
    pages_ready: 0,
    failure: null,
    has_work: 0,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    created_at: Date.now(),
    replaced_at: null,
    ...version,
  }
  await service.server.publications!.deps.db.insertInto('versions').values(row).execute()
  return { versionId: row.id, sha256: row.sha256, blobKey: row.blob_key }
}
