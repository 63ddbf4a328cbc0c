import { type Kysely, sql, type Transaction } from 'kysely'
import type { PublicationsTables } from './tables.ts'

/** The limits of a workspace; null for none. */
export type WorkspaceQuotas = { id: string; max_bytes: number | null; max_publications: number | null }

/**
 * Returns the limits of a workspace, and locks it until the end of the transaction. With a limit, additions wait for each
 * other, on all instances, so that the counts are exact. Undefined for a workspace that is being deleted: nothing new may
 * be added, because nothing would remove it.
 */
export async function lockQuotas(
  transaction: Transaction<PublicationsTables>,
  workspaceId: string,
): Promise<WorkspaceQuotas | undefined> {
  const query = transaction
    .selectFrom('workspaces')
    .select(['id', 'max_bytes', 'max_publications'])
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
  const quotas = await query.executeTakeFirst()
  if (quotas === undefined) return undefined
  // One lock, of the right kind at once: two transactions that both turned a shared one into an exclusive one would block.
  const isLimited = quotas.max_bytes !== null || quotas.max_publications !== null
  return await (isLimited ? query.forUpdate() : query.forShare()).executeTakeFirst()
}

/** Tells whether a file of so many bytes stays within the limit. Counted are all uploaded files of the workspace. */
export async function hasRoom(
  db: Kysely<PublicationsTables>,
  { id, max_bytes }: WorkspaceQuotas,
  bytes: number,
): Promise<boolean> {
  if (max_bytes === null) return true
  const { stored } = await db
    .selectFrom('uploads')
    .select(sql<number>`coalesce(sum(size), 0)`.as('stored'))
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(stored) + bytes <= max_bytes
}

/** Tells whether a further publication stays within the limit. */
export async function hasRoomForPublication(
  transaction: Transaction<PublicationsTables>,
  { id, max_publications }: WorkspaceQuotas,
): Promise<boolean> {
  if (max_publications === null) return true
  const { count } = await transaction
    .selectFrom('publications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count) < max_publications
}
