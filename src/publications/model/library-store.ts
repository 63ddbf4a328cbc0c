import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { containing, isUuid } from '#platform/basics/text.ts'
import { countRows } from '#platform/database/queries.ts'
import { inCollection } from './collections-store.ts'
import { publicationNotFound } from './errors.ts'
import type { PublicationStatus } from './fields.ts'
import { type Publication, selectPublications } from './publication-rows.ts'
import type { Access, Visibility } from './reading.ts'
import type { PublicationsTables } from './tables.ts'

/** Orders of a library; orders by `views` are made from the figures, which are elsewhere. */
export const LIBRARY_SORTS = ['created', 'updated', 'title', 'state', 'pages', 'views', 'size'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]
type ColumnSort = Exclude<LibrarySort, 'views'>

/** A search for publications of a workspace; absent fields match everything. */
export type LibrarySearch = {
  /** Text folded by `foldText`, in the title or the slug. */
  text?: string
  /** Publications that match by their texts, regardless of their titles. */
  inTexts?: readonly string[]
  status?: PublicationStatus
  isUnpublished?: boolean
  visibility?: Visibility
  access?: Access
  /** Id of a collection; null for publications in none. */
  collectionId?: string | null
}

/** The position after which a page of the list begins: the sort key, and the publication's id. */
export type LibraryPosition = { key: number | string; id: string }

export type LibraryPage = {
  sort: ColumnSort
  descending: boolean
  after: LibraryPosition | undefined
  limit: number
}

/** A publication in a list, with its sort key. */
export type FoundPublication = Publication & { sort_key: number | string }

/** The parts of a publication that searches in texts and figures of all publications need. */
type PublicationOutline = Pick<Publication, 'id' | 'slug' | 'title' | 'version_id' | 'page_count' | 'pages_ready'>

/** Publications with the same file that are named. */
const MAX_IDENTICAL = 5

/** A finished page for operators. */
export type PageState = {
  page: number
  failedCode: string | null
  failedReason: string | null
  textLength: number
}

/** Searches of operators for publications. */
export type LibraryStore = ReturnType<typeof createLibraryStore>

/** Sort keys, identical to the keys of the indices. None is null, so that a page can begin after any of them. */
const SORT_KEYS: Record<ColumnSort, (nowMs: number) => RawBuilder<number | string>> = {
  created: () => sql`publications.created_at`,
  updated: () => sql`publications.updated_at`,
  title: () => sql`substr(coalesce(publications.search_text, ''), 1, 60)`,
  pages: () => sql`versions.page_count`,
  size: () => sql`versions.size`,
  // Drafts and scheduled ones, then published ones by their circle of readers, then unreadable ones.
  state: (nowMs) => sql`case
    when publications.unpublished_at is not null and publications.published_at is null then 0
    when publications.unpublished_at is not null then 8
    when coalesce(publications.publish_at, 0) > ${sql.lit(nowMs)} then 1
    when coalesce(publications.expires_at, ${sql.lit(Number.MAX_SAFE_INTEGER)}) <= ${sql.lit(nowMs)} then 7
    when versions.status = 'failed' then 6
    when versions.status = 'processing' then 5
    when publications.access = 'restricted' then 4
    when publications.access = 'unlisted' then 3
    else 2 end`,
}

export function createLibraryStore(db: Kysely<PublicationsTables>, now: () => number) {
  return {
    async search(
      workspaceId: string,
      search: LibrarySearch,
      { sort, descending, after, limit }: LibraryPage,
    ): Promise<FoundPublication[]> {
      const nowMs = now()
      const key = SORT_KEYS[sort](nowMs)
      const order = descending ? 'desc' : 'asc'
      let query = matching(db, workspaceId, search, nowMs)
      if (after !== undefined) query = query.where(beyond(key, after, descending))
      return await query
        .select(key.as('sort_key'))
        .orderBy(key, order)
        .orderBy('publications.id', order)
        .limit(limit)
        .execute()
    },

    count: (workspaceId: string, search: LibrarySearch) => countRows(matching(db, workspaceId, search, now())),

    /** Returns the data for searches and sorts of all publications, newest first. */
    async outlines(workspaceId: string, search: LibrarySearch, limit: number): Promise<PublicationOutline[]> {
      return await matching(db, workspaceId, search, now())
        .clearSelect()
        .select(['publications.id', 'publications.slug', 'publications.title', 'publications.version_id'])
        .select(['versions.page_count', 'versions.pages_ready'])
        .orderBy('publications.created_at', 'desc')
        .orderBy('publications.id')
        .limit(limit)
        .execute()
    },

    /** Returns publications by their ids, in this order; missing ones are left out. */
    async byIds(ids: readonly string[]): Promise<Publication[]> {
      if (ids.length === 0) return []
      const rows = await selectPublications(db).where('publications.id', 'in', ids).execute()
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },

    identical: (publication: Publication) => findIdentical(db, publication),

    async find(id: string): Promise<(Publication & { workspace_name: string; version: number }) | undefined> {
      if (!isUuid(id)) return undefined
      return await selectPublications(db)
        .select(['workspaces.name as workspace_name', 'versions.number as version'])
        .where('publications.id', '=', id)
        .executeTakeFirst()
    },

    /** Returns the former slugs of a publication in alphabetical order. */
    async formerSlugs({ id, slug }: Publication): Promise<string[]> {
      const rows = await db
        .selectFrom('slugs')
        .select('slug')
        .where('publication_id', '=', id)
        .where('slug', '!=', slug)
        .orderBy('slug')
        .execute()
      return rows.map((row) => row.slug)
    },

    /** Returns the finished pages of a version, by number. */
    async pageStates(versionId: string): Promise<PageState[]> {
      return await db
        .selectFrom('pages')
        .select(['page', 'failed_code as failedCode', 'failed_reason as failedReason'])
        .select(sql<number>`length(text)`.as('textLength'))
        .where('version_id', '=', versionId)
        .orderBy('page')
        .execute()
    },
  }
}

