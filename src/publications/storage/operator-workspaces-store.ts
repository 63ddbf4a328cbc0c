import { type Kysely, sql } from 'kysely'
import type { OperatorReach } from '#platform/http/operators/operator-access.ts'
import { isUuid } from '#platform/ids/uuid.ts'
import type { PublicationsTables, WorkspaceRow } from './tables.ts'

/** A workspace with counts of its contents. */
export type CountedWorkspace = WorkspaceRow & {
  publications_count: number
  processing_count: number
  stored_bytes: number
}

/** Workspaces for operators, without those that are being deleted. */
export type OperatorWorkspacesStore = {
  /** Returns the workspaces within reach, newest first. */
  list(reach: OperatorReach): Promise<CountedWorkspace[]>
  find(id: string): Promise<CountedWorkspace | undefined>
  /** Changes the given fields of a workspace, if it exists. */
  update(id: string, fields: Partial<Pick<WorkspaceRow, 'name' | 'max_bytes' | 'max_publications'>>): Promise<void>
}

export function createOperatorWorkspacesStore(db: Kysely<PublicationsTables>): OperatorWorkspacesStore {
  return {
    async list(reach) {
      if (reach !== 'everything' && reach.size === 0) return []
      const rows = await selectCounted(db)
        .$if(reach !== 'everything', (query) => query.where('workspaces.id', 'in', [...reach]))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(counted)
    },

    async find(id) {
      if (!isUuid(id)) return undefined
      const row = await selectCounted(db).where('workspaces.id', '=', id).executeTakeFirst()
      return row && counted(row)
    },

    async update(id, fields) {
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
