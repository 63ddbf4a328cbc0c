import { type Kysely, sql } from 'kysely'
import { type Publication, selectPublications } from '../publication-rows.ts'
import type { PublicationsTables } from '../tables.ts'

/** Literal conditions of the indices, which are not used with parameters in their place. */
const isDeleted = sql<boolean>`deleted_at is not null`
const hasWork = sql<boolean>`versions.has_work = 1`

/** Finds publications of a workspace that have changed since a time, apart from progress of rendering. */
export async function findChanged(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  sinceMs: number,
): Promise<Publication[]> {
  return await selectPublications(db)
    .where('publications.workspace_id', '=', workspaceId)
    .where('publications.updated_at', '>=', sinceMs)
    .orderBy('publications.updated_at')
    .execute()
}

/** Finds publications of a workspace that are being rendered. */
export async function findInProgress(db: Kysely<PublicationsTables>, workspaceId: string): Promise<Publication[]> {
  return await selectPublications(db).where('publications.workspace_id', '=', workspaceId).where(hasWork).execute()
}

/** Finds publications by their ids, without deleted ones. */
export async function findByIds(db: Kysely<PublicationsTables>, ids: readonly string[]): Promise<Publication[]> {
  if (ids.length === 0) return []
  return await selectPublications(db).where('publications.id', 'in', ids).execute()
}

/** Returns the ids of recently deleted publications of a workspace; their rows stay for at least two minutes. */
export async function findDeleted(db: Kysely<PublicationsTables>, workspaceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('publications')
    .select('id')
    .where(isDeleted)
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the time of the latest change to a publication of a workspace; 0 if there are none. */
export async function latestChangeMs(db: Kysely<PublicationsTables>, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('publications')
    .select('updated_at')
    .where('workspace_id', '=', workspaceId)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.updated_at ?? 0
}

export async function workspaceExists(db: Kysely<PublicationsTables>, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
