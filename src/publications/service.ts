import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import type { Settings } from '#platform/config.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { Logger } from '#platform/logger.ts'
import { createAddressSigner } from '#platform/security/signed-address.ts'
import { rememberTokens } from '#platform/tokens/token-lookup.ts'
import type { publicationsConfig } from './config.ts'
import { DeliveredFiles } from './delivery/delivered-files.ts'
import { createFileAddresses } from './delivery/file-addresses.ts'
import { createImageLists } from './delivery/image-list-cache.ts'
import { createPageAddresses } from './delivery/page-addresses.ts'
import { createPageImages } from './delivery/page-images.ts'
import { PageWaits } from './delivery/page-waits.ts'
import type { Addresses, PublicationsDeps } from './deps.ts'
import { createRemover } from './documents/deletion-worker.ts'
import { createLocalDocuments } from './documents/local-documents.ts'
import { readAssets } from './public-pages/assets.ts'
import { createReaderFacts } from './reader-api/reader-facts-cache.ts'
import { FigureCounter } from './reading-figures/figure-counter.ts'
import { createReaderHash } from './reading-figures/reader-hash.ts'
import { createRenderer } from './rendering/threads/renderer.ts'
import { createRendering } from './rendering/work/create-rendering.ts'
import { createSearchableTexts } from './search/page-text-cache.ts'
import { createFiguresStore } from './storage/figures-store.ts'
import { openPublicationsDatabase } from './storage/open-database.ts'
import { createPageTextsStore } from './storage/page-texts-store.ts'
import { createPublicPageStore } from './storage/public-page-store.ts'
import { createPublicationsStore } from './storage/publications-store.ts'
import { createReadingStore } from './storage/reading-store.ts'
import { createRemovalStore } from './storage/removal-store.ts'
import { createUploadsStore } from './storage/uploads-store.ts'
import { createWorkspacesStore } from './storage/workspaces-store.ts'
import { sweepUploads } from './uploads/sweep-uploads.ts'

/** How often what has expired is removed. */
const CLEAN_EVERY_MS = 3_600_000
/** How often it is looked for workspaces that the admin command has deleted, which has no hold of the files. */
const LOOK_FOR_ENDED_EVERY_MS = 60_000

export type PublicationsServiceOptions = {
  config: Settings<typeof publicationsConfig>
  databaseUrl: string
  databaseConnections: number
  dataDir: string
  /** The installation's one secret, from which the service derives its keys. */
  secret: Buffer
  addresses: Addresses
  logger: Logger
  registry: Registry
  bodyBudget: BodyBudget
  now: () => number
}

/** The service with everything it is built from, and the way to end it. */
export type PublicationsService = { deps: PublicationsDeps; close(): Promise<void> }

/** Builds the service and starts its background work. */
export async function startPublicationsService(options: PublicationsServiceOptions): Promise<PublicationsService> {
  const { config, secret, addresses, logger, bodyBudget, now } = options
  const database = await openPublicationsDatabase(options)
  const { db } = database
  const blobs = await connectBlobs({ url: config.blobsUrl, dataDir: options.dataDir }).catch(async (error) => {
    await database.close()
    throw error
  })
  const renderer = createRenderer({ maxPages: config.maxPages })
  const localDocuments = createLocalDocuments(blobs)
  const rendering = createRendering({ ...options, db, blobs, renderer, localDocuments, notices: database.notices })
  const workspaces = createWorkspacesStore(db)
  const signers = { upload: createAddressSigner('upload', [secret]), file: createAddressSigner('file', [secret]) }
  const pageAddresses = createPageAddresses(secret)
  const reading = createReadingStore(db)
  const deliveredFiles = new DeliveredFiles(reading, database.notices, now)
  const pageWaits = new PageWaits(rendering.pages, rendering.changes)
  const uploads = createUploadsStore(db)
  const publications = createPublicationsStore({ db, uploads, now })
  const figures = createFiguresStore(db)
  const figureCounter = new FigureCounter({ figures, readerHash: createReaderHash(figures, secret), logger, now })
  const remover = createRemover({ removal: createRemovalStore(db), workspaces, blobs, logger, now })
  const deps: PublicationsDeps = {
    database,
    db,
    blobs,
    renderer,
    localDocuments,
    workspaces,
    uploads,
    publications,
    keys: rememberTokens((hash) => workspaces.findByKey(hash, now()), database.notices, now),
    signers,
    addresses,
    reading,
    fileAddresses: createFileAddresses({ signer: signers.file, base: addresses.base, now }),
    pageAddresses,
    imageLists: createImageLists(pageAddresses, addresses.cdn),
    publicPages: createPublicPageStore(db),
    pageAssets: readAssets(),
    searchableTexts: createSearchableTexts(createPageTextsStore(db)),
    readerFacts: createReaderFacts({ publications, pageAddresses, cdn: addresses.cdn }),
    versions: rendering.versions,
    pages: rendering.pages,
    renderQueue: rendering.queue,
    versionChanges: rendering.changes,
    deliveredFiles,
    pageImages: createPageImages({
      blobs,
      versions: rendering.versions,
      renderQueue: rendering.queue,
      imageMaker: rendering.maker,
      waits: pageWaits,
    }),
    pageWaits,
    imageCacheBytes: config.imageCacheBytes,
    figures,
    figureCounter,
    remover,
    logger,
    bodyBudget,
    now,
    rateLimit: config.rateLimit,
    maxUploadBytes: config.maxUploadBytes,
    maxPages: config.maxPages,
  }
  void removeExpired(deps)
  rendering.queue.start()
  const timers = [
    setInterval(() => void removeExpired(deps), CLEAN_EVERY_MS).unref(),
    setInterval(() => void removeEnded(deps), LOOK_FOR_ENDED_EVERY_MS).unref(),
  ]
  return {
    deps,
    async close() {
      for (const timer of timers) clearInterval(timer)
      await figureCounter.close()
      await remover.close()
      await rendering.close()
      deliveredFiles.close()
      await renderer.close()
      await localDocuments.close()
      await blobs.close()
      await database.close()
    },
  }
}

/** Removes what has expired. */
async function removeExpired(deps: PublicationsDeps): Promise<void> {
  const { db, workspaces, figureCounter, remover, now, logger } = deps
  try {
    await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
    await workspaces.removeEndedKeys(now())
    await figureCounter.forgetReaders()
    await sweepUploads(deps)
    await remover.sweep()
  } catch (err) {
    logger.warn({ err }, 'removing what has expired failed')
  }
}

async function removeEnded({ workspaces, remover, logger }: PublicationsDeps): Promise<void> {
  try {
    if ((await workspaces.ended()).length > 0) remover.wake()
  } catch (err) {
    logger.warn({ err }, 'looking for deleted workspaces failed')
  }
}
