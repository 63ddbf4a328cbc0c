import type { IdempotencyTables } from '#platform/database/idempotency.ts'

/** A workspace: whose publications these are. Times are milliseconds since 1970 in all tables. */
export type WorkspaceRow = {
  id: string
  name: string
  created_at: number
  /** When its deletion began; the row goes last, so that an interrupted deletion is taken up again. */
  deleted_at: number | null
}

/** A key of a workspace, found by the SHA-256 of its text; the text itself is kept sealed, for display. */
export type ApiKeyRow = {
  key_sha256: string
  workspace_id: string
  sealed: Uint8Array
  created_at: number
  /** When it ends; null while nothing ends it. */
  expires_at: number | null
}

/** An upload ticket and, once a file came, what is known of the file. */
export type UploadRow = {
  storage_key: string
  workspace_id: string
  /** Within the workspace, in Unicode NFC. */
  path: string
  created_at: number
  /** Until when an upload may begin. */
  expires_at: number
  /** The rest is null until a file has been acknowledged. */
  blob_key: string | null
  size: number | null
  sha256: string | null
  uploaded_at: number | null
  /** The publication made from it, or of which it is a version. */
  publication_id: string | null
}

/** Which file a path holds: the place where the uniqueness of paths lives. */
export type StoredPathRow = { workspace_id: string; path: string; storage_key: string }

export type PublicationRow = {
  id: string
  workspace_id: string
  /** The one it is known by now. */
  slug: string
  title: string
  /** Part of every signed address and image address; moves when the publication is withdrawn, which ends them all. */
  epoch: number
  unpublished_at: number | null
  /** What the API speaks of: the version of the latest file. */
  version_id: string
  /** What readers see while the latest version is not ready; null where no earlier one was ready. */
  shown_version_id: string | null
  created_at: number
  updated_at: number
  /** When its deletion began; rows and blobs follow, this row last. */
  deleted_at: number | null
  /** Title and slug as `searchText` folds them. */
  search_text: string | null
}

/** Every slug that is or was a publication's. Without a publication it waits for a new one of the same workspace. */
export type SlugRow = { slug: string; workspace_id: string; publication_id: string | null }

/** A file of a publication, and the work of rendering it: the row is the job. */
export type VersionRow = {
  id: string
  publication_id: string
  /** 1 for the file it was created from. */
  number: number
  storage_key: string
  blob_key: string
  size: number
  sha256: string
  page_count: number
  /** JSON of `DocumentFacts`: sizes and labels of pages, outline, metadata, language, findings. */
  facts: string
  /** `processing`, `ready` or `failed`. */
  status: string
  /** Pages that are finished, those that failed included. */
  pages_ready: number
  /** JSON of `{code, detail}` where no page could be rendered. */
  failure: string | null
  /** 1 while there is something to render, also after it is ready. */
  has_work: number
  /** Who works on it, and until when nobody else may. */
  lease_owner: string | null
  lease_until: number | null
  /** Times it was taken up since a page was last finished. */
  attempts: number
  created_at: number
  /** When a later version took its place; its images stay for a while. */
  replaced_at: number | null
}

/** A finished page of a version. A page without a row is still to be rendered. */
export type PageRow = {
  version_id: string
  /** The first is 1. */
  page: number
  /** JSON of the images there are: `{"1200.jpg": 81234}`, sizes in bytes. */
  images: string
  /** 1 once every image that is made of every page is there; 0 while the later ones are missing. */
  is_complete: number
  /** Why there is no image but a placeholder: a code and words; null for a good page. */
  failed_code: string | null
  failed_reason: string | null
  /** Its text in reading order, for search engines and screen readers. */
  text: string
  /** Deflated JSON of its words with boxes, and its links. */
  words: Uint8Array
}

/** How often something happened to a publication on a day, `2026-05-03` in UTC. */
export type ReadingFigureRow = {
  publication_id: string
  /** `views`, `readers`, `downloads`, `seconds` or `page`. */
  kind: string
  /** 0 for what is not about a page. */
  page: number
  day: string
  amount: number
}

/** Who has read a publication today, by a hash that nobody can undo and that is another one tomorrow. Goes with the day. */
export type DayReaderRow = { day: string; publication_id: string; reader: string }

/** What readers of a day are hashed with, on all instances. Goes with the day. */
export type ReaderSaltRow = { day: string; salt: Uint8Array }

export type PublicationsTables = IdempotencyTables & {
  workspaces: WorkspaceRow
  api_keys: ApiKeyRow
  uploads: UploadRow
  stored_paths: StoredPathRow
  publications: PublicationRow
  slugs: SlugRow
  versions: VersionRow
  pages: PageRow
  reading_figures: ReadingFigureRow
  day_readers: DayReaderRow
  reader_salts: ReaderSaltRow
}
