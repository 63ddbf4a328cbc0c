import { type Kysely, sql } from 'kysely'
import { countRows } from '#platform/database/queries.ts'
import { inCollection } from './collections-store.ts'
import { listed } from './public-page-store.ts'
import type { PublicationsTables } from './tables.ts'

/** A publication on a shelf, with the data of its cover and its lines. */
export type ShelvedPublication = {
  id: string
  slug: string
  title: string
  /** As its publisher states them; null for none. */
  language: string | null
  author: string | null
  description: string | null
  epoch: number
  version_id: string
  sha256: string
  page_count: number
  pages_ready: number
  pages_recognized?: number | null
  published_at: number
  updated_at: number
  /** End of reading; null without one. */
  expires_at?: number | null
}

/** A collection on a shelf with its first publications, and how many it has there. */
type ShelvedCollection = {
  slug: string
  name: string
  total: number
  /** Time of the latest change of one of its publications. */
  updated_at: number
  publications: ShelvedPublication[]
}

/** The text of a page, and the version that it is in. */
export type ShelfPageText = { version_id: string; page: number; text: string }

/** The publications of workspaces that are for everyone. `listed` has all rules. */
export type ShelfStore = ReturnType<typeof createShelfStore>

/** Publications without a position come last. */
const POSITION = sql<number>`coalesce(publications.shelf_position, 2147483647)`
const PUBLISHED_AT = sql<number>`coalesce(publications.published_at, publications.created_at)`

export function createShelfStore(db: Kysely<PublicationsTables>, now: () => number) {
  /** Selects all publications on the shelf, or only members of a collection, or for null only members of none. */
  const shelved = (workspaceId: string, collectionId?: string | null) =>
    listed(db, now())
      .where('publications.workspace_id', '=', workspaceId)
      .$if(collectionId !== undefined, (query) => query.where(inCollection(collectionId!)))

  return {
    async count(workspaceId: string, collectionId?: string): Promise<number> {
      return await countRows(shelved(workspaceId, collectionId))
    },

    /**
     * Returns publications in the order of the shelf: the publisher's, then newest first; all of them, those of a
     * collection, or for null those in none.
     */
    async list(
      workspaceId: string,
      offset: number,
      limit: number,
      collectionId?: string | null,
    ): Promise<ShelvedPublication[]> {
      return await selectShelved(shelved(workspaceId, collectionId))
        .orderBy(POSITION)
        .orderBy(PUBLISHED_AT, 'desc')
        .orderBy('publications.id')
        .offset(offset)
        .limit(limit)
        .execute()
    },

    /** Returns the publications that were published last, on the shelf or in a collection of it. */
    async newest(workspaceId: string, limit: number, collectionId?: string): Promise<ShelvedPublication[]> {
      return await selectShelved(shelved(workspaceId, collectionId))
        .orderBy(PUBLISHED_AT, 'desc')
        .orderBy('publications.id')
        .limit(limit)
        .execute()
    },

    /** Returns the collections with publications on the shelf, in their order, each with its first publications. */
    collections: (workspaceId: string, perCollection: number) =>
      firstOfCollections(db, selectShelved(shelved(workspaceId)), perCollection),

    /** Returns the beginnings of the texts of finished pages of versions, by version and page. */
    async texts(
      versionIds: readonly string[],
      { from, to, characters }: { from: number; to: number; characters: number },
    ): Promise<ShelfPageText[]> {
      return await db
        .selectFrom('pages')
        .select(['version_id', 'page', sql<string>`substr(text, 1, ${sql.lit(characters)})`.as('text')])
        .where('version_id', 'in', [...versionIds])
        .where('page', '>=', from)
        .where('page', '<=', to)
        .orderBy('version_id')
        .orderBy('page')
        .execute()
    },
  }
}

function selectShelved(shelved: ReturnType<typeof listed>) {
  return shelved
    .select(['publications.id', 'publications.slug', 'publications.title', 'publications.epoch'])
    .select(['publications.language', 'publications.author', 'publications.description'])
    .select(['versions.id as version_id', 'versions.sha256', 'versions.page_count', 'versions.pages_ready'])
    .select('versions.pages_recognized')
    .select([PUBLISHED_AT.as('published_at'), 'publications.updated_at', 'publications.expires_at'])
}

async function firstOfCollections(
  db: Kysely<PublicationsTables>,
  shelved: ReturnType<typeof selectShelved>,
  perCollection: number,
): Promise<ShelvedCollection[]> {
  const ranked = shelved
    .innerJoin('collections', 'collections.id', 'publications.collection_id')
    .select(['collections.id as collection_id', 'collections.slug as collection_slug'])
    .select(['collections.name as collection_name', 'collections.position as collection_position'])
    .select([
      sql<number>`row_number() over (partition by collections.id order by ${POSITION}, ${PUBLISHED_AT} desc, publications.id)`.as(
        'rank',
      ),
      sql<number>`count(*) over (partition by collections.id)`.as('total'),
      sql<number>`max(publications.updated_at) over (partition by collections.id)`.as('latest'),
    ])
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('rank', '<=', perCollection)
    .orderBy('collection_position')
    .orderBy('collection_id')
    .orderBy('rank')
    .execute()
  return [...Map.groupBy(rows, (row) => row.collection_id).values()].map((publications) => {
    const [{ collection_slug: slug, collection_name: name, total, latest }] = publications
    return { slug, name, total: Number(total), updated_at: Number(latest), publications }
  })
}
