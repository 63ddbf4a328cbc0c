import type { Registry } from 'prom-client'
import type { Settings } from '#platform/basics/config.ts'
import type { Logger } from '#platform/basics/logger.ts'
import { createProcessMetrics } from '#platform/basics/metrics.ts'
import { readSecrets, type Secrets } from '#platform/basics/secrets.ts'
import { BodyBudget } from '#platform/http/body-limits.ts'
import { hostNameOf } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import { describeApi } from '#platform/reference/api-description.ts'
import type { ResolveName } from '#platform/webhooks/address-policy.ts'
import type { configTables } from './config.ts'
import type { OperatorService, OperatorServiceOptions } from './operator/service.ts'
import { operatorProblemMembers, operatorSecurity, operatorTags } from './operator/tags.ts'
import type { OpenedWorkspace } from './publications/library/workspace-keys.ts'
import type { Addresses } from './publications/model/config.ts'
import type { PublicationsService } from './publications/service.ts'
import { publicationsOperatorTags, publicationsProblemMembers, publicationsTags } from './publications/tags.ts'
import { tracksProblemMembers, tracksTags } from './tracks/api/tags.ts'
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

/** Replacements for the pages that operators see and the ways in which they sign in. */
export type OperatorReplacements = Pick<OperatorServiceOptions, 'dashboardDir' | 'hashCost' | 'passwordJudge'>

type SharedOptions = OperatorReplacements & {
  version: string
  logger: Logger
  registry: Registry
  jobs: Jobs
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
  const { addresses, version, dashboardDir, passwordJudge, resolveName, ...shared } = options
  const { platform } = config
  const { databaseUrl, databaseConnections, copyBeforeUpgrade, dataDir, services, binDays } = platform
  // Without BASE_URL, the dashboard may be at any address.
  const dashboardHost = hostNameOf(platform.baseUrl)
  const stored = { databaseUrl, databaseConnections, copyBeforeUpgrade, dataDir, binDays }
  const common = { ...shared, ...stored, programVersion: version }
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

/** Gives the audit log the names of the services' things. */
export async function addSubjectNames({ tracks, publications, operator }: Services): Promise<void> {
  if (tracks !== undefined) {
    const { tracksSubjectNames, tracksSubjectValues } = await import('./tracks/subject-names.ts')
    const { db } = tracks.deps.database
    operator?.deps.subjectNames.add(tracksSubjectNames(db, tracks.deps.now), tracksSubjectValues(db, tracks.deps.now))
  }
  if (publications !== undefined) {
    const found = await import('./publications/library/subject-names.ts')
    const { database, now } = publications.deps
    const names = found.publicationsSubjectNames(database.db, now)
    operator?.deps.subjectNames.add(names, found.publicationsSubjectValues(database.db, now))
  }
}

async function closeAll(services: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const service of services.toReversed()) await service.close()
}

/** Everything a first start created, with secrets in plain text. A service that was not empty is absent. */
export type FirstStart = {
  event?: { id: string; name: string; token: string }
  workspace?: OpenedWorkspace
  /** Name of the operator, and the path of the link to sign in with for the first time. */
  operator?: { name: string; signInPath: string }
}

/**
 * An empty installation gets an event and a workspace to try it at once; of processes that start at once, one makes
 * them.
 */
export async function makeFirstStart({ tracks, publications, operator }: Services): Promise<FirstStart> {
  const first = await operator?.createFirstOperator()
  return {
    event: await tracks?.createFirstEvent(),
    workspace: await publications?.createFirstWorkspace(),
    operator: first && { name: first.name, signInPath: first.link.path },
  }
}

/** Parts of the API with a document of their own: one for each service, and one for the dashboard's endpoints. */
const API_PARTS = [
  {
    service: 'tracks',
    name: 'tracks',
    title: 'Trackpress: track recording',
    description: 'Records GPS tracks: a phone creates a track, sends its points, finishes it and reads its statistics.',
    tags: ['Tracks', 'Points', 'Phones', 'Webhooks'],
  },
  {
    service: 'publications',
    name: 'publications',
    title: 'Trackpress: publication',
    description: 'Publishes PDFs: a signed upload, a publication with a slug, page images and a public page.',
    tags: ['Uploads', 'Publications', 'Publication webhooks'],
  },
  {
    service: 'dashboard',
    name: 'dashboard',
    title: 'Trackpress: dashboard',
    description: 'The endpoints that the dashboard uses, and those of share links. They change with the dashboard.',
    tags: [
      ...tracksTags
        .map(({ name }) => name)
        .filter((name) => !['Tracks', 'Points', 'Phones', 'Webhooks'].includes(name)),
      ...operatorTags.map(({ name }) => name),
      ...publicationsOperatorTags.map(({ name }) => name),
    ],
  },
] as const

/** Contents of the description. Functions return facts known only once the server listens and has its routes. */
type Described = {
  version: string
  services: Config['platform']['services']
  base: () => string
  webhooks: () => Record<string, object>
}

/** Describes the API of the services that run here. Their routes must be added afterwards. */
export async function describeServices(
  app: HttpServer,
  { version, services, base, webhooks }: Described,
): Promise<void> {
  await describeApi(app, {
    title: 'Trackpress',
    version,
    description:
      'Recording of GPS tracks: what a phone sends, kept and summed up. Publication of PDFs: from a signed upload to ' +
      'page images and a public page.',
    baseUrl: base,
    webhooks,
    tags: [
      ...(services.includes('tracks') ? tracksTags : []),
      ...(services.includes('publications') ? publicationsTags : []),
      ...(services.includes('dashboard') ? operatorTags : []),
      ...(services.includes('dashboard') && services.includes('publications') ? publicationsOperatorTags : []),
    ],
    parts: API_PARTS.filter(({ service }) => services.includes(service)),
    problemMembers: {
      ...(services.includes('tracks') ? tracksProblemMembers : {}),
      ...(services.includes('publications') ? publicationsProblemMembers : {}),
      ...(services.includes('dashboard') ? operatorProblemMembers : {}),
    },
    securitySchemes: services.includes('dashboard') ? operatorSecurity : {},
  })
}
