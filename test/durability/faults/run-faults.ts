import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { RandomChoices } from '../../support/random-choices.ts'
import { ADMIN, runProgram } from '../../support/run-program.ts'
import { type ApiClient, apiClient } from '../api-client.ts'
import { checkPublications } from '../check-publications.ts'
import { checkAcknowledged, compareWithNewTracks, pointCount, sendAgainAndCheck } from '../check-tracks.ts'
import { createManagerToken } from '../installation.ts'
import { startLoad } from '../load.ts'
import type { PublishedDocument } from '../published-document.ts'
import { startPublishing } from '../publishing-load.ts'
import type { Ledger } from '../recorded-track.ts'
import { type FaultInstallation, startFaultInstallation } from './fault-installation.ts'
import type { Fault } from './list-faults.ts'
import { type Experience, RequestLog } from './request-log.ts'

/** A fault and what requests experienced of it. */
export type FaultOutcome = { name: string } & Experience

export type FaultRun = {
  balancer: string
  s3: string
  outcomes: FaultOutcome[]
  points: number
  tracks: number
  publications: number
}

export type FaultRunOptions = {
  instances: number
  faults: readonly Fault[]
  /** Time that a lasting fault is kept up. */
  holdMs: number
  /** Time between faults, in which everything has to recover. */
  calmMs: number
  phones: number
  publishers: number
  /** Pause of each phone after an action; of each publisher ten times as long after a document. */
  restMs?: number
  onOutcome?: (outcome: FaultOutcome) => void
}

/** Time within which a request is answered, whatever fails. Starting processes share the cores with it. */
export const ANSWERED_WITHIN_MS = 12_000

/** Time within which instances are ready again after the last fault, on a machine whose cores are all taken. */
const READY_WITHIN_MS = 60_000
const RETRY_AFTER_MS = 200

type Owner = Parameters<typeof startFaultInstallation>[0]

/**
 * Puts an installation under load through faults, one after the other, and then checks everything that was
 * acknowledged. Fails if anything is lost, stored twice or damaged.
 */
export async function runFaults(owner: Owner, random: RandomChoices, options: FaultRunOptions): Promise<FaultRun> {
  const { instances, faults, holdMs, calmMs, phones, publishers, restMs = 0, onOutcome } = options
  const installation = await startFaultInstallation(owner, instances)
  const { balancer, s3, token, apiKey } = installation
  const send = apiClient(balancer.url, token)
  const target = { url: balancer.url, apiKey }
  const log = new RequestLog()
  const ledger: Ledger = []
  const documents: PublishedDocument[] = []
  const recording = startLoad(log.record(send), random, ledger, {
    phones,
    restMs,
    acceptsUnavailable: true,
    acceptsBreaks: true,
  })
  const publishing = startPublishing(target, random, documents, { publishers, restMs: 10 * restMs, isPatient: true })
  const outcomes: FaultOutcome[] = []
  await wait(calmMs)
  for (const fault of faults) {
    log.take(0)
    await fault.run(installation, holdMs)
    const endedMs = performance.now()
    await wait(calmMs)
    const outcome = { name: fault.name, ...log.take(endedMs) }
    outcomes.push(outcome)
    onOutcome?.(outcome)
  }
  recording.stop()
  publishing.stop()
  await Promise.all([recording.ended, publishing.ended])

  const patient = sendsUntilReady(send)
  await checkAcknowledged(patient, ledger)
  await sendAgainAndCheck(patient, ledger)
  const managerToken = await createManagerToken(installation.settings)
  await compareWithNewTracks(sendsUntilReady(apiClient(balancer.url, managerToken)), ledger, random)
  await verifyChunks(installation, ledger)
  await checkPublications(target, documents)
  for (const { slowestMs, name } of outcomes)
    assert.ok(slowestMs < ANSWERED_WITHIN_MS, `${name}: a request took ${slowestMs} ms`)
  return {
    balancer: balancer.name,
    s3: s3.name,
    outcomes,
    points: pointCount(ledger),
    tracks: ledger.length,
    publications: documents.length,
  }
}

/** Repeats what is answered with 503, as an app does. The last such answer is returned. */
function sendsUntilReady(send: ApiClient): ApiClient {
  return async (...request) => {
    const startMs = performance.now()
    for (;;) {
      const answer = await send(...request)
      if (answer?.status !== 503 || performance.now() - startMs > READY_WITHIN_MS) return answer
      await wait(RETRY_AFTER_MS)
    }
  }
}

async function verifyChunks({ settings }: FaultInstallation, ledger: Ledger): Promise<void> {
  const { stdout, stderr } = await runProgram(ADMIN, settings, ['storage', 'verify'])
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as { tracks: number; points: number; broken: unknown[] }
  assert.deepEqual(report.broken, [])
  assert.deepEqual([report.tracks, report.points], [ledger.length, pointCount(ledger)])
}
