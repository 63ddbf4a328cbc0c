import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { isUuid } from '#platform/basics/text.ts'
import { publicationNotFound } from '../errors.ts'
import type { PublicationStatus } from './fields.ts'
import { type Publication, selectPublications } from './publication-rows.ts'
import type { Access, Visibility } from './reading.ts'
import type { PublicationsTables } from './tables.ts'

export type LibrarySort = 'created' | 'updated' | 'title'

/** A search for publications of a workspace; absent fields match everything. */
export type LibrarySearch = {
  /** Text folded by `foldText`. */
  text?: string
  status?: PublicationStatus
  isUnpublished?: boolean
  visibility?: Visibility
  access?: Access
}

/** The position after which a page of the list begins: the sort key, and the publication's id. */
export type LibraryPosition = { key: number | string; id: string }

export type LibraryPage = {
  sort: LibrarySort
  descending: boolean
  after: LibraryPosition | undefined
  limit: number
}

/** A publication in a list, with its sort key. */
export type FoundPublication = Publication & { sort_key: number | string }

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
const SORT_KEYS: Record<LibrarySort, () => RawBuilder<number | string>> = {
  created: () => sql`publications.created_at`,
  updated: () => sql`publications.updated_at`,
  title: () => sql`substr(coalesce(publications.search_text, ''), 1, 60)`,
}

export function createLibraryStore(db: Kysely<PublicationsTables>, now: () => number) {
  return {
    async search(
      workspaceId: string,
      search: LibrarySearch,
      { sort, descending, after, limit }: LibraryPage,
    ): Promise<FoundPublication[]> {
      const key = SORT_KEYS[sort]()
      const order = descending ? 'desc' : 'asc'
      let query = matching(db, workspaceId, search, now())
      if (after !== undefined) query = query.where(beyond(key, after, descending))
      return await query
        .select(key.as('sort_key'))
        .orderBy(key, order)
        .orderBy('publications.id', order)
        .limit(limit)
        .execute()
    },

    async count(workspaceId: string, search: LibrarySearch): Promise<number> {
      const { count } = await matching(db, workspaceId, search, now())
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

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

function matching(db: Kysely<PublicationsTables>, workspaceId: string, search: LibrarySearch, nowMs: number) {
  let query = selectPublications(db).where('publications.workspace_id', '=', workspaceId)
  if (search.text !== undefined && search.text !== '') {
    query = query.where(sql<boolean>`publications.search_text like ${containing(search.text)} escape '\\'`)
  }
  if (search.status !== undefined) query = query.where('versions.status', '=', search.status)
  if (search.visibility !== undefined) query = query.where(withVisibility(search.visibility, nowMs))
  if (search.isUnpublished !== undefined) {
    query = query.where('publications.unpublished_at', search.isUnpublished ? 'is not' : 'is', null)
  }
  if (search.access !== undefined)
    query = query.where(sql<boolean>`coalesce(publications.access, 'public') = ${search.access}`)
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

/** Returns a LIKE pattern that matches the literal text anywhere. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
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
