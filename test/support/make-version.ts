import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  CONTENT_FORM,
  type PublicationRow,
  type PublicationsTables,
  type VersionRow,
} from '../../src/publications/model/tables.ts'

/** Inserts a publication with one version of which nothing is rendered yet. @returns the id of the version */
export async function makeVersion(
  db: Kysely<PublicationsTables>,
  version: Partial<VersionRow> = {},
  publication: Partial<PublicationRow> = {},
): Promise<string> {
  const id = version.id ?? randomUUID()
  const publicationId = randomUUID()
  const row = makeVersionRow({ id, publication_id: publicationId, ...version })
  await db.insertInto('versions').values(row).execute()
  await db
    .insertInto('publications')
    .values({
      id: publicationId,
      workspace_id: 'workspace',
      slug: `slug-${id}`,
      title: 'Title',
      epoch: 0,
      unpublished_at: null,
      version_id: id,
      shown_version_id: null,
      created_at: 1_000,
      updated_at: 1_000,
      deleted_at: null,
      ...publication,
    })
    .execute()
  return id
}

/** Returns the row of a version of which nothing is rendered yet. */
export function makeVersionRow(version: Partial<VersionRow> = {}): VersionRow {
  return {
    id: randomUUID(),
    publication_id: randomUUID(),
    number: 1,
    storage_key: randomUUID(),
    blob_key: 'documents/some.pdf',
    size: 1,
    sha256: 'ab'.repeat(32),
    page_count: 3,
    facts: '{}',
    status: 'processing',
    pages_ready: 0,
    failure: null,
    has_work: 1,
    lease_owner: null,
    lease_until: null,
    attempts: 0,
    created_at: 1_000,
    replaced_at: null,
    content_form: CONTENT_FORM,
    ...version,
  }
}
