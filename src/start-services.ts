import type { Registry } from 'prom-client'
import type { Settings } from '#platform/config.ts'
import { BodyBudget } from '#platform/http/bodies/body-budget.ts'
import { hostNameOf } from '#platform/http/server/host-name.ts'
import type { Logger } from '#platform/logger.ts'
import { createProcessMetrics } from '#platform/metrics/process-metrics.ts'
import { readSecrets } from '#platform/security/read-secrets.ts'
import type { Secrets } from '#platform/security/secret.ts'
import type { ResolveName } from '#platform/webhooks/sending/resolve-name.ts'
import type { configTables } from './config-tables.ts'
import type { OperatorService, OperatorServiceOptions } from './operator/service.ts'
import type { Addresses } from './publications/domain/addresses.ts'
import type { PublicationsService } from './publications/service.ts'
import type { TracksService } from './tracks/service.ts'

export type Config = { readonly [Part in keyof typeof configTables]: Settings<(typeof configTables)[Part]> }

/** The services that run in this process, and their secrets. */
export type Services = {
  secrets: Secrets
  tracks: TracksService | undefined
  publications: PublicationsService | undefined
  operator: OperatorService | undefined
  /** Closes the services, the last started first. */
  close(): Promise<void>
}

type SharedOptions = Pick<OperatorServiceOptions, 'dashboardDir' | 'hashCost' | 'passwordJudge'> & {
  version: string
  logger: Logger
  registry: Registry
  now: () => number
  addresses: Addresses
  /** Resolves the host names of webhooks; replaced in tests. */
  resolveName?: ResolveName | undefined
}

/**
 * Maximum memory of the large JSON bodies that a service is receiving. Each has a budget of its own, so that one cannot
 * keep another from receiving. A client address may hold a quarter, which is at least the largest body of the service.
 */
const BODY_BUDGET_BYTES = { tracks: 384 * 1_048_576, publications: 32 * 1_048_576, operator: 8 * 1_048_576 }

/**
 * Starts the services that the settings name, and loads no code of others. If one cannot
 * start, those already started are closed.
 */
export async function startServices(config: Config, options: SharedOptions): Promise<Services> {
  const { addresses, version, dashboardDir, hashCost, passwordJudge, resolveName, ...shared } = options
  const { platform } = config
  const { databaseUrl, databaseConnections, copyBeforeUpgrade, dataDir, services } = platform
  // Without BASE_URL, the dashboard may be at any address.
  const dashboardHost = hostNameOf(platform.baseUrl)
  const common = { ...shared, databaseUrl, databaseConnections, copyBeforeUpgrade, programVersion: version, dataDir }
  const secrets = readSecrets(platform)
  const webhooks = { allowedNetworks: platform.webhookAllowedNetworks, resolveName }
  const bodyBudgets = {
    tracks: new BodyBudget(BODY_BUDGET_BYTES.tracks),
    publications: new BodyBudget(BODY_BUDGET_BYTES.publications),
    operator: new BodyBudget(BODY_BUDGET_BYTES.operator),
  }
  createProcessMetrics(shared.registry, { version, dataDir, bodyBudgets })
  const started: { close(): Promise<void> }[] = []

  async function start<Service extends { close(): Promise<void> }>(name: string, begin: () => Promise<Service>) {
    if (!services.some((named) => named === name)) return undefined
    const service = await begin()
    started.push(service)
    return service
  }

  try {
    return {
      secrets,
      tracks: await start('tracks', async () => {
        const { startTracksService } = await import('./tracks/service.ts')
        return await startTracksService({
          ...common,
          config: config.tracks,
          bodyBudget: bodyBudgets.tracks,
          webhooks,
          secrets,
          baseUrl: addresses.base,
        })
      }),
      publications: await start('publications', async () => {
        const { startPublicationsService } = await import('./publications/service.ts')
        return await startPublicationsService({
          ...common,
          config: config.publications,
          bodyBudget: bodyBudgets.publications,
          webhooks,
          secrets,
          addresses,
          dashboardHost,
        })
      }),
      operator: await start('dashboard', async () => {
        const { startOperatorService } = await import('./operator/service.ts')
        return await startOperatorService({
          ...common,
          config: config.operator,
          blobsUrl: config.publications.blobsUrl,
          bodyBudget: bodyBudgets.operator,
          secrets,
          baseUrl: addresses.base,
          dashboardHost,
          publicUrl: addresses.public,
          maxUploadBytes: config.publications.maxUploadBytes,
          version,
          services,
          dashboardDir,
          hashCost,
          passwordJudge,
        })
      }),
      close: () => closeAll(started),
    }
  } catch (error) {
    await closeAll(started)
    throw error
  }
}

/** Gives the audit log the names of what the services have. */
export async function addSubjectNames({ tracks, publications, operator }: Services): Promise<void> {
  if (tracks !== undefined) {
    const { tracksSubjectNames, tracksSubjectValues } = await import('./tracks/events/subject-names.ts')
    const { db } = tracks.deps.database
    operator?.deps.subjectNames.add(tracksSubjectNames(db, tracks.deps.now), tracksSubjectValues(db, tracks.deps.now))
  }
  if (publications !== undefined) {
    const found = await import('./publications/workspaces/subject-names.ts')
    const { database, now } = publications.deps
    const names = found.publicationsSubjectNames(database.db, now)
    operator?.deps.subjectNames.add(names, found.publicationsSubjectValues(database.db, now))
  }
}

async function closeAll(services: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const service of services.toReversed()) await service.close()
}