/** Returns publications of a workspace whose latest file is the same, the oldest first. */
async function findIdentical(db: Kysely<PublicationsTables>, { id, workspace_id, sha256 }: Publication) {
  return await selectPublications(db)
    .clearSelect()
    .select(['publications.id', 'publications.slug', 'publications.title'])
    .where('publications.workspace_id', '=', workspace_id)
    .where('versions.sha256', '=', sha256)
    .where('publications.id', '!=', id)
    .orderBy('publications.created_at')
    .limit(MAX_IDENTICAL)
    .execute()
}

function matching(db: Kysely<PublicationsTables>, workspaceId: string, search: LibrarySearch, nowMs: number) {
  let query = selectPublications(db).where('publications.workspace_id', '=', workspaceId)
  if (search.text !== undefined && search.text !== '') {
    const inTitle = sql<boolean>`publications.search_text like ${containing(search.text)} escape '\\'`
    const { inTexts = [] } = search
    query =
      inTexts.length === 0
        ? query.where(inTitle)
        : query.where((where) => where.or([inTitle, where('publications.id', 'in', [...inTexts])]))
  }
  if (search.status !== undefined) query = query.where('versions.status', '=', search.status)
  if (search.visibility !== undefined) query = query.where(withVisibility(search.visibility, nowMs))
  if (search.isUnpublished !== undefined) {
    query = query.where('publications.unpublished_at', search.isUnpublished ? 'is not' : 'is', null)
  }
  if (search.access !== undefined)
    query = query.where(sql<boolean>`coalesce(publications.access, 'public') = ${search.access}`)
  if (search.collectionId !== undefined) query = query.where(inCollection(search.collectionId))
  return query
}

/** Selects publications in the state that `visibilityOf` returns. */
function withVisibility(visibility: Visibility, nowMs: number) {
  return (where: ExpressionBuilder<PublicationsTables, 'publications'>) => {
    if (visibility === 'draft' || visibility === 'unpublished')
      return where.and([
        where('publications.unpublished_at', 'is not', null),
        where('publications.published_at', visibility === 'draft' ? 'is' : 'is not', null),
      ])
    const isAhead = sql<boolean>`coalesce(publications.publish_at, 0) > ${nowMs}`
    const isOver = sql<boolean>`(publications.expires_at is not null and publications.expires_at <= ${nowMs})`
    return where.and([
      where('publications.unpublished_at', 'is', null),
      visibility === 'scheduled' ? isAhead : where.not(isAhead),
      ...(visibility === 'expired' ? [isOver] : visibility === 'visible' ? [where.not(isOver)] : []),
    ])
  }
}

/** Selects rows after a position. The first condition is redundant, and lets an index start there. */
function beyond(key: RawBuilder<unknown>, { key: last, id }: LibraryPosition, descending: boolean) {
  return (and: ExpressionBuilder<PublicationsTables, 'publications'>) => {
    const further = descending ? '<' : '>'
    return and.and([
      and(key, `${further}=`, last),
      and.or([and(key, further, last), and('publications.id', further, id)]),
    ])
  }
}

/** Finds the workspace and the slug of a publication by its id. @throws publicationNotFound */
export async function requirePublication(
  library: LibraryStore,
  id: string,
): Promise<{ id: string; workspaceId: string; slug: string }> {
  const publication = await library.find(id)
  if (publication === undefined) throw publicationNotFound()
  // The slug identifies the publication even if it is changed meanwhile, because former slugs are never given away.
  return { id, workspaceId: publication.workspace_id, slug: publication.slug }
}
