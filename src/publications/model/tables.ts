import type { FailuresTables } from '#platform/credentials/failures-store.ts'
import type { DatabaseLayout } from '#platform/database/citus-cluster.ts'
import type { Database } from '#platform/database/database.ts'
import type { IdempotencyTables } from '#platform/database/idempotency.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import { type InspectionTables, inspectionLayout } from '#platform/doctor/inspection-store.ts'
import type { MaintenanceTables } from '#platform/jobs/maintenance-clock.ts'
import { type WebhookTables, webhookLayout } from '#platform/webhooks/tables.ts'
import type { FirstView, PublicationStatus } from './fields.ts'
import { publicationsMigrations } from './migrations.ts'
import type { ReadingRules } from './reading.ts'
import type { Statements } from './statements.ts'

/** A workspace, which owns publications. Times are milliseconds since 1970 in all tables. */
export type WorkspaceRow = {
  id: string
  name: string
  created_at: number
  /** Limits of uploaded bytes and of publications; null for none. */
  max_bytes: number | null
  max_publications: number | null
  /** Start of the deletion; the row is removed last, so that an interrupted deletion is continued. */
  deleted_at: number | null
}

/** The public face of a workspace, which readers see on its shelf, and on the pages of its publications. */
export type WorkspaceFaceRow = {
  workspace_id: string
  /** The current slug of its shelf. */
  slug: string
  name: string
  about: string | null
  website: string | null
  /** An e-mail address, or the address of a page. */
  contact?: string | null
  /** Terms of use of its publications, as plain text. */
  license?: string | null
  /** Such as `#0b6158`. */
  accent_color: string | null
  /** A PNG that this server has encoded, with its hash and its size in pixels; all null without a logo. */
  logo: Uint8Array | null
  logo_sha256: string | null
  logo_width: number | null
  logo_height: number | null
  updated_at: number
}

/** A present or former slug of a shelf. It stays taken, so that no old address leads to another workspace. */
type ShelfSlugRow = { slug: string; workspace_id: string }

/** A group of publications of a workspace, with a name and an address on its shelf. */
export type CollectionRow = {
  id: string
  workspace_id: string
  /** The current slug, within the workspace. */
  slug: string
  name: string
  /** Place among the collections of the workspace; the lowest comes first. */
  position: number
  created_at: number
  updated_at: number
}

/** A present or former slug of a collection, by which its address goes on leading to it. */
type CollectionSlugRow = { workspace_id: string; slug: string; collection_id: string }
/** The host name that shows the shelf of a workspace and its publications, in ASCII and lower case. */
type WorkspaceDomainRow = { domain: string; workspace_id: string }

/** An API key of a workspace, found by the SHA-256 of its text. The text itself is kept sealed, for display. */
type ApiKeyRow = {
  key_sha256: string
  workspace_id: string
  sealed: Uint8Array
  created_at: number
  /** End of the key; null if it has none. */
  expires_at: number | null
  /** Names with commas between them, such as `publish,read`. */
  permissions: string
  /** 1 for the first key of a workspace, and for its replacements. */
  is_first: number
  /** Owner or purpose. */
  label: string | null
  /** To the minute; null for an unused key. */
  last_used_at: number | null
}

/** An upload ticket and, once a file has arrived, the facts of the file. */
export type UploadRow = {
  storage_key: string
  workspace_id: string
  /** Path within the workspace, in Unicode NFC. */
  path: string
  created_at: number
  /** An upload must begin before this time. */
  expires_at: number
  /** Size of the file and bytes that are synced, of an upload that may be resumed; null before it begins. */
  upload_length: number | null
  upload_offset: number | null
  /** The request that writes, which its successor replaces; null after one that ended in order. */
  upload_writer: string | null
  /** The synced bytes: a `PartialBlob` as JSON; null once the file is acknowledged. */
  partial: string | null
  /** Time at which the synced bytes are removed. */
  resumable_until: number | null
  /** All columns from here on are null until a file has been acknowledged. */
  blob_key: string | null
  size: number | null
  sha256: string | null
  uploaded_at: number | null
  /** The publication that was created from the file, or whose version it is. */
  publication_id: string | null
}

