import { type Kysely, sql } from 'kysely'
import { caseOf, countRows } from '#platform/database/queries.ts'
import { HEAD_BYTES, packedLinksBytes } from './document-content.ts'
import type { FirstView, PublicationStatus } from './fields.ts'
import { type Opened, type Reader, type ReadingRules, requireReadable } from './reading.ts'
import { isSlug } from './slug.ts'
import type { Statements } from './statements.ts'
import type { PageRow, PublicationsTables } from './tables.ts'

/** A publication with the version that readers see, which stays until a later one is ready. */
export type ShownPublication = Statements &
  ReadingRules & {
    id: string
    /** The current slug, which may differ from the requested one. */
    slug: string
    title: string
    epoch: number
    first_view?: FirstView | null
    created_at: number
    updated_at: number
    version_id: string
    sha256: string
    size: number
    /** Bytes of the recognised text that follow the file; null or absent without. */
    text_size?: number | null
    page_count: number
    /** JSON of `DocumentFacts`, parsed only where needed: a large document has many. */
    facts: string
    status: PublicationStatus
    pages_ready: number
    pages_recognized?: number | null
    content_form?: number | null
    failure: string | null
    /** The host name of its workspace; null without one. */
    domain: string | null
    /** The public face of its workspace; null without one. */
    face_slug: string | null
    face_name: string | null
    face_website: string | null
    face_contact?: string | null
    face_license?: string | null
    face_color: string | null
    face_logo: string | null
    face_logo_width: number | null
    face_logo_height: number | null
    /** The collection that it is in; null for none. */
    collection_slug: string | null
    collection_name: string | null
  }

/** A finished page for readers. */
type ShownPage = {
  text: string
  text_source?: PageRow['text_source']
  /** Content encoded by `encodePageContent`. */
  words: Uint8Array
  comments?: string | null
}

/** The beginning of a finished page. */
export type PageExcerpt = {
  page: number
  text: string
  /** Roles of its paragraphs (`encodeRoles`), up to where they were cut. */
  roles: string | null
  failed_code: string | null
  text_source?: PageRow['text_source']
  /** Links for `unpackLinks`. */
  links: Uint8Array | undefined
  /** JSON of `PageComment`. */
  comments?: string | null
}

/**
 * Limits of the excerpts of pages: characters of the text and of the roles of each, and bytes of the packed links of
 * all.
 */
export type ExcerptLimits = { characters: number; roleCharacters: number; linksBytes: number }

/** An entry of the sitemap. */
type ListedPage = { slug: string; updated_at: number }

/** A collection in the sitemap: the slug of its shelf and its own, and the latest change of its publications. */
type ListedCollection = ListedPage & { shelf: string }

/** Publications and pages for readers. */
export type PublicPageStore = ReturnType<typeof createPublicPageStore>

export function createPublicPageStore(db: Kysely<PublicationsTables>, now: () => number) {
  return {
    /** Finds the publication with a current or former slug, unless it is deleted. */
    async find(slug: string): Promise<ShownPublication | undefined> {
      if (!isSlug(slug)) return undefined
      return await shownVersions(db)
        .innerJoin('slugs', 'slugs.publication_id', 'publications.id')
        .leftJoin('workspace_faces', 'workspace_faces.workspace_id', 'publications.workspace_id')
        .leftJoin('workspace_domains', 'workspace_domains.workspace_id', 'publications.workspace_id')
        .leftJoin('collections', 'collections.id', 'publications.collection_id')
        .where('slugs.slug', '=', slug)
        .select(['collections.slug as collection_slug', 'collections.name as collection_name'])
        .select(['workspace_faces.slug as face_slug', 'workspace_faces.name as face_name'])
        .select(['workspace_faces.website as face_website', 'workspace_faces.accent_color as face_color'])
        .select(['workspace_faces.logo_sha256 as face_logo', 'workspace_faces.logo_width as face_logo_width'])
        .select(['workspace_faces.logo_height as face_logo_height', 'workspace_faces.contact as face_contact'])
        .select(['workspace_domains.domain', 'publications.workspace_id', 'workspace_faces.license as face_license'])
        .select(['publications.id', 'publications.slug', 'publications.title', 'publications.epoch'])
        .select(['publications.access', 'publications.unpublished_at', 'publications.published_at'])
        .select(['publications.publish_at', 'publications.expires_at', 'publications.allow_download'])
        .select(['publications.password_hash', 'publications.first_view', 'versions.pages_recognized'])
        .select(['publications.created_at', 'publications.updated_at', 'versions.text_size'])
        .select(['publications.language', 'publications.author', 'publications.description'])
        .select(['publications.author_from_file', 'publications.description_from_file'])
        .select(['versions.id as version_id', 'versions.sha256', 'versions.size', 'versions.page_count'])
        .select(['versions.facts', 'versions.status', 'versions.pages_ready', 'versions.failure', 'content_form'])
        .executeTakeFirst()
    },

    /** Returns a page of a version, if it is finished. */
    async page(versionId: string, page: number): Promise<ShownPage | undefined> {
      return await db
        .selectFrom('pages')
        .select(['text', 'text_source', 'words', 'comments'])
        .where('version_id', '=', versionId)
        .where('page', '=', page)
        .executeTakeFirst()
    },

    /**
     * Returns the beginnings of the finished pages of a version, in order. Only these leave the database: hundreds of
     * pages full of text, with the positions of all words, take hundreds of megabytes.
     */
    async excerpts(
      versionId: string,
      { from, to }: { from: number; to: number },
      { characters, roleCharacters, linksBytes }: ExcerptLimits,
    ): Promise<PageExcerpt[]> {
      const rows = await db
        .selectFrom('pages')
        .select(['page', 'failed_code', 'text_source', 'comments'])
        .select(sql<string>`substr(text, 1, ${sql.lit(characters)})`.as('text'))
        .select(sql<string | null>`substr(roles, 1, ${sql.lit(roleCharacters)})`.as('roles'))
        .select(sql<Uint8Array>`substr(words, 1, ${sql.lit(HEAD_BYTES)})`.as('head'))
        .where('version_id', '=', versionId)
        .where('page', '>=', from)
        .where('page', '<=', to)
        .orderBy('page')
        .execute()
      const links = await packedLinks(db, versionId, measureLinks(rows, linksBytes))
      return rows.map(({ head: _head, ...row }) => ({ ...row, links: links.get(row.page) }))
    },

    /** Returns the number of publications that `list` goes through. */
    count: () => countRows(listed(db, now()).where(hasNoDomain)),

    /** Returns the collections that readers find on shelves without a host name of their own, oldest first. */
    collections: () => listedCollections(db, now()),

    /**
     * Returns publications that are public and ready, of one workspace, or of all that have no host name of their own.
     * The oldest come first, so that new ones do not shift the others.
     */
    async list(offset: number, limit: number, workspaceId?: string): Promise<ListedPage[]> {
      return await listed(db, now())
        .$if(workspaceId === undefined, (query) => query.where(hasNoDomain))
        .$if(workspaceId !== undefined, (query) => query.where('publications.workspace_id', '=', workspaceId!))
        .select(['publications.slug', 'publications.updated_at'])
        .orderBy('publications.created_at')
        .orderBy('publications.id')
        .offset(offset)
        .limit(limit)
        .execute()
    },
  }
}

