import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CONTENT_FORM, type PublicationRow, type VersionRow } from '../../src/publications/model/tables.ts'
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

/** Returns the fields of a version that another process holds, and renders for as long as a test lasts. */
export function heldByAnother() {
  return { status: 'processing', has_work: 1, lease_owner: 'another', lease_until: Date.now() + 600_000 } as const
}

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
      ...publicationRow(id, service.workspaceId, { slug, title }),
      version_id: stored.versionId,
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

/** Stores many publications directly, two of them at a time, without files. @returns their slugs, oldest first */
export async function storeManyPublications(
  service: StartedPublications,
  workspaceId: string,
  count: number,
  given: Partial<PublicationRow> = {},
): Promise<string[]> {
  const { db } = service.server.publications!.deps
  const versions = Array.from({ length: count }, () => versionRow(randomUUID(), { size: 1 }))
  const rows = versions.map((version, at) => ({
    ...publicationRow(version.publication_id, workspaceId, {
      slug: `many-${version.publication_id}`,
      title: `Report ${at}`,
    }),
    version_id: version.id,
    created_at: Date.UTC(2026, 0, 1) + (at >> 1),
    ...given,
  }))
  for (let from = 0; from < count; from += 500) {
    const some = rows.slice(from, from + 500)
    await db
      .insertInto('versions')
      .values(versions.slice(from, from + 500))
      .execute()
    await db.insertInto('publications').values(some).execute()
    const slugs = some.map(({ id, slug }) => ({ slug, workspace_id: workspaceId, publication_id: id }))
    await db.insertInto('slugs').values(slugs).execute()
  }
  return rows.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)).map(({ slug }) => slug)
}

function publicationRow(id: string, workspace_id: string, { slug, title }: { slug: string; title: string }) {
  return {
    id,
    workspace_id,
    slug,
    title,
    epoch: 0,
    unpublished_at: null,
    published_at: Date.now(),
    shown_version_id: null,
    created_at: Date.now(),
    updated_at: Date.now(),
    deleted_at: null,
  }
}

async function storeVersion(
  service: StartedPublications,
  publicationId: string,
  pdf: Buffer,
  version: Partial<VersionRow>,
) {
  const sha256 = createHash('sha256').update(pdf).digest('hex')
  const row = versionRow(publicationId, { size: pdf.length, sha256, ...version })
  await service.server.publications!.deps.db.insertInto('versions').values(row).execute()
  return { versionId: row.id, sha256: row.sha256, blobKey: row.blob_key }
}

function versionRow(publicationId: string, version: Partial<VersionRow>): VersionRow {
  return {
    id: randomUUID(),
    publication_id: publicationId,
    number: 1,
    storage_key: randomUUID(),
    blob_key: `documents/${randomUUID()}.pdf`,
    size: 0,
    sha256: '',
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
    content_form: CONTENT_FORM,
    ...version,
  }
}
