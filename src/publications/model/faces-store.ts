import type { Kysely } from 'kysely'
import { caseOf } from '#platform/database/queries.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { domainIsTaken, shelfSlugIsTaken } from './errors.ts'
import { isSlug } from './slug.ts'
import type { PublicationsTables, WorkspaceFaceRow } from './tables.ts'

/** The public face of a workspace without its logo's bytes, which only the logo's own address needs. */
export type Face = Omit<WorkspaceFaceRow, 'logo'> & { domain: string | null }

/** The fields of a face that an operator sets. */
type FaceFields = Pick<WorkspaceFaceRow, 'slug' | 'name' | 'about' | 'website' | 'contact' | 'license' | 'accent_color'>

/** A logo as it is stored: a PNG that this server has encoded. */
export type Logo = { bytes: Uint8Array; sha256: string; width: number; height: number }

const COLUMNS = [
  'workspace_faces.workspace_id',
  'workspace_faces.slug',
  'workspace_faces.name',
  'workspace_faces.about',
  'workspace_faces.website',
  'workspace_faces.contact',
  'workspace_faces.license',
  'workspace_faces.accent_color',
  'workspace_faces.logo_sha256',
  'workspace_faces.logo_width',
  'workspace_faces.logo_height',
  'workspace_faces.updated_at',
  'workspace_domains.domain',
] as const

/** The public faces of workspaces. A workspace that is being deleted has none. */
export type FacesStore = ReturnType<typeof createFacesStore>

export function createFacesStore(db: Kysely<PublicationsTables>) {
  const live = () => liveFaces(db)

  return {
    async find(workspaceId: string): Promise<Face | undefined> {
      return await live().select(COLUMNS).where('workspace_faces.workspace_id', '=', workspaceId).executeTakeFirst()
    },

    /** Finds the face with a current or former slug. */
    async findBySlug(slug: string): Promise<Face | undefined> {
      if (!isSlug(slug)) return undefined
      return await live()
        .innerJoin('shelf_slugs', 'shelf_slugs.workspace_id', 'workspace_faces.workspace_id')
        .where('shelf_slugs.slug', '=', slug)
        .select(COLUMNS)
        .executeTakeFirst()
    },

    /** Finds the workspace with a host name, and the slug of its shelf. */
    async atDomain(domain: string) {
      return await live()
        .where('workspace_domains.domain', '=', domain)
        .select(['workspace_faces.workspace_id', 'workspace_faces.slug'])
        .executeTakeFirst()
    },

    /** Returns the first faces by name. */
    async list(limit: number) {
      return await live()
        .select(['workspace_faces.slug', 'workspace_faces.name'])
        .orderBy('workspace_faces.name')
        .orderBy('workspace_faces.slug')
        .limit(limit)
        .execute()
    },

    async logo(workspaceId: string) {
      return await live()
        .select(['workspace_faces.logo', 'workspace_faces.logo_sha256'])
        .where('workspace_faces.workspace_id', '=', workspaceId)
        .executeTakeFirst()
    },

    save: (workspaceId: string, fields: FaceFields, nowMs: number) => saveFace(db, workspaceId, fields, nowMs),

    /** Sets or removes the logo of a face. @returns false if the workspace has no face */
    async setLogo(workspaceId: string, logo: Logo | undefined, nowMs: number): Promise<boolean> {
      const columns =
        logo === undefined
          ? NO_LOGO
          : { logo: logo.bytes, logo_sha256: logo.sha256, logo_width: logo.width, logo_height: logo.height }
      const { numUpdatedRows } = await db
        .updateTable('workspace_faces')
        .set({ ...columns, updated_at: nowMs })
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    /** Removes the face of a workspace with its shelf and its host name. Its slugs stay taken. */
    async remove(workspaceId: string): Promise<void> {
      await db.deleteFrom('workspace_domains').where('workspace_id', '=', workspaceId).execute()
      await db.deleteFrom('workspace_faces').where('workspace_id', '=', workspaceId).execute()
    },

    setDomain: (workspaceId: string, domain: string | undefined) => setDomain(db, workspaceId, domain),

    /** Returns the publications that a publisher has put first on the shelf, in their order. */
    async order(workspaceId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('publications')
        .select('id')
        .where('workspace_id', '=', workspaceId)
        .where('deleted_at', 'is', null)
        .where('shelf_position', 'is not', null)
        .orderBy('shelf_position')
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    setOrder: (workspaceId: string, ids: readonly string[]) => setOrder(db, workspaceId, ids),
  }
}

/** Selects the faces of workspaces that are not being deleted, each with its host name. */
function liveFaces(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('workspace_faces')
    .innerJoin('workspaces', 'workspaces.id', 'workspace_faces.workspace_id')
    .leftJoin('workspace_domains', 'workspace_domains.workspace_id', 'workspace_faces.workspace_id')
    .where('workspaces.deleted_at', 'is', null)
}

const NO_LOGO = { logo: null, logo_sha256: null, logo_width: null, logo_height: null }

/**
 * Sets the face of a workspace; its logo stays. A slug stays taken for the workspace, and leads to its shelf, also
 * once it has another.
 * @throws shelfSlugIsTaken
 */
async function saveFace(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  fields: FaceFields,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const { slug } = fields
    const taken = await transaction
      .insertInto('shelf_slugs')
      .values({ slug, workspace_id: workspaceId })
      .onConflict((conflict) =>
        conflict.column('slug').doUpdateSet({ slug }).where('shelf_slugs.workspace_id', '=', workspaceId),
      )
      .returning('slug')
      .executeTakeFirst()
    if (taken === undefined) throw shelfSlugIsTaken()
    const values = { ...fields, updated_at: nowMs }
    await transaction
      .insertInto('workspace_faces')
      .values({ workspace_id: workspaceId, ...NO_LOGO, ...values })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
      .execute()
  })
}

/** Sets or removes the host name of a workspace. Its former one is free for others. @throws domainIsTaken */
async function setDomain(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  domain: string | undefined,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction.deleteFrom('workspace_domains').where('workspace_id', '=', workspaceId).execute()
    if (domain === undefined) return
    const inserted = await transaction
      .insertInto('workspace_domains')
      .values({ domain, workspace_id: workspaceId })
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .returning('domain')
      .executeTakeFirst()
    if (inserted === undefined) throw domainIsTaken()
  })
}

/** Puts publications first on the shelf, in this order; all others follow, newest first. */
async function setOrder(db: Kysely<PublicationsTables>, workspaceId: string, ids: readonly string[]): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('publications')
      .set({ shelf_position: null })
      .where('workspace_id', '=', workspaceId)
      .where('shelf_position', 'is not', null)
      .execute()
    if (ids.length === 0) return
    await transaction
      .updateTable('publications')
      .set({
        shelf_position: caseOf('id', ids.entries()),
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', [...ids])
      .execute()
  })
}