async function listedCollections(db: Kysely<PublicationsTables>, nowMs: number): Promise<ListedCollection[]> {
  const rows = await listed(db, nowMs)
    .where(hasNoDomain)
    .innerJoin('collections', 'collections.id', 'publications.collection_id')
    .innerJoin('workspace_faces', 'workspace_faces.workspace_id', 'collections.workspace_id')
    .select(['workspace_faces.slug as shelf', 'collections.slug'])
    .select(({ fn }) => fn.max('publications.updated_at').as('updated_at'))
    .groupBy(['collections.id', 'workspace_faces.slug', 'collections.slug', 'collections.created_at'])
    .orderBy('collections.created_at')
    .orderBy('collections.id')
    .execute()
  return rows.map((row) => ({ ...row, updated_at: Number(row.updated_at) }))
}

/** Returns the sizes of the packed links of pages that have any, up to `limit` bytes in all. */
function measureLinks(
  rows: readonly { page: number; head: Uint8Array }[],
  limit: number,
): [page: number, bytes: number][] {
  let left = limit
  return rows
    .map(({ page, head }): [number, number] => [page, packedLinksBytes(head)])
    .filter(([, bytes]) => {
      if (bytes === 0 || bytes > left) return false
      left -= bytes
      return true
    })
}

/** Returns the packed links of pages, whose sizes must be known: they lie between the head and the words. */
async function packedLinks(
  db: Kysely<PublicationsTables>,
  versionId: string,
  sizes: readonly [page: number, bytes: number][],
): Promise<Map<number, Uint8Array>> {
  if (sizes.length === 0) return new Map()
  const bytesOfPages = caseOf(
    'page',
    sizes.map(([page, bytes]) => [bytes, sql.lit(page)]),
  )
  const rows = await db
    .selectFrom('pages')
    .select(['page', sql<Uint8Array>`substr(words, ${sql.lit(HEAD_BYTES + 1)}, ${bytesOfPages})`.as('links')])
    .where('version_id', '=', versionId)
    .where(
      'page',
      'in',
      sizes.map(([page]) => page),
    )
    .execute()
  return new Map(rows.map(({ page, links }) => [page, links]))
}

/** Selects publications that are not deleted, each with the version that readers see. */
function shownVersions(db: Kysely<PublicationsTables>) {
  return db
    .selectFrom('publications')
    .innerJoin('workspaces', 'workspaces.id', 'publications.workspace_id')
    .innerJoin('versions', (join) =>
      join.on('versions.id', '=', sql<string>`coalesce(publications.shown_version_id, publications.version_id)`),
    )
    .where('publications.deleted_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
}

/** Leaves out workspaces with a host name, whose sitemap is there. */
const hasNoDomain = sql<boolean>`publications.workspace_id not in (select workspace_id from workspace_domains)`

/** Selects publications that are ready and, in terms of `requireReadable`, for everyone. */
export function listed(db: Kysely<PublicationsTables>, nowMs: number) {
  return shownVersions(db)
    .where('publications.unpublished_at', 'is', null)
    .where('publications.password_hash', 'is', null)
    .where((where) => where.or([where('publications.access', 'is', null), where('publications.access', '=', 'public')]))
    .where((where) =>
      where.or([where('publications.publish_at', 'is', null), where('publications.publish_at', '<=', nowMs)]),
    )
    .where((where) =>
      where.or([where('publications.expires_at', 'is', null), where('publications.expires_at', '>', nowMs)]),
    )
    .where('versions.status', '=', 'ready')
}

/**
 * Returns the publication that a current or former slug leads to.
 * @throws publicationNotFound, publicationUnpublished if it may not be read
 */
export async function getShownPublication(
  store: PublicPageStore,
  slug: string,
  reader: Reader,
): Promise<ShownPublication & Opened> {
  const publication = await store.find(slug)
  const opened = await requireReadable(publication?.id, publication, reader)
  return { ...publication!, ...opened }
}
