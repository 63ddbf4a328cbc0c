import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Logger } from '#platform/basics/logger.ts'
import type { Secrets } from '#platform/basics/secrets.ts'
import type { BlobStore } from '#platform/blobs/blob-store.ts'
import type { HashCost } from '#platform/credentials/password-hash.ts'
import { type AddressSigner, createAddressSigner } from '#platform/credentials/signed-address.ts'
import type { Notices } from '#platform/database/notices.ts'
import type { ServiceJobs } from '#platform/jobs/jobs.ts'
import { createFileAddresses, createPageAddresses } from './delivery/addresses.ts'
import { createImageListCache, DeliveredFiles } from './delivery/answer-caches.ts'
import { createPageImages, ImageMaker, PageWaits } from './delivery/page-images.ts'
import { AppendedUploads } from './documents/append-upload.ts'
import { createLocalDocuments } from './documents/local-documents.ts'
import { createPrepareFile } from './documents/prepare-file.ts'
import type { DocumentsDeps } from './documents/store-upload.ts'
import { UploadLimiter } from './documents/upload-file.ts'
import { createUploadTickets, TICKET_LIFETIME_MS } from './documents/upload-tickets.ts'
import type { Addresses } from './model/config.ts'
import { createFilesStore } from './model/files-store.ts'
import { createPagesStore } from './model/pages-store.ts'
import { createPublicationsStore } from './model/publications-store.ts'
import { createReaderLinks } from './model/reader-links.ts'
import { createReaderPasswords } from './model/reader-passwords.ts'
import type { PublicationsTables } from './model/tables.ts'
import { createUploadsStore } from './model/uploads-store.ts'
import { createVersionsStore, VersionChanges, type VersionsStore } from './model/versions.ts'
import { RecognitionQueue } from './recognition/recognition-queue.ts'
import { createRecognitionStore } from './recognition/store.ts'
import { createTextRecognizer } from './recognition/text-recognizer.ts'
import { createLanguageDetector, type LanguageDetector } from './rendering/detect-language.ts'
import { createPreparationMetrics, PreparedDocuments } from './rendering/prepared-documents.ts'
import { RenderQueue } from './rendering/render-queue.ts'
import { ByteBudget, createRenderMetrics, type RenderWorkDeps } from './rendering/render-work-deps.ts'
import { RereadQueue } from './rendering/reread-queue.ts'
import { createRenderer } from './rendering/threads/renderer.ts'
import { createSourceReader } from './sources/source-reader.ts'

/** Parts of the service that the steps of a document are built from. */
type Deps = {
  db: Kysely<PublicationsTables>
  notices: Notices | undefined
  blobs: BlobStore
  secrets: Secrets
  addresses: Addresses
  registry: Registry
  maxUploadBytes: number
  maxPages: number
  /** Recognises the text of scans, in these languages if a document states none. */
  recognition: boolean
  recognitionLanguages: readonly string[]
  /** Cost of hashing passwords; less in tests. */
  hashCost?: HashCost
  logger: Logger
  now: () => number
}

type Engine = Deps & DocumentsDeps & { languageDetector: LanguageDetector }

/** Builds the steps of a document from its upload ticket to its readers, in the order in which it passes them. */
export function createDocumentSteps(deps: Deps) {
  const { db, blobs, secrets, addresses, maxPages, now } = deps
  const uploads = createUploadsStore(db)
  const renderer = createRenderer({ maxPages })
  const sourceReader = createSourceReader()
  const localDocuments = createLocalDocuments(blobs)
  const metrics = createPreparationMetrics(deps.registry, () => preparedDocuments.bytes)
  const preparedDocuments = new PreparedDocuments({ renderer, localDocuments, metrics }, { lifeMs: TICKET_LIFETIME_MS })
  // Each purpose has a key of its own: the signature of an upload address is worthless for a file.
  const signers = { upload: createAddressSigner('upload', secrets), file: createAddressSigner('file', secrets) }

  const languageDetector = createLanguageDetector(db, now)
  const engine = { ...deps, languageDetector, uploads, renderer, sourceReader, localDocuments, preparedDocuments }

  // 1. A ticket grants one upload, at a signed address.
  const tickets = createUploadTickets(uploads, signers.upload, addresses, now)
  // 2. The upload is checked and stored while it arrives; of images, a PDF is made and stored. Then the file is opened
  //    and its first page rendered ahead (`storeUpload`).
  const appendedUploads = new AppendedUploads(engine)
  // 3. Inspection opens the file, unless that has been done, and refuses files that cannot be published.
  const prepareFile = createPrepareFile(engine)
  // 4. The file becomes a version, of a new publication or of an existing one.
  const publications = createPublicationsStore(db, uploads, now)
  // 5. Rendering makes page images and texts of the version.
  const rendering = createRendering(engine)
  // 6. Recognition finds the text of pages without any, once there is nothing to render.
  const recognition = createRecognition(engine, rendering.versions)
  // 7. Delivery sends the PDF and the page images to readers.
  const delivery = createDelivery(deps, rendering, signers.file)

  return {
    uploads,
    localDocuments,
    renderer,
    sourceReader,
    preparedDocuments,
    signers,
    tickets,
    uploadLimiter: new UploadLimiter(),
    appendedUploads,
    prepareFile,
    publications,
    rendering,
    recognition,
    delivery,
    async close() {
      await recognition?.close()
      await rendering.close()
      delivery.deliveredFiles.close()
      await Promise.all([languageDetector.close(), renderer.close(), sourceReader.close(), preparedDocuments.close()])
      await localDocuments.close()
    },
  }
}

