import type { Kysely } from 'kysely'
import type { Registry } from 'prom-client'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import type { Settings } from '#platform/config.ts'
import { forgetOldAnswers, type IdempotencyTables } from '#platform/database/idempotency.ts'
import type { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { LimitExchange } from '#platform/http/limits/shared/limit-exchange.ts'
import { openInspection } from '#platform/inspection/open-inspection.ts'
import type { Logger } from '#platform/logger.ts'
import type { Secrets } from '#platform/security/secret.ts'
import { rememberTokens } from '#platform/tokens/token-lookup.ts'
import { TokenUse } from '#platform/tokens/token-use.ts'
import { type ServiceUpkeep, UpkeepClock } from '#platform/upkeep/upkeep-clock.ts'
import type { WebhookOptions } from '#platform/webhooks/create-webhooks.ts'
import { keptPublications } from './backup/kept-publications.ts'
import type { publicationsConfig } from './config.ts'
import { createDocumentSteps } from './document-steps.ts'
import { createDeletionWorker } from './documents/deletion-worker.ts'
import { createPublicationChanges } from './documents/publication-changes.ts'
import type { Addresses } from './domain/addresses.ts'
import { createLibraryWatches } from './live/library-watches.ts'
import { readAssets } from './public-pages/assets.ts'
import { createReaderFactsCache } from './reader-api/reader-facts-cache.ts'
import { FigureCounter } from './reading-figures/figure-counter.ts'
import { createReaderHash } from './reading-figures/reader-hash.ts'
import { createDocumentSearch } from './search/document-search.ts'
import { createApiKeysStore } from './storage/api-keys-store.ts'
import { createFiguresStore } from './storage/figures-store.ts'
import { createLibraryStore } from './storage/library/library-store.ts'
import { openPublicationsDatabase } from './storage/open-database.ts'
import { createOperatorWorkspacesStore } from './storage/operator-workspaces-store.ts'
import { createPageTextsStore } from './storage/page-texts-store.ts'
import { createPublicPageStore } from './storage/public-page-store.ts'
import { createRemovalStore } from './storage/removal-store.ts'
import type { PublicationsTables } from './storage/tables.ts'
import { createWorkspacesStore } from './storage/workspaces-store.ts'
import { sweepUploads } from './uploads/sweep-uploads.ts'
import { createCompletePublicationMessage } from './webhooks/complete-publication-message.ts'
import { createPublicationWebhooks } from './webhooks/create-publication-webhooks.ts'
import { createWorkspaceKeys, deriveSealingKeys } from './workspaces/workspace-keys.ts'

/** Interval between removals of expired data. */
const CLEAN_EVERY_MS = 3_600_000
/** Interval of looks for workspaces that the admin command has deleted, which has no access to the files. */
const LOOK_FOR_ENDED_EVERY_MS = 60_000

type PublicationsServiceOptions = {
  config: Settings<typeof publicationsConfig>
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
  now: () => number
}

/** The running service: everything that its routes are built from, and the function that ends it. */
export type PublicationsService = Awaited<ReturnType<typeof startPublicationsService>>

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
  const publishing = createPublishing(common, steps)
  const limitExchange = database.notices && new LimitExchange({ notices: database.notices })
  const webhooks = createPublicationWebhooks(options, database.db)
  const deps = {
    ...common,
    webhooks,
    webhookRouteDeps: webhooks.routeDeps,
    limitExchange,
    ...publishing,
    ...createReading(common, steps),
    ...createOperatorDeps(common, publishing),
    upkeepClock: new UpkeepClock({
      ...options,
      db: database.db as unknown as Kysely<never>,
      service: 'publications',
      // Only uploads that nobody published have an age, and they are few.
      countOverdue: async () => ({ count: 0, isLarge: false }),
    }),
    ...steps,
    ...steps.rendering,
    ...steps.delivery,
    inspection: openInspection({ ...common, kept: keptPublications, blobs: async () => blobs }),
  }
  const { figureCounter, deletionWorker, libraryWatches } = deps
  void removeExpired(deps)
  deps.renderQueue.start()
  webhooks.start(createCompletePublicationMessage(deps))
  limitExchange?.start()
  deps.inspection.inspector.start()
  const timers = [
    setInterval(() => void removeExpired(deps), CLEAN_EVERY_MS).unref(),
    setInterval(() => void removeEnded(deps), LOOK_FOR_ENDED_EVERY_MS).unref(),
  ]
  return {
    deps,
    upkeep: { clock: deps.upkeepClock, run: () => void removeExpired(deps) } satisfies ServiceUpkeep,

    /** Creates a workspace if there has never been one; of processes that start at the same time, one does. */
    async createFirstWorkspace() {
      if (!(await deps.workspaces.isEmpty())) return undefined
      return await database.exclusively(async (transaction) => {
        const workspaces = createWorkspacesStore(transaction)
        if (!(await workspaces.isEmpty())) return undefined
        return await createWorkspaceKeys({ ...deps, workspaces }).create('Default')
      })
    },

    async close() {
      for (const timer of timers) clearInterval(timer)
      limitExchange?.close()
      await deps.inspection.inspector.close()
      await webhooks.close()
      await deps.keyUse.close()
      await deps.documentSearch.close()
      await libraryWatches.close()
      await figureCounter.close()
      await deletionWorker.close()
      await steps.close()
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

/** Builds what workspaces change publications with. */
function createPublishing({ db, notices, blobs, logger, now }: Common, steps: Steps) {
  const workspaces = createWorkspacesStore(db)
  const apiKeys = createApiKeysStore(db)
  const onFailure = (err: unknown) => logger.warn({ err }, 'storing the use of keys failed')
  const keyUse = new TokenUse({ store: apiKeys, now, onFailure })
  const findKey = async (hash: string) => {
    const found = await workspaces.findByKey(hash, now())
    if (found !== undefined) keyUse.note(hash)
    return found
  }
  const deletionWorker = createDeletionWorker({ removal: createRemovalStore(db), workspaces, blobs, logger, now })
  return {
    workspaces,
    apiKeys,
    keyUse,
    keys: rememberTokens(findKey, notices, now),
    deletionWorker,
    publicationChanges: createPublicationChanges({ ...steps, ...steps.rendering, ...steps.delivery, deletionWorker }),
  }
}

/** Builds what readers see, and the figures of how they read. */
function createReading({ db, secrets, addresses, logger, now }: Common, { publications, delivery }: Steps) {
  const figures = createFiguresStore(db)
  return {
    publicPages: createPublicPageStore(db),
    pageAssets: readAssets(),
    documentSearch: createDocumentSearch(createPageTextsStore(db)),
    readerFacts: createReaderFactsCache({ ...delivery, publications, cdn: addresses.cdn }),
    figures,
    figureCounter: new FigureCounter({ figures, readerHash: createReaderHash(figures, secrets), logger, now }),
  }
}

/** Builds what only operators use. */
function createOperatorDeps(
  { db, notices, secrets, addresses, registry, logger, now }: Common,
  { workspaces, apiKeys }: Publishing,
) {
  const sealingKeys = deriveSealingKeys(secrets)
  return {
    sealingKeys,
    operatorWorkspaces: createOperatorWorkspacesStore(db),
    library: createLibraryStore(db),
    workspaceKeys: createWorkspaceKeys({ workspaces, apiKeys, notices, sealingKeys, now }),
    libraryWatches: createLibraryWatches({ db, figures: createFiguresStore(db), addresses, registry, logger, now }),
  }
}

type RemovalDeps = Parameters<typeof sweepUploads>[0] &
  Pick<
    PublicationsService['deps'],
    'database' | 'db' | 'workspaces' | 'figureCounter' | 'deletionWorker' | 'webhooks' | 'upkeepClock' | 'logger'
  >

async function removeExpired(deps: RemovalDeps): Promise<void> {
  const { database, db, workspaces, figureCounter, deletionWorker, webhooks, upkeepClock, now, logger } = deps
  try {
    await figureCounter.forgetReaders()
    await deletionWorker.sweep()
    if (await upkeepClock.mayDelete()) {
      await forgetOldAnswers(db as unknown as Kysely<IdempotencyTables>, now())
      await workspaces.removeEndedKeys(now())
      await webhooks.removeExpired()
      await sweepUploads(deps)
    }
    await database.maintain()
  } catch (err) {
    logger.warn({ err }, 'removing expired data failed')
  }
}

async function removeEnded({ workspaces, deletionWorker, logger }: RemovalDeps): Promise<void> {
  try {
    if ((await workspaces.ended()).length > 0) deletionWorker.wake()
  } catch (err) {
    logger.warn({ err }, 'looking for deleted workspaces failed')
  }
}
