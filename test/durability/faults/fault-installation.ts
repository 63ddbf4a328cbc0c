import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Owner } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { type PostgresCluster, startPostgresCluster } from '../../support/postgres-cluster.ts'
import { type StartedProcess, startProcess } from '../../support/start-process.ts'
import { startTcpProxy, type TcpProxy, throughProxy } from '../../support/tcp-proxy.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

const SHIFT_CLOCK = new URL('shift-clock.ts', import.meta.url).href

/** An instance that is started and ended repeatedly, at the same address, with its own line to the database. */
export type Instance = {
  line: TcpProxy
  start(clockShiftMs?: number): Promise<void>
  stop(signal: NodeJS.Signals): Promise<void>
  /** Everything that it wrote to its log, over all its starts. */
  log(): string
}

/** Several instances on one PostgreSQL and one bucket, behind a balancer. */
export type FaultInstallation = {
  instances: readonly Instance[]
  cluster: PostgresCluster
  s3: S3Server
  balancer: Balancer
  token: string
  apiKey: string
  settings: Record<string, string>
  endConnections(): Promise<void>
}

/** Ends what owns something in the reverse order: first the instances, then what they use. */
export function ownerWithEnd(): Owner & { end(): Promise<void> } {
  const cleanUps: (() => Promise<void> | void)[] = []
  return {
    after: (clean) => void cleanUps.unshift(clean),
    async end() {
      for (const clean of cleanUps) await clean()
    },
  }
}

export async function startFaultInstallation(owner: Owner, count: number): Promise<FaultInstallation> {
  const cluster = await startPostgresCluster({ keepsCommits: true })
  owner.after(() => cluster.stop())
  const s3 = await startS3Server(owner)
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const balancer = await startBalancer(owner, ports)
  const settings = {
    BASE_URL: balancer.url,
    BLOBS_URL: s3.url,
    SECRET_KEY: 'a secret that all of these instances share',
    TRACKS_RATE_LIMIT: '0',
    PUBLICATIONS_RATE_LIMIT: '0',
  }
  const instances: Instance[] = []
  let first: StartedProcess | undefined
  for (const port of ports) {
    const line = await startTcpProxy(owner, new URL(cluster.url))
    const instance = openInstance(owner, line, {
      ...settings,
      PORT: String(port),
      DATABASE_URL: throughProxy(cluster.url, line),
    })
    const started = await instance.started()
    // Only the first start prints the token and the key.
    first ??= started
    instances.push(instance)
  }
  return {
    instances,
    cluster,
    s3,
    balancer,
    token: first!.token!,
    apiKey: first!.apiKey!,
    settings: { ...settings, DATABASE_URL: cluster.url },
    endConnections: () => endConnections(cluster.url),
  }
}

function openInstance(owner: Owner, line: TcpProxy, settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'instance-'))
  let running: StartedProcess | undefined
  let earlierLog = ''

  async function started(clockShiftMs = 0): Promise<StartedProcess> {
    earlierLog += running?.output().stderr ?? ''
    const clock = { NODE_OPTIONS: `--import=${SHIFT_CLOCK}`, CLOCK_SHIFT_MS: String(clockShiftMs) }
    running = await startProcess({ ...settings, ...(clockShiftMs === 0 ? {} : clock), DATA_DIR: dataDir })
    return running
  }

  owner.after(async () => {
    await running?.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return {
    line,
    started,
    start: async (clockShiftMs?: number) => void (await started(clockShiftMs)),
    stop: async (signal: NodeJS.Signals) => void (await running?.stop(signal)),
    log: () => earlierLog + (running?.output().stderr ?? ''),
  }
}

/** Ends every other connection to the database, as an administrator may. */
async function endConnections(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client
    .query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    )
    .finally(() => client.end())
}
