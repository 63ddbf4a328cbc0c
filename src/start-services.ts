import type { Registry } from 'prom-client'
import type { Settings } from '#platform/config.ts'
import { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { Logger } from '#platform/logger.ts'
import { readSecret } from '#platform/security/secret.ts'
import type { configTables } from './config-tables.ts'
import type { OperatorService } from './operator/service.ts'
import type { Addresses } from './publications/domain/addresses.ts'
import type { PublicationsService } from './publications/service.ts'
import type { TracksService } from './tracks/service.ts'

export type Config = { readonly [Part in keyof typeof configTables]: Settings<(typeof configTables)[Part]> }

/** The services that run in this process, and what they share. */
export type Parts = {
  secret: Buffer
  tracks: TracksService | undefined
  publications: PublicationsService | undefined
  operator: OperatorService | undefined
  /** Lets go of everything, the latest first; every part gets its chance. */
  close(): Promise<void>
}

export type SharedParts = {
  version: string
  logger: Logger
  registry: Registry
  now: () => number
  addresses: Addresses
}

/** Memory that JSON bodies under way may take together. */
const BODY_BUDGET_BYTES = 512 * 1_048_576

/**
 * Starts the services that the settings name, of which alone the code is loaded. When one of them cannot start, those that did
 * are closed again.
 */
export async function startParts(config: Config, { addresses, version, ...shared }: SharedParts): Promise<Parts> {
  const { platform } = config
  const { databaseUrl, databaseConnections, dataDir, services } = platform
  const secret = readSecret(platform.secretKey, dataDir)
  const common = { ...shared, databaseUrl, databaseConnections, dataDir, bodyBudget: new BodyBudget(BODY_BUDGET_BYTES) }
  const started: { close(): Promise<void> }[] = []

  async function start<Part extends { close(): Promise<void> }>(name: string, begin: () => Promise<Part>) {
    if (!services.some((service) => service === name)) return undefined
    const part = await begin()
    started.push(part)
    return part
  }

  try {
    return {
      secret,
      tracks: await start('tracks', async () => {
        const { startTracksService } = await import('./tracks/service.ts')
        return await startTracksService({ ...common, config: config.tracks, secret, baseUrl: addresses.base })
      }),
      publications: await start('publications', async () => {
        const { startPublicationsService } = await import('./publications/service.ts')
        return await startPublicationsService({ ...common, config: config.publications, secret, addresses })
      }),
      operator: await start('dashboard', async () => {
        const { startOperatorService } = await import('./operator/service.ts')
        return await startOperatorService({
          ...common,
          config: config.operator,
          baseUrl: addresses.base,
          // Who has not said where the dashboard is may have it anywhere.
          otherUrls: () => (platform.baseUrl === '' ? [] : [addresses.public(), addresses.cdn()]),
          publicUrl: addresses.public,
          maxUploadBytes: config.publications.maxUploadBytes,
          version,
          services,
        })
      }),
      close: () => closeAll(started),
    }
  } catch (error) {
    await closeAll(started)
    throw error
  }
}

async function closeAll(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close()
}