/** The file that a path holds; this table makes paths unique. */
type StoredPathRow = { workspace_id: string; path: string; storage_key: string }

export type PublicationRow = Statements &
  ReadingRules & {
    id: string
    workspace_id: string
    /** The current slug. */
    slug: string
    title: string
    /**
     * Part of every signed address and image address; increases when the publication is unpublished or its
     * access changes, which ends them all.
     */
    epoch: number
    /** The version of the latest file, which the API describes. */
    version_id: string
    /** The version that readers see while the latest is not ready; null if no earlier one was ready. */
    shown_version_id: string | null
    created_at: number
    updated_at: number
    /** Start of the deletion; rows and blobs follow, this row last. */
    deleted_at: number | null
    /** The same time while it is in the bin, where rows and blobs stay; null or absent otherwise. */
    binned_at?: number | null
    /** View in which readers begin; null or absent for the guess of `firstViewOf`. */
    first_view?: FirstView | null
    /** 1 if the title comes from the file, so that a later file replaces it; else null. */
    title_from_file: number | null
    /** Title and slug, folded by `searchText`. */
    search_text: string | null
    /** 0 if text of its scans is not recognised; null or absent if it is. */
    recognize_text?: number | null
    /** Place on the shelf, from 0 on; null for a publication after all of these, newest first. */
    shelf_position: number | null
    /** The collection that it is in; null or absent for none. */
    collection_id?: string | null
  }

/** A slug that is or was in use. Without a publication, it is reserved for a new one of the same workspace. */
type SlugRow = { slug: string; workspace_id: string; publication_id: string | null }

/** A link that lets its holders read a publication, found by the beginning of its token's hash. */
export type ReaderLinkRow = {
  id: string
  publication_id: string
  token_sha256: string
  name: string | null
  /** 1 if it opens the publication in any state. */
  is_preview: number
  created_at: number
  expires_at: number | null
  /** Hash of its own password, in place of the publication's. */
  password_hash: string | null
  /** 1 if its holders get the PDF, and 0 if not; null as the publication says. */
  allow_download: number | null
}

/** A file of a publication, and the job of rendering it. */
export type VersionRow = {
  id: string
  publication_id: string
  /** 1 for the first file of a publication; the latest has the highest, also one that was gone back to. */
  number: number
  storage_key: string
  blob_key: string
  size: number
  sha256: string
  page_count: number
  /** JSON of `DocumentFacts`. */
  facts: string
  status: PublicationStatus
  /** Number of finished pages, including failed ones. */
  pages_ready: number
  /** JSON of `{code, detail}` if no page could be rendered. */
  failure: string | null
  /** 1 while there is something to render, even if the version is ready; 2 while that waits for the end of the bin. */
  has_work: number
  /** The instance that renders the version, exclusively until `lease_until`. */
  lease_owner: string | null
  lease_until: number | null
  /** Number of claims since a page was last finished. */
  attempts: number
  created_at: number
  /** Time at which another version replaced it. The newest of these are kept, and can be gone back to. */
  replaced_at: number | null
  /** Start of its removal: from then on nobody reads it or goes back to it. Null or absent for one that is kept. */
  removed_at?: number | null
  /** Number of pages whose text was recognised; null or absent for none. */
  pages_recognized?: number | null
  /** Time from which it has no further pages to recognise; null or absent before. */
  recognized_at?: number | null
  /** The recognised text of a PDF made of images, stored under `textKey`; null or absent without. */
  text_size?: number | null
  text_sha256?: string | null
  /** `CONTENT_FORM` of the program that read the file; null for an earlier one, whose documents are read again. */
  content_form?: number | null
}

/** The form of what is read of a document: 1 has comments, attached files, forms and languages. */
export const CONTENT_FORM = 1