/** Limit on bitmaps waiting to be encoded and stored: about twenty ordinary pages, or two of the largest. */
const BITMAP_BYTES = 134_217_728

/** Builds the rendering of versions: in the background, which `renderQueue.start()` begins, and on request. */
function createRendering(options: Engine) {
  const versions = createVersionsStore(options.db)
  const pages = createPagesStore(options.db)
  const versionChanges = new VersionChanges(versions, options.notices)
  const deps: RenderWorkDeps = {
    ...options,
    versions,
    pages,
    changes: versionChanges,
    budget: new ByteBudget(BITMAP_BYTES),
    metrics: createRenderMetrics(options.registry, () => versions.countWaiting()),
  }
  const renderQueue = new RenderQueue(deps)
  const rereadQueue = new RereadQueue(deps)
  const imageMaker = new ImageMaker(deps)
  return {
    versions,
    pages,
    versionChanges,
    renderQueue,
    rereadQueue,
    imageMaker,
    async close() {
      await Promise.all([renderQueue.close(), rereadQueue.close(), imageMaker.close()])
      versionChanges.close()
    },
  }
}

/** Builds the recognition of text; undefined if it is off, or its packages are not installed. */
function createRecognition(options: Engine, versions: VersionsStore) {
  const { db, logger, recognition, recognitionLanguages } = options
  if (!recognition) return undefined
  const recognizer = createTextRecognizer(recognitionLanguages)
  if (recognizer === undefined) {
    logger.warn('text of scans is not recognised, because packages are not installed')
    return undefined
  }
  const store = createRecognitionStore(db)
  const queue = new RecognitionQueue({ ...options, store, recognizer, versions })
  return {
    start(jobs: ServiceJobs) {
      jobs.queue('recognitions', {
        isShared: true,
        doc: 'Documents that may have pages without text. It is recognised while there is nothing to render.',
        countWaiting: () => store.countWaiting(),
      })
      queue.start()
    },
    async close() {
      await queue.close()
      await recognizer.close()
    },
  }
}

/** Builds the delivery of PDFs and page images: their addresses and contents. */
function createDelivery(
  { db, blobs, notices, secrets, addresses, hashCost, now }: Deps,
  rendering: ReturnType<typeof createRendering>,
  signer: AddressSigner,
) {
  const { versions, renderQueue, imageMaker } = rendering
  const files = createFilesStore(db, now)
  const readerPasswords = createReaderPasswords({ db, secrets, hashCost, now })
  const pageAddresses = createPageAddresses(secrets)
  const deliveredFiles = new DeliveredFiles(files, notices, now)
  const pageWaits = new PageWaits(rendering.pages, rendering.versionChanges)
  return {
    files,
    readerPasswords,
    readerLinks: createReaderLinks(db, readerPasswords, notices, now),
    fileAddresses: createFileAddresses(signer, addresses.cdn, now),
    pageAddresses,
    imageLists: createImageListCache(pageAddresses, addresses.cdn, now),
    deliveredFiles,
    pageWaits,
    pageImages: createPageImages({ blobs, versions, renderQueue, imageMaker, pageWaits }),
  }
}
