import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../support/free-port.ts'
import { startPostgresCluster } from '../../support/postgres-cluster.ts'
import type { RandomChoices } from '../../support/random-choices.ts'
import { ADMIN, runProgram } from '../../support/run-program.ts'
import { type StartedProcess, startProcess } from '../../support/start-process.ts'
import { apiClient } from '../api-client.ts'
import { checkPublications } from '../check-publications.ts'
import { checkAcknowledged, compareWithNewTracks, pointCount, sendAgainAndCheck } from '../check-tracks.ts'
import { startBalancer } from '../faults/balancer.ts'
import type { ownerWithEnd } from '../faults/fault-installation.ts'
import { type Experience, RequestLog } from '../faults/request-log.ts'
import { startS3Server } from '../faults/s3-server.ts'
import { createManagerToken } from '../installation.ts'
import { startLoad } from '../load.ts'
import type { PublishedDocument } from '../published-document.ts'
import { startPublishing } from '../publishing-load.ts'
import type { Ledger } from '../recorded-track.ts'
import type { OlderProgram } from './older-program.ts'

/** A step of the upgrade, and what requests experienced of it. */
export type UpgradeStep = { name: string; durationMs: number } & Experience

export type RollingUpgrade = {
  balancer: string
  steps: UpgradeStep[]
  points: number
  tracks: number
  publications: number
}

type RollingOptions = {
  older: OlderProgram
  /** Instances of each version. */
  instances: number
  /** Time after each step. */
  calmMs: number
  phones: number
  publishers: number
  onStep?: (step: UpgradeStep) => void
}

/** Pause of a phone before each request, so that the load is steady and leaves room to start instances. */
const PHONE_PAUSE_MS = 200
/** Time for a start, which runs migrations while the old instances and their clients take the processor. */
const START_WITHIN_MS = 240_000

/** The built server, which starts in half the time. */
const PRESENT = 'dist/server/main.js'

/**
 * Replaces the instances of an older version by those of the present one, one after the other and under
 * load, on one PostgreSQL and one bucket behind a balancer. Fails if a request fails, or if anything
 * acknowledged is lost, stored twice or damaged.
 */
export async function upgradeInstances(
  owner: ReturnType<typeof ownerWithEnd>,
  random: RandomChoices,
  { older, instances, calmMs, phones, publishers, onStep }: RollingOptions,
): Promise<RollingUpgrade> {
  const cluster = await startPostgresCluster({ keepsCommits: true })
  owner.after(() => cluster.stop())
  const s3 = await startS3Server(owner)
  const ports = await Promise.all(Array.from({ length: 2 * instances }, freePort))
  const balancer = await startBalancer(owner, ports)
  const settings = {
    BASE_URL: balancer.url,
    BLOBS_URL: s3.url,
    DATABASE_URL: cluster.url,
    SECRET_KEY: 'a secret that all of these instances share',
    TRACKS_RATE_LIMIT: '0',
    PUBLICATIONS_RATE_LIMIT: '0',
  }
  const start = (program: string, port: number) => startInstance(owner, program, { ...settings, PORT: String(port) })
  // Only the first start prints the token and the key.
  const first = await start(older.main, ports[0])
  const old = [first]
  for (const port of ports.slice(1, instances)) old.push(await start(older.main, port))

  const log = new RequestLog()
  const ledger: Ledger = []
  const documents: PublishedDocument[] = []
  const send = apiClient(balancer.url, first.token!)
  const target = { url: balancer.url, apiKey: first.apiKey! }
  const patience = { acceptsUnavailable: true, acceptsBreaks: true }
  const atEase: typeof send = async (...request) => {
    await wait(PHONE_PAUSE_MS)
    return await logged(...request)
  }
  const logged = log.record(send)
  const recording = startLoad(atEase, random, ledger, { phones, ...patience })
  // It ends with the first request that fails.
  const publishing = startPublishing(target, random, documents, { publishers })
  const steps: UpgradeStep[] = []

  async function step(name: string, act: () => Promise<unknown>): Promise<void> {
    const startedMs = performance.now()
    await act()
    const endedMs = performance.now()
    await wait(calmMs)
    const taken = { name, durationMs: endedMs - startedMs, ...log.take(endedMs) }
    steps.push(taken)
    onStep?.(taken)
    assert.equal(
      await Promise.race([publishing.ended.then(() => 'ended'), wait(1, 'runs')]),
      'runs',
      'publishing ended',
    )
  }

  await step(`${instances} instances of ${older.version}`, async () => {})
  for (const [at, port] of ports.slice(instances).entries())
    await step(`New instance ${at + 1} starts${at === 0 ? ', migrations run' : ''}`, () => start(PRESENT, port))
  for (const [at, instance] of old.entries()) {
    await step(`Old instance ${at + 1} is drained and stops`, async () => {
      await balancer.drain(ports[at])
      await instance.stop('SIGTERM')
    })
  }
  recording.stop()
  publishing.stop()
  await Promise.all([recording.ended, publishing.ended])

  await checkAcknowledged(send, ledger)
  await sendAgainAndCheck(send, ledger)
  const manager = apiClient(balancer.url, await createManagerToken(settings))
  await compareWithNewTracks(manager, ledger, random)
  await verifyChunks(settings, ledger)
  await checkPublications(target, documents)
  for (const { name, failed } of steps) assert.equal(failed, 0, `${name}: ${failed} requests failed`)
  return {
    balancer: balancer.name,
    steps,
    points: pointCount(ledger),
    tracks: ledger.length,
    publications: documents.length,
  }
}

async function startInstance(
  owner: ReturnType<typeof ownerWithEnd>,
  program: string,
  settings: Record<string, string>,
): Promise<StartedProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'instance-'))
  const started = await startProcess({ ...settings, DATA_DIR: dataDir }, [], { program, withinMs: START_WITHIN_MS })
  owner.after(async () => {
    await started.stop('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  })
  return started
}

async function verifyChunks(settings: Record<string, string>, ledger: Ledger): Promise<void> {
  const { stdout, stderr } = await runProgram(ADMIN, settings, ['storage', 'verify'])
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as { tracks: number; points: number; broken: unknown[] }
  assert.deepEqual(report.broken, [])
  assert.deepEqual([report.tracks, report.points], [ledger.length, pointCount(ledger)])
}
