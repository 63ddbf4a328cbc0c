import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import type { Settings } from '#platform/basics/config.ts'
import type { Logger } from '#platform/basics/logger.ts'
import type { Secrets } from '#platform/basics/secrets.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { createCredentialLookup } from '#platform/credentials/credentials.ts'
import type { HashCost } from '#platform/credentials/password-hash.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import { openInspection } from '#platform/doctor/data-inspector.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import { LimitExchange } from '#platform/http/limit-exchange.ts'
import { TICK_MS } from '#platform/http/shared-limit.ts'
import type { Jobs, ServiceJobs } from '#platform/jobs/jobs.ts'
import { MaintenanceClock, type ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import { createResolveName } from '#platform/webhooks/address-policy.ts'
import type { WebhookOptions } from '#platform/webhooks/create-webhooks.ts'
import { createReaderFactsCache } from './delivery/answer-caches.ts'
import { createDocumentSteps } from './document-steps.ts'
import { createDeletionWorker } from './documents/deletion-worker.ts'
import { createRemovalStore } from './documents/removal-store.ts'
import { sweepUploads } from './documents/upload-tickets.ts'
import { FigureCounter } from './figures/figure-counter.ts'
import { createReaderHash } from './figures/readers.ts'
import { createFiguresStore } from './figures/store.ts'
import { createLibraryWatches } from './library/library-watch.ts'
import { createOperatorWorkspacesStore } from './library/operator-workspaces-store.ts'
import { createCompletePublicationMessage, createPublicationWebhooks } from './library/webhooks.ts'
import { createApiKeysStore, createWorkspaceKeys, deriveSealingKeys, openedByKey } from './library/workspace-keys.ts'
import { keptPublications } from './model/backup.ts'
import { createPublicationBin } from './model/bin-store.ts'
import { createCollectionsStore } from './model/collections-store.ts'
import type { Addresses, publicationsConfig } from './model/config.ts'
import { createFacesStore } from './model/faces-store.ts'
import { createLibraryStore } from './model/library-store.ts'
import { createPageTextsStore } from './model/pages-store.ts'
import { createPublicPageStore } from './model/public-page-store.ts'
import { createShelfStore } from './model/shelf-store.ts'
import { openPublicationsDatabase, type PublicationsTables } from './model/tables.ts'
import { createWorkspacesStore } from './model/workspaces-store.ts'
import { readAssets } from './public-pages/assets.ts'
import { createDocumentSearch } from './search/document-search.ts'
import { createShelfSearch } from './search/shelf-search.ts'
import { createLogoReader } from './shelf/logo-reader.ts'

type PublicationsServiceOptions = {
  config: Settings<typeof publicationsConfig>
  /** Days for which what operators delete can be restored; 0 for no bin. */
  binDays: number
  databaseUrl: string
  databaseConnections: number
  copyBeforeUpgrade?: boolean
  programVersion?: string
  dataDir: string
  /** The installation's secrets, from which the service derives its keys. */
  secrets: Secrets
  addresses: Addresses
  /** Host name of the dashboard; undefined if it answers under any name. */
  dashboardHost: string | undefined
  logger: Logger
  registry: Registry
  bodyBudget: BodyBudget
  webhooks: WebhookOptions
  hashCost?: HashCost
  jobs: Jobs
  now: () => number
}

/** The running service: everything that its routes are built from, and the function that ends it. */
export type PublicationsService = Awaited<ReturnType<typeof startPublicationsService>>

/** Parts of the running service. */
export type PublicationsDeps = PublicationsService['deps']

/** Builds the service and starts its background work. */
export async function startPublicationsService(options: PublicationsServiceOptions) {
  const { config } = options
  const database = await openPublicationsDatabase(options)
  const blobs = await openBlobs(options, database.db).catch(async (error) => {
    await database.close()
    throw error
  })
  const common = { ...options, ...config, database, db: database.db, notices: database.notices, blobs }
  const steps = createDocumentSteps(common)
  const publishing = createPublishing(common)
  const limitExchange = database.notices && new LimitExchange({ notices: database.notices })
  const webhooks = createPublicationWebhooks(options, database.db)
  const deps = {
    ...common,
    webhooks,
    webhookRouteDeps: webhooks.routeDeps,
    resolveName: options.webhooks.resolveName ?? createResolveName(),
    limitExchange,
    ...publishing,
    ...createReading(common, steps),
    ...createOperatorDeps(common, publishing, steps),
    maintenanceClock: new MaintenanceClock({
      ...options,
      db: database.db as unknown as Kysely<never>,
      service: 'publications',
      // Only the bin and uploads that nobody published have an age, and they are few.
      countOverdue: async () => ({ count: 0, isLarge: false }),
    }),
    ...steps,
    ...steps.rendering,
    ...steps.delivery,
    inspection: openInspection({ ...common, kept: keptPublications, blobs: async () => blobs }),
  }
  const { figureCounter, deletionWorker, libraryWatches } = deps
  deps.renderQueue.start()
  const jobs = options.jobs.of('publications')
  webhooks.start(createCompletePublicationMessage(deps), jobs)
  addJobs(jobs, deps)
  return {
    deps,
    maintenance: {
      clock: deps.maintenanceClock,
      run: () => void jobs.run('publications-cleaning'),
    } satisfies ServiceMaintenance,

    /** Creates a workspace if there has never been one; of processes that start at the same time, one does. */
    async createFirstWorkspace() {
      if (!(await deps.workspaces.isEmpty())) return undefined
      return await database.exclusively(async (transaction) => {
        const workspaces = createWorkspacesStore(transaction)
        if (!(await workspaces.isEmpty())) return undefined
        return await createWorkspaceKeys({ ...deps, workspaces, apiKeys: createApiKeysStore(transaction) }).create(
          'Default',
        )
      })
    },

    async close() {
      jobs.stop()
      limitExchange?.close()
      await deps.inspection.inspector.close()
      await webhooks.close()
      await deps.keyUse.close()
      await Promise.all([deps.documentSearch.close(), deps.shelfSearch.close(), deps.logoReader.close()])
      await libraryWatches.close()
      await figureCounter.close()
      await deletionWorker.close()
      await steps.close()
      await jobs.close()
      await blobs.close()
      await database.close()
    },
  }
}

/**
 * Opens the store of files. At the first start it must work, so that wrong settings show at once. Later starts do not
 * wait for a bucket: all that needs none of its files is answered meanwhile.
 */
async function openBlobs({ config, dataDir, logger }: PublicationsServiceOptions, db: Kysely<PublicationsTables>) {
  const blobs = await connectBlobs({ url: config.blobsUrl, dataDir })
  if (await createWorkspacesStore(db).isEmpty()) {
    await blobs.check().catch(async (error) => {
      await blobs.close()
      throw error
    })
  } else void blobs.check().catch((err) => logger.warn({ err }, 'the stored files cannot be used at the moment'))
  return blobs
}

type Common = PublicationsServiceOptions & Parameters<typeof createDocumentSteps>[0]
type Steps = ReturnType<typeof createDocumentSteps>
type Publishing = ReturnType<typeof createPublishing>

/** Builds the operations by which workspaces change publications. */
function createPublishing({ db, notices, blobs, config, logger, now }: Common) {
  const workspaces = createWorkspacesStore(db)
  const apiKeys = createApiKeysStore(db)
  const onFailure = (err: unknown) => logger.warn({ err }, 'storing the use of keys failed')
  const lookup = createCredentialLookup({ store: apiKeys, opened: openedByKey, notices, now, onFailure })
  const deletionWorker = createDeletionWorker({
    removal: createRemovalStore(db),
    workspaces,
    blobs,
    versionsKept: config.versionsKept,
    logger,
    now,
  })
  return {
    workspaces,
    apiKeys,
    keyUse: lookup.use,
    keys: lookup.find,
    deletionWorker,
  }
}

/** Builds the pages and files for readers, and the figures of their reading. */
function createReading({ db, secrets, addresses, logger, now }: Common, { publications, delivery }: Steps) {
  const figures = createFiguresStore(db)
  const shelves = createShelfStore(db, now)
  const pageTexts = createPageTextsStore(db)
  return {
    publicPages: createPublicPageStore(db, now),
    faces: createFacesStore(db),
    collections: createCollectionsStore(db, now),
    shelves,
    shelfSearch: createShelfSearch(shelves),
    pageAssets: readAssets(),
    pageTexts,
    documentSearch: createDocumentSearch(pageTexts),
    readerFacts: createReaderFactsCache(publications, delivery.pageAddresses, addresses.cdn, now),
    figures,
    figureCounter: new FigureCounter({ figures, readerHash: createReaderHash(figures, secrets), logger, now }),
  }
}

/** Builds the parts that only operators use. */
function createOperatorDeps(
  { db, binDays, notices, secrets, addresses, registry, logger, now }: Common,
  { workspaces, apiKeys }: Publishing,
  { uploads }: Steps,
) {
  const sealingKeys = deriveSealingKeys(secrets)
  return {
    sealingKeys,
    operatorWorkspaces: createOperatorWorkspacesStore(db),
    library: createLibraryStore(db, now),
    bin: createPublicationBin({ db, uploads, binDays, now }),
    logoReader: createLogoReader(),
    workspaceKeys: createWorkspaceKeys({ workspaces, apiKeys, notices, sealingKeys, now }),
    libraryWatches: createLibraryWatches({ db, figures: createFiguresStore(db), addresses, registry, logger, now }),
  }
}

/** Adds the background jobs of the service. */
function addJobs(jobs: ServiceJobs, deps: PublicationsDeps): void {
  const { figureCounter, inspection, keyUse, limitExchange, versionChanges, versions, recognition } = deps
  jobs.every('publications-cleaning', {
    everyMs: 3_600_000,
    atStart: true,
    doc: 'Removes expired keys, uploads that nobody published and what was in the bin for long enough, and finishes interrupted deletions.',
    run: () => removeExpired(deps),
  })
  jobs.every('deleted-workspaces', {
    everyMs: 60_000,
    doc: 'Removes the files of workspaces that the admin command has deleted, which has no access to them.',
    run: () => removeEnded(deps),
  })
  jobs.every('publications-inspection', {
    everyMs: 60_000,
    doc: 'Checks the stored data for damage, slowly and once a day. Each minute, it checks whether that is due.',
    run: () => inspection.inspector.inspect(),
  })
  jobs.every('api-key-use', {
    everyMs: 60_000,
    doc: 'Records when API keys were last used.',
    run: () => keyUse.write(),
  })
  jobs.every('reading-figures', {
    // A process that is killed loses the figures since the last run.
    everyMs: 3_000,
    doc: 'Stores reading figures, which are counted in memory first.',
    run: () => figureCounter.store(),
  })
  jobs.every('rendering-progress', {
    everyMs: 1_000,
    doc: 'Looks for progress of documents that another instance renders, while somebody waits for one.',
    isDue: () => versionChanges.isWatched,
    run: () => versionChanges.lookAtAll(),
  })
  jobs.queue('renderings', {
    isShared: true,
    doc: 'Documents that still have pages or images to render.',
    countWaiting: () => versions.countWaiting(),
  })
  jobs.queue('rereadings', {
    isShared: true,
    doc: 'Documents that an earlier version has rendered, to be read again for their comments, attached files and language.',
    countWaiting: () => deps.rereadQueue.countWaiting(),
  })
  deps.rereadQueue.start()
  recognition?.start(jobs)
  if (limitExchange === undefined) return
  jobs.every('publications-limits', {
    everyMs: TICK_MS,
    atStart: true,
    doc: 'Divides limits on requests among the instances.',
    run: () => limitExchange.tick(),
  })
}

async function removeExpired(deps: PublicationsDeps): Promise<void> {
  const { apiKeys, database, db, figureCounter, deletionWorker, webhooks, maintenanceClock, now } = deps
  await figureCounter.forgetReaders()
  await deps.readerPasswords.forgetFailures()
  const mayDelete = await maintenanceClock.mayDelete()
  if (mayDelete) await deps.bin.endDue()
  await deletionWorker.sweep()
  if (mayDelete) {
    await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
    await apiKeys.removeEnded(now())
    await webhooks.removeExpired()
    await sweepUploads(deps)
  }
  await database.maintain()
}

async function removeEnded({ workspaces, deletionWorker }: PublicationsDeps): Promise<void> {
  if ((await workspaces.ended()).length > 0) deletionWorker.wake()
}
