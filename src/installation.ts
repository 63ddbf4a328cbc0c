import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Installation } from '#platform/backup/kept-data.ts'
import { ownBuild, programVersion } from '#platform/basics/build.ts'
import type { Command } from '#platform/basics/command.ts'
import { ConfigError, readConfig, type Settings } from '#platform/basics/config.ts'
import { readSecrets, type SecretSettings, secretPath } from '#platform/basics/secrets.ts'
import { connectBlobs } from '#platform/blobs/connect-blobs.ts'
import { checkBlobs } from '#platform/doctor/check-blobs.ts'
import { checkFolder } from '#platform/doctor/check-folder.ts'
import { checkMachine, readMachine } from '#platform/doctor/check-machine.ts'
import { checkPostgres } from '#platform/doctor/check-postgres.ts'
import { checkServer } from '#platform/doctor/check-server.ts'
import { checkSettings } from '#platform/doctor/check-settings.ts'
import { checkSqlite } from '#platform/doctor/check-sqlite.ts'
import { checkStoredData } from '#platform/doctor/check-stored-data.ts'
import { type Check, type Finding, findingsOf, reportOf, runChecks, worstOf } from '#platform/doctor/finding.ts'
import { withStoredRows } from '#platform/doctor/stored-rows.ts'
import packageJson from '#project/package.json' with { type: 'json' }
import { configTables, type platformConfig } from './config.ts'
import { checkDashboard, DASHBOARD_DIR } from './operator/model/config.ts'
import { operatorMigrations } from './operator/model/migrations.ts'
import { keptOperator } from './operator/model/tables.ts'
import { keptPublications } from './publications/model/backup.ts'
import { checkPublicationsSettings, publicationsConfig } from './publications/model/config.ts'
import { publicationsMigrations } from './publications/model/migrations.ts'
import { checkRecognition } from './publications/recognition/text-recognizer.ts'
import type { Config } from './services.ts'
import { checkTracksSettings } from './tracks/model/config.ts'
import { tracksMigrations } from './tracks/model/migrations.ts'
import { checkChunks } from './tracks/points/storage/damage.ts'
import { keptTracks } from './tracks/points/storage/inspection.ts'

/** Describes where an installation keeps its data, for backups. Opens and creates nothing. @throws ConfigError */
export function describeInstallation(
  platform: Settings<typeof platformConfig>,
  env: Record<string, string | undefined>,
): Installation {
  const { databaseUrl, dataDir, secretKey } = platform
  const { publications } = readConfig({ publications: publicationsConfig }, env)
  return {
    program: programVersion(packageJson.version),
    databaseUrl,
    dataDir,
    secrets: () => findSecrets(platform),
    hasSecretSetting: secretKey !== '',
    openBlobs: () => connectBlobs({ url: publications.blobsUrl, dataDir }),
    kept: [keptTracks, keptPublications, keptOperator],
    now: () => Date.now(),
    // A terminal shows the progress; a report by mail has the result alone.
    say: (line) => {
      if (process.stderr.isTTY) process.stderr.write(`${line}\n`)
    },
  }
}

/** Returns the secrets without making one. */
function findSecrets(settings: SecretSettings): string[] {
  if (settings.secretKey === '' && !existsSync(secretPath(settings.dataDir))) return []
  return readSecrets(settings).map((secret) => secret.toString('utf8'))
}

type Environment = Record<string, string | undefined>

/** Largest body of points. Settings for uploads do not raise it. */
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
      ? [
          {
            part: 'publications',
            run: async () => [
              ...checkPublicationsSettings(publications, baseUrl),
              checkRecognition(publications.recognition, publications.recognitionLanguages),
            ],
          },
        ]
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

const KEPT = [keptTracks, keptPublications, keptOperator]

const SCHEMAS = [
  { service: 'tracks', name: 'tracks', migrations: tracksMigrations, needsTrigrams: true },
  { service: 'publications', name: 'publications', migrations: publicationsMigrations, needsTrigrams: false },
  { service: 'dashboard', name: 'operator', migrations: operatorMigrations, needsTrigrams: false },
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
