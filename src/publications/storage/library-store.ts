import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import { isUuid } from '#platform/ids/uuid.ts'
import { type Publication, selectPublications } from './publication-rows.ts'
import type { PublicationsTables } from './tables.ts'

export type LibrarySort = 'created' | 'updated' | 'title'

/** Which publications of a workspace are looked for; a field left out does not choose. */
export type LibrarySearch = {
  /** Text as `foldText` folds it. */
  text?: string
  status?: string
  isUnpublished?: boolean
}

/** The place after which a page begins: the key by which the list is sorted, and the publication's id. */
export type LibraryPlace = { key: number | string; id: string }

export type LibraryPage = {
  sort: LibrarySort
  descending: boolean
  after: LibraryPlace | undefined
  limit: number
}

/** A publication in a list, with the key that the list is sorted by. */
export type FoundPublication = Publication & { sort_key: number | string }

/** A finished page as operators are told of it. */
export type PageState = {
  page: number
  failedCode: string | null
  failedReason: string | null
  textLength: number
}

/** Publications as operators look for them. */
export type LibraryStore = {
  search(workspaceId: string, search: LibrarySearch, page: LibraryPage): Promise<FoundPublication[]>
  count(workspaceId: string, search: LibrarySearch): Promise<number>
  find(id: string): Promise<(Publication & { workspace_name: string; version: number }) | undefined>
  /** Slugs that a publication had, in alphabetical order. */
  formerSlugs(publication: Pick<Publication, 'id' | 'slug'>): Promise<string[]>
  /** The finished pages of a version, by number. */
  pageStates(versionId: string): Promise<PageState[]>
}

/** What a publication is sorted by, as the indices have it; no key is null, so that pages can go on from any. */
const SORT_KEYS: Record<LibrarySort, () => RawBuilder<number | string>> = {
  created: () => sql`publications.created_at`,
  updated: () => sql`publications.updated_at`,
  title: () => sql`substr(coalesce(publications.search_text, ''), 1, 60)`,
}

export function createLibraryStore(db: Kysely<PublicationsTables>): LibraryStore {
  return {
    async search(workspaceId, search, { sort, descending, after, limit }) {
      const key = SORT_KEYS[sort]()
      const order = descending ? 'desc' : 'asc'
      let query = chosen(db, workspaceId, search)
      if (after !== undefined) query = query.where(beyond(key, after, descending))
      return await query
        .select(key.as('sort_key'))
        .orderBy(key, order)
        .orderBy('publications.id', order)
        .limit(limit)
        .execute()
    },

    async count(workspaceId, search) {
      const { count } = await chosen(db, workspaceId, search)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async find(id) {
      if (!isUuid(id)) return undefined
      return await selectPublications(db)
        .select(['workspaces.name as workspace_name', 'versions.number as version'])
        .where('publications.id', '=', id)
        .executeTakeFirst()
    },

    async formerSlugs({ id, slug }) {
      const rows = await db
        .selectFrom('slugs')
        .select('slug')
        .where('publication_id', '=', id)
        .where('slug', '!=', slug)
        .orderBy('slug')
        .execute()
      return rows.map((row) => row.slug)
    },

    async pageStates(versionId) {
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

function chosen(db: Kysely<PublicationsTables>, workspaceId: string, search: LibrarySearch) {
  let query = selectPublications(db).where('publications.workspace_id', '=', workspaceId)
  if (search.text !== undefined && search.text !== '') {
    query = query.where(sql<boolean>`publications.search_text like ${containing(search.text)} escape '\\'`)
  }
  if (search.status !== undefined) query = query.where('versions.status', '=', search.status)
  if (search.isUnpublished !== undefined) {
    query = query.where('publications.unpublished_at', search.isUnpublished ? 'is not' : 'is', null)
  }
  return query
}

/** A LIKE pattern for text that stands anywhere, with nothing in it that has a meaning. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The first condition follows from the others, and is the one by which an index begins at the place. */
function beyond(key: RawBuilder<unknown>, { key: last, id }: LibraryPlace, descending: boolean) {
  return (and: ExpressionBuilder<PublicationsTables, 'publications'>) => {
    const further = descending ? '<' : '>'
    return and.and([
      and(key, `${further}=`, last),
      and.or([and(key, further, last), and('publications.id', further, id)]),
    ])
  }
}
