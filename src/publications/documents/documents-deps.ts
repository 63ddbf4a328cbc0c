import type { Kysely } from 'kysely'
import type { Logger } from '#platform/basics/logger.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { PublicationsTables } from '../model/tables.ts'
import type { UploadsStore } from '../model/uploads-store.ts'
import type { PreparedDocuments } from '../rendering/prepared-documents.ts'
import type { Renderer } from '../rendering/threads/renderer.ts'
import type { SourceReader } from '../sources/source-reader.ts'
import type { LocalDocuments } from './local-documents.ts'

/** Parts that receiving, storing and inspecting of documents are built from. */
export type DocumentsDeps = {
  db: Kysely<PublicationsTables>
  blobs: BlobStore
  uploads: UploadsStore
  localDocuments: LocalDocuments
  renderer: Renderer
  sourceReader: SourceReader
  preparedDocuments: PreparedDocuments
  maxUploadBytes: number
  maxPages: number
  logger: Logger
  now: () => number
}