/** A finished page of a version. A page without a row has yet to be rendered. */
export type PageRow = {
  version_id: string
  /** The first is 1. */
  page: number
  /** JSON of the existing images with their sizes in bytes: `{"1200.jpg": 81234}`. */
  images: string
  /**
   * JSON of the stored images, `StoredImage` by name; null for a page of an earlier version. An entry of another size
   * than in `images` is out of date: a version that does not know this column has made the image again.
   */
  image_sums: string | null
  /** 1 once all images exist that are made of every page. */
  is_complete: number
  /** Code and explanation of a failure; null for a rendered page. */
  failed_code: string | null
  failed_reason: string | null
  /** Text in reading order, for search engines and screen readers. */
  text: string
  /**
   * Parts that the paragraphs of the text play (`encodeRoles`): headings, lists, tables; null if the file does not say.
   */
  roles: string | null
  /** Deflated JSON of the words with their boxes, and of the links. */
  words: Uint8Array
  /** JSON of the comments (`PageComment`); null or absent for none. */
  comments?: string | null
  /** Source of the text; null or absent for the file, `unreadable` for a scan that cannot be recognised. */
  text_source?: 'recognized' | 'unreadable' | null
  /** The instance that recognises the page, exclusively until `recognition_until`. */
  recognition_owner?: string | null
  recognition_until?: number | null
  recognition_attempts?: number | null
}

/** The kinds of reading figures; `readers` are counted per day, `page` per page. */
export type FigureKind = 'views' | 'readers' | 'downloads' | 'seconds' | 'page'

/** The kind of views that came from a page of another site, with its host name: `from example.org`. */
export type SourceKind = `from ${string}`

/** A reading figure of a publication, or of one of its reader links, on a day, `2026-05-03` in UTC. */
export type ReadingFigureRow = {
  /** The publication, or the reader link: what is read by a link counts under both. */
  publication_id: string
  kind: FigureKind | SourceKind
  /** Page number for the kind `page`, else 0. */
  page: number
  day: string
  amount: number
}

/**
 * A reader of a publication or a reader link today, as a hash that cannot be reversed and is another one tomorrow.
 * Deleted after the day.
 */
export type DayReaderRow = { day: string; publication_id: string; reader: string }

/** The salt for the hashes of a day's readers, shared by all instances. Deleted after the day. */
type ReaderSaltRow = { day: string; salt: Uint8Array }

export type PublicationsTables = IdempotencyTables &
  FailuresTables &
  InspectionTables &
  WebhookTables &
  MaintenanceTables & {
    workspaces: WorkspaceRow
    workspace_faces: WorkspaceFaceRow
    shelf_slugs: ShelfSlugRow
    collections: CollectionRow
    collection_slugs: CollectionSlugRow
    workspace_domains: WorkspaceDomainRow
    api_keys: ApiKeyRow
    uploads: UploadRow
    stored_paths: StoredPathRow
    publications: PublicationRow
    slugs: SlugRow
    reader_links: ReaderLinkRow
    versions: VersionRow
    pages: PageRow
    reading_figures: ReadingFigureRow
    day_readers: DayReaderRow
    reader_salts: ReaderSaltRow
  }

/**
 * The place of each table in a distributed database. Tables that grow with pages and readers are spread. Publications,
 * their versions and globally unique values are few and read together, so they stay together on the coordinator.
 */
export const publicationsLayout: DatabaseLayout<PublicationsTables> = {
  workspaces: 'coordinator',
  workspace_faces: 'coordinator',
  shelf_slugs: 'coordinator',
  collections: 'coordinator',
  collection_slugs: 'coordinator',
  workspace_domains: 'coordinator',
  api_keys: 'coordinator',
  uploads: 'coordinator',
  stored_paths: 'coordinator',
  publications: 'coordinator',
  slugs: 'coordinator',
  reader_links: 'coordinator',
  sign_in_failures: 'coordinator',
  versions: 'coordinator',
  reader_salts: 'coordinator',
  idempotency_keys: 'coordinator',
  maintenance: 'coordinator',
  ...inspectionLayout,
  ...webhookLayout,
  pages: { by: 'version_id' },
  reading_figures: { by: 'publication_id' },
  day_readers: { by: 'publication_id', with: 'reading_figures' },
}

/** Opens and migrates the service's database, for the server and for the admin command. */
export function openPublicationsDatabase(settings: DatabaseSettings): Promise<Database<PublicationsTables>> {
  return openDatabase<PublicationsTables>(settings, 'publications', publicationsMigrations)
}
