import { type Kysely, sql } from 'kysely'
import { AppError } from '#platform/basics/errors.ts'
import { isUuid } from '#platform/basics/text.ts'
import type { OperatorReach } from '#platform/credentials/operator-access.ts'
import { workspaceNotFound } from '../model/errors.ts'
import type { PublicationsTables, WorkspaceRow } from '../model/tables.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'

/** A workspace with counts of its contents. */
export type CountedWorkspace = WorkspaceRow & {
  publications_count: number
  processing_count: number
  stored_bytes: number
}

/** Workspaces for operators, without workspaces that are being deleted. */
export type OperatorWorkspacesStore = ReturnType<typeof createOperatorWorkspacesStore>

export function createOperatorWorkspacesStore(db: Kysely<PublicationsTables>) {
  return {
    /** Returns the workspaces within reach, newest first. */
    async list(reach: OperatorReach): Promise<CountedWorkspace[]> {
      if (reach !== 'everything' && reach.size === 0) return []
      const rows = await selectCounted(db)
        .$if(reach !== 'everything', (query) => query.where('workspaces.id', 'in', [...reach]))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(counted)
    },

    async find(id: string): Promise<CountedWorkspace | undefined> {
      if (!isUuid(id)) return undefined
      const row = await selectCounted(db).where('workspaces.id', '=', id).executeTakeFirst()
      return row && counted(row)
    },

    /** Changes the given fields of a workspace, if it exists. */
    async update(
      id: string,
      fields: Partial<Pick<WorkspaceRow, 'name' | 'max_bytes' | 'max_publications'>>,
    ): Promise<void> {
      if (!isUuid(id) || Object.keys(fields).length === 0) return
      await db.updateTable('workspaces').set(fields).where('id', '=', id).where('deleted_at', 'is', null).execute()
    },
  }
}

function selectCounted(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('workspaces')
    .selectAll('workspaces')
    .select(({ selectFrom }) => {
      const publications = selectFrom('publications')
        .whereRef('publications.workspace_id', '=', 'workspaces.id')
        .where('publications.deleted_at', 'is', null)
      return [
        publications.select(({ fn }) => fn.countAll<number>().as('count')).as('publications_count'),
        publications
          .innerJoin('versions', 'versions.id', 'publications.version_id')
          .where('versions.status', '=', 'processing')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('processing_count'),
        selectFrom('uploads')
          .whereRef('uploads.workspace_id', '=', 'workspaces.id')
          .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
          .as('stored_bytes'),
      ]
    })
    .where('workspaces.deleted_at', 'is', null)
}

type Row = WorkspaceRow & {
  publications_count: number | null
  processing_count: number | null
  stored_bytes: number | null
}

/** Converts counts to numbers: PostgreSQL returns sums as text, because they can exceed what a number holds. */
function counted(row: Row): CountedWorkspace {
  const { publications_count, processing_count, stored_bytes } = row
  return {
    ...row,
    publications_count: Number(publications_count),
    processing_count: Number(processing_count),
    stored_bytes: Number(stored_bytes),
  }
}

/** Returns a workspace without the cost of counting its contents. @throws workspaceNotFound */
export async function requireWorkspace(workspaces: WorkspacesStore, id: string): Promise<WorkspaceRow> {
  const workspace = isUuid(id) ? await workspaces.find(id) : undefined
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/** Returns a workspace with counts of its contents. @throws workspaceNotFound */
export async function requireCountedWorkspace(
  operatorWorkspaces: OperatorWorkspacesStore,
  id: string,
): Promise<CountedWorkspace> {
  const workspace = await operatorWorkspaces.find(id)
  if (workspace === undefined) throw workspaceNotFound()
  return workspace
}

/**
 * Runs work on behalf of a workspace, as its key would allow it. If the workspace has just been deleted, operators get
 * that answer, and not that of an invalid key, because their own session is valid.
 * @throws workspaceNotFound, and errors of the work
 */
export async function forWorkspace<Result>(
  workspaces: WorkspacesStore,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await requireWorkspace(workspaces, id)
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError && cause.status === 401) throw workspaceNotFound({ cause })
    throw cause
  }
}
