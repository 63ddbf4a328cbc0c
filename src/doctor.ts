import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownBuild } from '#platform/build/own-build.ts'
import { programVersion } from '#platform/build/program-version.ts'
import type { Command } from '#platform/command.ts'
import { ConfigError, readConfig } from '#platform/config.ts'
import { checkBlobs } from '#platform/doctor/check-blobs.ts'
import { checkFolder } from '#platform/doctor/check-folder.ts'
import { checkMachine, readMachine } from '#platform/doctor/check-machine.ts'
import { checkPostgres } from '#platform/doctor/check-postgres.ts'
import { checkServer } from '#platform/doctor/check-server.ts'
import { checkSettings } from '#platform/doctor/check-settings.ts'
import { checkSqlite } from '#platform/doctor/check-sqlite.ts'
import { type Check, type Finding, findingsOf, reportOf, runChecks, worstOf } from '#platform/doctor/finding.ts'
import { withStoredRows } from '#platform/doctor/stored-rows.ts'
import { checkStoredData } from '#platform/inspection/check-stored-data.ts'
import { readSecrets } from '#platform/security/read-secrets.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { configTables } from './config-tables.ts'
import { keptOperator } from './operator/backup/kept-operator.ts'
import { checkDashboard } from './operator/doctor/check-dashboard.ts'
import { operatorMigrations } from './operator/migrations/all-migrations.ts'
import { keptPublications } from './publications/backup/kept-publications.ts'
import { checkPublicationsSettings } from './publications/doctor/check-publications-settings.ts'
import { publicationsMigrations } from './publications/migrations/all-migrations.ts'
import type { Config } from './start-services.ts'
import { keptTracks } from './tracks/backup/kept-tracks.ts'
import { checkChunks } from './tracks/doctor/check-chunks.ts'
import { checkTracksSettings } from './tracks/doctor/check-tracks-settings.ts'
import { tracksMigrations } from './tracks/migrations/all-migrations.ts'

type Environment = Record<string, string | undefined>

/** Largest body of points, whatever the settings allow for uploads. */
const LARGEST_POINTS_BYTES = 64 * 1_048_576

/** The admin command that checks an installation. It changes nothing and prints no secrets. */
export function doctorCommand(env: Environment, isJson: boolean): Command {
  return {
    usage: 'doctor [--json]',
    isReadOnly: true,
    doc: 'Checks settings, disk, database, files, proxy and server, and says what to do. Exits with status 1 on errors.',
    async run() {
      const findings = await diagnose(env)
      const status = worstOf(findings)
      if (status === 'error') process.exitCode = 1
      return isJson ? { status, findings } : reportOf(findings)
    },
  }
}

async function diagnose(env: Environment): Promise<Finding[]> {
  try {
    return await runChecks(checksOf(readConfig(configTables, env), env, () => Date.now()))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const { error: wrong } = findingsOf('settings')
    return error.problems.map((problem) =>
      wrong(problem.split(' ')[0], problem, 'Correct it; the server does not start with it.'),
    )
  }
}

function checksOf(config: Config, env: Environment, now: () => number): Check[] {
  const { platform, publications, tracks, operator } = config
  const { dataDir, databaseUrl, baseUrl, services } = platform
  const runs = (service: Config['platform']['services'][number]) => services.includes(service)
  return [
    { part: 'settings', run: async () => checkSettings(platform) },
    ...(runs('tracks') ? [{ part: 'tracks', run: async () => checkTracksSettings(tracks) }] : []),
    ...(runs('publications')
      ? [{ part: 'publications', run: async () => checkPublicationsSettings(publications, baseUrl) }]
      : []),
    ...(runs('dashboard')
      ? [{ part: 'dashboard', run: async () => checkDashboard({ ...operator, baseUrl, dashboardDir: DASHBOARD_DIR }) }]
      : []),
    { part: 'machine', run: async () => checkMachine(readMachine(env.UV_THREADPOOL_SIZE), platform.liveStreams) },
    { part: 'disk', run: () => checkFolder(dataDir, databaseUrl === '') },
    { part: 'database', run: () => checkDatabases(config, now) },
    ...(runs('tracks') ? [{ part: 'points', run: () => checkPoints(platform) }] : []),
    ...(runs('publications') || runs('dashboard')
      ? [{ part: 'files', run: () => checkBlobs(publications.blobsUrl, dataDir, now) }]
      : []),
    { part: 'stored data', run: () => checkStoredData({ ...platform, kept: KEPT }, now) },
    { part: 'server', run: () => checkServer(serverOf(config, now)) },
  ]
}

const DASHBOARD_DIR = fileURLToPath(import.meta.resolve('#project/dist/dashboard'))

const KEPT = [keptTracks, keptPublications, keptOperator]

const SCHEMAS = [
  { service: 'tracks', name: 'tracks', migrations: Object.keys(tracksMigrations), needsTrigrams: true },
  {
    service: 'publications',
    name: 'publications',
    migrations: Object.keys(publicationsMigrations),
    needsTrigrams: false,
  },
  { service: 'dashboard', name: 'operator', migrations: Object.keys(operatorMigrations), needsTrigrams: false },
] as const

async function checkDatabases({ platform }: Config, now: () => number): Promise<Finding[]> {
  const { databaseUrl: url, databaseConnections: connections, dataDir, services } = platform
  const schemas = SCHEMAS.filter(({ service }) => services.includes(service))
  if (url !== '') return await checkPostgres({ url, connections, schemas, now })
  return schemas.flatMap(({ name, migrations }) =>
    checkSqlite(join(dataDir, `${name}.sqlite`), name, migrations, now()),
  )
}

async function checkPoints({ databaseUrl, dataDir }: Config['platform']): Promise<Finding[]> {
  const place = { databaseUrl, dataDir, service: 'tracks', table: 'chunks', columns: 'track_id, first_ms, bytes' }
  return await withStoredRows(place, checkChunks)
}

function serverOf({ platform, publications }: Config, now: () => number) {
  const { host, port, baseUrl, dataDir, secretKey } = platform
  const isEverywhere = ['0.0.0.0', '::'].includes(host)
  return {
    ownUrl: `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`,
    baseUrl,
    // Reading would create the secret.
    secrets: secretKey === '' && !existsSync(join(dataDir, 'secret')) ? undefined : readSecrets(platform),
    version: programVersion(packageJson.version),
    build: ownBuild(),
    largestBodyBytes: Math.max(
      LARGEST_POINTS_BYTES,
      platform.services.includes('publications') ? publications.maxUploadBytes : 0,
    ),
    now,
  }
}
